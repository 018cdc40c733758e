"""Arrays and functions of the script: map, filter, reduce, sort and their like.

A function is given as a pointer or by its name. Whether a function of this file may be used on a constant is as in the engine,
where some that take a name refuse although those that take a pointer do not.
"""

from rhaipy.costs import charge_error, charge_text
from rhaipy.errors import FunctionNotFound, InFunctionCall, RhaiError
from rhaipy.functions import Caller, Package, Ref, function, pointer_to
from rhaipy.library.arrays import find_equal
from rhaipy.library.callbacks import Filling, call_back, call_with_item, calls_with_items, is_true
from rhaipy.library.sorting import sort_by
from rhaipy.library.spans import offset
from rhaipy.signals import Exit
from rhaipy.values import FnPtr, Value, copy

ARRAY_CALLBACKS: Package = []


def as_pointer(caller: Caller, callback: FnPtr | str) -> FnPtr:
    """The pointer, or a pointer to the function of that name."""
    if isinstance(callback, FnPtr):
        return callback
    charge_text(caller.meter, callback)
    return pointer_to(callback)


# --- one call for each item -----------------------------------------------------------------------------------------------


@function(ARRAY_CALLBACKS, "for_each", mutates=True)
def for_each(caller: Caller, array: Ref[list[Value]], map_: FnPtr) -> None:
    for index in range(len(array.value)):
        call_with_item(caller, "for_each", map_, array.value, index, [], None)


@function(ARRAY_CALLBACKS, "map", by_reference=True)
def map_items(caller: Caller, array: list[Value], map_: FnPtr) -> list[Value]:
    mapped: list[Value] = []
    made = Filling(caller.meter)
    call = calls_with_items(caller, "map", map_, array, 0, 0)
    for index in range(len(array)):
        value = call(index, [])
        mapped.append(made.with_item(value))
    return mapped


@function(ARRAY_CALLBACKS, "map", mutates=True)
def map_by_name(caller: Caller, array: Ref[list[Value]], mapper: str) -> list[Value]:
    return map_items(caller, array.value, as_pointer(caller, mapper))


@function(ARRAY_CALLBACKS, "filter", by_reference=True)
def filter_items(caller: Caller, array: list[Value], filter_: FnPtr) -> list[Value]:
    call = calls_with_items(caller, "filter", filter_, array, 0, 0)
    return [copy(array[index], caller.meter) for index in range(len(array)) if is_true(call(index, []))]


@function(ARRAY_CALLBACKS, "filter", mutates=True)
def filter_by_name(caller: Caller, array: Ref[list[Value]], filter_func: str) -> list[Value]:
    return filter_items(caller, array.value, as_pointer(caller, filter_func))


@function(ARRAY_CALLBACKS, "some", by_reference=True)
def some(caller: Caller, array: list[Value], filter_: FnPtr | str) -> bool:
    return _find(caller, "some", array, as_pointer(caller, filter_), 0) >= 0


@function(ARRAY_CALLBACKS, "all", by_reference=True)
def all_items(caller: Caller, array: list[Value], filter_: FnPtr | str) -> bool:
    return _find(caller, "all", array, as_pointer(caller, filter_), 0, answer=False) < 0


@function(ARRAY_CALLBACKS, "zip", by_reference=True)
def zip_items(caller: Caller, array1: list[Value], array2: list[Value], map_: FnPtr) -> list[Value]:
    zipped: list[Value] = []
    made = Filling(caller.meter)
    for index in range(min(len(array1), len(array2))):
        pair = [copy(array1[index], caller.meter), array2[index]]
        value = call_back(caller, "zip", map_, None, pair, [index], None)
        zipped.append(made.with_item(value))
    return zipped


@function(ARRAY_CALLBACKS, "reduce", by_reference=True)
def reduce(caller: Caller, array: list[Value], reducer: FnPtr | str) -> Value:
    return reduce_from(caller, array, reducer, None)


@function(ARRAY_CALLBACKS, "reduce", by_reference=True)
def reduce_from(caller: Caller, array: list[Value], reducer: FnPtr | str, initial: Value) -> Value:
    return _reduce(caller, "reduce", array, as_pointer(caller, reducer), initial, range(len(array)))


@function(ARRAY_CALLBACKS, "reduce_rev", by_reference=True)
def reduce_rev(caller: Caller, array: list[Value], reducer: FnPtr | str) -> Value:
    return reduce_rev_from(caller, array, reducer, None)


@function(ARRAY_CALLBACKS, "reduce_rev", by_reference=True)
def reduce_rev_from(caller: Caller, array: list[Value], reducer: FnPtr | str, initial: Value) -> Value:
    return _reduce(caller, "reduce_rev", array, as_pointer(caller, reducer), initial, range(len(array) - 1, -1, -1))


def _reduce(caller: Caller, name: str, array: list[Value], reducer: FnPtr, initial: Value, indices: range) -> Value:
    result = initial
    call = calls_with_items(caller, name, reducer, array, 1, 1)
    for index in indices:
        result = call(index, [result])
    return result


# --- finding --------------------------------------------------------------------------------------------------------------


@function(ARRAY_CALLBACKS, "index_of", by_reference=True)
def index_of(caller: Caller, array: list[Value], filter_: FnPtr) -> int:
    return _find(caller, "index_of", array, filter_, 0)


@function(ARRAY_CALLBACKS, "index_of", by_reference=True)
def index_of_from(caller: Caller, array: list[Value], filter_: FnPtr, start: int) -> int:
    return _find(caller, "index_of", array, filter_, start)


