"""Asking somebody: questions, answers, and how long an answer holds.

An answer is bound to the exact call it was asked for: its id, its name, its arguments. "For this stage" and "for this run" hold
for the same tool; for a shell only for the very same command, since one command says nothing of the next; for confidential data
only for the same level. All questions of a batch are asked before any of its calls is made.
"""

import hashlib
import inspect
import json
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Literal, TypeAlias

from stagehooks.errors import RunFailed, StageHooksError
from stagehooks.models.protocol import ToolCall

Kind = Literal["policy", "taint"]


class Answer(Enum):
    """How far a yes goes, or a no."""

    ONCE = "once"
    STAGE = "stage"
    RUN = "run"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class Question:
    """May `call` be made? `answers` are those that make sense."""

    kind: Kind
    stage: str
    call: ToolCall
    text: str
    answers: tuple[Answer, ...]


Approver: TypeAlias = Callable[[Question], Answer | bool | Awaitable[Answer | bool]]
"""Who is asked. True means once; anything but a yes is a no.

One that has a method `together(questions)` is asked once for a whole batch, and gives as many answers as there are questions.
"""

Ask: TypeAlias = Callable[[Question], Awaitable[Answer | None]]
"""Asking now: None when nobody is there."""

Through: TypeAlias = Callable[[Question, Ask], Awaitable[Answer | None]]
"""Who wants to know of each question and its answer: asks it in its turn."""

Grant: TypeAlias = tuple[Kind, str, str]


def approve_all(question: Question) -> Answer:
    """Yes to everything that is asked (what a policy denies is not asked)."""
    return Answer.ONCE


def deny_all(question: Question) -> Answer:
    """No to everything that is asked."""
    return Answer.DENY


def digest(call: ToolCall) -> str:
    """A fingerprint of the exact call."""
    return hashlib.sha256(json.dumps([call.id, call.name, call.arguments], sort_keys=True).encode()).hexdigest()


class Approvals:
    """The answers of one run so far. Without an `approver` there is nobody to ask."""

    def __init__(self, approver: Approver | None, through: Through | None = None) -> None:
        self._approver = approver
        self._through = through
        self._for_stage: set[Grant] = set()
        self._for_run: set[Grant] = set()
        self._expected: list[Question] = []
        self._given: list[tuple[Question, Answer]] = []

    def expect(self, questions: Iterable[Question]) -> None:
        """These are going to be asked, in this order, as far as answers leave them open."""
        self._expected = [*questions]
        self._given = []

    def start_stage(self) -> None:
        """Forget what was granted for the stage before."""
        self._for_stage.clear()

    async def ask(self, question: Question) -> Answer | None:
        """The answer given now, or before for all such calls; None when nobody is there."""
        granted = self._granted(question)
        if granted is not None:
            return granted
        grant = _grant(question)
        answer = await (self._through(question, self._ask_now) if self._through is not None else self._ask_now(question))
        if answer is Answer.RUN:
            self._for_run.add(grant)
        elif answer is Answer.STAGE:
            self._for_stage.add(grant)
        return answer

    async def _ask_now(self, question: Question) -> Answer | None:
        if self._approver is None:
            return None
        together = getattr(self._approver, "together", None)
        try:
            if together is not None:
                return await self._ask_together(question, together)
            given = self._approver(question)
            return _read(await given if inspect.isawaitable(given) else given, question)
        except StageHooksError:
            raise
        except Exception as error:  # whatever it is: it is no yes
            raise RunFailed(f"whoever approves failed: {type(error).__name__}: {error}") from error

    async def _ask_together(self, question: Question, together: Callable[[tuple[Question, ...]], object]) -> Answer:
        """The answer to `question`; the first one of a batch brings those of the others that are still open."""
        found = [answer for asked, answer in self._given if asked is question]
        if found:
            return found[0]
        place = next((place for place, expected in enumerate(self._expected) if expected is question), None)
        later = self._expected[place + 1 :] if place is not None else []
        questions = (question, *[other for other in later if self._granted(other) is None])
        given = together(questions)
        answers = await given if inspect.isawaitable(given) else given
        if not isinstance(answers, list | tuple) or len(answers) != len(questions):
            answers = (Answer.DENY,) * len(questions)
        self._given = [(asked, _read(answer, asked)) for asked, answer in zip(questions, answers, strict=True)]
        return self._given[0][1]

    def _granted(self, question: Question) -> Answer | None:
        grant = _grant(question)
        if grant in self._for_run:
            return Answer.RUN
        return Answer.STAGE if grant in self._for_stage else None


def _grant(question: Question) -> Grant:
    call = question.call
    if question.kind == "taint":
        return question.kind, call.name, question.text
    return question.kind, call.name, json.dumps(call.arguments, sort_keys=True) if call.name == "shell" else ""


def _read(given: object, question: Question) -> Answer:
    if given is True:
        return Answer.ONCE
    return given if isinstance(given, Answer) and given in question.answers else Answer.DENY
