"""Asking on the terminal: what is shown of a call, and what counts as an answer."""

import asyncio

import pytest

from stagehooks.gate.approval import Answer, Question
from stagehooks.gate.terminal import TerminalApprover, shown
from stagehooks.models.protocol import ToolCall


def question(call: ToolCall, kind: str = "policy") -> Question:
    return Question(kind, "main", call, "May it?", tuple(Answer))


# --- the terminal ---------------------------------------------------------------------------------------------------------


class Typed:
    """Input that is no terminal: a line for each answer."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)

    def fileno(self) -> int:
        raise OSError

    def readline(self) -> str:
        return self._lines.pop(0) if self._lines else ""


class Screen:
    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass


CALL = ToolCall("1", "shell", {"command": "printf '\x1b[2J\u202e'"})


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["o\n"], Answer.ONCE),
        (["Stage\n"], Answer.STAGE),
        (["r\n"], Answer.RUN),
        (["d\n"], Answer.DENY),
        ([], Answer.DENY),
        (["what?\n", "\n", "o\n"], Answer.ONCE),
        (["x\n", "y\n", "z\n", "o\n"], Answer.DENY),
        (["allow for this run\n"], Answer.RUN),
        ([" DENY \r\n"], Answer.DENY),
        (["on no account\n", "run away\n", "ok?\n", "r\n"], Answer.DENY),
        (["suspicious\n", "or rather not\n", "o\n"], Answer.ONCE),
    ],
)
def test_the_terminal_asks_until_it_understands_or_gives_up(lines: list[str], answer: Answer) -> None:
    assert asyncio.run(TerminalApprover(Typed(*lines), Screen())(question(CALL))) is answer


def test_the_terminal_shows_the_call_and_its_choices() -> None:
    screen = Screen()
    asyncio.run(TerminalApprover(Typed("d\n"), screen)(question(CALL)))
    assert "May it?" in screen.text
    assert "shell {" in screen.text
    assert "[o] allow once, [s] allow for this stage, [r] allow for this run, [d] deny: " in screen.text


def test_what_a_call_would_do_to_the_terminal_is_made_visible() -> None:
    text = shown(question(CALL))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "u001b" in text


def test_a_long_call_is_cut_and_says_so() -> None:
    text = shown(question(ToolCall("1", "shell", {"command": "x" * 9000})))
    assert len(text) < 5000
    assert "more characters]" in text
