"""Strings and characters. Positions count characters; a negative one counts from the end.

What may give a long text is refused before it is made.
"""

from rhaipy.costs import charge_text, charge_text_copy, paid_trim, paid_utf8_length, utf8_length
from rhaipy.functions import Caller, Package, Ref, function
from rhaipy.library.spans import index_of, offset, span, start_and_count
from rhaipy.library.texts import text_of
from rhaipy.limit_errors import DataTooLarge
from rhaipy.limits import FAR_BEYOND, STRING
from rhaipy.operators import join, join_in_passing
from rhaipy.operators import remove as without
from rhaipy.source import NONE
from rhaipy.typings import Final
from rhaipy.unicode import to_lower, to_upper
from rhaipy.values import I64_MAX, Char, Range, Value

STRINGS: Package = []

_ABSURD: Final = 2**31
"""No string is padded to such a length, even where there is no limit."""

# --- adding ---------------------------------------------------------------------------------------------------------------


@function(STRINGS, "+", by_reference=True)
def add_any(caller: Caller, string: str, item: Value) -> str:
    return join(caller.meter, string, text_of(caller, "to_string", item))


@function(STRINGS, "+", by_reference=True)
def add_to_any(caller: Caller, item: Value, string: str) -> str:
    return join(caller.meter, text_of(caller, "to_string", item), string)


@function(STRINGS, "+=", "append", mutates=True)
def append_any(caller: Caller, string: Ref[str], item: Value) -> None:
    _append(caller, string, text_of(caller, "to_string", item))


def _append(caller: Caller, string: Ref[str], more: str) -> None:
    # Only what stays can be too long (case "a text appended to a literal may be too long").
    put_together = join if string.refers else join_in_passing
    string.value = put_together(caller.meter, string.value, more)


@function(STRINGS, "+")
def add_string(caller: Caller, string1: str, string2: str | Char) -> str:
    return join(caller.meter, string1, string2)


@function(STRINGS, "+")
def add_to_char(caller: Caller, character: Char, string: str) -> str:
    return join(caller.meter, character, string)


@function(STRINGS, "+")
def add_unit(string: str, item: None) -> str:
    return string


@function(STRINGS, "+")
def add_to_unit(item: None, string: str) -> str:
    return string


@function(STRINGS, "+=", mutates=True)
def append_string(caller: Caller, string1: Ref[str], string2: str | Char) -> None:
    _append(caller, string1, string2)


@function(STRINGS, "+=", mutates=True)
def append_unit(string: Ref[str], item: None) -> None:
    """Nothing to add."""


@function(STRINGS, "+")
def add_blob(caller: Caller, string: str, utf8: bytearray) -> str:
    return join(caller.meter, string, _decoded(utf8))


@function(STRINGS, "+")
def add_to_blob(caller: Caller, utf8: bytearray, string: str) -> str:
    return join(caller.meter, _decoded(utf8), string)


@function(STRINGS, "+=", "append", mutates=True)
def append_blob(caller: Caller, string: Ref[str], utf8: bytearray) -> None:
    _append(caller, string, _decoded(utf8))


def _decoded(utf8: bytearray) -> str:
    return utf8.decode("utf-8", "replace")


@function(STRINGS, "to_blob")
def to_blob(caller: Caller, string: str) -> bytearray:
    charge_text(caller.meter, string)
    return bytearray(string.encode())


@function(STRINGS, "pad", mutates=True)
def pad(caller: Caller, string: Ref[str], len_: int, padding: str | Char) -> None:
    if len_ <= 0:
        return
    meter = caller.meter
    meter.string(len_)
    missing = len_ - len(string.value)
    if missing <= 0 or not padding:
        return
    if missing > _ABSURD:
        raise DataTooLarge(NONE, STRING)
    whole, rest = divmod(missing, len(padding))
    meter.string(utf8_length(string.value) + whole * utf8_length(padding) + utf8_length(padding[:rest]))
    charge_text(meter, string.value)
    string.value = join(meter, string.value, padding * whole + padding[:rest])


# --- asking ---------------------------------------------------------------------------------------------------------------


@function(STRINGS, "len", getter=True)
def length(string: str) -> int:
    return len(string)


@function(STRINGS, "is_empty", getter=True)
def is_empty(string: str) -> bool:
    return not string


@function(STRINGS, "bytes", getter=True)
def count_bytes(caller: Caller, string: str) -> int:
    return paid_utf8_length(caller.meter, string)


@function(STRINGS, "contains")
def contains(caller: Caller, string: str, part: str | Char) -> bool:
    charge_text(caller.meter, string)
    return part in string


@function(STRINGS, "starts_with")
def starts_with(caller: Caller, string: str, part: str | Char) -> bool:
    charge_text_copy(caller.meter, part)
    return string.startswith(part)


@function(STRINGS, "ends_with")
def ends_with(caller: Caller, string: str, part: str | Char) -> bool:
    charge_text_copy(caller.meter, part)
    return string.endswith(part)


@function(STRINGS, "index_of")
def find(caller: Caller, string: str, part: str | Char) -> int:
    return find_from(caller, string, part, 0)


@function(STRINGS, "index_of")
def find_from(caller: Caller, string: str, part: str | Char, start: int) -> int:
    if not string or start >= len(string):
        return -1
    charge_text(caller.meter, string)
    return string.find(part, offset(len(string), start))


@function(STRINGS, "max")
def largest(caller: Caller, string1: str, string2: str) -> str:
    charge_text_copy(caller.meter, string1)
    return string1 if string1 >= string2 else string2


