"""How much data values hold, as the limits on sizes count it, and what finding out costs. When is the evaluators' matter."""

from collections.abc import Iterable, Mapping

from rhaipy.costs import paid_utf8_length, utf8_length
from rhaipy.limits import Meter
from rhaipy.records import record
from rhaipy.source import NONE, At
from rhaipy.typings import Any, Final, TypeAlias
from rhaipy.values import MUTABLE, Container, Value


@record
class Sizes:
    """How much data a value holds in all: items of arrays (and bytes of blobs), entries of maps, UTF-8 bytes of strings."""

    items: int
    entries: int
    bytes: int


Weight: TypeAlias = tuple[object, int, int, int]
"""A container that does not change, and its sizes: items, entries, bytes."""


def sizes(value: Value) -> Sizes:
    """The sizes of `value`, nested values included, as the engine's limits count them.

    Keys of maps do not count. An array counts its items and theirs; a blob inside a container counts one more than its length.
    """
    if type(value) is str:
        return Sizes(0, 0, utf8_length(value))
    if type(value) is bytearray:
        return Sizes(len(value), 0, 0)
    if type(value) is list or type(value) is dict:
        items, entries, size, _ = _container_sizes(value, {})
        return Sizes(items, entries, size)
    return Sizes(0, 0, 0)


def weigh(value: Value, meter: Meter) -> Sizes:
    """`sizes`, paid for."""
    if type(value) is str:
        return Sizes(0, 0, paid_utf8_length(meter, value))
    if type(value) is not list and type(value) is not dict:
        return sizes(value)
    items, entries, size, containers = _container_sizes(value, meter.weights)
    units = (items + entries >> 4) + (containers >> 3) + (size >> 10)
    if units:
        meter.charge(units)
    return Sizes(items, entries, size)


def weigh_part(value: Value, meter: Meter) -> Sizes:
    """`weigh` for what becomes a part of a container: in a run that shares it does not change any more, so that is remembered."""
    if not meter.shares or (type(value) is not list and type(value) is not dict):
        return weigh(value, meter)
    weights = meter.weights
    known = weights.get(id(value))
    if known is not None:
        return Sizes(known[1], known[2], known[3])
    measured = weigh(value, meter)
    is_small = measured.items + measured.entries <= _REMEMBERED and measured.bytes <= _REMEMBERED << 4
    if is_small and len(weights) < _REMEMBERED:
        weights[id(value)] = value, measured.items, measured.entries, measured.bytes
    return measured


_REMEMBERED: Final = 256
"""Containers whose weight is remembered, and what each may hold; of lent data it is known anyway.

They are kept alive by that, and memory does not count them.
"""


def _container_sizes(container: Container, known: Mapping[int, Weight]) -> tuple[int, int, int, int]:
    # Also tells how many containers were looked through.
    items = entries = size = containers = 0
    pending: list[Container] = [container]
    while pending:
        parent = pending.pop()
        containers += 1
        if type(parent) is dict:
            entries += len(parent)
            children: Iterable[Any] = parent.values()
        else:
            items += len(parent)
            children = parent
        for item in children:
            kind = type(item)
            if kind is str:
                size += len(item) if item.isascii() else utf8_length(item)
            elif kind is list or kind is dict:
                weight = known.get(id(item))
                if weight is None:
                    pending.append(item)
                else:
                    items += weight[1]
                    entries += weight[2]
                    size += weight[3]
            elif kind is bytearray:
                items += 1 + len(item)
    return items, entries, size, containers


def check_size(value: Value, meter: Meter, at: At = NONE) -> None:
    """DataTooLarge at `at` when `value` holds more than the limits allow."""
    if meter.limits.sizes_limited and type(value) in _SIZED:
        throw_on_size(weigh(value, meter), meter, at)


_SIZED: Final = MUTABLE | {str}


def throw_on_size(measured: Sizes, meter: Meter, at: At = NONE) -> None:
    """DataTooLarge at `at` when `measured` is more than the limits allow. Strings are judged first, then arrays, then maps."""
    meter.string(measured.bytes, at)
    meter.array(measured.items, at)
    meter.map(measured.entries, at)
