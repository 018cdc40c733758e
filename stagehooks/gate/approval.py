"""Asking somebody: questions, answers, and how long an answer holds.

An answer is bound to the exact call it was asked for: its id, its name, its arguments. "For this stage" and "for this run" hold
for the same tool; for a shell only for the very same command, since one command says nothing of the next.
"""

import hashlib
import inspect
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import Literal, TypeAlias

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
"""Who is asked. True means once; anything but a yes is a no."""

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

    def __init__(self, approver: Approver | None) -> None:
        self._approver = approver
        self._for_stage: set[Grant] = set()
        self._for_run: set[Grant] = set()

    def start_stage(self) -> None:
        """Forget what was granted for the stage before."""
        self._for_stage.clear()

    async def ask(self, question: Question) -> Answer | None:
        """The answer given now, or before for all such calls; None when nobody is there."""
        grant = _grant(question)
        if grant in self._for_run:
            return Answer.RUN
        if grant in self._for_stage:
            return Answer.STAGE
        if self._approver is None:
            return None
        given = self._approver(question)
        answer = _read(await given if inspect.isawaitable(given) else given, question)
        if answer is Answer.RUN:
            self._for_run.add(grant)
        elif answer is Answer.STAGE:
            self._for_stage.add(grant)
        return answer


def _grant(question: Question) -> Grant:
    call = question.call
    command = json.dumps(call.arguments, sort_keys=True) if call.name == "shell" and question.kind == "policy" else ""
    return question.kind, call.name, command


def _read(given: object, question: Question) -> Answer:
    if given is True:
        return Answer.ONCE
    return given if isinstance(given, Answer) and given in question.answers else Answer.DENY
