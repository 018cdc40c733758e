"""Numbers and texts in blobs: read from, and written to, a part of the bytes that are there. A blob never grows by this.

A part shorter than the number holds the first bytes of it, whichever way round they are.
"""

from struct import Struct

from rhaipy.functions import Caller, Package, Ref, function
from rhaipy.library.spans import span, start_and_count
from rhaipy.typings import Final
from rhaipy.values import Range

BLOB_NUMBERS: Package = []

_READERS: Final = {
    "parse_le_int": Struct("<q"),
    "parse_be_int": Struct(">q"),
    "parse_le_float": Struct("<d"),
    "parse_be_float": Struct(">d"),
}


def _offer_reader(name: str, layout: Struct) -> None:
    @function(BLOB_NUMBERS, name, by_reference=True)
    def read(blob: bytearray, start: int, len_: int) -> int | float:
        first, end = span(len(blob), start, len_)
        number: int | float = layout.unpack(blob[first : min(end, first + layout.size)].ljust(layout.size, b"\0"))[0]
        return number

    @function(BLOB_NUMBERS, name, by_reference=True)
    def read_range(blob: bytearray, range_: Range) -> int | float:
        return read(blob, *start_and_count(range_))


for _name, _layout in _READERS.items():
    _offer_reader(_name, _layout)


def _write(blob: bytearray, start: int, len_: int, data: bytes) -> None:
    first, end = span(len(blob), start, len_)
    end = min(end, first + len(data))
    blob[first:end] = data[: end - first]


def _offer_writer(name: str, integers: Struct, floats: Struct) -> None:
    @function(BLOB_NUMBERS, name, mutates=True)
    def write(blob: Ref[bytearray], start: int, len_: int, value: int | float) -> None:
        layout = integers if isinstance(value, int) else floats
        _write(blob.value, start, len_, layout.pack(value))

    @function(BLOB_NUMBERS, name, mutates=True)
    def write_range(blob: Ref[bytearray], range_: Range, value: int | float) -> None:
        write(blob, *start_and_count(range_), value)


_offer_writer("write_le", Struct("<q"), Struct("<d"))
_offer_writer("write_be", Struct(">q"), Struct(">d"))


@function(BLOB_NUMBERS, "write_utf8", mutates=True)
def write_utf8(caller: Caller, blob: Ref[bytearray], start: int, len_: int, string: str) -> None:
    caller.meter.charge(len(string) >> 8)
    _write(blob.value, start, len_, string.encode())


@function(BLOB_NUMBERS, "write_utf8", mutates=True)
def write_utf8_range(caller: Caller, blob: Ref[bytearray], range_: Range, string: str) -> None:
    write_utf8(caller, blob, *start_and_count(range_), string)


@function(BLOB_NUMBERS, "write_ascii", mutates=True)
def write_ascii(caller: Caller, blob: Ref[bytearray], start: int, len_: int, string: str) -> None:
    """Characters that are not ASCII are left out."""
    caller.meter.charge(len(string) >> 8)
    _write(blob.value, start, len_, string.encode("ascii", "ignore"))


@function(BLOB_NUMBERS, "write_ascii", mutates=True)
def write_ascii_range(caller: Caller, blob: Ref[bytearray], range_: Range, string: str) -> None:
    write_ascii(caller, blob, *start_and_count(range_), string)
