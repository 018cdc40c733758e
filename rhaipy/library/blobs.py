"""Blobs: bytes. An integer put into one gives its lowest eight bits; a byte that is not there reads as 0."""

from rhaipy.costs import BYTES_A_UNIT, claim
from rhaipy.functions import Caller, Package, Ref, function
from rhaipy.library.spans import index_of, offset, span, start_and_count
from rhaipy.limit_errors import DataTooLarge
from rhaipy.limits import ARRAY
from rhaipy.source import NONE
from rhaipy.typings import Final
from rhaipy.values import I64_MAX, Char, Range, Value

BLOBS: Package = []

_ABSURD: Final = 2**31
"""No blob is made so long, even where there is no limit."""


def _new(caller: Caller, length: int) -> None:
    # Pay for that many bytes.
    caller.meter.charge(length >> BYTES_A_UNIT)
    caller.meter.allocate(length)


@function(BLOBS, "blob")
def empty_blob() -> bytearray:
    return bytearray()


@function(BLOBS, "blob")
def blob_of_zeros(caller: Caller, len_: int) -> bytearray:
    return blob_of(caller, len_, 0)


@function(BLOBS, "blob")
def blob_of(caller: Caller, len_: int, value: int) -> bytearray:
    length = max(len_, 0)
    caller.meter.array(length)
    if length > _ABSURD:
        raise DataTooLarge(NONE, ARRAY)
    _new(caller, length)
    return bytearray([value & 0xFF]) * length


@function(BLOBS, "to_array", by_reference=True)
def to_array(caller: Caller, blob: bytearray) -> list[Value]:
    claim(caller.meter, len(blob))
    return [*blob]


@function(BLOBS, "as_string")
def as_string(caller: Caller, blob: bytearray) -> str:
    caller.meter.charge(len(blob) >> 8)
    return blob.decode("utf-8", "replace")


@function(BLOBS, "len", getter=True, by_reference=True)
def length(blob: bytearray) -> int:
    return len(blob)


@function(BLOBS, "is_empty", getter=True, by_reference=True)
def is_empty(blob: bytearray) -> bool:
    return not blob


@function(BLOBS, "contains", by_reference=True)
def contains(caller: Caller, blob: bytearray, value: int) -> bool:
    caller.meter.charge(len(blob) >> 8)
    return value & 0xFF in blob


@function(BLOBS, "get", by_reference=True)
def get(blob: bytearray, index: int) -> int:
    place = offset(len(blob), index)
    return blob[place] if place < len(blob) else 0


@function(BLOBS, "set", mutates=True)
def set_byte(blob: Ref[bytearray], index: int, value: int) -> None:
    place = offset(len(blob.value), index)
    if place < len(blob.value):
        blob.value[place] = value & 0xFF


@function(BLOBS, "push", "append", mutates=True)
def push(blob: Ref[bytearray], value: int) -> None:
    blob.value.append(value & 0xFF)


@function(BLOBS, "append", mutates=True)
def append(caller: Caller, blob1: Ref[bytearray], blob2: bytearray) -> None:
    _new(caller, len(blob2))
    blob1.value.extend(blob2)


@function(BLOBS, "append", mutates=True)
def append_text(caller: Caller, blob: Ref[bytearray], text: str | Char) -> None:
    caller.meter.charge(len(text) >> 8)
    append(caller, blob, bytearray(text.encode()))


@function(BLOBS, "insert", mutates=True)
def insert(caller: Caller, blob: Ref[bytearray], index: int, value: int) -> None:
    caller.meter.charge(len(blob.value) >> BYTES_A_UNIT)
    blob.value.insert(offset(len(blob.value), index), value & 0xFF)


@function(BLOBS, "pad", mutates=True)
def pad(caller: Caller, blob: Ref[bytearray], len_: int, value: int) -> None:
    limit = caller.meter.limits.max_array_size
    if len_ > (limit or _ABSURD):
        raise DataTooLarge(NONE, "Size of BLOB")
    missing = max(len_ - len(blob.value), 0)
    _new(caller, missing)
    blob.value.extend(bytes([value & 0xFF]) * missing)


