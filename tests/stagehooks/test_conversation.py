"""The messages of a request in the shape that every wire format can say."""

from dataclasses import replace
from typing import Any

import pytest

from stagehooks.models.anthropic import Messages
from stagehooks.models.conversation import LEFT_OUT, NO_RESULT, Said, conversation
from stagehooks.models.protocol import (
    AssistantMessage,
    ToolResult,
    ToolResults,
)
from tests.stagehooks.wire_requests import REQUEST, called, results, user


def test_the_user_speaks_first_and_the_speakers_take_turns() -> None:
    said = conversation((AssistantMessage("a"), AssistantMessage("b"), user("c"), user("d"), AssistantMessage(" "), user("e")))
    assert said == [user(LEFT_OUT), Said("a\n\nb"), user("c\n\nd\n\ne")]


def test_no_messages_are_still_one() -> None:
    assert conversation(()) == [user(LEFT_OUT)]


def test_ids_are_new_and_used_once() -> None:
    twice = (user("x"), called("", ("f", {}), id="hook-f-"), results("1", id="hook-f-")) * 2
    parts = [part for part in conversation(twice) if isinstance(part, Said)]
    assert [call.id for part in parts for call in part.calls] == ["call00001", "call00002"]


def test_a_call_without_a_result_gets_one_and_a_result_without_a_call_is_told() -> None:
    parts = conversation((user("x"), called("", ("f", None), ("g", {})), ToolResults((ToolResult("c1", "g", "G"),))))
    assert isinstance(parts[1], Said)
    assert [(call.name, call.result) for call in parts[1].calls] == [("f", NO_RESULT), ("g", "G")]
    assert conversation((results("R"),)) == [user("[result of read_file]\nR")]
    assert conversation((user("x"), AssistantMessage("y"), results("R")))[-1] == user("[result of read_file]\nR")


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [(None, {}), ({"a": 1}, {"a": 1}), ("not valid", {"invalid_arguments": "not valid"}), ([1], {"invalid_arguments": [1]})],
)
def test_arguments_of_the_past_are_an_object(arguments: Any, sent: Any) -> None:
    (_, said) = conversation((user("x"), called("", ("f", arguments)), results("r")))
    assert isinstance(said, Said)
    assert said.calls[0].arguments == sent


@pytest.mark.parametrize(("name", "sent"), [("a.b c", "a_b_c"), ("", "_"), ("ä" * 99, "_" * 64), ("ok-1", "ok-1")])
def test_names_of_the_past_are_names_that_servers_take(name: str, sent: str) -> None:
    (_, said) = conversation((user("x"), called("", (name, {})), results("r")))
    assert isinstance(said, Said)
    assert said.calls[0].name == sent


def test_the_messages_format_has_no_blank_text() -> None:
    body = Messages().body("m", replace(REQUEST, system=("", "\n"), messages=(user("x"), called(" ", ("f", {})), results(" "))))
    assert "system" not in body
    assert body["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "x"}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "call00001", "name": "f", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call00001"}]},
    ]
