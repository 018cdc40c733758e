"""The tool calls of one reply, beside what on_tool_call left of them: for each call what was asked for and what became of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from stagehooks.models.protocol import ToolCall
from stagehooks.run.events import Treated
from stagehooks.run.replacements import Denied, origins_of
from stagehooks.scripts.json_text import Json, show

Left: TypeAlias = tuple[ToolCall | Denied, ...]
"""What a hook left, in its order: calls, and refusals in the place of calls."""


@dataclass(frozen=True, slots=True)
class Treatment:
    """One call. `left` is what there is to be judged, None where the hook dropped it; `denial` why the hook refuses it."""

    asked: ToolCall
    left: ToolCall | None
    treated: Treated
    denial: str | None = None


def untreated(calls: Sequence[ToolCall], treated: Treated) -> list[Treatment]:
    """All calls, as they were asked for."""
    return [Treatment(call, call, treated) for call in calls]


def treatments(calls: Sequence[ToolCall], left: Left) -> list[Treatment]:
    """Every call with what the hook did to it: the dropped ones first, then what is left, in its order."""
    denied = {id(item.asked) for item in left if isinstance(item, Denied)}
    others = tuple(call for call in calls if id(call) not in denied)
    kept = tuple(item for item in left if isinstance(item, ToolCall))
    origins = origins_of(kept, others)
    found = [Treatment(call, None, "dropped") for call in others if not any(origin is call for origin in origins)]
    origin_of = {id(call): origin for call, origin in zip(kept, origins, strict=True)}
    for item in left:
        if isinstance(item, Denied):
            found.append(Treatment(item.asked, item.call, "denied", item.reason))
        else:
            found.append(_kept(item, origin_of[id(item)]))
    return found


def _kept(call: ToolCall, origin: ToolCall | None) -> Treatment:
    if origin is None:
        return Treatment(call, call, "added")
    return Treatment(origin, call, "allowed" if origin.arguments == call.arguments else "rewritten")


def changes(found: Sequence[Treatment]) -> tuple[str, ...]:
    """What became of the calls, in words."""
    words = []
    for item in found:
        shown = f"{item.asked.name} {show(item.asked.arguments)}"
        if item.treated == "denied":
            words.append(f"denied {shown}: {item.denial}")
        elif item.left is None or item.treated == "added":
            words.append(f"{item.treated} {shown}")
        elif item.treated == "rewritten":
            words.append(f"{item.asked.name}: {_changed_arguments(item.asked.arguments, item.left.arguments)}")
    return tuple(words)


def _changed_arguments(old: Json, new: Json) -> str:
    if not isinstance(old, dict) or not isinstance(new, dict):
        return f"{show(old)} -> {show(new)}"
    words = [f"{key} = {show(value)}" for key, value in new.items() if key not in old or old[key] != value]
    return ", ".join(words + [f"without {key}" for key in old if key not in new])
