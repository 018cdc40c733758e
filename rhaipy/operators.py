"""The engine's own operators on its own types: found by operator and the types of the operands, called without any look-up.

    binary("+", int, float)  -> a function of (meter, left, right) that returns the value; None where there is no such operator
    assign("+=", list, str)  -> a function of (meter, left, right) that returns the new value of the target; None likewise
    unary("-", int)          -> a function of the operand; None likewise

How an evaluator (and the optimiser, for `binary` on constants) uses them when fast operators are on: evaluate both operands, copy
none; `type(left)` is never Shared. Unless `is_variant` of either type, `binary` comes first, costs no operation, and errors get
the operator's position. What it does not find, and operands that are variants, go through the function table, at one operation:
functions registered under the operator's name first, then `binary` again (`FunctionTable.find` falls back on it by itself).

`left` and `right` are never changed by `binary`. `assign` takes both over: it may change `left` in place and keep `right` inside
it, so hand in a right side of its own (`values.copy`), and store what it returns. Errors carry no position.
"""

from collections.abc import Callable
from operator import add, and_, eq, ge, gt, le, lt, mul, ne, or_, sub, xor
from sys import getsizeof
from types import NoneType

from rhaipy import floats, integers
from rhaipy.costs import BYTES_A_UNIT, COPIED, SMALL, charge_text, charge_text_copy, paid_utf8_length
from rhaipy.errors import FunctionNotFound
from rhaipy.limits import Meter
from rhaipy.sizes import check_size
from rhaipy.source import NONE
from rhaipy.typings import Any, Final, TypeAlias
from rhaipy.values import I64_MAX, MUTABLE, UNCHANGING, Byte, Char, Range, Stream, Value, raw_type_name, type_name

Binary: TypeAlias = Callable[[Meter, Any, Any], Value]
Unary: TypeAlias = Callable[[Any], Value]

COMPARISONS: Final = ("==", "!=", "<", "<=", ">", ">=")
ASSIGNMENTS: Final = {f"{operator}=": operator for operator in ("+", "-", "*", "/", "%", "**", "<<", ">>", "&", "|", "^")}
"""The op-assignments, and the operators they abbreviate."""

_RANGES: Final = frozenset({Range, Stream})
_VARIANTS: Final = _RANGES | {Byte}
_OWN: Final = UNCHANGING - _VARIANTS | MUTABLE
_NUMBERS: Final = frozenset({int, Byte, float})


def is_variant(kind: type) -> bool:
    """Is `kind` a type that the engine keeps outside its own, so that registered operators come before the engine's?"""
    return kind not in _OWN


def binary(operator: str, left: type, right: type) -> Binary | None:
    """The engine's function for `left operator right`, or None."""
    key = (operator, left, right)
    if key not in _found:
        if len(_found) >= _MOST_FOUND:
            _found.clear()
        found = _found[key] = _find_binary(operator, left, right)
        return found
    return _found[key]


def assign(operator: str, left: type, right: type) -> Binary | None:
    """The engine's function for `left operator right` where `operator` is an op-assignment, or None."""
    own = _ASSIGNMENTS.get((left, right), {}).get(operator)
    if own is not None:
        return own
    if operator == "+=" and left is list:
        return _push
    if (left, right) in _ASSIGNED_AS_BINARY:
        return binary(ASSIGNMENTS[operator], left, right)
    return None


def unary(operator: str, operand: type) -> Unary | None:
    """The engine's function for `operator operand` (`-` of numbers, `!` of booleans), or None."""
    return _UNARY.get((operator, operand))


ON_INTEGERS: Final[dict[str, Callable[[int, int], int]]] = {
    "+": add, "-": sub, "*": mul, "/": integers.divide, "%": integers.modulo, "&": and_, "|": or_, "^": xor,
    "==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge,
}  # fmt: skip
"""The most frequent operators on two integers, for a first try: right if the result has 64 bits, else ask `binary`."""


_found: Final[dict[tuple[str, type, type], Binary | None]] = {}
_MOST_FOUND: Final = 4096  # a script can ask for any name


def _find_binary(operator: str, left: type, right: type) -> Binary | None:
    if (left, right) in _OPERATORS:
        return _OPERATORS[left, right].get(operator)
    if operator in ("..", "..="):
        return _OPEN_RANGES.get((operator, left, right))
    if operator not in COMPARISONS:
        return None
    if left in _RANGES and right in _RANGES:
        return _ranges(operator)
    if left is right or (left in _NUMBERS and right in _NUMBERS):
        return None
    return _always if operator == "!=" else _never


def _always(_meter: Meter, _left: Any, _right: Any) -> Value:
    return True


def _never(_meter: Meter, _left: Any, _right: Any) -> Value:
    return False


