"""Mathematics on floats, and numbers from text. No function of a float fails: what has no value is NaN or an infinity."""

import math
from collections.abc import Callable

from rhaipy.costs import charge_text, paid_trim
from rhaipy.display import plain_float
from rhaipy.errors import Arithmetic
from rhaipy.floats import NAN, divide
from rhaipy.functions import Caller, Package, function
from rhaipy.source import NONE
from rhaipy.typings import Final
from rhaipy.values import I64_MAX, I64_MIN, Char

MATHEMATICS: Package = []

# --- trigonometry ---------------------------------------------------------------------------------------------------------


def _or_nan(compute: Callable[[float], float], x: float, nan: float = NAN) -> float:
    try:
        return compute(x)
    except ValueError:
        return nan


@function(MATHEMATICS, "sin")
def sin(x: float) -> float:
    return _or_nan(math.sin, x)


@function(MATHEMATICS, "cos")
def cos(x: float) -> float:
    return _or_nan(math.cos, x)


@function(MATHEMATICS, "tan")
def tan(x: float) -> float:
    return _or_nan(math.tan, x)


@function(MATHEMATICS, "asin")
def asin(x: float) -> float:
    return _or_nan(math.asin, x, math.nan)


@function(MATHEMATICS, "acos")
def acos(x: float) -> float:
    return _or_nan(math.acos, x, math.nan)


@function(MATHEMATICS, "atan")
def atan(x: float) -> float:
    return math.atan(x)


@function(MATHEMATICS, "atan")
def atan_of_two(x: float, y: float) -> float:
    return math.atan2(x, y)


@function(MATHEMATICS, "sinh")
def sinh(x: float) -> float:
    try:
        return math.sinh(x)
    except OverflowError:
        return math.copysign(math.inf, x)


@function(MATHEMATICS, "cosh")
def cosh(x: float) -> float:
    try:
        return math.cosh(x)
    except OverflowError:
        return math.inf


@function(MATHEMATICS, "tanh")
def tanh(x: float) -> float:
    return math.tanh(x)


# The inverse hyperbolic functions are Rust's own formulas, not those of C.


@function(MATHEMATICS, "asinh")
def asinh(x: float) -> float:
    size = abs(x)
    if size == 0 or not math.isfinite(size):
        return x
    inverse = 1.0 / size
    return math.copysign(math.log1p(size + size / (hypot(1.0, inverse) + inverse)), x)


@function(MATHEMATICS, "acosh")
def acosh(x: float) -> float:
    if x < 1.0:
        return math.nan
    return ln(x + math.sqrt(x - 1.0) * math.sqrt(x + 1.0))


@function(MATHEMATICS, "atanh")
def atanh(x: float) -> float:
    if abs(x) >= 1.0:
        return math.copysign(math.inf, x) if abs(x) == 1.0 else NAN
    return 0.5 * math.log1p(2.0 * x / (1.0 - x))


@function(MATHEMATICS, "hypot")
def hypot(x: float, y: float) -> float:
    # Not math.hypot, which differs from C's in the last digit.
    if math.isnan(x + y) and not math.isinf(x) and not math.isinf(y):
        return x + y
    try:
        return abs(complex(x, y))
    except OverflowError:
        return math.inf


@function(MATHEMATICS, "to_radians")
def to_radians(x: float) -> float:
    return x * (math.pi / 180.0)


@function(MATHEMATICS, "to_degrees")
def to_degrees(x: float) -> float:
    return x * (180.0 / math.pi)


# --- powers and logarithms ------------------------------------------------------------------------------------------------


@function(MATHEMATICS, "E")
def e() -> float:
    return math.e


@function(MATHEMATICS, "PI")
def pi() -> float:
    return math.pi


@function(MATHEMATICS, "sqrt")
def sqrt(x: float) -> float:
    return _or_nan(math.sqrt, x)


@function(MATHEMATICS, "exp")
def exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def _logarithm(compute: Callable[[float], float], x: float, nan: float) -> float:
    return _or_nan(compute, x, nan) if x else -math.inf


@function(MATHEMATICS, "ln")
def ln(x: float) -> float:
    return _logarithm(math.log, x, NAN)


@function(MATHEMATICS, "log")
def log10(x: float) -> float:
    return _logarithm(math.log10, x, math.nan)


