"""Calling back into the script: what `map`, `filter`, `reduce` and their like do with the function they are given.

A callback may bind the item to `this`, take it as an argument, and take further arguments (the index) after it. The engine finds
out which by trying, one operation for each attempt; so does this, but for attempts that are known to fail it only counts.
"""

from collections.abc import Callable

from rhaipy.errors import Exited, FunctionNotFound, InFunctionCall, RhaiError
from rhaipy.functions import Caller, Ref
from rhaipy.limit_errors import DataTooLarge
from rhaipy.limits import ARRAY, Meter
from rhaipy.signals import Exit
from rhaipy.sizes import Sizes, throw_on_size, weigh
from rhaipy.source import NONE
from rhaipy.typings import Final
from rhaipy.values import UNCHANGING, FnPtr, Shared, Value, copy, raw_type_name


def call_with_item(
    caller: Caller, native: str, pointer: FnPtr, items: list[Value], index: int, args: list[Value], place: int | None
) -> Value:
    """What `pointer` gives for items[index], which it may change through `this`.

    Tried in turn: `args` with the item as `this`; the item among `args`, at `place`; the index after that. Where `place` is None
    the item stays `this`. Errors are placed inside a call of `native`.
    """
    this: Ref[Value] = Ref(items[index])
    try:
        return call_back(caller, native, pointer, this, args, [index], place)
    finally:
        items[index] = this.value


def calls_with_items(
    caller: Caller, native: str, pointer: FnPtr, items: list[Value], count: int, place: int | None
) -> Callable[[int, list[Value]], Value]:
    """`call_with_item` for many items, given their index and `count` further arguments.

    Most often a closure takes the item as an argument, which is known beforehand: then all that is the same is done once.
    """
    fits = place is not None and _takes(pointer, count + 1)
    call, meter = caller.repeated(pointer, count + 1, 1) if fits else None, caller.meter
    if call is None:
        return lambda index, args: call_with_item(caller, native, pointer, items, index, args, place)

    is_lent = place is not None and caller.only_reads(pointer, count + 1, place)

    def call_with(index: int, args: list[Value]) -> Value:
        item = items[index]
        if not is_lent and type(item) not in UNCHANGING:
            item = copy(item, meter)
        try:
            return call([*args, item] if place else [item, *args])
        except RhaiError as error:
            raise InFunctionCall(NONE, native, caller.source, error) from None
        except Exit:
            raise InFunctionCall(NONE, native, caller.source, Exited(caller.at)) from None

    return call_with


def _takes(pointer: FnPtr, count: int) -> bool:
    """Is `pointer` a closure that takes `count` arguments, and no others?"""
    if pointer.params is None or not pointer.is_anonymous or pointer.params != count + len(pointer.curried):
        return False
    return True not in [type(cell) is Shared and cell.locked for cell in pointer.curried]


def call_back(
    caller: Caller,
    native: str,
    pointer: FnPtr,
    this: Ref[Value] | None,
    args: list[Value],
    extras: list[Value],
    place: int | None,
) -> Value:
    """As `call_with_item`, for any `this` and any `extras` in place of the index."""
    try:
        return _first_that_fits(caller, pointer, this, args, extras, place)
    except RhaiError as error:
        raise InFunctionCall(NONE, native, caller.source, error) from None
    except Exit:
        raise InFunctionCall(NONE, native, caller.source, Exited(caller.at)) from None


def _first_that_fits(
    caller: Caller, pointer: FnPtr, this: Ref[Value] | None, args: list[Value], extras: list[Value], place: int | None
) -> Value:
    if _fails_for_certain(caller, pointer, len(args)):
        _count_attempt(caller)
    else:
        try:
            return caller.call_pointer(pointer, args, this)
        except FunctionNotFound as error:
            _must_be_about(pointer, error)
    if this is not None and place is not None:
        args = [*args[:place], copy(this.value, caller.meter), *args[place:]]
        this = None
        if _fails_for_certain(caller, pointer, len(args)):
            _count_attempt(caller)
        else:
            try:
                return caller.call_pointer(pointer, args, None)
            except FunctionNotFound as error:
                _must_be_about(pointer, error)
    return caller.call_pointer(pointer, [*args, *extras], this)


def _must_be_about(pointer: FnPtr, error: FunctionNotFound) -> None:
    if not error.name.startswith(pointer.name):
        raise error


def _fails_for_certain(caller: Caller, pointer: FnPtr, count: int) -> bool:
    # Nothing else is called as a closure is. Locked cells are left to the evaluator: they are data races.
    if pointer.params is None or not pointer.is_anonymous or pointer.params == count + len(pointer.curried):
        return False
    return not any(type(cell) is Shared and cell.locked for cell in pointer.curried)


def _count_attempt(caller: Caller) -> None:
    before = caller.meter.operations
    caller.meter.operation(caller.at)
    caller.meter.forget(before)


class Filling:
    """Judges a container while callbacks fill it: the engine does so when it is full, but by then it may hold gigabytes."""

    __slots__ = ("_limited", "_meter", "_sizes")

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._limited = meter.limits.sizes_limited
        self._sizes = Sizes(0, 0, 0)

    def with_item(self, value: Value) -> Value:
        """`value`, which becomes an item; DataTooLarge where that is too much."""
        return self._with(value, 1, 0)

    def with_entry(self, value: Value) -> Value:
        """`value`, which becomes an entry; DataTooLarge where that is too much."""
        return self._with(value, 0, 1)

    def _with(self, value: Value, items: int, entries: int) -> Value:
        if self._limited:
            old, more = self._sizes, weigh(value, self._meter)
            self._sizes = Sizes(old.items + more.items + items, old.entries + more.entries + entries, old.bytes + more.bytes)
            throw_on_size(self._sizes, self._meter)
        return value


def is_true(value: Value) -> bool:
    """Is it the boolean `true`? Any other answer of a filter counts as false."""
    return value is True


SAFE_NESTING: Final = 400
"""Containers nested deeper than this are not asked about by callbacks, so that Python's stack is never used up."""


def call_inside(caller: Caller, name: str, args: list[Value]) -> Value:
    """Call the native function `name` about what is inside a container; DataTooLarge where that is nested too deep."""
    meter = caller.meter
    if meter.nesting >= SAFE_NESTING:
        raise DataTooLarge(NONE, ARRAY)
    meter.nesting += 1
    try:
        return caller.call(name, args)
    finally:
        meter.nesting -= 1


def ask_equal(caller: Caller, left: Value, right: Value) -> bool:
    """left == right, asked of the operator. Values of different types that it does not know are different."""
    try:
        return is_true(call_inside(caller, "==", [left, right]))
    except FunctionNotFound as error:
        if not error.name.startswith("==") or raw_type_name(left) == raw_type_name(right):
            raise
        return False
