"""Sorting arrays: of one built-in type by value, of anything by a script's comparer.

A comparer may fail, lie, or give nonsense; the engine then goes by the types of the two items. Short arrays are sorted by
insertion, so a comparer is asked about the same pairs in the same order as there.
"""

from rhaipy.costs import charge_error, claim
from rhaipy.errors import FunctionNotFound, RhaiError
from rhaipy.functions import Caller
from rhaipy.signals import Exit
from rhaipy.source import NONE
from rhaipy.typings import Any, Final
from rhaipy.values import Char, FnPtr, Value, copy, raw_type_name

_INSERTION: Final = 20
"""Arrays up to this size, and the pieces of longer ones, are sorted by insertion."""

_TYPE_ORDER: Final = (
    "i64", "array", "f64", "core::ops::range::Range<i64>", "map", "rhai::packages::iter_basic::StepRange<f64>",
    "core::ops::range::RangeInclusive<i64>", "rhai::packages::iter_basic::StepRange<i64>",
    "rhai::packages::iter_basic::BitRange", "rhai::packages::iter_basic::CharsStream", "char", "()", "bool", "string", "Fn",
    "blob", "timestamp",
)  # fmt: skip
"""How the real engine orders types: by numbers that its compiler gave them."""


class _Order:
    """The order that a script's comparer defines."""

    __slots__ = ("_ask", "caller", "pointer")

    def __init__(self, caller: Caller, pointer: FnPtr) -> None:
        self.caller = caller
        self.pointer = pointer
        self._ask = caller.repeated(pointer, 2, 0)

    def less(self, left: Value, right: Value) -> bool:
        """Does the comparer put `left` before `right`?"""
        meter = self.caller.meter
        meter.charge(1)
        try:
            pair = [copy(left, meter), copy(right, meter)]
            answer = self.caller.call_pointer(self.pointer, pair) if self._ask is None else self._ask(pair)
        except (RhaiError, Exit):
            if meter.exhausted:
                raise
            charge_error(meter)
            answer = None
        if type(answer) is bool:
            return answer
        if type(answer) is int:
            return answer < 0
        return _type_rank(left) < _type_rank(right)


def _type_rank(value: Value) -> int:
    """The place of the value's type in the order; the host's classes come last, all alike."""
    name = raw_type_name(value)
    return _TYPE_ORDER.index(name) if name in _TYPE_ORDER else len(_TYPE_ORDER)


class _FloatOrder:
    """The order of floats, where NaN is as good as anything."""

    __slots__ = ("descending",)

    def __init__(self, descending: bool) -> None:
        self.descending = descending

    def less(self, left: Any, right: Any) -> bool:
        """Does `left` belong before `right`?"""
        return bool(left > right if self.descending else left < right)


def sort_by(caller: Caller, items: list[Value], pointer: FnPtr) -> None:
    """Sort `items` in place by the script's comparer."""
    claim(caller.meter, len(items))
    items[:] = _sorted(items, _Order(caller, pointer))


def sort_built_in(caller: Caller, items: list[Value], descending: bool = False) -> None:
    """Sort `items`, all of one type that has an order, in place; FunctionNotFound where they are not."""
    if len(items) < 2:
        return
    first = type(items[0])
    name = raw_type_name(items[0])
    if any(raw_type_name(item) != name for item in items):
        raise FunctionNotFound(NONE, "elements of different types cannot be sorted")
    if first not in _SORTABLE:
        raise FunctionNotFound(NONE, f"elements of {name} cannot be sorted")
    claim(caller.meter, len(items) * 4)
    values: list[Any] = items
    if first is float and any(item != item for item in values):
        items[:] = _sorted(items, _FloatOrder(descending))
    elif items[0] is not None:
        values.sort(reverse=descending)


_SORTABLE: Final = frozenset({int, float, bool, str, Char, type(None)})


def _sorted(items: list[Value], order: _Order | _FloatOrder) -> list[Value]:
    if len(items) <= _INSERTION:
        return _insertion_sorted(items, order)
    middle = len(items) // 2
    left, right = _sorted(items[:middle], order), _sorted(items[middle:], order)
    merged: list[Value] = []
    at_left = at_right = 0
    while at_left < len(left) and at_right < len(right):
        if order.less(right[at_right], left[at_left]):
            merged.append(right[at_right])
            at_right += 1
        else:
            merged.append(left[at_left])
            at_left += 1
    return merged + left[at_left:] + right[at_right:]


def _insertion_sorted(items: list[Value], order: _Order | _FloatOrder) -> list[Value]:
    items = items.copy()
    for end in range(1, len(items)):
        item, place = items[end], end
        while place > 0 and order.less(item, items[place - 1]):
            items[place] = items[place - 1]
            place -= 1
        items[place] = item
    return items
