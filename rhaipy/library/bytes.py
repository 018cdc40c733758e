"""Bytes, which a script gets by running over a blob: arithmetic from 0 to 255 among themselves, and ranges of them.

The engine has no operator for a byte and an integer together; `to_int` makes an integer of a byte.
"""

from collections.abc import Iterable, Iterator

from rhaipy.errors import Arithmetic, FunctionNotFound
from rhaipy.functions import Package, function
from rhaipy.integers import divide as divide_integers
from rhaipy.integers import modulo as modulo_integers
from rhaipy.integers import power as power_of_integers
from rhaipy.library.iteration import STEPS, zero_step
from rhaipy.records import record
from rhaipy.source import NONE
from rhaipy.typings import Final
from rhaipy.values import BYTE_RANGE, I64_MAX, Byte, Stream

BYTES: Package = []

_LARGEST: Final = 255
_LARGEST_SHIFT: Final = 7
_MOST_BITS: Final = 2**32 - 1


def _checked(result: int, what: str, left: int, operator: str, right: int) -> Byte:
    if 0 <= result <= _LARGEST:
        return Byte(result)
    raise Arithmetic(NONE, f"{what} overflow: {left} {operator} {right}")


@function(BYTES, "+")
def add(x: Byte, y: Byte) -> Byte:
    return _checked(int(x) + y, "Addition", x, "+", y)


@function(BYTES, "-")
def subtract(x: Byte, y: Byte) -> Byte:
    return _checked(int(x) - y, "Subtraction", x, "-", y)


@function(BYTES, "*")
def multiply(x: Byte, y: Byte) -> Byte:
    return _checked(int(x) * y, "Multiplication", x, "*", y)


@function(BYTES, "/")
def divide(x: Byte, y: Byte) -> Byte:
    return Byte(divide_integers(x, y))


@function(BYTES, "%")
def modulo(x: Byte, y: Byte) -> Byte:
    return Byte(modulo_integers(x, y))


@function(BYTES, "**")
def power(x: Byte, y: int) -> Byte:
    if y > _MOST_BITS:
        raise Arithmetic(NONE, f"Exponential overflow: {x} ** {y}")
    return _checked(power_of_integers(x, min(y, 8) if x > 1 else y), "Exponential", x, "**", y)


@function(BYTES, "<<")
def shift_left(x: Byte, y: int) -> Byte:
    if y < 0:
        return shift_right(x, min(-y, I64_MAX))
    return Byte(x << y & _LARGEST if y <= _LARGEST_SHIFT else 0)


@function(BYTES, ">>")
def shift_right(x: Byte, y: int) -> Byte:
    if y < 0:
        return shift_left(x, min(-y, I64_MAX))
    return Byte(x >> min(y, _LARGEST_SHIFT))


@function(BYTES, "&")
def bits_in_both(x: Byte, y: Byte) -> Byte:
    return Byte(x & y)


@function(BYTES, "|")
def bits_in_either(x: Byte, y: Byte) -> Byte:
    return Byte(x | y)


@function(BYTES, "^")
def bits_in_one(x: Byte, y: Byte) -> Byte:
    return Byte(x ^ y)


# --- comparing and asking -------------------------------------------------------------------------------------------------


@function(BYTES, "==")
def equal(x: Byte, y: Byte) -> bool:
    return int(x) == y


@function(BYTES, "!=")
def unequal(x: Byte, y: Byte) -> bool:
    return int(x) != y


@function(BYTES, "<")
def less(x: Byte, y: Byte) -> bool:
    return int(x) < y


@function(BYTES, "<=")
def less_or_equal(x: Byte, y: Byte) -> bool:
    return int(x) <= y


@function(BYTES, ">")
def greater(x: Byte, y: Byte) -> bool:
    return int(x) > y


@function(BYTES, ">=")
def greater_or_equal(x: Byte, y: Byte) -> bool:
    return int(x) >= y


@function(BYTES, "max")
def largest(x: Byte, y: Byte) -> Byte:
    return max(x, y)


@function(BYTES, "min")
def smallest(x: Byte, y: Byte) -> Byte:
    return min(x, y)


@function(BYTES, "is_zero", getter=True)
def is_zero(x: Byte) -> bool:
    return int(x) == 0


@function(BYTES, "is_odd", getter=True)
def is_odd(x: Byte) -> bool:
    return x % 2 == 1


@function(BYTES, "is_even", getter=True)
def is_even(x: Byte) -> bool:
    return x % 2 == 0


# --- conversions and ranges -----------------------------------------------------------------------------------------------


@function(BYTES, "to_int")
def to_int(x: Byte) -> int:
    return int(x)


@function(BYTES, "to_float")
def to_float(x: Byte) -> float:
    return float(x)


@function(BYTES, "to_hex")
def to_hex(value: Byte) -> str:
    return f"{value:x}"


@function(BYTES, "to_octal")
def to_octal(value: Byte) -> str:
    return f"{value:o}"


@function(BYTES, "to_binary")
def to_binary(value: Byte) -> str:
    return f"{value:b}"


@record
class _Bytes(Iterable[Byte]):
    numbers: range

    def __iter__(self) -> Iterator[Byte]:
        for number in self.numbers:
            yield Byte(number)


@function(BYTES, "range")
def range_from_to(from_: Byte, to: Byte) -> Stream:
    return Stream(BYTE_RANGE, _Bytes(range(from_, to)))


@function(BYTES, "range")
def stepped(from_: Byte, to: Byte, step: Byte) -> Stream:
    if int(step) == 0:
        raise zero_step()
    numbers = range(from_, to, step)
    if numbers and numbers[-1] + step > _LARGEST:
        numbers = numbers[:-1]  # the engine loses the last number where the one after it would overflow
    return Stream(f"{STEPS}<u8>", _Bytes(numbers))


@function(BYTES, "range")
def stepped_range(range_: Stream, step: Byte) -> Stream:
    items = range_.items
    if range_.kind != BYTE_RANGE or not isinstance(items, _Bytes):
        raise FunctionNotFound(NONE, "range (range, u8)")
    return stepped(Byte(items.numbers.start), Byte(items.numbers.stop), step)
