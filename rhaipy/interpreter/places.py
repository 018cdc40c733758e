"""Places: where a value lives, so that chains, assignments and methods can change it there.

    VariablePlace, CellPlace     a variable; one that a closure captured, locked while the place is in use
    ItemPlace, EntryPlace        an element of an array, a property of a map
    Temporary, Local             a value that lives nowhere; one that is treated as if it were a variable
    Bit, BitField, BlobByte, StringChar, StringSlice
                                 parts of values that cannot be referred to: read out, and written back into their source

A place is a `Ref`, so that functions can change what it holds; `flush` brings a change home. These are the real engine's targets.
Places are made all the time, so each of the first six sets its own fields.
"""

from rhaipy.display import display
from rhaipy.errors import MismatchDataType
from rhaipy.functions import Ref
from rhaipy.limits import Meter
from rhaipy.scope import Scope
from rhaipy.source import NONE, At
from rhaipy.typings import ClassVar
from rhaipy.values import Char, Shared, Value, raw_type_name


class Place(Ref[Value]):
    """`value` is what the place holds. `refers`: a change in it is a change at home; `temporary`: it has no home."""

    __slots__ = ("constant",)
    refers: ClassVar[bool] = True
    temporary: ClassVar[bool] = False

    def __init__(self, value: Value, constant: bool = False) -> None:
        self.value = value
        self.constant = constant

    def flush(self, at: At = NONE) -> None:
        """Bring `value` home; MismatchDataType at `at` where it does not fit there."""


class Local(Place):
    """A value that is treated as if it were a variable."""

    __slots__ = ()


class Temporary(Place):
    """A value that lives nowhere."""

    __slots__ = ()
    refers = False
    temporary = True


class Borrowed(Place):
    """What a function of the library lends to a callback as its `this`."""

    __slots__ = ("lender",)

    def __init__(self, lender: Ref[Value], constant: bool) -> None:
        self.value = lender.value
        self.constant = constant
        self.lender = lender

    def flush(self, at: At = NONE) -> None:
        self.lender.value = self.value


class VariablePlace(Place):
    """A variable of its own."""

    __slots__ = ("index", "scope")

    def __init__(self, scope: Scope, index: int) -> None:
        self.value = scope.values[index]
        self.constant = scope.constants[index]
        self.scope = scope
        self.index = index

    def flush(self, at: At = NONE) -> None:
        self.scope.values[self.index] = self.value


class CellPlace(Place):
    """A variable that a closure captured."""

    __slots__ = ("cell",)

    def __init__(self, cell: Shared) -> None:
        self.value = cell.value
        self.constant = cell.constant
        self.cell = cell

    def flush(self, at: At = NONE) -> None:
        self.cell.value = self.value


class ItemPlace(Place):
    """array[index]"""

    __slots__ = ("array", "index")

    def __init__(self, array: list[Value], index: int, constant: bool) -> None:
        self.value = array[index]
        self.constant = constant
        self.array = array
        self.index = index

    def flush(self, at: At = NONE) -> None:
        self.array[self.index] = self.value


class EntryPlace(Place):
    """map.key"""

    __slots__ = ("key", "map")

    def __init__(self, map: dict[str, Value], key: str, constant: bool) -> None:
        self.value = map[key]
        self.constant = constant
        self.map = map
        self.key = key

    def flush(self, at: At = NONE) -> None:
        self.map[self.key] = self.value


class Part(Place):
    """A part of the value at `source`. Never constant, even in a constant, as in the engine."""

    __slots__ = ("source",)
    refers = False

    def __init__(self, source: Place, value: Value) -> None:
        super().__init__(value)
        self.source = source

    def put(self, whole: Value) -> None:
        """Give the source its new value. A source that is a part itself does not pass it on, as in the engine."""
        self.source.value = whole
        if self.source.refers:
            self.source.flush()


class Bit(Part):
    """integer[bit]"""

    __slots__ = ("bit",)

    def __init__(self, source: Place, number: int, bit: int) -> None:
        super().__init__(source, bool(number >> bit & 1))
        self.bit = bit

    def flush(self, at: At = NONE) -> None:
        if type(self.value) is not bool:
            raise MismatchDataType(at, "bool", raw_type_name(self.value))
        number = self.source.value
        assert type(number) is int
        mask = 1 << self.bit
        self.put(signed(number | mask if self.value else number & ~mask))


class BitField(Part):
    """integer[first..last]; `mask` has its bits in place"""

    __slots__ = ("mask", "shift")

    def __init__(self, source: Place, number: int, mask: int, shift: int) -> None:
        super().__init__(source, signed(number & mask) >> shift)
        self.mask = mask
        self.shift = shift

    def flush(self, at: At = NONE) -> None:
        if type(self.value) is not int:
            raise MismatchDataType(at, "integer", raw_type_name(self.value))
        number = self.source.value
        assert type(number) is int
        self.put(signed(number & ~self.mask | self.value << self.shift & self.mask))


class BlobByte(Part):
    """blob[index]"""

    __slots__ = ("index",)

    def __init__(self, source: Place, blob: bytearray, index: int) -> None:
        super().__init__(source, blob[index])
        self.index = index

    def flush(self, at: At = NONE) -> None:
        if type(self.value) is not int:
            raise MismatchDataType(at, "INT", raw_type_name(self.value))
        blob = self.source.value
        assert type(blob) is bytearray
        blob[self.index] = self.value & 0xFF


class StringChar(Part):
    """text[index]"""

    __slots__ = ("index",)

    def __init__(self, source: Place, char: Char, index: int) -> None:
        super().__init__(source, char)
        self.index = index

    def flush(self, at: At = NONE) -> None:
        if type(self.value) is not Char:
            raise MismatchDataType(at, "char", raw_type_name(self.value))
        text = self.source.value
        assert type(text) is str
        self.put(text[: self.index] + self.value + text[self.index + 1 :] if self.index < len(text) else text)


class StringSlice(Part):
    """text[start..end]; what is put there may be anything, its display text goes in"""

    __slots__ = ("end", "meter", "start")

    def __init__(self, source: Place, text: str, start: int, end: int, meter: Meter) -> None:
        super().__init__(source, text)
        self.meter = meter
        self.start = start
        self.end = end

    def flush(self, at: At = NONE) -> None:
        text = self.source.value
        assert type(text) is str
        self.put(text[: self.start] + display(self.value, self.meter) + text[self.end :])


def signed(bits: int) -> int:
    """The 64-bit integer with these lower 64 bits."""
    bits &= 0xFFFF_FFFF_FFFF_FFFF
    return bits - (1 << 64) if bits >> 63 else bits
