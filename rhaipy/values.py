"""What a value is: a closed set of Python types, told apart by exact type.

    ()  None          i64  int (64 bits, checked)     char   Char        blob    bytearray     Fn         FnPtr
    bool  bool        f64  float                      array  list        range   Range         timestamp  Instant
                      string  str                     map    dict        range   Stream (an iterator that is no range literal)

Strings hold Unicode scalar values only. Map keys are strings; maps show in the order of their keys, whatever order they hold.
A captured variable lives in a Shared cell; no cell is ever inside a container. Note the traps of Python: `True == 1`,
`1 == 1.0`, so nothing here compares values with `==` before their types are known. Values may be nested thousands deep: what
walks through them here keeps its own stack.
"""

from collections.abc import Hashable, Iterable, Iterator
from struct import pack
from sys import getsizeof
from types import NoneType

from rhaipy.costs import BYTES_A_UNIT, charge_hash
from rhaipy.host_errors import HostFailure, from_host
from rhaipy.host_types import NO_HOST_TYPES, HostTypes, class_path
from rhaipy.limits import Meter
from rhaipy.records import individual, record
from rhaipy.source import NONE, At
from rhaipy.typings import Any, Final, Protocol, TypeAlias

I64_MIN: Final = -(2**63)
I64_MAX: Final = 2**63 - 1


class Char(str):
    """One Unicode scalar value, 'x'. Never equal in type to a string, though it is made of one."""

    __slots__ = ()


class Byte(int):
    """0 to 255, of the engine's type u8: what `for` finds in a blob. It is no integer to the engine, so 65 never equals it."""

    __slots__ = ()


@record
class Range:
    """start..end, or start..=end where inclusive. An open end is I64_MAX, as in the real engine."""

    start: int
    end: int
    inclusive: bool


@individual
class Stream:
    """An iterator that is no range literal: range(0, 9, 3), "text".chars(), bits(5).

    `kind` is the real engine's own name of its type, `items` what it yields, afresh each time.
    """

    kind: str
    items: Iterable["Value"]


BYTE_RANGE: Final = "core::ops::range::Range<u8>"
"""The kind of a range of bytes, the one iterator that the engine has no shorter name for."""


@individual
class FnPtr:
    """A pointer to the function `name`, with arguments curried in front.

    `params` is the number of parameters where a script function was named by itself (not through `Fn("name")`), else None.
    """

    name: str
    curried: tuple["Value", ...] = ()
    params: int | None = None

    def __repr__(self) -> str:
        # Short: pointers that hold pointers twice would double at each level.
        return f"FnPtr({self.name!r}, curried={len(self.curried)})"

    @property
    def is_anonymous(self) -> bool:
        """Does it point to a closure?"""
        return self.name.startswith("anon$")

    def call(self, engine: "PointerCaller", ast: Any, *args: object) -> "Value":
        """Call what it points to from the host: the same as `engine.call_fn_ptr(ast, pointer, *args)`."""
        return engine.call_fn_ptr(ast, self, *args)


class PointerCaller(Protocol):
    """What calls pointers for the host: an engine."""

    def call_fn_ptr(self, ast: Any, pointer: FnPtr, *args: object) -> "Value":
        """Call what `pointer` points to; `ast` is the script that it comes from."""


@record
class Instant:
    """A point in time of the monotonic clock, in nanoseconds."""

    nanoseconds: int


class Shared:
    """The cell of a variable that a closure captured: `locked` while a call holds it by reference, `constant` as the variable."""

    __slots__ = ("constant", "locked", "value")

    def __init__(self, value: "Value", constant: bool = False) -> None:
        self.value = value
        self.constant = constant
        self.locked = False


Value: TypeAlias = (
    "None | bool | int | float | Char | str | list[Value] | dict[str, Value] | bytearray"
    " | Range | Stream | FnPtr | Instant | Shared"
)  # fmt: skip

# --- names of types -------------------------------------------------------------------------------------------------------

_NAMES: Final[dict[type, str]] = {
    NoneType: "()", bool: "bool", int: "i64", Byte: "u8", float: "f64", Char: "char", str: "string", list: "array", dict: "map",
    bytearray: "blob", Range: "range", Stream: "range", FnPtr: "Fn", Instant: "timestamp",
}  # fmt: skip


def type_name(value: Value, host: HostTypes = NO_HOST_TYPES) -> str:
    """The name of the value's type, as `type_of` gives it. `host` has the names of the host's classes."""
    if type(value) is Shared:
        value = value.value
    if type(value) is Range and value.inclusive:
        return "range="
    if type(value) is Stream and value.kind == BYTE_RANGE:
        return value.kind
    return kind_name(type(value), host)


def kind_name(kind: type, host: HostTypes = NO_HOST_TYPES) -> str:
    """The name of a type of values, without a value."""
    return _NAMES.get(kind) or host.names.get(kind) or class_path(kind)


def signature_name(value: Value, host: HostTypes = NO_HOST_TYPES) -> str:
    """The name of the value's type in the signature of a function that was not found: `name (type, type)`."""
    name = type_name(value, host)
    return "&str | ImmutableString | String" if name == "string" else name


def raw_type_name(value: Value) -> str:
    """The real engine's own name of the value's type; it shows in a few errors and where such a value is displayed."""
    if type(value) is Range:
        return "core::ops::range::RangeInclusive<i64>" if value.inclusive else "core::ops::range::Range<i64>"
    return value.kind if type(value) is Stream else type_name(value)


# --- copies --------------------------------------------------------------------------------------------------------------