@function(MATHEMATICS, "log")
def log(x: float, base: float) -> float:
    return divide(ln(x), ln(base))


# --- rounding -------------------------------------------------------------------------------------------------------------


def _whole(compute: Callable[[float], int], x: float) -> float:
    return math.copysign(float(compute(x)), x) if math.isfinite(x) else x


@function(MATHEMATICS, "floor", getter=True)
def floor(x: float) -> float:
    return _whole(math.floor, x)


@function(MATHEMATICS, "ceiling", getter=True)
def ceiling(x: float) -> float:
    return _whole(math.ceil, x)


@function(MATHEMATICS, "int", getter=True)
def integer_part(x: float) -> float:
    return _whole(math.trunc, x)


@function(MATHEMATICS, "round", getter=True)
def round_away(x: float) -> float:
    """To the nearest whole number; halves away from zero."""
    whole = integer_part(x)
    return whole + math.copysign(1.0, x) if abs(x - whole) >= 0.5 else whole


@function(MATHEMATICS, "fraction", getter=True)
def fraction(x: float) -> float:
    return x - integer_part(x)


@function(MATHEMATICS, "is_nan", getter=True)
def is_nan(x: float) -> bool:
    return math.isnan(x)


@function(MATHEMATICS, "is_finite", getter=True)
def is_finite(x: float) -> bool:
    return math.isfinite(x)


@function(MATHEMATICS, "is_infinite", getter=True)
def is_infinite(x: float) -> bool:
    return math.isinf(x)


# --- from one kind of number to another, and from text --------------------------------------------------------------------


@function(MATHEMATICS, "to_int")
def int_to_int(x: int) -> int:
    return x


@function(MATHEMATICS, "to_int")
def char_to_int(x: Char) -> int:
    return ord(x)


@function(MATHEMATICS, "to_int")
def float_to_int(x: float) -> int:
    if x > float(I64_MAX) or x < float(I64_MIN):
        raise Arithmetic(NONE, f"Integer overflow: to_int({plain_float(x)})")
    return 0 if math.isnan(x) else min(int(x), I64_MAX)


@function(MATHEMATICS, "to_float")
def to_float(x: int | float) -> float:
    return float(x)


@function(MATHEMATICS, "parse_int")
def parse_decimal(caller: Caller, string: str) -> int:
    return parse_int(caller, string, 10)


@function(MATHEMATICS, "parse_int")
def parse_int(caller: Caller, string: str, radix: int) -> int:
    charge_text(caller.meter, string)
    if not 2 <= radix <= 36:
        raise Arithmetic(NONE, f"Invalid radix: '{radix}'")
    number = _integer(paid_trim(caller.meter, string), radix)
    if isinstance(number, str):
        raise Arithmetic(NONE, f"Error parsing integer number '{string}': {number}")
    return number


_DIGITS: Final = {char: value for value, char in enumerate("0123456789abcdefghijklmnopqrstuvwxyz")}


def _integer(text: str, radix: int) -> int | str:
    """The number, or what is wrong with the text: the first thing from the left."""
    if not text:
        return "cannot parse integer from empty string"
    sign = -1 if text[0] == "-" else 1
    digits = text[1:] if text[0] in "+-" else text
    number = 0
    for char in digits.lstrip("0"):  # of the others some sixty are too many, so it is over soon
        digit = _DIGITS.get(char.lower(), radix) if char.isascii() else radix
        if digit >= radix:
            return "invalid digit found in string"
        number = number * radix + sign * digit
        if not I64_MIN <= number <= I64_MAX:
            return f"number too {'small' if sign < 0 else 'large'} to fit in target type"
    return number if digits else "invalid digit found in string"


@function(MATHEMATICS, "parse_float")
def parse_float(caller: Caller, string: str) -> float:
    charge_text(caller.meter, string)
    text = paid_trim(caller.meter, string)
    try:
        # Python reads more than Rust: underscores, digits of other scripts, more kinds of space.
        if text.isascii() and text.isprintable() and "_" not in text and " " not in text:
            return float(text)
    except ValueError:
        pass
    why = "invalid float literal" if text else "cannot parse float from empty string"
    raise Arithmetic(NONE, f"Error parsing floating-point number '{string}': {why}")
