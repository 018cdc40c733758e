"""Which of the calls that were asked for a hook's calls were made of."""

import pytest

from stagehooks.models.protocol import ToolCall
from stagehooks.run import replacements
from stagehooks.run.replacements import origins_of
from stagehooks.scripts import json_text
from stagehooks.scripts.json_text import Json


def call(name: str, argument: object, id: str = "") -> ToolCall:
    return ToolCall(id or f"{name}-{argument}", name, {"x": argument})


def test_a_call_that_is_left_as_it_was_is_made_of_itself_and_not_of_one_before_it() -> None:
    asked = (call("f", 1), call("f", 2))
    assert origins_of((call("f", 2), call("f", 3)), asked) == [asked[1], asked[0]]


def test_every_call_is_the_origin_of_one_at_most() -> None:
    asked = (call("f", 1), call("g", 1))
    assert origins_of((call("f", 1), call("f", 1), call("g", 2)), asked) == [asked[0], None, asked[1]]


def test_equal_calls_keep_their_order() -> None:
    asked = tuple(call("f", 1, str(number)) for number in range(3))
    assert [origin is made for origin, made in zip(origins_of((call("f", 1),) * 3, asked), asked, strict=True)] == [True] * 3


def test_arguments_are_written_out_once_for_each_call_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Json] = []

    def dump(value: Json) -> str:
        written.append(value)
        return json_text.dump(value)

    monkeypatch.setattr(replacements, "dump", dump)
    asked = tuple(call("f", str(number) + "x" * 2000) for number in range(3000))
    left = tuple(call("f", str(number) + "y" * 2000) for number in range(1000))
    assert origins_of(left, asked) == list(asked[:1000])
    assert len(written) <= 3 * (len(asked) + len(left))
