"""Values: their names, copies, sizes and texts. The expected texts are the real engine's."""

import math
import struct

import pytest

from rhaipy.display import debug, debug_float, display, display_float
from rhaipy.limit_errors import DataTooLarge, OutOfFuel
from rhaipy.limits import Limits, Meter
from rhaipy.sizes import Sizes, check_size, sizes
from rhaipy.unicode import to_lower, to_upper, trim, words
from rhaipy.values import (
    I64_MAX,
    Byte,
    Char,
    FnPtr,
    Instant,
    Range,
    Shared,
    Stream,
    Value,
    copy,
    iterate,
    raw_type_name,
    signature_name,
    switch_key,
    type_name,
)

UNLIMITED = Meter(Limits())
STREAM = Stream("rhai::packages::iter_basic::CharsStream", "ab")


def nested(depth: int) -> Value:
    value: Value = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "name", "in_signature", "raw"),
    [
        (None, "()", "()", "()"),
        (True, "bool", "bool", "bool"),
        (1, "i64", "i64", "i64"),
        (1.0, "f64", "f64", "f64"),
        (Char("x"), "char", "char", "char"),
        ("x", "string", "&str | ImmutableString | String", "string"),
        ([], "array", "array", "array"),
        ({}, "map", "map", "map"),
        (bytearray(), "blob", "blob", "blob"),
        (Range(0, 1, False), "range", "range", "core::ops::range::Range<i64>"),
        (Range(0, 1, True), "range=", "range=", "core::ops::range::RangeInclusive<i64>"),
        (STREAM, "range", "range", STREAM.kind),
        (FnPtr("f"), "Fn", "Fn", "Fn"),
        (Instant(0), "timestamp", "timestamp", "timestamp"),
        (Byte(65), "u8", "u8", "u8"),
        (Shared(1), "i64", "i64", "i64"),
    ],
)
def test_types_have_the_engines_names(value: Value, name: str, in_signature: str, raw: str) -> None:
    assert (type_name(value), signature_name(value), raw_type_name(value)) == (name, in_signature, raw)


@pytest.mark.parametrize(
    ("value", "read", "source"),
    [
        (None, "", "()"),
        (False, "false", "false"),
        (-7, "-7", "-7"),
        (1.0, "1.0", "1.0"),
        (Char("'"), "'", "'\\''"),
        (Char('"'), '"', "'\"'"),
        ("it's \u00e9 \t\"\\", "it's \u00e9 \t\"\\", '"it\'s \u00e9 \\t\\"\\\\"'),
        ("\x01\x7f\u200b\u00a0\0", "\x01\x7f\u200b\u00a0\0", '"\\u{1}\\u{7f}\\u{200b}\\u{a0}\\0"'),
        ("e\u0301", "e\u0301", '"e\\u{301}"'),
        ([1, "x", Char("c"), None], "[1, \"x\", 'c', ()]", "[1, \"x\", 'c', ()]"),
        ({"b": 1, "a b": [{}]}, '#{"a b": [#{}], "b": 1}', '#{"a b": [#{}], "b": 1}'),
        ([], "[]", "[]"),
        (bytearray(range(10)), "[0001020304050607 0809]", "[0001020304050607 0809]"),
        (Range(1, 3, False), "1..3", "1..3"),
        (Range(1, I64_MAX, True), "1..=", "1..="),
        (STREAM, STREAM.kind, STREAM.kind),
        (FnPtr("f", (1, "x")), "Fn(f)", 'Fn("f", 1, "x")'),
        (FnPtr("f", (Shared(5),), 1), "Fn(f)", 'Fn*("f", 5 (shared))'),
        (Instant(0), "<timestamp>", "<timestamp>"),
        (Byte(65), "65", "65"),
    ],
)
def test_values_show_as_in_the_engine(value: Value, read: str, source: str) -> None:
    assert (display(value), debug(value)) == (read, source)


def test_a_closure_kept_in_the_variable_it_captured_shows_once() -> None:
    cell = Shared(None)
    cell.value = {"f": FnPtr("f", (cell,), 0)}
    assert debug(cell.value) == '#{"f": Fn*("f", #{"f": Fn*("f", <shared>)} (shared))}'


@pytest.mark.parametrize(
    ("value", "read", "source"),
    [
        (0.0, "0.0", "0.0"),
        (-0.0, "0.0", "-0.0"),
        (0.1 + 0.2, "0.30000000000000004", "0.30000000000000004"),
        (1e13, "1e13", "10000000000000.0"),
        (1e16, "1e16", "1e16"),
        (123456789012345.678, "1.2345678901234567e14", "123456789012345.67"),
        (1e-13, "0.0000000000001", "1e-13"),
        (9e-14, "9e-14", "9e-14"),
        (0.00003, "0.00003", "3e-5"),
        (-132332573298015.625, "-1.3233257329801563e14", "-132332573298015.63"),
        (math.inf, "inf", "inf"),
        (-math.inf, "-inf", "-inf"),
        (math.nan, "NaN", "NaN"),
        (5e-324, "5e-324", "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e308", "1.7976931348623157e308"),
    ],
)
def test_floats_show_as_in_rust(value: float, read: str, source: str) -> None:
    assert (display_float(value), debug_float(value)) == (read, source)