@function(STRINGS, "min")
def smallest(caller: Caller, string1: str, string2: str) -> str:
    charge_text_copy(caller.meter, string1)
    return string1 if string1 <= string2 else string2


@function(STRINGS, "max")
def largest_char(char1: Char, char2: Char) -> Char:
    return char1 if char1 >= char2 else char2


@function(STRINGS, "min")
def smallest_char(char1: Char, char2: Char) -> Char:
    return char1 if char1 <= char2 else char2


# --- characters and parts -------------------------------------------------------------------------------------------------


@function(STRINGS, "get")
def get(string: str, index: int) -> Char | None:
    place = index_of(len(string), index)
    return None if place is None else Char(string[place])


@function(STRINGS, "set", mutates=True)
def set_char(caller: Caller, string: Ref[str], index: int, character: Char) -> None:
    text = string.value
    place = index_of(len(text), index)
    if place is not None:
        charge_text(caller.meter, text)
        string.value = text[:place] + character + text[place + 1 :]


@function(STRINGS, "sub_string")
def sub_string(caller: Caller, string: str, start: int, len_: int) -> str:
    charge_text(caller.meter, string)
    first, end = span(len(string), start, len_)
    return string[first:end]


@function(STRINGS, "sub_string")
def sub_string_range(caller: Caller, string: str, range_: Range) -> str:
    return sub_string(caller, string, *start_and_count(range_))


@function(STRINGS, "sub_string")
def sub_string_from(caller: Caller, string: str, start: int) -> str:
    return sub_string(caller, string, start, I64_MAX)


@function(STRINGS, "crop", mutates=True)
def crop(caller: Caller, string: Ref[str], start: int, len_: int) -> None:
    string.value = sub_string(caller, string.value, start, len_)


@function(STRINGS, "crop", mutates=True)
def crop_range(caller: Caller, string: Ref[str], range_: Range) -> None:
    string.value = sub_string_range(caller, string.value, range_)


@function(STRINGS, "crop", mutates=True)
def crop_from(caller: Caller, string: Ref[str], start: int) -> None:
    string.value = sub_string_from(caller, string.value, start)


@function(STRINGS, "clear", mutates=True)
def clear(string: Ref[str]) -> None:
    string.value = ""


@function(STRINGS, "truncate", mutates=True)
def truncate(caller: Caller, string: Ref[str], len_: int) -> None:
    charge_text(caller.meter, string.value)
    string.value = string.value[: max(len_, 0)]


@function(STRINGS, "trim", mutates=True)
def trim_string(caller: Caller, string: Ref[str]) -> None:
    string.value = paid_trim(caller.meter, string.value)


@function(STRINGS, "pop", mutates=True)
def pop(caller: Caller, string: Ref[str]) -> Char | None:
    text = string.value
    charge_text(caller.meter, text)
    string.value = text[:-1]
    return Char(text[-1]) if text else None


@function(STRINGS, "pop", mutates=True)
def pop_some(caller: Caller, string: Ref[str], len_: int) -> str:
    text = string.value
    charge_text(caller.meter, text)
    rest = max(len(text) - max(len_, 0), 0)
    string.value = text[:rest]
    return text[rest:]


@function(STRINGS, "remove", mutates=True)
def remove(caller: Caller, string: Ref[str], part: str | Char) -> None:
    if string.value and part:
        string.value = without(caller.meter, string.value, part)


@function(STRINGS, "replace", mutates=True)
def replace(caller: Caller, string: Ref[str], part: str | Char, substitute: str | Char) -> None:
    text, meter = string.value, caller.meter
    if not text:
        return
    charge_text(meter, text)
    charge_text(meter, text)
    growth = text.count(part) * (paid_utf8_length(meter, substitute) - paid_utf8_length(meter, part))
    if growth > 0:
        if string.refers or growth > FAR_BEYOND:
            meter.string(paid_utf8_length(meter, text) + growth)
        meter.charge(growth >> 8)
        meter.allocate(len(text) + growth)
    string.value = text.replace(part, substitute)


# --- upper and lower case -------------------------------------------------------------------------------------------------


@function(STRINGS, "to_upper")
def string_to_upper(caller: Caller, string: str) -> str:
    _charge_case(caller, string)
    return to_upper(string)


@function(STRINGS, "to_lower")
def string_to_lower(caller: Caller, string: str) -> str:
    _charge_case(caller, string)
    return to_lower(string)


def _charge_case(caller: Caller, text: str) -> None:
    caller.meter.charge(len(text) >> (8 if text.isascii() else 3))


@function(STRINGS, "make_upper", mutates=True)
def make_upper(caller: Caller, string: Ref[str]) -> None:
    string.value = string_to_upper(caller, string.value)


@function(STRINGS, "make_lower", mutates=True)
def make_lower(caller: Caller, string: Ref[str]) -> None:
    string.value = string_to_lower(caller, string.value)


def _if_single(changed: str, character: Char) -> Char:
    # A character whose other case is several characters stays as it is.
    return Char(changed) if len(changed) == 1 else character


@function(STRINGS, "to_upper")
def char_to_upper(character: Char) -> Char:
    return _if_single(to_upper(character), character)


@function(STRINGS, "to_lower")
def char_to_lower(character: Char) -> Char:
    return _if_single(to_lower(character), character)


@function(STRINGS, "make_upper", mutates=True)
def make_char_upper(character: Ref[Char]) -> None:
    character.value = char_to_upper(character.value)


@function(STRINGS, "make_lower", mutates=True)
def make_char_lower(character: Ref[Char]) -> None:
    character.value = char_to_lower(character.value)