def _plain(function: Callable[[Any, Any], Value]) -> Binary:
    def apply(_meter: Meter, left: Any, right: Any) -> Value:
        return function(left, right)

    return apply


def _ranges(operator: str) -> Binary:
    # start..end and start..=end are two types in the engine, and so are the kinds of streams.
    def compare(_meter: Meter, left: Range | Stream, right: Range | Stream) -> Value:
        if type(left) is Range and type(right) is Range:
            same_kind = left.inclusive == right.inclusive
            if operator == "!=":
                return left != right
            if operator == "==" and same_kind:
                return left == right
        elif raw_type_name(left) != raw_type_name(right):
            return operator == "!="
        raise FunctionNotFound(NONE, f"{operator} ({type_name(left)}, {type_name(right)})")

    return compare


# --- numbers --------------------------------------------------------------------------------------------------------------


def _on_floats(function: Callable[[float, float], Value]) -> Binary:
    def apply(_meter: Meter, left: float, right: float) -> Value:
        return function(float(left), float(right))

    return apply


_FLOATS: Final[dict[str, Binary]] = {
    "+": _on_floats(lambda left, right: left + right),
    "-": _on_floats(lambda left, right: left - right),
    "*": _on_floats(lambda left, right: left * right),
    "/": _on_floats(floats.divide),
    "%": _on_floats(floats.modulo),
    "**": _on_floats(floats.power),
    "==": _on_floats(floats.equal),
    "!=": _on_floats(floats.unequal),
    "<": _on_floats(floats.less),
    "<=": _on_floats(floats.less_or_equal),
    ">": _on_floats(floats.greater),
    ">=": _on_floats(floats.greater_or_equal),
}

_COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
_COMPARE_PLAIN: Final[dict[str, Binary]] = {operator: _plain(function) for operator, function in _COMPARE.items()}

_BITS: Final[dict[str, Binary]] = {
    "&": _plain(lambda left, right: left & right),
    "|": _plain(lambda left, right: left | right),
    "^": _plain(lambda left, right: left ^ right),
}

_INTEGERS: Final[dict[str, Binary]] = {
    "+": _plain(integers.add),
    "-": _plain(integers.subtract),
    "*": _plain(integers.multiply),
    "/": _plain(integers.divide),
    "%": _plain(integers.modulo),
    "**": _plain(integers.power),
    "<<": _plain(integers.shift_left),
    ">>": _plain(integers.shift_right),
    "..": _plain(lambda left, right: Range(left, right, False)),
    "..=": _plain(lambda left, right: Range(left, right, True)),
}

_OPEN_RANGES: Final[dict[tuple[str, type, type], Binary]] = {
    ("..", int, NoneType): _plain(lambda left, _: Range(left, I64_MAX, False)),
    ("..=", int, NoneType): _plain(lambda left, _: Range(left, I64_MAX, True)),
    ("..", NoneType, int): _plain(lambda _, right: Range(0, right, False)),
    ("..=", NoneType, int): _plain(lambda _, right: Range(0, right, True)),
}

# --- strings and characters -----------------------------------------------------------------------------------------------


def join(meter: Meter, left: str, right: str) -> str:
    """left + right, refused before it is made where that would be too long a string"""
    if meter.limits.max_string_size and (len(left) + len(right)) * 4 > meter.limits.max_string_size:
        meter.string(paid_utf8_length(meter, left) + paid_utf8_length(meter, right))
    return join_in_passing(meter, left, right)


def join_in_passing(meter: Meter, left: str, right: str) -> str:
    """left + right, however long it becomes"""
    joined = left + right
    charge_text_copy(meter, joined)
    meter.allocate(getsizeof(joined))
    return joined


def is_paid_join(meter: Meter, text: str, more: str) -> bool:
    """Pay for `text` += `more` as `join` does, where that can be told beforehand. Then it may be done in place."""
    if not (text and more and text.isascii() and more.isascii()):
        return False
    size, bytes_in_memory = len(text) + len(more), getsizeof(text) + len(more)
    meter.string(size)
    if size > SMALL:
        meter.charge(bytes_in_memory >> COPIED)
    meter.allocate(bytes_in_memory)
    return True


def remove(meter: Meter, text: str, part: str) -> str:
    """text - part: `text` without any `part`; where `text` is empty, a string `part` itself"""
    if not text and type(part) is str:
        return part
    charge_text(meter, text)
    charge_text(meter, text)  # once more, for what is put together
    return text.replace(part, "") if part else text


def _compared(function: Callable[[Any, Any], bool]) -> Binary:
    def apply(meter: Meter, left: str, right: str) -> Value:
        if len(left) > SMALL:
            charge_text_copy(meter, left if len(left) < len(right) else right)
        return function(left, right)

    return apply


