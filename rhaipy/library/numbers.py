"""Integers, floats and booleans: what the operators of `rhaipy.operators` leave to registered functions."""

import math

from rhaipy.errors import Arithmetic
from rhaipy.functions import Package, function
from rhaipy.source import NONE
from rhaipy.values import I64_MIN

NUMBERS: Package = []


@function(NUMBERS, "+")
def plus(x: int | float) -> int | float:
    return x


@function(NUMBERS, "-")
def negate_int(x: int) -> int:
    if x == I64_MIN:
        raise Arithmetic(NONE, f"Negation overflow: -{x}")
    return -x


@function(NUMBERS, "-")
def negate_float(x: float) -> float:
    return -x


@function(NUMBERS, "abs")
def abs_int(x: int) -> int:
    return negate_int(x) if x < 0 else x


@function(NUMBERS, "abs")
def abs_float(x: float) -> float:
    return abs(x)


@function(NUMBERS, "sign")
def sign_of_int(x: int) -> int:
    return (x > 0) - (x < 0)


@function(NUMBERS, "sign")
def sign_of_float(x: float) -> int:
    if math.isnan(x):
        raise Arithmetic(NONE, "Sign of NaN is undefined")
    return (x > 0) - (x < 0)


@function(NUMBERS, "is_zero", getter=True)
def is_zero(x: int | float) -> bool:
    return x == 0


@function(NUMBERS, "is_odd", getter=True)
def is_odd(x: int) -> bool:
    return x % 2 != 0


@function(NUMBERS, "is_even", getter=True)
def is_even(x: int) -> bool:
    return x % 2 == 0


@function(NUMBERS, "!")
def negate_bool(x: bool) -> bool:
    return not x


@function(NUMBERS, "max")
def max_int(x: int, y: int) -> int:
    return x if x >= y else y


@function(NUMBERS, "min")
def min_int(x: int, y: int) -> int:
    return x if x <= y else y


@function(NUMBERS, "max")
def max_floats(x: float, y: int | float) -> float:
    return x if x >= float(y) else float(y)


@function(NUMBERS, "max")
def max_int_float(x: int, y: float) -> float:
    return max_floats(float(x), y)


@function(NUMBERS, "min")
def min_floats(x: float, y: int | float) -> float:
    return x if x <= float(y) else float(y)


@function(NUMBERS, "min")
def min_int_float(x: int, y: float) -> float:
    return min_floats(float(x), y)
