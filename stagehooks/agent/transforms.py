"""What an edge does to the regions on the way: `transform` and [stages.X.transitions.TARGET.transform_config]."""

from dataclasses import dataclass
from typing import Final, cast

from stagehooks.agent.blueprint import Blueprint, Transform
from stagehooks.agent.document import Document, Table, did_you_mean

CONFIG: Final = ("carry", "compact", "clear", "compact_prompt")
EVERYWHERE: Final = ("conversation", "tool_results", "final_output", "stage_instructions")
"""The regions that every stage has."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What becomes of which region, where the file says it one by one. What is not named is carried over as it is."""

    clear: tuple[str, ...] = ()
    compact: tuple[str, ...] = ()
    prompt: str = ""


def read_changes(edge: Table, transform: str) -> tuple[Transform, Changes]:
    """The transform of `edge`, and its lists where that is "custom"."""
    table = edge.table("transform_config")
    table.allow(CONFIG)
    if transform != "custom" and len(table):
        if transform not in ("compact", "summarize") or set(table) != {"compact_prompt"}:
            text = f"{edge.subject}: 'transform_config' counts only where transform is \"custom\""
            edge.warn("transform_config", text, 'write transform = "custom"', "ignored")
    custom = transform == "custom"
    clear, compact = table.texts("clear") if custom else (), table.texts("compact") if custom else ()
    named = [*clear, *compact, *(table.texts("carry") if custom else ())]
    for name in dict.fromkeys(named):
        if named.count(name) > 1:
            table.error("carry", f"{table.subject}: region '{name}' is named more than once", "name each region in one list")
    return cast(Transform, transform), Changes(clear, compact, table.text("compact_prompt").strip())


def check_changes(document: Document, blueprint: Blueprint) -> None:
    """Report every region that an edge names and that no stage has."""
    known = {region.name for stage in blueprint.stages for region in stage.regions} | set(EVERYWHERE)
    for stage in blueprint.stages:
        for edge in stage.transitions:
            for key, names in (("clear", edge.clear), ("compact", edge.compact)):
                for name in names:
                    if name not in known:
                        path = ("stages", stage.name, "transitions", edge.target, "transform_config", key)
                        text = f"transition to '{edge.target}': transform_config: {key} names region '{name}', which no stage has"
                        document.report("error", "unknown-region", path, text, did_you_mean(name, known))
