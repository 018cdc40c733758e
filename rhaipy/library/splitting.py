"""Strings taken apart. The pieces are counted before they are made."""

from rhaipy.costs import charge_text, claim
from rhaipy.functions import Caller, Package, function
from rhaipy.typings import Final
from rhaipy.unicode import words
from rhaipy.values import Char, Value

SPLITTING: Package = []

PIECE: Final = 64
CHARACTER: Final = 104
"""The bytes that one takes in memory beside its text."""


@function(SPLITTING, "to_chars")
def to_chars(caller: Caller, string: str) -> list[Value]:
    _expect(caller, string, len(string), CHARACTER)
    return [Char(char) for char in string]


@function(SPLITTING, "split", by_reference=True)
def split_words(caller: Caller, string: str) -> list[Value]:
    caller.meter.charge(len(string) >> (4 if string.isascii() else 2))
    pieces = words(string) if string else [""]
    _expect(caller, string, len(pieces))
    return [*pieces]


@function(SPLITTING, "split", by_reference=True)
def split_at(caller: Caller, string: str, index: int) -> list[Value]:
    """Two parts. Zero counts from the end, as a negative index does."""
    _expect(caller, string, 2)
    if index <= 0:
        index = max(len(string) + index, 0)
    return [string[:index], string[index:]]


@function(SPLITTING, "split", by_reference=True)
def split(caller: Caller, string: str, delimiter: str | Char) -> list[Value]:
    return split_into(caller, string, delimiter, len(string) + 2)


@function(SPLITTING, "split", by_reference=True)
def split_into(caller: Caller, string: str, delimiter: str | Char, segments: int) -> list[Value]:
    count = _count(caller, string, delimiter, segments)
    if count == 1:
        return [string]
    if delimiter:
        return [*string.split(delimiter, count - 1)]
    # An empty delimiter stands before and after each character.
    return ["", *string[: count - 2], string[count - 2 :]]


@function(SPLITTING, "split_rev", by_reference=True)
def split_reversed(caller: Caller, string: str, delimiter: str | Char) -> list[Value]:
    return split_reversed_into(caller, string, delimiter, len(string) + 2)


@function(SPLITTING, "split_rev", by_reference=True)
def split_reversed_into(caller: Caller, string: str, delimiter: str | Char, segments: int) -> list[Value]:
    count = _count(caller, string, delimiter, segments)
    if count == 1:
        return [string]
    if delimiter:
        return [*reversed(string.rsplit(delimiter, count - 1))]
    rest = len(string) - (count - 2)
    return ["", *reversed(string[rest:]), string[:rest]]


def _count(caller: Caller, string: str, delimiter: str, segments: int) -> int:
    charge_text(caller.meter, string)
    count = 1 if segments <= 1 or not string else min(string.count(delimiter) + 1, segments)
    _expect(caller, string, count)
    return count


def _expect(caller: Caller, string: str, count: int, each: int = PIECE) -> None:
    meter = caller.meter
    meter.array(count)
    claim(meter, count)
    charge_text(meter, string)
    meter.allocate(len(string) + each * count)
