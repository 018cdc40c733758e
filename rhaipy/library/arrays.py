"""Arrays: their items, parts and sizes. What takes a function of the script is in array_callbacks."""

from rhaipy.costs import claim
from rhaipy.functions import Caller, Package, Ref, function
from rhaipy.library.callbacks import ask_equal
from rhaipy.library.sorting import sort_built_in
from rhaipy.library.spans import index_of, offset, span, start_and_count
from rhaipy.limit_errors import DataTooLarge
from rhaipy.limits import ARRAY
from rhaipy.sizes import Sizes, sizes, throw_on_size
from rhaipy.source import NONE
from rhaipy.typings import Final
from rhaipy.values import I64_MAX, UNCHANGING, Range, Value, copy

ARRAYS: Package = []

_ABSURD: Final = 2**31
"""No machine holds an array of so many items; refused even where there is no limit."""

# --- size and items -------------------------------------------------------------------------------------------------------


@function(ARRAYS, "len", getter=True, by_reference=True)
def length(array: list[Value]) -> int:
    return len(array)


@function(ARRAYS, "is_empty", getter=True, by_reference=True)
def is_empty(array: list[Value]) -> bool:
    return not array


@function(ARRAYS, "get", mutates=True)
def get(caller: Caller, array: Ref[list[Value]], index: int) -> Value:
    place = offset(len(array.value), index)
    return copy(array.value[place], caller.meter) if place < len(array.value) else None


@function(ARRAYS, "set", mutates=True)
def set_item(array: Ref[list[Value]], index: int, value: Value) -> None:
    place = offset(len(array.value), index)
    if place < len(array.value):
        array.value[place] = value


@function(ARRAYS, "push", mutates=True)
def push(array: Ref[list[Value]], item: Value) -> None:
    array.value.append(item)


@function(ARRAYS, "append", mutates=True)
def append(caller: Caller, array: Ref[list[Value]], new_array: list[Value]) -> None:
    claim(caller.meter, len(new_array))
    array.value.extend(new_array)


@function(ARRAYS, "+")
def concat(caller: Caller, array1: list[Value], array2: list[Value]) -> list[Value]:
    claim(caller.meter, len(array1) + len(array2))
    return array1 + array2


@function(ARRAYS, "insert", mutates=True)
def insert(caller: Caller, array: Ref[list[Value]], index: int, item: Value) -> None:
    caller.meter.charge(len(array.value) >> 10)
    array.value.insert(offset(len(array.value), index), item)


@function(ARRAYS, "pad", mutates=True)
def pad(caller: Caller, array: Ref[list[Value]], len_: int, item: Value) -> None:
    items = array.value
    missing = len_ - len(items)
    if missing <= 0:
        return
    if caller.meter.limits.max_array_size:
        throw_on_size(_sizes_when_padded(items, missing, item), caller.meter)
    if missing > _ABSURD:
        raise DataTooLarge(NONE, ARRAY)
    claim(caller.meter, missing)
    if type(item) in UNCHANGING:
        items.extend([item] * missing)
    else:
        items.extend([copy(item, caller.meter) for _ in range(missing)])


def _sizes_when_padded(items: list[Value], count: int, item: Value) -> Sizes:
    old, new = sizes(items), sizes(item)
    return Sizes(old.items + count + new.items * count, old.entries + new.entries * count, old.bytes + new.bytes * count)


@function(ARRAYS, "pop", mutates=True)
def pop(array: Ref[list[Value]]) -> Value:
    return array.value.pop() if array.value else None


@function(ARRAYS, "shift", mutates=True)
def shift(caller: Caller, array: Ref[list[Value]]) -> Value:
    caller.meter.charge(len(array.value) >> 10)
    return array.value.pop(0) if array.value else None


@function(ARRAYS, "remove", mutates=True)
def remove(caller: Caller, array: Ref[list[Value]], index: int) -> Value:
    caller.meter.charge(len(array.value) >> 10)
    place = index_of(len(array.value), index)
    return None if place is None else array.value.pop(place)


@function(ARRAYS, "clear", mutates=True)
def clear(array: Ref[list[Value]]) -> None:
    array.value.clear()


@function(ARRAYS, "truncate", mutates=True)
def truncate(array: Ref[list[Value]], len_: int) -> None:
    del array.value[max(len_, 0) :]


@function(ARRAYS, "chop", mutates=True)
def chop(array: Ref[list[Value]], len_: int) -> None:
    if len_ < len(array.value):
        del array.value[: len(array.value) - max(len_, 0)]


@function(ARRAYS, "reverse", mutates=True)
def reverse(caller: Caller, array: Ref[list[Value]]) -> None:
    caller.meter.charge(len(array.value) >> 8)
    array.value.reverse()