Container: TypeAlias = "list[Value] | dict[str, Value]"


def copy(value: Value, meter: Meter, at: At = NONE) -> Value:
    """A value of its own, equal to `value`. Only arrays, maps and blobs can change in place, so only they are copied.

    A function pointer is not: whoever calls it copies its curried arguments. Values of the host's classes are, if their class
    was registered with a way to copy them. In a run that shares, it is `value` itself.
    """
    if meter.shares:
        return value
    if type(value) is list or type(value) is dict:
        return _copy_container(value, meter, at)
    if type(value) is bytearray:
        return _copy_blob(value, meter, at)
    return value if type(value) in UNCHANGING else _copy_host_value(value, meter)


UNCHANGING: Final = frozenset({NoneType, bool, int, Byte, float, Char, str, Range, Stream, FnPtr, Instant, Shared})
"""The types whose values need no copy. What is in cells is copied by those who take it out."""


def copy_outer(value: Value, meter: Meter, at: At = NONE) -> Value:
    """`value` in a container of its own, for who changes it in a run that shares; what is inside is not copied."""
    if type(value) is list or type(value) is dict:
        meter.charge((len(value) >> 2) + 1, at)
        meter.allocate(getsizeof(value), at)
        return value.copy()
    return _copy_blob(value, meter, at) if type(value) is bytearray else value


def _copy_host_value(value: Value, meter: Meter) -> Value:
    copier = meter.types.copiers.get(type(value))
    if copier is None:
        return value
    try:
        copied: Value = copier(value)
    except Exception as error:
        raise from_host("copy", error) from None
    if type(copied) is not type(value):
        raise HostFailure(NONE, "copy", TypeError(f"a {type(value).__name__} was copied to a {type(copied).__name__}"))
    return copied


def _copy_blob(blob: bytearray, meter: Meter, at: At) -> bytearray:
    meter.charge(len(blob) >> BYTES_A_UNIT, at)
    meter.allocate(len(blob), at)
    return blob.copy()


def _copy_container(container: Container, meter: Meter, at: At) -> Container:
    root = container.copy()
    pending: list[Container] = [root]
    is_paid = meter.limits.fuel > 0 or meter.limits.memory > 0
    units = size = 0
    while pending:
        parent = pending.pop()
        if is_paid:
            units += (len(parent) >> 2) + 1
            size += getsizeof(parent)
            if units > PAID_AT_ONCE:
                meter.charge(units, at)
                meter.allocate(size, at)
                units = size = 0
        if isinstance(parent, list):
            for index, item in enumerate(parent):
                if type(item) not in UNCHANGING:
                    parent[index] = _copy_one(item, pending, meter, at)
        else:
            for key, item in parent.items():
                if type(item) not in UNCHANGING:
                    parent[key] = _copy_one(item, pending, meter, at)
    if units:
        meter.charge(units, at)
        meter.allocate(size, at)
    return root


PAID_AT_ONCE: Final = 32
"""Units of a copy that are paid for together."""


MUTABLE: Final = frozenset({list, dict, bytearray})
"""The types of the language whose values change in place."""


def _copy_one(item: Value, pending: list[Container], meter: Meter, at: At) -> Value:
    if type(item) is bytearray:
        return _copy_blob(item, meter, at)
    if type(item) is list or type(item) is dict:
        child = item.copy()
        pending.append(child)
        return child
    return _copy_host_value(item, meter)


# --- what the language asks of values -------------------------------------------------------------------------------------


def iterate(value: Value) -> Iterator[Value] | None:
    """What `for` runs over, one after the other; None where the type cannot be iterated.

    Items come as they are, not copied: hand in a value of your own.
    """
    if type(value) is Range:
        return iter(range(value.start, value.end + value.inclusive))
    if type(value) is str:
        return (Char(char) for char in value)
    if type(value) is list:
        return iter(value)
    if type(value) is bytearray:
        return (Byte(byte) for byte in value)
    return iter(value.items) if type(value) is Stream else None


def switch_key(value: Value, meter: Meter | None = None) -> Hashable:
    """What `switch` tells values apart by: equal exactly where the real engine's hashes of the two values are.

    1 and 1.0 differ, 'a' and "a" too; 0.0 and -0.0 differ, equal NaNs do not. Iterators and points in time equal nothing. `meter`
    pays for what is nested.
    """
    if type(value) is Shared:
        value = value.value
    if type(value) in _PLAIN:
        if meter is not None and type(value) is str:
            charge_hash(meter, value)
        return (type(value), value)
    return tuple(_flattened(value, meter))


_PLAIN: Final = frozenset({NoneType, bool, int, Byte, str, Char, Range})


def _flattened(root: Value, meter: Meter | None) -> Iterator[Hashable]:
    # One flat sequence, lengths included: hashing deeply nested tuples can crash CPython.
    pending: list[Value] = [root]
    while pending:
        value = pending.pop()
        if meter is not None:
            meter.charge(1 + (len(value) >> 9 if type(value) is str else 0))
        if type(value) is Shared:
            value = value.value
        yield type_name(value)
        if type(value) is float:
            yield pack("<d", value)
        elif type(value) is list:
            yield len(value)
            pending.extend(value)
        elif type(value) is dict:
            for key in sorted(value):
                yield key
                pending.append(value[key])
            yield len(value)
        elif type(value) is bytearray:
            yield bytes(value)
        elif type(value) is FnPtr:
            yield value.name
            yield len(value.curried)
            pending.extend(value.curried)
        elif value is None or isinstance(value, (int, str, Range)):
            yield value
        else:
            yield object()
