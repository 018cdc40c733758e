"""Indexing: the place that an index stands for in a value. Bounds and texts are the real engine's, oddities included."""

from collections.abc import Callable
from sys import getsizeof

from rhaipy.costs import SMALL, charge_hash, charge_text_copy
from rhaipy.errors import ArrayBounds, BitFieldBounds, IndexingType, MismatchDataType, PropertyNotFound, StringBounds
from rhaipy.interpreter.machine import Machine
from rhaipy.interpreter.natives import index_getter
from rhaipy.interpreter.places import (
    Bit,
    BitField,
    BlobByte,
    EntryPlace,
    ItemPlace,
    Place,
    StringChar,
    StringSlice,
    Temporary,
    signed,
)
from rhaipy.limits import Meter
from rhaipy.source import NONE, At
from rhaipy.typings import Final
from rhaipy.values import I64_MAX, Char, Range, Value, raw_type_name, type_name

BITS: Final = 64


def indexed(
    machine: Machine, target: Place, index: Value, index_at: At, at: At, adds: bool = False, uses_indexers: bool = True
) -> Place:
    """The place of `index` in what `target` holds. `adds`: a property that a map lacks is added to it.

    Types that cannot be indexed go through a registered indexer if `uses_indexers`; at `at` IndexingType if there is none.
    """
    machine.meter.operation(NONE)
    finder = _FINDERS.get(type(target.value))
    if finder is not None:
        return finder(machine, target, index, index_at, adds)
    if uses_indexers:
        return Temporary(index_getter(machine, target, index, at))
    types = machine.meter.types
    raise IndexingType(at, f"{type_name(target.value, types)} [{type_name(index, types)}]")


def _item(machine: Machine, target: Place, index: Value, at: At, adds: bool) -> Place:
    array = target.value
    assert isinstance(array, list)
    return ItemPlace(array, _in_array(len(array), index, at), target.constant)


def _byte(machine: Machine, target: Place, index: Value, at: At, adds: bool) -> Place:
    blob = target.value
    assert isinstance(blob, bytearray)
    return BlobByte(target, blob, _in_array(len(blob), index, at))


def _in_array(length: int, index: Value, at: At) -> int:
    """`index` counted from the start of an array of this length."""
    if type(index) is not int:
        raise MismatchDataType(at, "i64", raw_type_name(index))
    found = index + length if index < 0 else index
    if not 0 <= found < length:
        raise ArrayBounds(at, length, index)
    return found


def _entry(machine: Machine, target: Place, index: Value, at: At, adds: bool) -> Place:
    entries = target.value
    assert isinstance(entries, dict)
    if type(index) is not str:
        raise MismatchDataType(at, "string", raw_type_name(index))
    if len(index) > SMALL:
        charge_hash(machine.meter, index)
    if index in entries:
        return EntryPlace(entries, index, target.constant)
    if adds:
        entries[index] = None
        return EntryPlace(entries, index, False)  # also in a constant map, as in the engine
    if machine.world.options.fail_on_invalid_map_property:
        raise PropertyNotFound(at, index)
    return Temporary(None)


# --- integers as bits -----------------------------------------------------------------------------------------------------


def _bits(machine: Machine, target: Place, index: Value, at: At, adds: bool) -> Place:
    number = target.value
    assert isinstance(number, int)
    if type(index) is Range:
        return _bit_field(target, number, index, at)
    if type(index) is not int:
        raise MismatchDataType(at, "i64", raw_type_name(index))
    found = index + BITS if index < 0 else index
    if not 0 <= found < BITS:
        raise BitFieldBounds(at, BITS, index)
    return Bit(target, number, found)


def _bit_field(target: Place, number: int, field: Range, at: At) -> Place:
    end = field.end
    if end == I64_MAX:
        end = BITS - field.inclusive
    if not 0 <= field.start < BITS:
        raise BitFieldBounds(at, BITS, field.start)
    if not 0 <= end <= BITS - field.inclusive:
        raise BitFieldBounds(at, BITS, end)
    width = end + field.inclusive - field.start
    if width <= 0:
        return BitField(target, number, 0, 0)
    if width == BITS:
        return BitField(target, number, -1, 0)
    return BitField(target, number, signed((1 << width) - 1 << field.start), field.start)


# --- strings --------------------------------------------------------------------------------------------------------------


def _text(machine: Machine, target: Place, index: Value, at: At, adds: bool) -> Place:
    text = target.value
    assert isinstance(text, str)
    if adds:
        _pay(machine.meter, text, at)
    if type(index) is int:
        return _char(target, text, index, at)
    if type(index) is not Range:
        raise MismatchDataType(at, "i64", raw_type_name(index))
    if not text:
        return StringSlice(target, text, 0, 0, machine.meter)
    cut = _inclusive_slice if index.inclusive else _slice
    return cut(target, text, index, at, machine.meter)


def _pay(meter: Meter, text: str, at: At) -> None:
    # For a copy of `text`.
    charge_text_copy(meter, text)
    meter.allocate(getsizeof(text), at)


def _char(target: Place, text: str, index: int, at: At) -> Place:
    length = len(text)
    if not -length <= index < length:
        raise StringBounds(at, length, index)
    # What a negative index reads is not what it writes: that is so in the engine.
    return StringChar(target, Char(text[index]), abs(index))


def _bounds(text: str, index: Range, at: At) -> tuple[int, int]:
    """Start and end, counted from the start of `text`; a negative end before it is its start."""
    length = len(text)
    if index.start < -length:
        raise StringBounds(at, length, index.start)
    start = index.start + length if index.start < 0 else index.start
    return start, max(index.end + length, 0) if index.end < 0 else index.end


def _slice(target: Place, text: str, index: Range, at: At, meter: Meter) -> Place:
    start, end = _bounds(text, index, at)
    part = text[start:end]
    _pay(meter, part, at)
    return StringSlice(target, part, start, end, meter)


def _inclusive_slice(target: Place, text: str, index: Range, at: At, meter: Meter) -> Place:
    # A slice of one character comes out empty in the engine.
    start, end = _bounds(text, index, at)
    last = min(end, len(text) - 1)
    part = text[start : last + 1] if end > start or (start == 0 and end >= len(text) - 1) else ""
    _pay(meter, part, at)
    return StringSlice(target, part, start, last + 1, meter)


_FINDERS: Final[dict[type, Callable[[Machine, Place, Value, At, bool], Place]]] = {
    list: _item,
    dict: _entry,
    bytearray: _byte,
    int: _bits,
    str: _text,
}
