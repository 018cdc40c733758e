"""The price list: the fuel for work that operations do not count. A unit is about a microsecond.

Each price is the slowest case measured, rounded to a power of two, so that a budget of fuel bounds time whatever a script does.
Small work is free: an operation pays for it. Whoever makes something large pays before making it, where its size is known.
"""

from sys import getsizeof

from rhaipy.limits import Meter
from rhaipy.typings import Final
from rhaipy.unicode import trim

BYTES_A_UNIT: Final = 15
"""Copying 2 ** this many bytes of a blob is one unit."""

COPIED: Final = 13  # bytes of memory; a wide text is four bytes a character
_HASHED: Final = 10
_MEASURED: Final = 10
_ERROR: Final = 8
SMALL: Final = 512
"""Texts up to this many characters are hashed and compared for nothing."""


def charge_error(meter: Meter) -> None:
    """Pay for an error that is caught, or swallowed by a function: making and raising it takes longer than what led to it."""
    meter.charge(_ERROR)


def charge_text(meter: Meter, text: str) -> None:
    """Pay for one scan of `text`. What is not ASCII takes longer."""
    meter.charge(len(text) >> (8 if text.isascii() else 5))


def charge_each_character(meter: Meter, text: str) -> None:
    """Pay for work on each character of `text`: another case, escapes, white space between words."""
    meter.charge(len(text) >> 4)


def charge_text_copy(meter: Meter, text: str) -> None:
    """Pay for a copy of `text`, or for comparing it with one that is like it."""
    if len(text) > SMALL:
        meter.charge(getsizeof(text) >> COPIED)


def charge_hash(meter: Meter, text: str) -> None:
    """Pay for finding `text` among the keys of a map."""
    if len(text) > SMALL:
        meter.charge(getsizeof(text) >> _HASHED)


def paid_trim(meter: Meter, text: str) -> str:
    """`text` without white space at both ends. Each character taken away is looked up among all white space."""
    trimmed = trim(text)
    meter.charge(len(text) - len(trimmed) >> 5)
    charge_text_copy(meter, trimmed)
    return trimmed


def utf8_length(text: str) -> int:
    """The length of `text` in UTF-8 bytes."""
    return len(text) if text.isascii() else len(text.encode())


def paid_utf8_length(meter: Meter, text: str) -> int:
    """The length of `text` in UTF-8 bytes. Where it is not ASCII, that takes a copy."""
    if text.isascii():
        return len(text)
    meter.charge(len(text) >> _MEASURED)
    return len(text.encode())


def claim(meter: Meter, count: int) -> None:
    """Pay for `count` items that something new is about to hold."""
    meter.charge(count >> 2)
    meter.allocate(8 * count)