@pytest.mark.parametrize("bits", range(1, 2**64, 2**58 + 12345))
def test_shown_floats_read_back_as_the_same(bits: int) -> None:
    (value,) = struct.unpack("<d", bits.to_bytes(8, "little"))
    if math.isfinite(value):
        assert float(display_float(value)) == float(debug_float(value)) == value


def test_a_copy_shares_nothing_that_can_change() -> None:
    inner: list[Value] = [1]
    blob = bytearray(b"x")
    original: Value = [inner, {"k": inner, "b": blob}, "text"]
    copied = copy(original, UNLIMITED)
    inner.append(2)
    blob.append(0)
    assert copied == [[1], {"k": [1], "b": bytearray(b"x")}, "text"]


def test_values_nested_a_hundred_thousand_deep_are_copied_shown_and_measured() -> None:
    value = nested(100_000)
    assert debug(copy(value, UNLIMITED)) == "[" * 100_000 + "1" + "]" * 100_000
    assert sizes(value) == Sizes(100_000, 0, 0)
    assert switch_key(value) == switch_key(nested(100_000))


def test_copying_costs_fuel() -> None:
    with pytest.raises(OutOfFuel):
        copy([0] * 1000, Meter(Limits(fuel=100)))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("\u00e9a", Sizes(0, 0, 3)),
        ([[1, 2], [3]], Sizes(5, 0, 0)),
        ({"key": [1, "ab"], "m": {"x": 1}}, Sizes(2, 3, 2)),
        ([bytearray(3)], Sizes(5, 0, 0)),
        (bytearray(3), Sizes(3, 0, 0)),
        ([Char("x"), FnPtr("f", ([1],))], Sizes(2, 0, 0)),
        (1, Sizes(0, 0, 0)),
    ],
)
def test_sizes_are_totals_over_the_whole_value(value: Value, expected: Sizes) -> None:
    assert sizes(value) == expected


def test_strings_are_judged_before_arrays_and_arrays_before_maps() -> None:
    meter = Meter(Limits(max_string_size=1, max_array_size=1, max_map_size=1))
    with pytest.raises(DataTooLarge, match="Length of string"):
        check_size([1, 2, "ab", {"a": 1, "b": 2}], meter)
    with pytest.raises(DataTooLarge, match="Size of array/BLOB"):
        check_size([1, 2, {"a": 1, "b": 2}], meter)
    with pytest.raises(DataTooLarge, match="Size of object map"):
        check_size([{"a": 1, "b": 2}], meter)


def test_switch_tells_types_and_bits_apart() -> None:
    values: list[Value] = [
        1, 1.0, True, "1", Char("1"), None, "", [], [1], [1.0], [[1]], {}, {"1": 1}, 0.0, -0.0, bytearray(b"1"),
        Range(0, 1, False), Range(0, 1, True), FnPtr("f"), FnPtr("f", (1,)), [1, []], [[1], 2], ["a", "b"], ["ab"],
    ]  # fmt: skip
    assert len({switch_key(value) for value in values}) == len(values)
    assert all(switch_key(value) == switch_key(copy(value, UNLIMITED)) for value in values)
    assert switch_key(math.nan) == switch_key(math.nan)
    assert switch_key(Shared([1])) == switch_key([1])
    assert switch_key(STREAM) != switch_key(STREAM)


@pytest.mark.parametrize(
    ("value", "items"),
    [
        (Range(1, 3, False), [1, 2]),
        (Range(1, 3, True), [1, 2, 3]),
        (Range(3, 1, True), []),
        ("ab", [Char("a"), Char("b")]),
        ([1, [2]], [1, [2]]),
        (bytearray(b"a"), [Byte(97)]),
        (Stream("", range(0, 5, 2)), [0, 2, 4]),
    ],
)
def test_for_runs_over(value: Value, items: list[Value]) -> None:
    iterator = iterate(value)
    assert iterator is not None
    found = list(iterator)
    assert found == items
    assert [type(item) for item in found] == [type(item) for item in items]


@pytest.mark.parametrize("value", [None, 1, 1.5, True, Char("x"), {}, FnPtr("f"), Instant(0)])
def test_for_runs_over_nothing_else(value: Value) -> None:
    assert iterate(value) is None


def test_white_space_is_unicodes_not_pythons() -> None:
    assert trim("\u2003 \x85a\x1c \n") == "a\x1c"
    assert words(" a\u3000b\x1fc  ") == ["a", "b\x1fc"]


def test_case_follows_a_newer_unicode_than_pythons() -> None:
    assert to_upper("\u019b\U00010d70\u00df") == "\ua7dc\U00010d50SS"
    assert to_lower("\ua7dc\U00016ea0\u0130\u03a3") == "\u019b\U00016ebbi\u0307\u03c2"
