"""Values as text: `to_string`, `to_debug`, what `print` and `debug` show, and numbers in other bases.

Containers show their items by asking `to_debug` of each, so that a host's own `to_debug` counts. `print` and `debug` give the
text only; the evaluator hands it to the host.
"""

from rhaipy.display import debug, debug_float, debug_string, display, display_float
from rhaipy.errors import RhaiError
from rhaipy.functions import Caller, Package, function
from rhaipy.library.callbacks import call_inside
from rhaipy.values import Char, FnPtr, Stream, Value, type_name

TEXTS: Package = []


def text_of(caller: Caller, name: str, value: Value) -> str:
    """What the function `name` (`to_string` or `to_debug`) gives for `value`; the engine's own text where it fails."""
    try:
        text = call_inside(caller, name, [value])
    except RhaiError:
        if caller.meter.exhausted:
            raise
        return _shortened(caller, value, (debug if name == "to_debug" else display)(value, caller.meter))
    return text if type(text) is str else type_name(text, caller.meter.types)


def _shortened(caller: Caller, value: Value, text: str) -> str:
    """The text of `value`, but for types that show by their names alone."""
    names = caller.meter.types.names
    return type_name(value) if type(value) is Stream else names.get(type(value), text) if names else text


# --- any value ------------------------------------------------------------------------------------------------------------


@function(TEXTS, "print", by_reference=True)
def print_any(caller: Caller, item: Value) -> str:
    return text_of(caller, "to_string", item)


@function(TEXTS, "debug", by_reference=True)
def debug_any(caller: Caller, item: Value) -> str:
    return text_of(caller, "to_debug", item)


@function(TEXTS, "to_string", by_reference=True)
def any_to_string(caller: Caller, item: Value) -> str:
    return _shortened(caller, item, display(item, caller.meter))


@function(TEXTS, "to_debug", by_reference=True)
def any_to_debug(caller: Caller, item: Value) -> str:
    return _shortened(caller, item, debug(item, caller.meter))


@function(TEXTS, "print", "debug")
def print_nothing() -> str:
    return ""


# --- single types ---------------------------------------------------------------------------------------------------------


@function(TEXTS, "print", "to_string")
def string_to_string(string: str) -> str:
    return string


@function(TEXTS, "debug", "to_debug")
def string_to_debug(caller: Caller, string: str) -> str:
    caller.meter.charge(len(string) >> 3)
    return debug_string(string)


@function(TEXTS, "print", "to_string", "debug", "to_debug")
def char_to_string(character: Char) -> str:
    return str(character)


@function(TEXTS, "print", "to_string", "debug", "to_debug")
def bool_to_string(value: bool) -> str:
    return display(value)


@function(TEXTS, "print", "to_string")
def unit_to_string(unit: None) -> str:
    return display(unit)


@function(TEXTS, "debug", "to_debug")
def unit_to_debug(unit: None) -> str:
    return debug(unit)


@function(TEXTS, "print", "to_string")
def float_to_string(caller: Caller, number: float) -> str:
    caller.meter.charge(2)
    return display_float(number)


@function(TEXTS, "debug", "to_debug")
def float_to_debug(caller: Caller, number: float) -> str:
    caller.meter.charge(2)
    return debug_float(number)


@function(TEXTS, "debug", "to_debug", by_reference=True)
def pointer_to_debug(f: FnPtr) -> str:
    return display(f)


# --- containers -----------------------------------------------------------------------------------------------------------


@function(TEXTS, "print", "to_string", "debug", "to_debug", by_reference=True)
def array_to_string(caller: Caller, array: list[Value]) -> str:
    caller.meter.charge(len(array) >> 2)
    pieces: list[str] = []
    size = 0
    for item in array:
        pieces.append(text_of(caller, "to_debug", item))
        size += len(pieces[-1]) + 2
        caller.meter.growing(size)
    return "[" + ", ".join(pieces) + "]"


@function(TEXTS, "print", "to_string", "debug", "to_debug", by_reference=True)
def map_to_string(caller: Caller, map: dict[str, Value]) -> str:
    caller.meter.charge(len(map))
    entries: list[str] = []
    size = 0
    for key in sorted(map):
        entries.append(f"{string_to_debug(caller, key)}: {text_of(caller, 'to_debug', map[key])}")
        size += len(entries[-1]) + 2
        caller.meter.growing(size)
    return "#{" + ", ".join(entries) + "}"


# --- numbers --------------------------------------------------------------------------------------------------------------

_ALL_BITS = 2**64 - 1


@function(TEXTS, "to_hex")
def to_hex(value: int) -> str:
    return f"{value & _ALL_BITS:x}"


@function(TEXTS, "to_octal")
def to_octal(value: int) -> str:
    return f"{value & _ALL_BITS:o}"


@function(TEXTS, "to_binary")
def to_binary(value: int) -> str:
    return f"{value & _ALL_BITS:b}"


@function(TEXTS, "to_int")
def char_to_int(ch: Char) -> int:
    return ord(ch)
