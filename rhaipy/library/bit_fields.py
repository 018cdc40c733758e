"""Integers as fields of 64 bits. Bit 0 is the lowest; negative numbers count from the highest."""

from rhaipy.errors import BitFieldBounds
from rhaipy.functions import Package, Ref, function
from rhaipy.integers import wrap
from rhaipy.library.spans import index_of
from rhaipy.source import NONE
from rhaipy.typings import Final
from rhaipy.values import Range

BIT_FIELDS: Package = []

BITS: Final = 64


def _place(bit: int) -> int:
    place = index_of(BITS, bit)
    if place is None:
        raise BitFieldBounds(NONE, BITS, bit)
    return place


def _start_and_count(range_: Range) -> tuple[int, int]:
    # An inclusive range must end inside of the integer, an exclusive one may go beyond.
    first = max(range_.start, 0)
    if not range_.inclusive:
        return first, max(range_.end, first) - first
    if range_.end >= BITS or first > BITS:
        raise BitFieldBounds(NONE, BITS, max(range_.end, first - 1))
    return first, max(range_.end, first - 1) - first + 1


def _mask(place: int, count: int) -> int:
    return (1 << min(count, BITS - place)) - 1


@function(BIT_FIELDS, "get_bit")
def get_bit(value: int, bit: int) -> bool:
    return bool(value >> _place(bit) & 1)


@function(BIT_FIELDS, "set_bit", mutates=True)
def set_bit(value: Ref[int], bit: int, new_value: bool) -> None:
    mask = 1 << _place(bit)
    value.value = wrap(value.value | mask if new_value else value.value & ~mask)


@function(BIT_FIELDS, "get_bits")
def get_bits(value: int, start: int, bits: int) -> int:
    if bits <= 0:
        return 0
    place = _place(start)
    return wrap(value >> place & _mask(place, bits))


@function(BIT_FIELDS, "get_bits")
def get_bits_range(value: int, range_: Range) -> int:
    return get_bits(value, *_start_and_count(range_))


@function(BIT_FIELDS, "set_bits", mutates=True)
def set_bits(value: Ref[int], bit: int, bits: int, new_value: int) -> None:
    if bits <= 0:
        return
    place = _place(bit)
    mask = _mask(place, bits)
    value.value = wrap(value.value & ~(mask << place) | (new_value & mask) << place)


@function(BIT_FIELDS, "set_bits", mutates=True)
def set_bits_range(value: Ref[int], range_: Range, new_value: int) -> None:
    set_bits(value, *_start_and_count(range_), new_value)
