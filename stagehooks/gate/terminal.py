"""Asking on the terminal: the question with the exact call, and reading the answer."""

import asyncio
import json
from collections.abc import Sequence
from typing import Final, TextIO

from rhaipy import printable
from stagehooks.gate.approval import Answer, Question
from stagehooks.run.interaction import Interaction

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
        words = {word: answer for answer in question.answers for word in (*CHOICES[answer], answer.value)}
        for _ in range(3):
            self._say(", ".join(f"[{CHOICES[answer][0]}] {CHOICES[answer][1]}" for answer in question.answers) + ": ")
            line = await _read_line(self._input)
            if not line:
                break
            answer = words.get(line.strip().lower())  # the whole of it: "on no account" is no letter for "once"
            if answer is not None:
                return answer
        self._say("\n")
        return Answer.DENY

    async def together(self, questions: Sequence[Question]) -> tuple[Answer, ...]:
        """The person's answers to the questions of a batch: one letter for all of them, or one for each."""
        if len(questions) == 1:
            return (await self(questions[0]),)
        numbered = [f"{number}. {shown(question)}" for number, question in enumerate(questions, 1)]
        self._say("\n" + "\n".join(numbered) + "\n")
        answers = [answer for answer in Answer if all(answer in question.answers for question in questions)]
        choices = ", ".join(f"[{CHOICES[answer][0]}] {CHOICES[answer][1]}" for answer in answers)
        for _ in range(3):
            self._say(f"{choices}; one letter for all {len(questions)}, or {len(questions)} letters: ")
            line = await _read_line(self._input)
            if not line:
                break
            given = _read_letters(line, questions)
            if given is not None:
                return given
        self._say("\n")
        return (Answer.DENY,) * len(questions)

    def _say(self, text: str) -> None:
        self._output.write(text)
        self._output.flush()


class TerminalInteractor:
    """Asks a person at interaction points. Whoever closes the input gives no answer."""

    def __init__(self, input: TextIO, output: TextIO) -> None:
        self._input = input
        self._output = output

    async def __call__(self, interaction: Interaction) -> str | None:
        """The person's answer: an option, a line of text, or a new document, which ends with a line that is a single dot."""
        document = interaction.document if interaction.form != "free_text" else ""
        lines = [f"\n{interaction.name}", *([document] if document else []), interaction.prompt]
        self._say("\n".join(lines) + "\n")
        if interaction.form == "edit":
            return await self._read_document()
        for number, option in enumerate(interaction.options, 1):
            self._say(f"  [{number}] {option}\n")
        self._say("> ")
        line = await _read_line(self._input)
        if not line:
            return None
        said = line.strip()
        numbered = {str(number): option for number, option in enumerate(interaction.options, 1)}
        return numbered.get(said, said)

    async def _read_document(self) -> str | None:
        self._say("Write the new text; a line with a single dot ends it.\n")
        lines: list[str] = []
        while True:
            line = await _read_line(self._input)
            if line.rstrip("\r\n") == ".":
                return "\n".join(lines)
            if not line:
                return None
            lines.append(line.rstrip("\r\n"))

    def _say(self, text: str) -> None:
        self._output.write(printable(text))
        self._output.flush()


def shown(question: Question) -> str:
    """The question with the call it is about. Control characters are visible, so the terminal shows what would be run."""
    arguments = json.dumps(question.call.arguments, ensure_ascii=False, indent=2)
    if len(arguments) > LONGEST_SHOWN:
        arguments = f"{arguments[:LONGEST_SHOWN]}\n[...{len(arguments) - LONGEST_SHOWN} more characters]"
    return printable(f"{question.text}\n{question.call.name} {arguments}")


def _read_letters(line: str, questions: Sequence[Question]) -> tuple[Answer, ...] | None:
    letters = [letter for letter in line.lower() if not letter.isspace() and letter != ","]
    if len(letters) == 1:
        letters *= len(questions)
    by_letter = {letter: answer for answer, (letter, _) in CHOICES.items()}
    answers = [by_letter.get(letter) for letter in letters]
    if len(answers) != len(questions):
        return None
    fitting = [answer for answer, question in zip(answers, questions, strict=True) if answer in question.answers]
    return tuple([answer for answer in fitting if answer]) if len(fitting) == len(questions) else None


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
