"""Interaction points: asking a person before a stage is left, and what each answer does.

Nothing of it is left to the model. Where nobody is there, a point that is to be approved automatically is; one that asks for a
person never passes without one.
"""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from stagehooks.agent.blueprint import InteractionPoint, Stage
from stagehooks.errors import RunFailed, StageHooksError
from stagehooks.models.protocol import UserMessage
from stagehooks.run.control import Aborted
from stagehooks.run.effects import Effects
from stagehooks.run.events import PointAnswered, PointAsked, PointOutcome
from stagehooks.run.region import cut
from stagehooks.run.tally import Tally
from stagehooks.run.visit import Visit
from stagehooks.run.window import Window
from stagehooks.scripts.json_text import Json

MOST_ROUNDS: Final = 4
"""How often a person may send a stage back at one point."""
MOST_TRIES: Final = 3
YES: Final = ("yes", "y", "true", "ok", "approve", "approved")
NO: Final = ("no", "n", "false", "reject", "rejected")
CONFIRM: Final = ("Yes", "No")

Nobody = Literal[False]
NOBODY: Final[Nobody] = False
"""The answer at a point that may pass where nobody is there."""

Form = Literal["free_text", "multiple_choice", "confirm", "edit"]


@dataclass(frozen=True, slots=True)
class Interaction:
    """What a person is asked. `document` is what it is about; where `form` is "edit", the answer is the new document."""

    stage: str
    name: str
    prompt: str
    form: Form
    options: tuple[str, ...]
    document: str
    required: bool


Interactor: TypeAlias = Callable[[Interaction], str | bool | None | Awaitable[str | bool | None]]
"""Who is asked: gives the text, the option, or yes or no as the form says; None is no answer."""


class InteractionPoints:
    """The points of one run. Without an `interactor` nobody is there; `unattended`: somebody is, for what asks for a person."""

    def __init__(self, interactor: Interactor | None, unattended: bool, window: Window, tally: Tally, effects: Effects) -> None:
        self._interactor = interactor
        self._unattended = unattended or interactor is None
        self._window = window
        self._tally = tally
        self._effects = effects

    async def pass_through(self, visit: Visit, document: str) -> str:
        """Ask at every point of the stage that is not done with: what the stage is told to do before it may be left, or nothing.

        RunFailed where a point that is required gets no approval, Aborted where the person ends the run.
        """
        stage = visit.stage
        for point in stage.interaction_points:
            if point.name not in visit.answered:
                told = await self._present(stage, visit, point, document)
                if told:
                    return told
                visit.answered.add(point.name)
        return ""

    async def _present(self, stage: Stage, visit: Visit, point: InteractionPoint, document: str) -> str:
        while visit.rounds[point.name] < MOST_ROUNDS:
            answer = await self._ask(stage, point, point.style, document)
            if answer is NOBODY:
                self._tell(stage, point, "auto_approved", "")
                return ""
            self._keep(point, document)
            if answer is None or not answer.strip():
                return self._unanswered(stage, point)
            if answer in point.abort_options:
                self._tell(stage, point, "aborted", answer)
                raise Aborted
            directive = _directive(point, answer)
            if not directive and answer not in point.edit_options:
                self._approve(stage, point, answer)
                return ""
            visit.rounds[point.name] += 1
            if directive:
                self._tell(stage, point, "sent_back", answer)
                return directive
            edited = await self._ask(stage, point, "edit", document)
            if isinstance(edited, str) and edited != document:
                document = edited
                self._keep(point, document)
                self._window.say(
                    UserMessage(f"[{point.name}] I have changed your text. It is now:\n{document}"), self._window.level
                )
            self._tell(stage, point, "edited", answer)
        if point.required:
            raise RunFailed(f"'{point.name}' of stage '{stage.name}' was not approved in {MOST_ROUNDS} rounds")
        self._tell(stage, point, "skipped", "")
        return ""

    def _approve(self, stage: Stage, point: InteractionPoint, answer: str) -> None:
        if point.style == "free_text":
            self._window.say(UserMessage(f"[{point.name}] {answer}"))
        self._tell(stage, point, "approved", answer)

    def _unanswered(self, stage: Stage, point: InteractionPoint) -> str:
        if point.required:
            raise RunFailed(f"'{point.name}' of stage '{stage.name}' needs an answer, and nobody was there to give it")
        self._tell(stage, point, "skipped", "")
        return ""

    def _keep(self, point: InteractionPoint, document: str) -> None:
        if point.document_region and document:
            region = self._window.region(point.document_region)
            region.replace(cut(document, region.layout.max_tokens), self._window.level)

    async def _ask(self, stage: Stage, point: InteractionPoint, form: Form, document: str) -> str | Nobody | None:
        """The answer as the form wants it: an option as it is written, "Yes" or "No", or a text. None where there is none.

        Whether anybody is there is a part of it: where a run is resumed, that may have changed.
        """
        options = {"multiple_choice": point.options, "confirm": CONFIRM}.get(form, ())
        question = Interaction(stage.name, point.name, point.prompt, form, options, document, point.required)

        async def answer() -> Json:
            passes = self._unattended and point.unattended == "auto_approve"
            return NOBODY if passes else await self._answer(question)

        given = await self._effects.told("interaction", f"{stage.name}/{point.name}/{form}", answer)
        return given if isinstance(given, str) or given is NOBODY else None

    async def _answer(self, question: Interaction) -> str | None:
        if self._interactor is None:
            return None
        for _ in range(MOST_TRIES):
            self._tally.tell(PointAsked(question.stage, question.name, question.prompt, question.form, question.options))
            try:
                given = self._interactor(question)
                given = await given if inspect.isawaitable(given) else given
            except StageHooksError:
                raise
            except Exception as error:
                raise RunFailed(f"whoever is asked at '{question.name}' failed: {type(error).__name__}: {error}") from error
            if given is None or not question.options:
                return None if given is None else _encodable(str(given))
            chosen = _chosen(given, question.options)
            if chosen is not None:
                return chosen
        return None

    def _tell(self, stage: Stage, point: InteractionPoint, outcome: PointOutcome, answer: str) -> None:
        self._tally.take(PointAnswered(stage.name, point.name, outcome, answer))


def _directive(point: InteractionPoint, answer: str) -> str:
    """What the stage is told after this answer; empty where it is none that sends it back."""
    if point.style == "confirm" and answer == "No":
        return f"'{point.name}' was not confirmed ({point.prompt}). Work on it, and finish the stage again."
    return dict(point.directives).get(answer, "")


def _chosen(given: str | bool, options: tuple[str, ...]) -> str | None:
    """The option that was meant: as it is written, or but for case, dashes and blanks."""
    if options == CONFIRM:
        words = _plain(given if isinstance(given, str) else ("yes" if given is True else "no"))
        return "Yes" if words in YES else "No" if words in NO else None
    if given in options:
        return str(given)
    return next((option for option in options if _plain(option) == _plain(str(given))), None)


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _plain(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