_TEXTS: Final[dict[str, Binary]] = {operator: _compared(function) for operator, function in _COMPARE.items()} | {"+": join}

# --- blobs ----------------------------------------------------------------------------------------------------------------


def _join_blobs(meter: Meter, left: bytearray, right: bytearray | str) -> bytearray:
    if left or isinstance(right, str):
        return _extend_blob(meter, left.copy(), right)
    _put_bytes(meter, joined := bytearray(), right)
    return joined


def _extend_blob(meter: Meter, left: bytearray, right: bytearray | str) -> bytearray:
    added = right.encode() if isinstance(right, str) else right
    if added:
        meter.array(len(left) + len(added))
        _put_bytes(meter, left, added)
    return left


def _put_bytes(meter: Meter, left: bytearray, added: bytes | bytearray) -> None:
    meter.charge(len(added) >> BYTES_A_UNIT)
    meter.allocate(len(added))
    left.extend(added)


def _append_blob(meter: Meter, left: bytearray, right: bytearray) -> bytearray:
    meter.array(len(left) + len(right))
    _put_bytes(meter, left, right)
    return left


def _append_char(meter: Meter, left: bytearray, right: Char) -> bytearray:
    # The engine asks for the room of one byte, however many there are (case "a wide character appended to a blob").
    meter.array(len(left) + 1)
    _put_bytes(meter, left, right.encode())
    return left


def _push_byte(meter: Meter, left: bytearray, right: int) -> bytearray:
    meter.array(len(left) + 1)
    left.append(right & 0xFF)
    return left


# --- op-assignments that differ from their operators ----------------------------------------------------------------------


def _append(meter: Meter, left: list[Value], right: list[Value]) -> list[Value]:
    # The engine measures the target before it grows, so the limit is noticed one operation late.
    if left and right:
        _measure(meter, left, None)
    meter.charge(len(right) >> 2)
    left.extend(right)
    return left


def _push(meter: Meter, left: list[Value], right: Value) -> list[Value]:
    left.append(right)
    _measure(meter, left, right)
    return left


def _measure(meter: Meter, container: list[Value], added: Value) -> None:
    # A run knows what its containers held before.
    if meter.measure is not None:
        meter.measure(container, added)
    else:
        check_size(container, meter)


def _append_text(meter: Meter, left: str, right: str) -> str:
    return join(meter, left, right) if left and right else left or right


def _append_to_char(meter: Meter, left: Char, right: str) -> str:
    return join(meter, left, right) if right else left


def _join_chars(_meter: Meter, left: Char, right: Char) -> str:
    # Whatever the limit: the engine asks about texts that grow, and this one is new.
    return str(left) + str(right)


# --- the tables -----------------------------------------------------------------------------------------------------------

_NEVER: Final[dict[str, Binary]] = dict.fromkeys(COMPARISONS, _never)
_UNEQUAL: Final[dict[str, Binary]] = _NEVER | {"!=": _always}

_OPERATORS: Final[dict[tuple[type, type], dict[str, Binary]]] = {
    (int, int): _COMPARE_PLAIN | _BITS | _INTEGERS,
    (bool, bool): _COMPARE_PLAIN | _BITS,
    (float, float): _FLOATS,
    (float, int): _FLOATS,
    (int, float): _FLOATS,
    (str, str): _TEXTS | {"-": remove},
    (str, Char): _TEXTS | {"-": remove},
    (Char, str): _TEXTS,
    (Char, Char): _TEXTS,
    (str, NoneType): _UNEQUAL | {"+": _plain(lambda left, _: left)},
    (NoneType, str): _UNEQUAL | {"+": _plain(lambda _, right: right)},
    (NoneType, NoneType): _NEVER | {"==": _always},
    (bytearray, bytearray): {"==": _COMPARE_PLAIN["=="], "!=": _COMPARE_PLAIN["!="], "+": _join_blobs},
    (bytearray, Char): {"+": _join_blobs},
}

_ASSIGNMENTS: Final[dict[tuple[type, type], dict[str, Binary]]] = {
    (list, list): {"+=": _append},
    (str, str): {"+=": _append_text},
    (Char, str): {"+=": _append_to_char},
    (Char, Char): {"+=": _join_chars},
    (bytearray, bytearray): {"+=": _append_blob},
    (bytearray, int): {"+=": _push_byte},
    (bytearray, Char): {"+=": _append_char},
    (bytearray, str): {"+=": _extend_blob},
}
_ASSIGNED_AS_BINARY: Final = frozenset({(int, int), (bool, bool), (float, float), (float, int), (str, str), (str, Char)})

_UNARY: Final[dict[tuple[str, type], Unary]] = {
    ("-", int): integers.negate,
    ("-", float): lambda value: -value,
    ("!", bool): lambda value: not value,
}
