"""The two wire formats: what is sent, and what is made of whatever comes back."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stagehooks.errors import ModelError
from stagehooks.models.protocol import (
    Reply,
    Request,
    ToolCall,
    ToolOffer,
)
from stagehooks.models.wire import Malformed, NoReply, Wire
from tests.stagehooks.model_server import KEY, Answers, chat, failure, message, serving, text, use
from tests.stagehooks.wire_requests import CHOICE, REQUEST, SCHEMA, WIRES, ask, fails, model_on, user

# --- what is sent ------------------------------------------------------------------------------------------------------------


def test_a_request_in_the_chat_completions_format(tmp_path: Path) -> None:
    with serving(chat()) as server:
        request = replace(REQUEST, extra=(("seed", 7), ("tool_choice", "auto")))
        asyncio.run(model_on(tmp_path, server, "openai").complete(request))
        (asked,) = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["content-type"] == "application/json"
    assert asked.headers["accept-encoding"] == "identity"
    assert asked.body == {
        "model": "m-1",
        "messages": [
            {"role": "system", "content": "You are careful.\n\n## notes\nnone"},
            {"role": "user", "content": "Look."},
            {
                "role": "assistant",
                "content": "Looking.",
                "tool_calls": [
                    {"id": "call00001", "type": "function", "function": {"name": "read_file", "arguments": '{"path":"a"}'}},
                    {"id": "call00002", "type": "function", "function": {"name": "read_file", "arguments": '{"path":"b"}'}},
                ],
            },
            {"role": "tool", "tool_call_id": "call00001", "content": "A"},
            {"role": "tool", "tool_call_id": "call00002", "content": "B"},
            {"role": "user", "content": "Go on."},
        ],
        "tools": [
            {"type": "function", "function": {"name": "read_file", "description": "Reads a file.", "parameters": SCHEMA}},
        ],
        "temperature": 0.5,
        "max_completion_tokens": 900,
        "seed": 7,
        "tool_choice": "auto",
    }


def test_a_request_in_the_messages_format(tmp_path: Path) -> None:
    with serving(message(text("hello"))) as server:
        request = replace(REQUEST, extra=(("top_k", 7), ("thinking", {"type": "adaptive"})))
        asyncio.run(model_on(tmp_path, server, "anthropic").complete(request))
        (asked,) = server.asked
    assert asked.path == "/v1/messages"
    assert (asked.headers["x-api-key"], asked.headers["anthropic-version"]) == (KEY, "2023-06-01")
    assert "authorization" not in asked.headers
    assert asked.body == {
        "model": "m-1",
        "system": [{"type": "text", "text": "You are careful."}, {"type": "text", "text": "## notes\nnone"}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Look."}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "Looking."},
                    {"type": "tool_use", "id": "call00001", "name": "read_file", "input": {"path": "a"}},
                    {"type": "tool_use", "id": "call00002", "name": "read_file", "input": {"path": "b"}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "call00001", "content": "A"},
                    {"type": "tool_result", "tool_use_id": "call00002", "content": "B"},
                    {"type": "text", "text": "Go on."},
                ],
            },
        ],
        "tools": [{"name": "read_file", "description": "Reads a file.", "input_schema": SCHEMA}],
        "temperature": 0.5,
        "max_tokens": 900,
        "top_k": 7,
        "thinking": {"type": "adaptive"},
    }


def test_what_is_not_set_is_not_sent() -> None:
    bare = Request("main", 1, "reply", "", (), (user("Hi."),))
    hello = [{"role": "user", "content": "Hi."}]
    assert WIRES["openai"].body("m", bare) == {"model": "m", "messages": hello}
    messages = [{"role": "user", "content": [{"type": "text", "text": "Hi."}]}]
    assert WIRES["anthropic"].body("m", bare) == {"model": "m", "messages": messages, "max_tokens": 8192}


def test_parameters_about_tools_are_left_out_where_there_are_none() -> None:
    request = replace(CHOICE, extra=(("tool_choice", "auto"), ("parallel_tool_calls", False), ("seed", 1)))
    assert set(WIRES["openai"].body("m", request)) == {"model", "messages", "temperature", "max_completion_tokens", "seed"}
    request = replace(CHOICE, extra=(("tool_choice", {"type": "auto"}), ("thinking", {"type": "enabled"}), ("top_k", 1)))
    assert set(WIRES["anthropic"].body("m", request)) == {"model", "messages", "system", "temperature", "max_tokens", "top_k"}


@pytest.mark.parametrize("wire", WIRES.values())
@pytest.mark.parametrize("name", ["a.b", "ä", "", "x" * 65, "a b"])
def test_a_tool_that_cannot_be_named_on_the_wire_is_a_clear_error(wire: Wire, name: str) -> None:
    with pytest.raises(ModelError, match="cannot be offered"):
        wire.body("m", replace(REQUEST, tools=(ToolOffer(name, "", {}),)))


# --- what is made of an answer -----------------------------------------------------------------------------------------------


def test_a_reply_in_the_chat_completions_format(tmp_path: Path) -> None:
    answer = chat("On it.", ("read_file", '{"path": "a"}'), ("list_files", ""), finish="tool_calls")
    wanted = (ToolCall("main-3-1", "read_file", {"path": "a"}), ToolCall("main-3-2", "list_files", {}))
    assert ask(tmp_path, "openai", answer) == Reply("On it.", wanted, 15)


def test_a_reply_in_the_messages_format(tmp_path: Path) -> None:
    blocks = ({"type": "thinking", "thinking": "hm", "signature": "x"}, text("On "), text("it."), use("read_file", {"path": "a"}))
    wanted = Reply("On it.", (ToolCall("main-3-1", "read_file", {"path": "a"}),), 115)
    assert ask(tmp_path, "anthropic", message(*blocks, stop="tool_use")) == wanted


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, ""), ([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}], "ab"), ([], "")],
)
def test_a_content_may_be_in_pieces_or_not_there(tmp_path: Path, content: Any, said: str) -> None:
    assert ask(tmp_path, "openai", chat(content)).text == said


@pytest.mark.parametrize(
    ("arguments", "read"),
    [
        ('{"path": "a"}', {"path": "a"}),
        ({"path": "a"}, {"path": "a"}),
        ("", {}),
        (None, None),
        ("[1]", [1]),
        ('{"path": "a', "not valid JSON (Unterminated string starting at: line 1 column 10 (char 9)): {\"path\": \"a"),
        ("path=a", "not valid JSON (Expecting value: line 1 column 1 (char 0)): path=a"),
        ('{"n": NaN}', 'not valid JSON (NaN is no JSON): {"n": NaN}'),
        ("[" * 200, "not valid JSON (nested deeper than 127): " + "[" * 200),
    ],
)  # fmt: skip
def test_arguments_are_read_or_say_why_not(tmp_path: Path, arguments: Any, read: Any) -> None:
    (call,) = ask(tmp_path, "openai", chat("", ("read_file", arguments))).tool_calls
    assert call.arguments == read


@pytest.mark.parametrize("usage", [None, 7, {}, {"total_tokens": -1}, {"total_tokens": True}, {"total_tokens": "9"}])
def test_counts_that_are_none_are_zero(tmp_path: Path, usage: Any) -> None:
    answer = chat("x")
    answer.body["usage"] = usage
    assert ask(tmp_path, "openai", answer).tokens == 0


@pytest.mark.parametrize(
    ("provider", "answer", "wanted"),
    [
        ("openai", chat("", finish="length"), "the model used up its tokens before it said anything"),
        ("openai", chat("par", finish="content_filter"), "the server's content filter stopped the reply"),
        ("openai", chat(None, refusal="I will not."), 'the model refused: "I will not."'),
        ("openai", Answers({"choices": []}), "the server sent no choice"),
        ("anthropic", message(stop="max_tokens"), "the model used up its tokens before it said anything"),
        ("anthropic", message(text("I"), stop="refusal"), "the model refused to answer"),
    ],
)
def test_an_answer_without_a_reply_is_an_error(tmp_path: Path, provider: str, answer: Answers, wanted: str) -> None:
    assert fails(tmp_path, provider, answer).startswith(wanted)


def test_a_reply_that_was_cut_off_is_still_one(tmp_path: Path) -> None:
    assert ask(tmp_path, "openai", chat("half a sent", finish="length")).text == "half a sent"
    assert ask(tmp_path, "anthropic", message(text("half"), stop="max_tokens")).text == "half"


def test_a_call_that_was_cut_off_cannot_be_made(tmp_path: Path) -> None:
    answer = message(use("list_files", {}), use("write_file", {"path": "a"}), stop="max_tokens")
    whole, cut = ask(tmp_path, "anthropic", answer).tool_calls
    assert whole.arguments == {}
    assert cut.arguments == 'the reply was cut off at its token limit within these arguments: {"path":"a"}'


@pytest.mark.parametrize("arguments", ["", " ", None, {}, {"path": "a"}])
def test_a_call_that_was_cut_off_before_its_arguments_is_not_one_without_any(tmp_path: Path, arguments: Any) -> None:
    whole, cut = ask(tmp_path, "openai", chat("", ("list_files", ""), ("list_files", arguments), finish="length")).tool_calls
    assert whole.arguments == {}
    assert str(cut.arguments).startswith("the reply was cut off at its token limit within these arguments: ")


def test_a_call_whose_arguments_are_whole_was_cut_off_behind_them(tmp_path: Path) -> None:
    (call,) = ask(tmp_path, "openai", chat("", ("list_files", '{"path": "a"}'), finish="length")).tool_calls
    assert call.arguments == {"path": "a"}


@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        ({"message": "no such model", "code": 404}, "HTTP 404: no such model"),
        ({"message": "no such model"}, "no such model"),
        ("no such model", "no such model"),
    ],
)
def test_an_error_may_come_with_a_good_status(tmp_path: Path, error: Any, wanted: str) -> None:
    assert fails(tmp_path, "openai", Answers({"error": error})) == wanted


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
@pytest.mark.parametrize(
    "body",
    [
        b"", b"null", b"7", b"[]", b"{}", b"<html>busy</html>", b"\xff\xfe\x00", b'{"choices": 7}', b'{"choices": [7]}',
        b'{"choices": [{}]}', b'{"choices": [{"message": []}]}', b'{"choices": [{"message": {"content": 7}}]}',
        b'{"choices": [{"message": {"content": [7]}}]}', b'{"choices": [{"message": {"content": [{"type": "text"}]}}]}',
        b'{"choices": [{"message": {"tool_calls": 7}}]}', b'{"choices": [{"message": {"tool_calls": [7]}}]}',
        b'{"choices": [{"message": {"tool_calls": [{"function": {}}]}}]}', b'{"choices": [{"message": {"content": "\\ud800"}}]}',
        b'{"content": 7}', b'{"content": [7]}', b'{"content": [{"type": "text", "text": 7}]}',
        b'{"content": [{"type": "tool_use"}]}',
        b'{"content": [{"type": "text", "text": NaN}]}', b'{"choices": [', b"[" * 1_000_000, b'{"a":' * 100_000, b"9" * 10_000,
    ],
)  # fmt: skip
def test_whatever_comes_it_is_one_clear_error(tmp_path: Path, provider: str, body: bytes) -> None:
    said = fails(tmp_path, provider, Answers(body))
    assert said.startswith(("the answer is not JSON: ", "the answer cannot be read: "))
    assert "\n" not in said
    assert len(said) < 700


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["choices", "message", "content", "tool_calls", "function", "name", "arguments", "type", "text", "usage",
                         "stop_reason", "finish_reason", "refusal", "input", "id"]), inner | st.sampled_from(
            ["text", "tool_use", "length", "max_tokens", "refusal", "content_filter"]), max_size=4),
    max_leaves=20,
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(WIRES)), st.dictionaries(st.sampled_from(["choices", "content", "usage", "stop_reason"]), JSON))
def test_no_answer_raises_anything_else(provider: str, answer: dict[str, Any]) -> None:
    try:
        reply = WIRES[provider].reply(answer)
    except (Malformed, NoReply):
        return
    assert isinstance(reply.text, str)
    assert all(isinstance(call.name, str) for call in reply.tool_calls)


# --- the choice of the next stage --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("provider", "answer", "refusal"),
    [
        ("openai", chat("build"), "Unsupported value: 'temperature' does not support 0.0 with this model."),
        ("anthropic", message(text("build")), "`temperature` is deprecated for this model."),
    ],
)
def test_a_model_without_a_temperature_can_still_choose(tmp_path: Path, provider: str, answer: Answers, refusal: str) -> None:
    with serving(failure(400, refusal), answer) as server:
        model = model_on(tmp_path, server, provider)
        assert asyncio.run(model.complete(CHOICE)).text == "build"
        assert asyncio.run(model.complete(CHOICE)).text == "build"
        assert [asked.body.get("temperature") for asked in server.asked] == [0.0, None, None]


@pytest.mark.parametrize(
    ("provider", "cut", "answer", "limit"),
    [
        ("openai", chat("", finish="length"), chat("build"), "max_completion_tokens"),
        ("anthropic", message(stop="max_tokens"), message(text("build")), "max_tokens"),
    ],
)
def test_a_model_that_thinks_first_gets_the_room(
    tmp_path: Path, provider: str, cut: Answers, answer: Answers, limit: str
) -> None:
    with serving(cut, answer) as server:
        model = model_on(tmp_path, server, provider)
        assert asyncio.run(model.complete(CHOICE)).text == "build"
        assert asyncio.run(model.complete(CHOICE)).text == "build"
        assert [asked.body[limit] for asked in server.asked] == [256, 4096, 4096]


def test_a_temperature_that_the_agent_asked_for_is_not_left_out(tmp_path: Path) -> None:
    assert fails(tmp_path, "openai", failure(400, "no temperature here")) == "HTTP 400: no temperature here"


def test_a_choice_that_is_refused_for_good_ends(tmp_path: Path) -> None:
    with serving(failure(400, "temperature and all else is wrong")) as server:
        with pytest.raises(ModelError, match="and all else is wrong"):
            asyncio.run(model_on(tmp_path, server, "openai").complete(CHOICE))
        assert len(server.asked) == 2
