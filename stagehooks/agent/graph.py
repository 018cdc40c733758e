"""The edges between stages: [stages.X.transitions.TARGET], and whether they make a graph that a run can finish."""

from collections.abc import Iterable, Mapping
from typing import Final, cast

from stagehooks.agent.blueprint import Blueprint, Condition, EdgeGate, Stage, StuckAfter, Transition
from stagehooks.agent.document import Document, Table, did_you_mean
from stagehooks.agent.loops import on_a_loop, reached
from stagehooks.agent.transforms import check_changes, read_changes

CONDITIONS: Final = ("always", "error", "max_iterations", "llm_choice", "stuck", "dead_end")
TRANSFORMS: Final = ("direct", "clear", "compact", "summarize", "custom")
STUCK: Final = ("stuck_after_iterations", "stuck_after_minutes", "stuck_after_same_file_edits", "stuck_after_tool_calls")
EDGE: Final = ("hint", "condition", "transform", "transform_config", "gate", *STUCK)
GATE: Final = (
    "require_modifications", "require_regions", "require_region_updated", "require_no_open_items", "region", "tools", "message",
    "max_attempts",
)  # fmt: skip
DONE: Final = "DONE"
"""What a model answers that is asked for the next stage, where the run may complete."""
GATED: Final = ("always", "llm_choice")
"""Only these edges have gates: the others are ways out for a stage that cannot go on."""


def read_transitions(stage: Table) -> tuple[Transition, ...]:
    """The edges that `stage` declares, in the order of the file."""
    tables = stage.table("transitions")
    return tuple(_read_transition(tables.table(target, f"transition to '{target}'")) for target in tables)


def next_stage(name: str, names: tuple[str, ...]) -> tuple[Transition, ...]:
    """The edge of a stage without a `transitions` table: to the stage after it in the file."""
    following = names[names.index(name) + 1 :]
    return (Transition(following[0]),) if following else ()


def _read_transition(table: Table) -> Transition:
    table.allow(EDGE)
    condition = _word(table, "condition", CONDITIONS, "always")
    transform, changes = read_changes(table, _word(table, "transform", TRANSFORMS, "direct"))
    gate = _read_gate(table.table("gate", f"{table.subject}: gate"))
    if gate and condition not in GATED:
        text = f"{table.subject}: a gate has no effect on an edge with the condition '{condition}'"
        table.warn("gate", text, "remove the gate, or the condition", "ignored")
    return Transition(
        target=table.name,
        condition=cast(Condition, condition),
        hint=table.text("hint").strip(),
        transform=transform,
        clear=changes.clear,
        compact=changes.compact,
        compact_prompt=changes.prompt,
        gate=gate,
        stuck_after=_read_stuck(table, condition),
    )


def _read_gate(table: Table) -> EdgeGate | None:
    table.allow(GATE)
    if not len(table):
        return None
    return EdgeGate(
        require_modifications=table.flag("require_modifications"),
        require_regions=table.texts("require_regions"),
        require_region_updated=table.text("require_region_updated"),
        require_no_open_items=table.text("require_no_open_items"),
        region=table.text("region"),
        tools=table.texts("tools"),
        message=table.text("message").strip(),
        max_attempts=table.whole("max_attempts", 3),
    )


def _read_stuck(table: Table, condition: str) -> StuckAfter:
    stuck = StuckAfter(
        iterations=table.whole(STUCK[0], 0),
        minutes=table.optional_number(STUCK[1]) or 0.0,
        same_file_edits=table.whole(STUCK[2], 0),
        tool_calls=table.whole(STUCK[3], 0),
    )
    if condition == "stuck" and not stuck:
        text = f"{table.subject} has condition 'stuck' but no threshold (set at least one of {', '.join(STUCK)})"
        table.error("condition", text, f"write {STUCK[0]} = 20")
    for key in STUCK:
        if key in table and condition != "stuck":
            text = f"{table.subject} sets '{key}', which is for an edge with the condition 'stuck'"
            table.error(key, text, 'write condition = "stuck"')
    return stuck


def _word(table: Table, key: str, valid: tuple[str, ...], default: str) -> str:
    said = table.text(key, default)
    if said in valid:
        return said
    text = f"{table.subject} has unknown {key} '{said}' (valid: {', '.join(valid)})"
    table.error(key, text, did_you_mean(said, valid))
    return default


def check_graph(document: Document, blueprint: Blueprint) -> None:
    """Report an entry stage or a target that does not exist, a loop without a bound, and a run that could never complete."""
    names = {stage.name: None for stage in blueprint.stages}
    if blueprint.entry_stage not in names:
        text = f"Invalid graph: entry_stage '{blueprint.entry_stage}' does not match any defined stage"
        document.report("error", "graph", ("agent", "entry_stage"), text, did_you_mean(blueprint.entry_stage, names))
        return
    for stage in blueprint.stages:
        for edge in stage.transitions:
            _check_edge(document, stage, edge, names)
    check_changes(document, blueprint)
    found = reached(blueprint.entry_stage, _edges(blueprint.stages))
    if not any(_may_end(stage) for stage in blueprint.stages if stage.name in found):
        text = "Invalid graph: no terminal path exists from entry stage - agent would never complete"
        fix = "give one stage no transitions (an empty table), or allow_complete = true"
        document.report("error", "graph", ("stages", blueprint.entry_stage), text, fix)
    for stage in blueprint.stages:
        if stage.name not in found:
            text = f"stage '{stage.name}' can never be reached from the entry stage '{blueprint.entry_stage}'"
            document.report("warning", "unreachable-stage", ("stages", stage.name), text, "add a transition to it, or remove it")
    # A stage without max_revisits that comes back to itself by others without: only the model's choices end such a run.
    uncounted = [stage for stage in blueprint.stages if stage.name in found and stage.max_revisits is None]
    endless = on_a_loop(_edges(uncounted))
    for stage in uncounted:
        if stage.name in endless:
            text = f"stage '{stage.name}' may be entered again and again: no stage on the way back to it has max_revisits"
            fix = f"set max_revisits in [stages.{stage.name}]"
            document.report("warning", "endless-loop", ("stages", stage.name), text, fix)


def _check_edge(document: Document, stage: Stage, edge: Transition, names: Mapping[str, None]) -> None:
    path = ("stages", stage.name, "transitions", edge.target)
    start = f"Invalid transition from '{stage.name}' to '{edge.target}'"
    if edge.target not in names:
        fix = did_you_mean(edge.target, names) or f"the stages are: {', '.join(names)}"
        document.report("error", "graph", path, f"{start}: target stage does not exist", fix)
    elif edge.target == DONE and stage.allow_complete:
        text = f"{start}: where the run may complete, the answer {DONE} says that it does, and cannot name a stage"
        document.report("error", "graph", path, text, "rename the stage, or remove allow_complete")
    elif edge.target == stage.name and stage.max_revisits is None:
        fix = f"set max_revisits in [stages.{stage.name}]"
        document.report("error", "graph", path, f"{start}: self-loop transition requires max_revisits", fix)


def _edges(stages: Iterable[Stage]) -> dict[str, tuple[str, ...]]:
    """The edges between `stages`, by name."""
    names = {stage.name: stage for stage in stages}
    return {name: tuple(edge.target for edge in stage.transitions if edge.target in names) for name, stage in names.items()}


def _may_end(stage: Stage) -> bool:
    return stage.allow_complete or not any(edge.condition in ("always", "llm_choice") for edge in stage.transitions)
