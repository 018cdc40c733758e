"""The engine's own operators. The expected values and texts are the real engine's."""

import math
from collections.abc import Callable

import pytest

from rhaipy import integers, operators
from rhaipy.display import debug
from rhaipy.errors import Arithmetic, RhaiError
from rhaipy.limit_errors import DataTooLarge
from rhaipy.limits import Limits, Meter
from rhaipy.values import I64_MAX, I64_MIN, Char, FnPtr, Range, Stream, Value, copy, type_name

UNLIMITED = Meter(Limits())


def evaluate(left: Value, operator: str, right: Value, meter: Meter = UNLIMITED) -> str:
    """The type and the text of the result, or the error; "none" where there is no such operator."""
    find = operators.assign if operator in operators.ASSIGNMENTS else operators.binary
    function = find(operator, type(left), type(right))
    if function is None:
        return "none"
    try:
        value = function(meter, copy(left, meter), right)
    except RhaiError as error:
        return error.text()
    return f"{type_name(value)} {debug(value)}"


@pytest.mark.parametrize(
    ("left", "operator", "right", "expected"),
    [
        (I64_MAX, "+", 1, "Addition overflow: 9223372036854775807 + 1"),
        (I64_MIN, "-", 1, "Subtraction overflow: -9223372036854775808 - 1"),
        (I64_MAX, "*", 2, "Multiplication overflow: 9223372036854775807 * 2"),
        (1, "/", 0, "Division by zero: 1 / 0"),
        (I64_MIN, "/", -1, "Division overflow: -9223372036854775808 / -1"),
        (1, "%", 0, "Modulo division by zero or overflow: 1 % 0"),
        (I64_MIN, "%", -1, "Modulo division by zero or overflow: -9223372036854775808 % -1"),
        (-7, "/", 2, "i64 -3"),
        (-7, "%", 3, "i64 -1"),
        (7, "%", -3, "i64 1"),
        (-2, "**", 63, "i64 -9223372036854775808"),
        (2, "**", 63, "Exponential overflow: 2 ** 63"),
        (1, "**", 4294967296, "Exponential overflow: 1 ** 4294967296"),
        (-1, "**", 4294967295, "i64 -1"),
        (2, "**", -1, "Integer raised to a negative power: 2 ** -1"),
        (1, "<<", 63, "i64 -9223372036854775808"),
        (1, "<<", 64, "i64 0"),
        (-8, ">>", 64, "i64 -1"),
        (8, ">>", -1, "i64 16"),
        (1, "<<", I64_MIN, "i64 0"),
        (5, "^", 1, "i64 4"),
        (1, "..", 3, "range 1..3"),
        (1, "..=", None, "range= 1..="),
        (None, "..", 3, "range 0..3"),
        (1.5, "..", 3, "none"),
        (1, "==", 1.0, "bool true"),
        (0.1 + 0.2, "==", 0.3, "bool true"),
        (0.1 + 0.2, "<=", 0.3, "bool true"),
        (0.1 + 0.2, ">", 0.3, "bool false"),
        (math.inf, "==", math.inf, "bool false"),
        (math.inf, ">", 1, "bool false"),
        (math.nan, "!=", math.nan, "bool false"),
        (0.0, "==", math.nan, "bool true"),
        (1, "/", 0.0, "f64 inf"),
        (-1.0, "/", 0, "f64 -inf"),
        (-5.5, "%", 2, "f64 -1.5"),
        (1.0, "%", 0.0, "f64 NaN"),
        (-1.0, "**", 0.5, "f64 NaN"),
        (0.0, "**", -1, "f64 inf"),
        (-10.0, "**", 309, "f64 -inf"),
        (True, "&", False, "bool false"),
        (True, "+", True, "none"),
        (True, ">", False, "bool true"),
        (1, "&", True, "none"),
        ("abcb", "-", "b", 'string "ac"'),
        ("", "-", "b", 'string "b"'),
        ("", "-", Char("b"), 'string ""'),
        (Char("a"), "+", Char("b"), 'string "ab"'),
        (Char("a"), "==", "a", "bool true"),
        ("ab", ">", Char("a"), "bool true"),
        (Char("a"), "-", "a", "none"),
        (Char("a"), "+", 1, "none"),
        ("a", "+", None, 'string "a"'),
        ("a", "+", 1, "none"),
        ("a", "!=", None, "bool true"),
        (None, "==", None, "bool true"),
        (None, ">=", None, "bool false"),
        (1, "<", "a", "bool false"),
        (1, "!=", "a", "bool true"),
        ([1], "==", 1, "bool false"),
        ([1], "==", [1], "none"),
        ({}, "==", {}, "none"),
        (FnPtr("a"), "==", FnPtr("a"), "none"),
        (bytearray(b"a"), "+", bytearray(b"b"), "blob [6162]"),
        (bytearray(b"a"), "+", Char("\u00e9"), "blob [61c3a9]"),
        (bytearray(b"a"), "==", Char("a"), "none"),
        (Range(0, 5, False), "==", Range(0, 5, False), "bool true"),
        (Range(0, 5, False), "!=", Range(0, 5, True), "bool true"),
        (Range(0, 5, False), "==", Range(0, 4, True), "Function not found: == (range, range=)"),
        (Range(0, 5, False), "<", Range(0, 5, False), "Function not found: < (range, range)"),
        (Range(0, 5, False), "==", 5, "bool false"),
        (Stream("a", ()), "==", Stream("b", ()), "bool false"),
        (Stream("a", ()), "==", Stream("a", ()), "Function not found: == (range, range)"),
    ],
)
def test_operators_give(left: Value, operator: str, right: Value, expected: str) -> None:
    assert evaluate(left, operator, right) == expected


