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
from stagehooks.models.protocol import ToolCall
from stagehooks.run.events import Answered, HookFired, Observer
from stagehooks.run.points import AFTER_INFERENCE, ON_COMPLETION, ON_ERROR, ON_TOOL_CALL, Point
from stagehooks.run.replacements import BadValue, origins_of, read_calls, read_regions, read_text
from stagehooks.run.window import Window
from stagehooks.scripts.json_text import show
from stagehooks.scripts.outcome import Allow, Cancel, HookOutcome, Json, Modify, Retry
from stagehooks.scripts.stage_hook import HookCall, HookScript, call

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Replacement(Generic[T]):
    """What a `modify` put in place, and in words what that changed."""

    value: T
    changes: tuple[str, ...]


class HookPoints:
    """The hook points of one run of `agent`."""

    def __init__(self, agent: Agent, observe: Observer) -> None:
        self._agent = agent
        self._observe = observe

    def declared(self, point: Point, stage: Stage) -> bool:
        """Does `stage` have a script for this point?"""
        return self._agent.script_for(stage, point.name) is not None

    def regions(self, point: Point, stage: Stage, window: Window) -> None:
        """Fire a point that sees the regions and may rewrite them."""

        def write(value: Json) -> Replacement[None]:
            texts = read_regions(value, point.takes)
            before = {name: window.region(name).tokens for name in texts if name in window.texts()}
            # A hook sees every region, so what it writes may hold something of the most confidential one.
            window.write(texts, window.level)
            changes = (f"{name}: {before[name]} -> {window.region(name).tokens} tokens" for name in sorted(texts))
            return Replacement(None, tuple(changes))

        self._fire(point, stage, ({**window.texts()},), None, write)

    def response(self, stage: Stage, text: str, tokens: int, calls: tuple[ToolCall, ...]) -> str:
        """Fire the point that sees a response and may rewrite its text; of the tool calls it sees the names."""

        def rewrite(value: Json) -> Replacement[str]:
            return _text(value, AFTER_INFERENCE.takes, text, "response")

        names: list[Json] = [call.name for call in calls]
        return self._fire(AFTER_INFERENCE, stage, (text, tokens, names), text, rewrite)

    def tool_calls(self, stage: Stage, calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
        """Fire the point that sees tool calls and may replace them; what it leaves is for the gate to judge."""

        def replace(value: Json) -> Replacement[tuple[ToolCall, ...]]:
            left = read_calls(value, ON_TOOL_CALL.takes)
            return Replacement(left, _changed_calls(calls, left))

        seen: list[Json] = [{"name": call.name, "arguments": call.arguments} for call in calls]
        return self._fire(ON_TOOL_CALL, stage, (seen,), calls, replace)

    def completion(self, stage: Stage, answer: str | None) -> str | None:
        """Fire the point that sees the final answer of a run that succeeded, and may rewrite it."""

        def rewrite(value: Json) -> Replacement[str | None]:
            new = read_text(value, ON_COMPLETION.takes)
            if answer is None:
                raise BadValue("asked to rewrite the answer, but this run submitted none")
            return Replacement(new, (_length_change("output", answer, new),))

        return self._fire(ON_COMPLETION, stage, ("complete", answer or "", ""), answer, rewrite)

    def error(self, stage: Stage, message: str) -> str:
        """Fire the point that sees the message of a run that failed, and may rewrite it."""

        def rewrite(value: Json) -> Replacement[str]:
            return _text(value, ON_ERROR.takes, message, "message")

        return self._fire(ON_ERROR, stage, (f"error: {message}", "", message), message, rewrite)

    def _fire(
        self, point: Point, stage: Stage, seen: tuple[Json, ...], unchanged: T, modify: Callable[[Json], Replacement[T]]
    ) -> T:
        script = self._agent.script_for(stage, point.name)
        if script is None:
            return unchanged
        done = self._call(script, point, stage, seen)
        replacement = Replacement(unchanged, ())
        problem = None
        match done.outcome:
            case Allow():
                pass
            case Modify(value):
                try:
                    replacement = modify(value)
                except (BadValue, WindowError) as error:
                    problem = point.bad_value(str(error))
            case Cancel(reason):
                problem = point.refused(stage.name, reason)
            case Retry():
                problem = point.cannot_retry(stage.name)
        answered = _word(done.outcome)
        self._observe(HookFired(point.name, stage.name, answered, replacement.changes, problem, done.operations, done.fuel))
        if problem is not None:
            raise RunFailed(problem)
        return replacement.value

    def _call(self, script: HookScript, point: Point, stage: Stage, seen: tuple[Json, ...]) -> HookCall:
        ctx: dict[str, Json] = {"stage": stage.name, "stage_index": stage.index, **dict(zip(point.sees, seen, strict=True))}
        try:
            return call(script, point.name, ctx)
        except HookError as error:
            failure = point.failed(error.message)
            self._observe(HookFired(point.name, stage.name, "failed", (), failure, error.operations, error.fuel))
            raise RunFailed(failure, inner=error.inner) from None


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


def _changed_calls(asked: tuple[ToolCall, ...], left: tuple[ToolCall, ...]) -> tuple[str, ...]:
    """What became of each call, in words."""
    origins = origins_of(left, asked)
    changes = [f"dropped {_shown(call)}" for call in asked if not any(origin is call for origin in origins)]
    for call_left, origin in zip(left, origins, strict=True):
        if origin is None:
            changes.append(f"added {_shown(call_left)}")
        elif origin.arguments != call_left.arguments:
            changes.append(f"{call_left.name}: {_changed_arguments(origin.arguments, call_left.arguments)}")
    return tuple(changes)


def _changed_arguments(old: Json, new: Json) -> str:
    if not isinstance(old, dict) or not isinstance(new, dict):
        return f"{show(old)} -> {show(new)}"
    changes = [f"{key} = {show(value)}" for key, value in new.items() if key not in old or old[key] != value]
    return ", ".join(changes + [f"without {key}" for key in old if key not in new])


def _shown(call: ToolCall) -> str:
    return f"{call.name} {show(call.arguments)}"