# --- parts ----------------------------------------------------------------------------------------------------------------


@function(ARRAYS, "splice", mutates=True)
def splice(caller: Caller, array: Ref[list[Value]], start: int, len_: int, replace: list[Value]) -> None:
    claim(caller.meter, len(replace))
    first, end = span(len(array.value), start, len_)
    array.value[first:end] = replace


@function(ARRAYS, "splice", mutates=True)
def splice_range(caller: Caller, array: Ref[list[Value]], range_: Range, replace: list[Value]) -> None:
    splice(caller, array, *start_and_count(range_), replace)


@function(ARRAYS, "extract", mutates=True)
def extract(caller: Caller, array: Ref[list[Value]], start: int, len_: int) -> Value:
    first, end = span(len(array.value), start, len_)
    return copy(array.value[first:end], caller.meter)


@function(ARRAYS, "extract", mutates=True)
def extract_range(caller: Caller, array: Ref[list[Value]], range_: Range) -> Value:
    return extract(caller, array, *start_and_count(range_))


@function(ARRAYS, "extract", mutates=True)
def extract_tail(caller: Caller, array: Ref[list[Value]], start: int) -> Value:
    return extract(caller, array, start, I64_MAX)


@function(ARRAYS, "split", mutates=True)
def split(caller: Caller, array: Ref[list[Value]], index: int) -> list[Value]:
    return drain(caller, array, index, I64_MAX)


@function(ARRAYS, "drain", mutates=True)
def drain(caller: Caller, array: Ref[list[Value]], start: int, len_: int) -> list[Value]:
    first, end = span(len(array.value), start, len_)
    drained = array.value[first:end]
    claim(caller.meter, len(drained))
    del array.value[first:end]
    return drained


@function(ARRAYS, "drain", mutates=True)
def drain_range(caller: Caller, array: Ref[list[Value]], range_: Range) -> list[Value]:
    return drain(caller, array, *start_and_count(range_))


@function(ARRAYS, "retain", mutates=True)
def retain(caller: Caller, array: Ref[list[Value]], start: int, len_: int) -> list[Value]:
    first, end = span(len(array.value), start, len_)
    if first == end:
        return []
    dropped = array.value[:first] + array.value[end:]
    claim(caller.meter, len(dropped))
    array.value[:] = array.value[first:end]
    return dropped


@function(ARRAYS, "retain", mutates=True)
def retain_range(caller: Caller, array: Ref[list[Value]], range_: Range) -> list[Value]:
    return retain(caller, array, *start_and_count(range_))


# --- comparing, finding and sorting ---------------------------------------------------------------------------------------


@function(ARRAYS, "==", by_reference=True)
def equals(caller: Caller, array1: list[Value], array2: list[Value]) -> bool:
    if len(array1) != len(array2):
        return False
    alike = 0
    while alike < len(array1) and ask_equal(caller, array1[alike], array2[alike]):
        alike += 1
    return alike == len(array1)


@function(ARRAYS, "!=", by_reference=True)
def not_equals(caller: Caller, array1: list[Value], array2: list[Value]) -> bool:
    return not equals(caller, array1, array2)


@function(ARRAYS, "contains", by_reference=True)
def contains(caller: Caller, array: list[Value], value: Value) -> bool:
    return find_equal(caller, array, value, 0) >= 0


@function(ARRAYS, "index_of", by_reference=True)
def index_of_value(caller: Caller, array: list[Value], value: Value) -> int:
    return find_equal(caller, array, value, 0)


@function(ARRAYS, "index_of", by_reference=True)
def index_of_value_from(caller: Caller, array: list[Value], value: Value, start: int) -> int:
    return find_equal(caller, array, value, start)


def find_equal(caller: Caller, array: list[Value], value: Value, start: int) -> int:
    """The index of the first item from `start` on that equals `value`, or -1."""
    for index in range(offset(len(array), start), len(array)):
        if ask_equal(caller, array[index], value):
            return index
    return -1


@function(ARRAYS, "sort", mutates=True)
def sort(caller: Caller, array: Ref[list[Value]]) -> None:
    sort_built_in(caller, array.value)


@function(ARRAYS, "sort_desc", mutates=True)
def sort_desc(caller: Caller, array: Ref[list[Value]]) -> None:
    sort_built_in(caller, array.value, descending=True)


@function(ARRAYS, "order", mutates=True)
def order(caller: Caller, array: Ref[list[Value]]) -> Value:
    items = [copy(item, caller.meter) for item in array.value]
    sort_built_in(caller, items)
    return items


@function(ARRAYS, "order_desc", mutates=True)
def order_desc(caller: Caller, array: Ref[list[Value]]) -> Value:
    items = [copy(item, caller.meter) for item in array.value]
    sort_built_in(caller, items, descending=True)
    return items
