"""The boundary: what comes in, what goes out, and what is refused with the path to it."""

import datetime
import math
from typing import Any

import pytest

from rhaipy.convert import MAX_DEPTH, ConversionError, from_host, from_json, to_host, to_json
from rhaipy.errors import RhaiError
from rhaipy.values import Char, FnPtr, Range, Shared, Stream, Value


class Text(str):
    __slots__ = ()


class Number(int):
    pass


class Evil:
    def __eq__(self, other: object) -> bool:
        raise AssertionError("the host's code was called")

    def __hash__(self) -> int:
        raise AssertionError("the host's code was called")


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def refusal(value: object, path: str = "ctx") -> str:
    with pytest.raises(ConversionError) as caught:
        from_host(value, path)
    return str(caught.value)


def test_plain_data_goes_in_and_out_unchanged() -> None:
    data: dict[str, Any] = {"a": [1, 2.5, None, True, "text", {"b": []}]}
    value = from_host(data)
    assert value == data
    assert to_host(value) == data


def test_nothing_is_shared_with_the_host() -> None:
    inner: list[Any] = [1]
    data = {"a": inner}
    value = from_host(data)
    inner.append(2)
    assert value == {"a": [1]}
    given = to_host(value)
    given["a"].append(3)
    assert value == {"a": [1]}


def test_tuples_are_arrays_and_bytes_are_blobs() -> None:
    assert from_host((1, b"x")) == [1, bytearray(b"x")]


def test_rhais_own_values_are_let_in() -> None:
    pointer = FnPtr("f")
    assert from_host([Char("x"), Range(0, 1, False), pointer]) == [Char("x"), Range(0, 1, False), pointer]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"regions": {"notes": [1, {2}]}}, "ctx.regions.notes[1] is of type set, which scripts have no value for"),
        ([datetime.date(2024, 1, 1)], "ctx[0] is of type date, which scripts have no value for"),
        ({"a b": object()}, "ctx[..] is of type object, which scripts have no value for"),
        ([Evil()], "ctx[0] is of type Evil, which scripts have no value for"),
        (Text("x"), "ctx is of type Text, which scripts have no value for"),
        (Number(1), "ctx is of type Number, which scripts have no value for"),
        ({1: 2}, "ctx has a key of type int; keys are strings"),
        (2**64, "ctx is an integer of more than 64 bits"),
        (-(2**63) - 1, "ctx is an integer of more than 64 bits"),
        ("\ud800", "ctx holds half of a surrogate pair, which is no character"),
        ({"\udfff": 1}, "ctx holds half of a surrogate pair, which is no character"),
        (nested(MAX_DEPTH + 1), "ctx" + "[0]" * MAX_DEPTH + f" is nested deeper than {MAX_DEPTH}"),
    ],
)
def test_what_is_refused_is_named_by_its_path(value: object, expected: str) -> None:
    assert refusal(value) == expected


def test_an_integer_too_long_to_print_is_refused() -> None:
    assert refusal(10**5000) == "ctx is an integer of more than 64 bits"


def test_a_cycle_is_refused() -> None:
    cycle: list[Any] = []
    cycle.append(cycle)
    assert refusal(cycle).endswith(f"is nested deeper than {MAX_DEPTH}")


def test_too_much_data_is_refused() -> None:
    with pytest.raises(ConversionError, match="ctx\\[1\\] is too large: more than 100 characters in all"):
        from_host(["x" * 60, "y" * 60], "ctx", max_size=100)


def test_refusals_are_errors_of_rhai_and_of_types() -> None:
    assert issubclass(ConversionError, RhaiError)
    assert issubclass(ConversionError, TypeError)


def test_unsigned_integers_become_floats() -> None:
    assert from_host(2**63 - 1) == 2**63 - 1
    value = from_host(2**64 - 1)
    assert type(value) is float
    assert value == 1.8446744073709552e19


def test_characters_leave_as_strings_and_captured_variables_as_their_values() -> None:
    assert to_host([Char("x"), Shared(5)]) == ["x", 5]
    assert type(to_host(Char("x"))) is str


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([FnPtr("f")], "value[0] is of type Fn, which is no plain data"),
        ({"r": Range(0, 1, True)}, "value.r is of type range=, which is no plain data"),
        (bytearray(), "value is of type blob, which is no plain data"),
        (Stream("", ()), "value is of type range, which is no plain data"),
        (nested(MAX_DEPTH + 1), "value" + "[0]" * MAX_DEPTH + f" is nested deeper than {MAX_DEPTH}"),
    ],
)
def test_what_is_no_plain_data_does_not_leave(value: Value, expected: str) -> None:
    with pytest.raises(ConversionError) as caught:
        to_host(value)
    assert str(caught.value) == expected


def test_maps_leave_in_the_order_of_their_keys() -> None:
    assert list(to_host({"b": 1, "a": 2, "B": 3})) == ["B", "a", "b"]
    assert to_json({"b": 1, "a": [2.0, None, "\u00e9"]}) == '{"a":[2.0,null,"\u00e9"],"b":1}'


def test_infinities_are_null_in_json() -> None:
    assert to_json([math.inf, -math.inf, math.nan, 1.5]) == "[null,null,null,1.5]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": [1, 2.0, null, true, "x"]}', {"a": [1, 2.0, None, True, "x"]}),
        ("9223372036854775807", 2**63 - 1),
        ("18446744073709551615", 1.8446744073709552e19),
        ("123456789012345678901234567890", 1.2345678901234568e29),
        ('"[[[\\"[[["', '[[["[[['),
        ('{"a":1,"a":2}', {"a": 2}),
        ("[" * 128 + "]" * 128, None),
    ],
)
def test_json_becomes_values(text: str, expected: Value) -> None:
    value = from_json(text)
    if expected is not None:
        assert value == expected
        assert type(value) is type(expected)


@pytest.mark.parametrize(
    "text",
    ["", "{", "NaN", "[Infinity]", "1e400", "9" * 5000, '"\\ud800"', "[" * 129 + "]" * 129, "[" * 100_000, '{"a":1,}', "'a'"],
)
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ConversionError):
        from_json(text)