@function(BLOBS, "pop", mutates=True)
def pop(blob: Ref[bytearray]) -> int:
    return blob.value.pop() if blob.value else 0


@function(BLOBS, "shift", mutates=True)
def shift(blob: Ref[bytearray]) -> int:
    return blob.value.pop(0) if blob.value else 0


@function(BLOBS, "remove", mutates=True)
def remove(caller: Caller, blob: Ref[bytearray], index: int) -> int:
    caller.meter.charge(len(blob.value) >> BYTES_A_UNIT)
    place = index_of(len(blob.value), index)
    return 0 if place is None else blob.value.pop(place)


@function(BLOBS, "clear", mutates=True)
def clear(blob: Ref[bytearray]) -> None:
    blob.value.clear()


@function(BLOBS, "truncate", mutates=True)
def truncate(blob: Ref[bytearray], len_: int) -> None:
    del blob.value[max(len_, 0) :]


@function(BLOBS, "chop", mutates=True)
def chop(blob: Ref[bytearray], len_: int) -> None:
    if len_ < len(blob.value):
        del blob.value[: len(blob.value) - max(len_, 0)]


@function(BLOBS, "reverse", mutates=True)
def reverse(caller: Caller, blob: Ref[bytearray]) -> None:
    caller.meter.charge(len(blob.value) >> 8)
    blob.value.reverse()


# --- parts ----------------------------------------------------------------------------------------------------------------


@function(BLOBS, "splice", mutates=True)
def splice(caller: Caller, blob: Ref[bytearray], start: int, len_: int, replace: bytearray) -> None:
    _new(caller, len(replace))
    first, end = span(len(blob.value), start, len_)
    if first == end:
        first = end = len(blob.value)  # where nothing is replaced, the engine appends
    blob.value[first:end] = replace


@function(BLOBS, "splice", mutates=True)
def splice_range(caller: Caller, blob: Ref[bytearray], range_: Range, replace: bytearray) -> None:
    splice(caller, blob, *start_and_count(range_), replace)


@function(BLOBS, "extract", mutates=True)
def extract(caller: Caller, blob: Ref[bytearray], start: int, len_: int) -> bytearray:
    first, end = span(len(blob.value), start, len_)
    _new(caller, end - first)
    return blob.value[first:end]


@function(BLOBS, "extract", mutates=True)
def extract_range(caller: Caller, blob: Ref[bytearray], range_: Range) -> bytearray:
    return extract(caller, blob, *start_and_count(range_))


@function(BLOBS, "extract", mutates=True)
def extract_tail(caller: Caller, blob: Ref[bytearray], start: int) -> bytearray:
    return extract(caller, blob, start, I64_MAX)


@function(BLOBS, "split", mutates=True)
def split(caller: Caller, blob: Ref[bytearray], index: int) -> bytearray:
    return drain(caller, blob, index, I64_MAX)


@function(BLOBS, "drain", mutates=True)
def drain(caller: Caller, blob: Ref[bytearray], start: int, len_: int) -> bytearray:
    drained = extract(caller, blob, start, len_)
    first, end = span(len(blob.value), start, len_)
    del blob.value[first:end]
    return drained


@function(BLOBS, "drain", mutates=True)
def drain_range(caller: Caller, blob: Ref[bytearray], range_: Range) -> bytearray:
    return drain(caller, blob, *start_and_count(range_))


@function(BLOBS, "retain", mutates=True)
def retain(caller: Caller, blob: Ref[bytearray], start: int, len_: int) -> bytearray:
    if len_ <= 0:
        return bytearray()
    _new(caller, len(blob.value))
    first, end = span(len(blob.value), start, len_)
    dropped = blob.value[:first] + blob.value[end:]
    blob.value[:] = blob.value[first:end]
    return dropped


@function(BLOBS, "retain", mutates=True)
def retain_range(caller: Caller, blob: Ref[bytearray], range_: Range) -> bytearray:
    return retain(caller, blob, *start_and_count(range_))
