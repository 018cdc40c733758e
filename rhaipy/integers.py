"""Checked arithmetic on 64-bit integers, with the real engine's texts. Every error is an `Arithmetic` without position.

Nothing here computes more than a few hundred bits, whatever the operands: `2 ** 4294967295` is refused, not tried.
"""

from rhaipy.errors import Arithmetic
from rhaipy.source import NONE
from rhaipy.typings import Final
from rhaipy.values import I64_MAX, I64_MIN

_LARGEST_SHIFT: Final = 63
_LARGEST_EXPONENT: Final = 2**32 - 1


def add(left: int, right: int) -> int:
    """left + right"""
    result = left + right
    if I64_MIN <= result <= I64_MAX:
        return result
    raise Arithmetic(NONE, f"Addition overflow: {left} + {right}")


def subtract(left: int, right: int) -> int:
    """left - right"""
    result = left - right
    if I64_MIN <= result <= I64_MAX:
        return result
    raise Arithmetic(NONE, f"Subtraction overflow: {left} - {right}")


def multiply(left: int, right: int) -> int:
    """left * right"""
    result = left * right
    if I64_MIN <= result <= I64_MAX:
        return result
    raise Arithmetic(NONE, f"Multiplication overflow: {left} * {right}")


def divide(left: int, right: int) -> int:
    """left / right, truncated toward zero"""
    if right == 0:
        raise Arithmetic(NONE, f"Division by zero: {left} / {right}")
    result = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        result = -result
    if result > I64_MAX:
        raise Arithmetic(NONE, f"Division overflow: {left} / {right}")
    return result


def modulo(left: int, right: int) -> int:
    """left % right, with the sign of `left`"""
    if right == 0 or (left == I64_MIN and right == -1):
        raise Arithmetic(NONE, f"Modulo division by zero or overflow: {left} % {right}")
    result = abs(left) % abs(right)
    return -result if left < 0 else result


def power(base: int, exponent: int) -> int:
    """base ** exponent"""
    if exponent < 0:
        raise Arithmetic(NONE, f"Integer raised to a negative power: {base} ** {exponent}")
    if exponent <= _LARGEST_EXPONENT:
        # Beyond 64 only -1, 0 and 1 stay in range, and they depend on whether the exponent is odd.
        result = base ** (exponent if exponent <= 64 else 64 + exponent % 2)
        if I64_MIN <= result <= I64_MAX:
            return int(result)
    raise Arithmetic(NONE, f"Exponential overflow: {base} ** {exponent}")


def negate(value: int) -> int:
    """-value, as the operator's fast path says it"""
    if value == I64_MIN:
        raise Arithmetic(NONE, "integer overflow")
    return -value


def shift_left(value: int, count: int) -> int:
    """value << count; a negative count shifts right, bits that leave are lost"""
    if count < 0:
        return shift_right(value, min(-count, I64_MAX))
    return wrap(value << count) if count <= _LARGEST_SHIFT else 0


def shift_right(value: int, count: int) -> int:
    """value >> count, filling with the sign; a negative count shifts left"""
    if count < 0:
        return shift_left(value, min(-count, I64_MAX))
    return value >> min(count, _LARGEST_SHIFT)


def wrap(value: int) -> int:
    """The 64 lowest bits of `value` as a signed number"""
    return (value - I64_MIN) % 2**64 + I64_MIN


def fits(value: int) -> bool:
    """Is `value` a 64-bit integer?"""
    return I64_MIN <= value <= I64_MAX