@pytest.mark.parametrize(
    ("left", "operator", "right", "expected"),
    [
        (1, "+=", 2, "i64 3"),
        (1, "/=", 0, "Division by zero: 1 / 0"),
        (1, "+=", 1.0, "none"),
        (1.0, "+=", 1, "f64 2.0"),
        (1.0, "<<=", 1, "none"),
        (True, "|=", False, "bool true"),
        (Char("a"), "+=", Char("b"), 'string "ab"'),
        (Char("a"), "+=", "", "char 'a'"),
        (Char("a"), "+=", "b", 'string "ab"'),
        ("abab", "-=", Char("b"), 'string "aa"'),
        ("a", "+=", None, "none"),
        ([1], "+=", [2, 3], "array [1, 2, 3]"),
        ([1], "+=", 2, "array [1, 2]"),
        ([1], "+=", {}, "array [1, #{}]"),
        ({}, "+=", {}, "none"),
        (bytearray(b"a"), "+=", 321, "blob [6141]"),
        (bytearray(b"a"), "+=", "bc", "blob [616263]"),
        (bytearray(b"a"), "+=", Char("b"), "blob [6162]"),
    ],
)
def test_op_assignments_give(left: Value, operator: str, right: Value, expected: str) -> None:
    assert evaluate(left, operator, right) == expected


def test_op_assignment_changes_arrays_in_place() -> None:
    array: list[Value] = [1]
    append = operators.assign("+=", list, int)
    assert append is not None
    assert append(UNLIMITED, array, 2) is array
    assert array == [1, 2]


@pytest.mark.parametrize(
    ("left", "operator", "right"),
    [
        ("abc", "+", "def"),
        ("abc", "+=", "def"),
        (Char("x"), "+", "abcde"),
        ([1, 2, 3], "+=", 4),
        (bytearray(2), "+", bytearray(2)),
    ],
)
def test_what_is_too_large_is_refused(left: Value, operator: str, right: Value) -> None:
    meter = Meter(Limits(max_string_size=5, max_array_size=3))
    assert evaluate(left, operator, right, meter).endswith("too large")


def test_array_plus_array_is_judged_before_it_grows() -> None:
    meter = Meter(Limits(max_array_size=3))
    assert evaluate([1, 2, 3], "+=", [4, 5], meter) == "array [1, 2, 3, 4, 5]"
    assert evaluate([1, 2, 3, 4], "+=", [5], meter) == "Size of array/BLOB too large"


def test_a_string_is_refused_before_it_is_made() -> None:
    join = operators.binary("+", str, str)
    assert join is not None
    with pytest.raises(DataTooLarge):
        join(Meter(Limits(max_string_size=10)), "\u00e9" * 3, "\u00e9" * 3)


@pytest.mark.parametrize(
    ("operator", "operand", "expected"), [("-", 5, -5), ("-", 1.5, -1.5), ("!", True, False), ("!", False, True)]
)
def test_unary_operators(operator: str, operand: Value, expected: Value) -> None:
    function = operators.unary(operator, type(operand))
    assert function is not None
    assert function(operand) == expected


@pytest.mark.parametrize(("operator", "kind"), [("!", int), ("-", bool), ("-", str), ("+", int)])
def test_other_unary_operators_are_left_to_functions(operator: str, kind: type) -> None:
    assert operators.unary(operator, kind) is None


def test_the_smallest_integer_has_no_negative() -> None:
    with pytest.raises(Arithmetic, match="integer overflow"):
        integers.negate(I64_MIN)


@pytest.mark.parametrize("function", [integers.add, integers.subtract, integers.multiply, integers.divide, integers.modulo])
def test_integers_never_leave_64_bits(function: Callable[[int, int], int]) -> None:
    edges = [I64_MIN, I64_MIN + 1, -3, -1, 0, 1, 2, 3037000500, I64_MAX - 1, I64_MAX]
    for left in edges:
        for right in edges:
            try:
                result = function(left, right)
            except Arithmetic:
                continue
            assert integers.fits(result)
