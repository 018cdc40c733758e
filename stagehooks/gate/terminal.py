"""Asking on the terminal: the question with the exact call, and reading the answer."""

import asyncio
import json
from typing import Final, TextIO

from rhaipy import printable
from stagehooks.gate.approval import Answer, Question

CHOICES: Final = {
    Answer.ONCE: ("o", "allow once"),
    Answer.STAGE: ("s", "allow for this stage"),
    Answer.RUN: ("r", "allow for this run"),
    Answer.DENY: ("d", "deny"),
}
LONGEST_SHOWN: Final = 4000


class TerminalApprover:
    """Asks a person. Whoever closes the input, or answers with something else three times, says no."""

    def __init__(self, input: TextIO, output: TextIO) -> None:
        self._input = input
        self._output = output

    async def __call__(self, question: Question) -> Answer:
        """The person's answer to `question`."""
        self._say(f"\n{shown(question)}\n")
        letters = {CHOICES[answer][0]: answer for answer in question.answers}
        for _ in range(3):
            self._say(", ".join(f"[{CHOICES[answer][0]}] {CHOICES[answer][1]}" for answer in question.answers) + ": ")
            line = await _read_line(self._input)
            if not line:
                break
            answer = letters.get(line.strip().lower()[:1])
            if answer is not None:
                return answer
        self._say("\n")
        return Answer.DENY

    def _say(self, text: str) -> None:
        self._output.write(text)
        self._output.flush()


def shown(question: Question) -> str:
    """The question with the call it is about. Control characters are visible, so the terminal shows what would be run."""
    arguments = json.dumps(question.call.arguments, ensure_ascii=False, indent=2)
    if len(arguments) > LONGEST_SHOWN:
        arguments = f"{arguments[:LONGEST_SHOWN]}\n[...{len(arguments) - LONGEST_SHOWN} more characters]"
    return printable(f"{question.text}\n{question.call.name} {arguments}")


async def _read_line(input: TextIO) -> str:
    """One line, read in a way that Ctrl-C can interrupt; empty at the end of the input."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    try:
        descriptor = input.fileno()
        loop.add_reader(descriptor, _wake, ready)
    except (OSError, ValueError, NotImplementedError):
        return input.readline()  # no terminal, or one that cannot be watched here
    try:
        await ready
        return input.readline()
    finally:
        loop.remove_reader(descriptor)


def _wake(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)