@function(ARRAY_CALLBACKS, "index_of", by_reference=True)
def index_of_by_name(caller: Caller, array: list[Value], filter_: str) -> int:
    return index_of_by_name_from(caller, array, filter_, 0)


@function(ARRAY_CALLBACKS, "index_of", by_reference=True)
def index_of_by_name_from(caller: Caller, array: list[Value], filter_: str, start: int) -> int:
    # The text is the name of a function, or, where there is no such function, the item to look for.
    if array and _may_be_called(caller, filter_):
        try:
            return _find(caller, "index_of", array, as_pointer(caller, filter_), start)
        except InFunctionCall as error:
            if not isinstance(error.inner, FunctionNotFound) or not error.inner.name.startswith(filter_):
                raise
    return find_equal(caller, array, filter_, start)


def _may_be_called(caller: Caller, name: str) -> bool:
    try:
        as_pointer(caller, name)
    except RhaiError:
        if caller.meter.exhausted:
            raise
        return False
    return True


@function(ARRAY_CALLBACKS, "find", by_reference=True)
def find(caller: Caller, array: list[Value], filter_: FnPtr) -> Value:
    return find_from(caller, array, filter_, 0)


@function(ARRAY_CALLBACKS, "find", by_reference=True)
def find_from(caller: Caller, array: list[Value], filter_: FnPtr, start: int) -> Value:
    index = _find(caller, "index_of", array, filter_, start)
    return copy(array[index], caller.meter) if index >= 0 else None


@function(ARRAY_CALLBACKS, "find_map", by_reference=True)
def find_map(caller: Caller, array: list[Value], filter_: FnPtr) -> Value:
    return find_map_from(caller, array, filter_, 0)


@function(ARRAY_CALLBACKS, "find_map", by_reference=True)
def find_map_from(caller: Caller, array: list[Value], filter_: FnPtr, start: int) -> Value:
    call = calls_with_items(caller, "find_map", filter_, array, 0, 0)
    for index in range(offset(len(array), start), len(array)):
        value = call(index, [])
        if value is not None:
            return value
    return None


def _find(caller: Caller, name: str, array: list[Value], pointer: FnPtr, start: int, answer: bool = True) -> int:
    # The index of the first item from `start` on for which the filter gives `answer`, or -1.
    call = calls_with_items(caller, name, pointer, array, 0, 0)
    for index in range(offset(len(array), start), len(array)):
        if is_true(call(index, [])) == answer:
            return index
    return -1


# --- what changes the array -----------------------------------------------------------------------------------------------


@function(ARRAY_CALLBACKS, "drain", mutates=True)
def drain(caller: Caller, array: Ref[list[Value]], filter_: FnPtr | str) -> list[Value]:
    return _take_out(caller, "drain", array.value, as_pointer(caller, filter_), True)


@function(ARRAY_CALLBACKS, "retain", mutates=True)
def retain(caller: Caller, array: Ref[list[Value]], filter_: FnPtr | str) -> list[Value]:
    return _take_out(caller, "retain", array.value, as_pointer(caller, filter_), False)


def _take_out(caller: Caller, name: str, array: list[Value], pointer: FnPtr, answer: bool) -> list[Value]:
    # The items for which the filter gives `answer`. Where it fails, what was taken out before is lost, as in the engine.
    taken: list[Value] = []
    kept: list[Value] = []
    items = array.copy()
    done = 0
    call = calls_with_items(caller, name, pointer, items, 0, 0)
    try:
        for index in range(len(items)):
            answered = is_true(call(index, []))
            (taken if answered == answer else kept).append(items[index])
            done = index + 1
    finally:
        array[:] = kept + items[done:]
    return taken


@function(ARRAY_CALLBACKS, "dedup", mutates=True)
def dedup(caller: Caller, array: Ref[list[Value]]) -> None:
    dedup_by(caller, array, FnPtr("=="))


@function(ARRAY_CALLBACKS, "dedup", mutates=True)
def dedup_by(caller: Caller, array: Ref[list[Value]], comparer: FnPtr | str) -> None:
    pointer = as_pointer(caller, comparer)
    kept = array.value[:1]
    for item in array.value[1:]:
        if not _same(caller, pointer, kept[-1], item):
            kept.append(item)
    array.value[:] = kept


def _same(caller: Caller, pointer: FnPtr, left: Value, right: Value) -> bool:
    try:
        return is_true(caller.call_pointer(pointer, [copy(left, caller.meter), copy(right, caller.meter)]))
    except (RhaiError, Exit):
        if caller.meter.exhausted:
            raise
        charge_error(caller.meter)
        return False


@function(ARRAY_CALLBACKS, "sort", mutates=True)
def sort(caller: Caller, array: Ref[list[Value]], comparer: FnPtr | str) -> None:
    sort_by(caller, array.value, as_pointer(caller, comparer))


@function(ARRAY_CALLBACKS, "sort_by", mutates=True)
def sort_by_pointer(caller: Caller, array: Ref[list[Value]], comparer: FnPtr) -> None:
    sort_by(caller, array.value, comparer)


@function(ARRAY_CALLBACKS, "order", "order_by", mutates=True)
def order(caller: Caller, array: Ref[list[Value]], comparer: FnPtr) -> list[Value]:
    items = [copy(item, caller.meter) for item in array.value]
    sort_by(caller, items, comparer)
    return items
