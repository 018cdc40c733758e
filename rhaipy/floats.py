"""Arithmetic on floats as IEEE 754 and the real engine have it: no operation fails, and comparisons allow for rounding."""

import math
from sys import float_info

from rhaipy.typings import Final

NAN: Final = -math.nan
"""What has no value, with the sign that x86 processors give it. The sign shows in the bytes of a blob only."""

_EPSILON: Final = float_info.epsilon


def divide(left: float, right: float) -> float:
    """left / right, where division by zero gives an infinity or NaN"""
    if right:
        return left / right
    if math.isnan(left):
        return left
    if not left:
        return NAN
    return math.copysign(math.inf, math.copysign(1.0, left) * math.copysign(1.0, right))


def modulo(left: float, right: float) -> float:
    """left % right, with the sign of `left`"""
    if math.isnan(left) or math.isnan(right):
        return left + right
    return NAN if not right or math.isinf(left) else math.fmod(left, right)


def power(base: float, exponent: float) -> float:
    """base ** exponent, where overflow gives an infinity and what has no real value NaN"""
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -math.inf if base < 0 and exponent % 2 == 1 else math.inf
    except ValueError:
        if base:
            return NAN
        return math.copysign(math.inf, base) if exponent % 2 == 1 else math.inf


def _ratio(left: float, right: float) -> float:
    # How far `left` lies above `right`, relative to the larger of the two. NaN wherever one is infinite; NaN equals zero.
    product = left * right
    if product == 0.0:
        return left - right
    if product != product and (left == 0.0 or right == 0.0):
        return 0.0 if math.isnan(left + right) else math.nan
    return (left - right) / max(abs(left), abs(right))


def equal(left: float, right: float) -> bool:
    """left == right, but for a rounding error; false where one of them is infinite or NaN"""
    return abs(_ratio(left, right)) <= _EPSILON


def unequal(left: float, right: float) -> bool:
    """left != right by more than a rounding error; false too where one of them is infinite or NaN"""
    return abs(_ratio(left, right)) > _EPSILON


def greater(left: float, right: float) -> bool:
    """left > right by more than a rounding error"""
    return _ratio(left, right) > _EPSILON


def greater_or_equal(left: float, right: float) -> bool:
    """left >= right, but for a rounding error"""
    return _ratio(left, right) > -_EPSILON


def less(left: float, right: float) -> bool:
    """left < right by more than a rounding error"""
    return _ratio(right, left) > _EPSILON


def less_or_equal(left: float, right: float) -> bool:
    """left <= right, but for a rounding error"""
    return _ratio(right, left) > -_EPSILON
