"""Firing a hook point: find the stage's script, call it, apply its answer, tell the observer.

One way for all seven points. Whatever is not an `allow` or a `modify` that can be applied ends the run: a failed hook is never
an allowed hook.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from stagehooks.agent.blueprint import Stage
from stagehooks.agent.spawn import Agent
from stagehooks.errors import HookError, RunFailed, WindowError
from stagehooks.models.protocol import Reply, ToolCall
from stagehooks.run.batch import Treatment, changes, treatments, untreated
from stagehooks.run.effects import Effects
from stagehooks.run.events import Answered, HookFired, Observer
from stagehooks.run.points import AFTER_INFERENCE, EVERYWHERE, ON_COMPLETION, ON_ERROR, ON_TOOL_CALL, Point
from stagehooks.run.replacements import BadValue, read_calls, read_regions, read_text
from stagehooks.run.tally import Tally
from stagehooks.run.window import Window
from stagehooks.scripts.outcome import Allow, Cancel, HookOutcome, Json, Modify, Retry
from stagehooks.scripts.stage_hook import HookCall, HookScript
from stagehooks.tools.answer import FinalAnswer
from stagehooks.tools.tool import ToolError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Replacement(Generic[T]):
    """What a `modify` put in place, and in words what that changed."""

    value: T
    changes: tuple[str, ...]


class HookPoints:
    """The hook points of one run of `agent`."""

    def __init__(self, agent: Agent, tally: Tally, effects: Effects) -> None:
        self._agent = agent
        self._tally = tally
        self._observe: Observer = tally.take
        self._effects = effects

    def declared(self, point: Point, stage: Stage) -> bool:
        """Does `stage` have a script for this point?"""
        return self._agent.script_for(stage, point.name) is not None

    def regions(self, point: Point, stage: Stage, window: Window, *more: Json) -> None:
        """Fire a point that sees the regions, and `more`, and may rewrite the regions."""

        def write(value: Json) -> Replacement[None]:
            texts = read_regions(value, point.takes)
            before = {name: window.region(name).tokens for name in texts if name in window.texts()}
            # A hook sees every region, so what it writes may hold something of the most confidential one.
            window.write(texts, window.level)
            changes = (f"{name}: {before[name]} -> {window.region(name).tokens} tokens" for name in sorted(texts))
            return Replacement(None, tuple(changes))

        self._fire(point, stage, ({**window.texts()}, *more), None, write)

    def response(self, stage: Stage, reply: Reply, attempt: int) -> str | None:
        """Fire the point that sees a response and may rewrite its text; of the tool calls it sees the names.

        None where it asks for another reply, and `attempt` was not the last that the stage allows.
        """

        def rewrite(value: Json) -> Replacement[str | None]:
            new = read_text(value, AFTER_INFERENCE.takes)
            return Replacement(new, (_length_change("response", reply.text, new),))

        names: list[Json] = [call.name for call in reply.tool_calls]
        seen = (reply.text, reply.tokens, names, attempt)
        text: str | None = reply.text
        again: Replacement[str | None] | None = Replacement(None, ()) if attempt < stage.max_attempts else None
        return self._fire(AFTER_INFERENCE, stage, seen, text, rewrite, again)

    def tool_calls(self, stage: Stage, calls: tuple[ToolCall, ...]) -> list[Treatment]:
        """Fire the point that sees tool calls and may replace or refuse them; what it leaves is for the gate to judge."""

        def replace(value: Json) -> Replacement[list[Treatment]]:
            found = treatments(calls, read_calls(value, ON_TOOL_CALL.takes, calls))
            return Replacement(found, changes(found))

        seen: list[Json] = [{"name": call.name, "arguments": call.arguments} for call in calls]
        unchanged = untreated(calls, "allowed" if self.declared(ON_TOOL_CALL, stage) else "none")
        return self._fire(ON_TOOL_CALL, stage, (seen,), unchanged, replace)

    def completion(self, stage: Stage, answer: FinalAnswer) -> None:
        """Fire the point that sees the final answer of a run that succeeded, and may rewrite it where that passes its checks."""

        def rewrite(value: Json) -> Replacement[None]:
            new, old = read_text(value, ON_COMPLETION.takes), answer.content
            if old is None:
                raise BadValue("asked to rewrite the answer, but this run submitted none")
            try:
                answer.rewrite(new)
            except ToolError as error:
                raise BadValue(f"the rewritten answer was refused: {error}") from None
            return Replacement(None, (_length_change("output", old, new),))

        self._fire(ON_COMPLETION, stage, ("complete", answer.content or "", ""), None, rewrite)

    def error(self, stage: Stage, message: str) -> str:
        """Fire the point that sees the message of a run that failed, and may rewrite it. What goes wrong there is added to it."""

        def rewrite(value: Json) -> Replacement[str]:
            return _text(value, ON_ERROR.takes, message, "message")

        return self._fire(ON_ERROR, stage, (f"error: {message}", "", message), message, rewrite, original=message)

    def _fire(
        self,
        point: Point,
        stage: Stage,
        seen: tuple[Json, ...],
        unchanged: T,
        modify: Callable[[Json], Replacement[T]],
        again: Replacement[T] | None = None,
        original: str = "",
    ) -> T:
        """Fire `point`: what it leaves. `again` is what a `retry` gives, None where it cannot be honoured.

        `original` is a message that must not get lost, whatever the hook does wrong.
        """
        script = self._agent.script_for(stage, point.name)
        everywhere: tuple[Json, ...] = (stage.name, stage.index, self._tally.iteration, self._tally.so_far())
        ctx: dict[str, Json] = dict(zip((*EVERYWHERE, *point.sees), (*everywhere, *seen), strict=True))
        if script is None:
            self._effects.unhooked(point.name, stage.name, ctx)
            return unchanged
        done = self._call(script, point, stage, ctx, original)
        replacement = Replacement(unchanged, ())
        problem = None
        match done.outcome:
            case Allow():
                pass
            case Modify(value):
                try:
                    replacement = modify(value)
                except (BadValue, WindowError) as error:
                    problem = _added(original, point.bad_value(str(error)))
            case Cancel(reason):
                problem = point.refused(stage.name, reason)
            case Retry() if again is not None:
                replacement = again
            case Retry():
                problem = _added(original, point.cannot_retry(stage.name))
        answered = _word(done.outcome)
        self._observe(HookFired(point.name, stage.name, answered, replacement.changes, problem, done.operations, done.fuel))
        if problem is not None:
            raise RunFailed(problem)
        return replacement.value

    def _call(self, script: HookScript, point: Point, stage: Stage, ctx: Json, original: str) -> HookCall:
        try:
            return self._effects.hook(script, point.name, stage.name, ctx)
        except HookError as error:
            failure = f"{original} ({point.name} hook failed: {error.message})" if original else point.failed(error.message)
            self._observe(HookFired(point.name, stage.name, "failed", (), failure, error.operations, error.fuel))
            raise RunFailed(failure, inner=error.inner) from None


def _added(original: str, problem: str) -> str:
    return f"{original} ({problem})" if original else problem


def _word(outcome: HookOutcome) -> Answered:
    match outcome:
        case Allow():
            return "allow"
        case Modify():
            return "modify"
        case Cancel():
            return "cancel"
        case Retry():
            return "retry"


def _text(value: Json, wanted: str, old: str, what: str) -> Replacement[str]:
    new = read_text(value, wanted)
    return Replacement(new, (_length_change(what, old, new),))


def _length_change(what: str, old: str, new: str) -> str:
    return f"{what}: {len(old)} -> {len(new)} characters"
