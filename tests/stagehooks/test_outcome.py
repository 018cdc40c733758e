"""What a returned value means, and how data crosses the boundary as JSON text."""

import pytest

from stagehooks.scripts import json_text
from stagehooks.scripts.outcome import Allow, BadAnswer, Cancel, Modify, Retry, read_outcome


@pytest.mark.parametrize("answer", [None, True, {"action": "allow"}, {"action": "allow", "value": 1}])
def test_unit_true_and_a_written_allow_are_the_same(answer: object):
    assert read_outcome(answer) == Allow()


def test_false_refuses_without_a_reason():
    assert read_outcome(False) == Cancel(None)


@pytest.mark.parametrize("value", ["text", 1, 1.5, None, [], {"a": [1]}])
def test_modify_carries_its_value(value: object):
    assert read_outcome({"action": "modify", "value": value}) == Modify(value)


def test_cancel_may_give_a_reason():
    assert read_outcome({"action": "cancel", "reason": "no"}) == Cancel("no")
    assert read_outcome({"action": "cancel"}) == Cancel(None)


def test_a_reason_that_is_no_text_counts_as_none():
    assert read_outcome({"action": "cancel", "reason": 3}) == Cancel(None)


def test_retry_is_an_outcome_of_its_own():
    assert read_outcome({"action": "retry"}) == Retry()


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (42, "expected (), a bool, or a map with an 'action', got: 42"),
        ("allow", "expected (), a bool, or a map with an 'action', got: \"allow\""),
        ([True], "expected (), a bool, or a map with an 'action', got: [true]"),
        ({}, "the returned map has no 'action' (expected allow, modify, cancel, or retry)"),
        ({"value": 1}, "the returned map has no 'action' (expected allow, modify, cancel, or retry)"),
        ({"action": True}, "the returned map has no 'action' (expected allow, modify, cancel, or retry)"),
        ({"action": "modify"}, "action 'modify' needs a 'value' saying what to proceed with"),
        ({"action": "modfiy", "value": 1}, "unknown action 'modfiy' (expected allow, modify, cancel, or retry)"),
        ({"action": "Allow"}, "unknown action 'Allow' (expected allow, modify, cancel, or retry)"),
        (1, "expected (), a bool, or a map with an 'action', got: 1"),
        (0, "expected (), a bool, or a map with an 'action', got: 0"),
        (1.0, "expected (), a bool, or a map with an 'action', got: 1.0"),
    ],
)
def test_anything_else_is_no_answer(answer: object, text: str):
    with pytest.raises(BadAnswer) as caught:
        read_outcome(answer)
    assert str(caught.value) == text


def test_values_in_messages_are_compact_sorted_and_shortened():
    assert json_text.show({"b": [1, None], "a": "ü\n"}) == '{"a":"ü\\n","b":[1,null]}'
    assert json_text.show("x" * 1000) == '"' + "x" * 199 + "..."


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 1.0, true, null]", [1, 1.0, True, None]),
        ("9223372036854775807", 2**63 - 1),
        ("9223372036854775808", 9223372036854775808.0),
        ("1" * 300, float("1" * 300)),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ("[" * 127 + "]" * 127, None),
        ('"' + "[" * 500 + '"', "[" * 500),
    ],
)
def test_json_is_read(text: str, value: object):
    read = json_text.parse(text)
    assert value is None or (read == value and type(read) is type(value))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "NaN",
        "[Infinity]",
        "-Infinity",
        "1e400",
        "1" * 5000,
        '"\\ud800"',
        "\ud800",
        "[" * 128 + "]" * 128,
        "[1,]",
        "1 2",
        "[" * 100_000,
        "'a'",
        "\ufeff1",
        '"\t"',
    ],
)
def test_what_is_no_json_is_refused_with_one_kind_of_error(text: str):
    with pytest.raises(ValueError):
        json_text.parse(text)
