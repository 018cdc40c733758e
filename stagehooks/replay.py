"""What the present scripts of an agent would decide where a stored run called its hooks: with the recorded ctx, call by call.

Nothing of the run happens again, and one decision does not lead to another: each call sees what it saw. Where the run passed a
hook point without a hook, a new hook is tried on what it would have seen, as far as that is stored (all but the points that see
regions).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from stagehooks.agent.blueprint import Stage
from stagehooks.agent.spawn import Agent
from stagehooks.errors import HookError
from stagehooks.scripts.json_text import Json, dump
from stagehooks.scripts.outcome import HOOK_NAMES, outcome_data
from stagehooks.scripts.stage_hook import HookScript, call
from stagehooks.store.coding import hook_error_data
from stagehooks.store.records import StoredEffect

NO_HOOK: Final[dict[str, Json]] = {"outcome": "none"}
DECISION: Final = ("outcome", "value", "reason", "error")
POSITION: Final = re.compile(r" \(line \d+, position \d+\)")


@dataclass(frozen=True, slots=True)
class Replayed:
    """One hook call, the `step`-th effect of its run: what was decided, and what would be. `then` and `now` are plain data."""

    step: int
    stage: str
    hook: str
    ctx: Json
    then: dict[str, Json]
    now: dict[str, Json]

    @property
    def differs(self) -> bool:
        """Would it be decided differently? Where in a script an error arises makes no difference."""
        return _compared(self.then) != _compared(self.now)


def replayed(agent: Agent, calls: Iterator[StoredEffect]) -> Iterator[Replayed]:
    """Each of `calls` again, with the scripts of `agent`; those where there was no hook, and is none, are passed over."""
    for recorded in calls:
        stage, _, hook = recorded.name.rpartition("/")
        then = _decision(recorded.outcome)
        now = _now(agent, agent.blueprint.stage(stage), hook, recorded.given)
        if (then, now) != (NO_HOOK, NO_HOOK):
            yield Replayed(recorded.ordinal, stage, hook, recorded.given, then, now)


def not_tried(agent: Agent, calls: set[tuple[str, str]]) -> list[tuple[str, str]]:
    """The hooks (stage, hook) that `agent` declares and for which there is nothing among `calls`."""
    declared = [(stage.name, entry.hook) for stage, entry in agent.blueprint.hook_paths() if entry.hook in HOOK_NAMES]
    return [place for place in declared if place not in calls]


def _now(agent: Agent, stage: Stage | None, hook: str, ctx: Json) -> dict[str, Json]:
    script = agent.script_for(stage, hook) if stage is not None else None
    return _decided(script, hook, ctx) if script is not None else NO_HOOK


def _decided(script: HookScript, hook: str, ctx: Json) -> dict[str, Json]:
    try:
        return _decision(outcome_data(call(script, hook, ctx).outcome))
    except HookError as error:
        return _decision(hook_error_data(error))


def _decision(outcome: Json) -> dict[str, Json]:
    """What was decided, without what it took."""
    return {key: outcome[key] for key in DECISION if key in outcome} if isinstance(outcome, dict) else NO_HOOK


def _compared(decision: dict[str, Json]) -> str:
    return POSITION.sub("", dump({**decision}))


def described(decision: dict[str, Json]) -> str:
    """A decision in words."""
    match decision:
        case {"outcome": "modify", "value": value}:
            return f"modify {dump(value)}"
        case {"outcome": "cancel", "reason": str(reason)}:
            return f"cancel: {reason}"
        case {"outcome": "error", "error": str(message)}:
            return f"error: {message}"
        case {"outcome": "none"}:
            return "no hook"
    return str(decision.get("outcome"))
