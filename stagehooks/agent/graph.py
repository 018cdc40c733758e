"""The edges between stages: [stages.X.transitions.TARGET], and whether they make a graph that a run can finish."""

from typing import Final, cast

from stagehooks.agent.blueprint import Blueprint, Condition, Stage, Transform, Transition
from stagehooks.agent.document import Document, Table, did_you_mean

CONDITIONS: Final = ("always", "error", "max_iterations", "llm_choice", "stuck", "dead_end")
TRANSFORMS: Final = ("direct", "clear", "compact", "summarize", "custom")
TRANSFORMS_HERE: Final = ("direct", "clear")
EDGE: Final = ("hint", "condition", "transform")
EDGE_LATER: Final = (
    "transform_config", "gate", "stuck_after_iterations", "stuck_after_minutes", "stuck_after_same_file_edits",
    "stuck_after_tool_calls",
)  # fmt: skip


def read_transitions(stage: Table) -> tuple[Transition, ...]:
    """The edges that `stage` declares, in the order of the file."""
    tables = stage.table("transitions")
    return tuple(_read_transition(tables.table(target, f"transition to '{target}'")) for target in tables)


def next_stage(name: str, names: tuple[str, ...]) -> tuple[Transition, ...]:
    """The edge of a stage without a `transitions` table: to the stage after it in the file."""
    following = names[names.index(name) + 1 :]
    return (Transition(following[0]),) if following else ()


def _read_transition(table: Table) -> Transition:
    table.allow(EDGE, EDGE_LATER)
    condition = _word(table, "condition", CONDITIONS, "always")
    transform = _word(table, "transform", TRANSFORMS, "direct")
    if condition == "stuck":
        text = f"{table.subject}: a 'stuck' edge is never taken in this version"
        table.warn("condition", text, 'use condition = "max_iterations"')
    if transform not in TRANSFORMS_HERE:
        text = f"{table.subject}: transform '{transform}' is not supported in this version; the context is carried as it is"
        table.warn("transform", text, f"use one of: {', '.join(TRANSFORMS_HERE)}")
        transform = "direct"
    return Transition(table.name, cast(Condition, condition), table.text("hint").strip(), cast(Transform, transform))


def _word(table: Table, key: str, valid: tuple[str, ...], default: str) -> str:
    said = table.text(key, default)
    if said in valid:
        return said
    text = f"{table.subject} has unknown {key} '{said}' (valid: {', '.join(valid)})"
    table.error(key, text, did_you_mean(said, valid))
    return default


def check_graph(document: Document, blueprint: Blueprint) -> None:
    """Report an entry stage or a target that does not exist, a loop without a bound, and a run that could never complete."""
    names = [stage.name for stage in blueprint.stages]
    if blueprint.entry_stage not in names:
        text = f"Invalid graph: entry_stage '{blueprint.entry_stage}' does not match any defined stage"
        document.report("error", "graph", ("agent", "entry_stage"), text, did_you_mean(blueprint.entry_stage, names))
        return
    for stage in blueprint.stages:
        for edge in stage.transitions:
            _check_edge(document, stage, edge, names)
    reached = _reached(blueprint)
    if not any(_may_end(stage) for stage in reached):
        text = "Invalid graph: no terminal path exists from entry stage - agent would never complete"
        fix = "give one stage no transitions (an empty table), or allow_complete = true"
        document.report("error", "graph", ("stages", blueprint.entry_stage), text, fix)
    for stage in blueprint.stages:
        if stage not in reached:
            text = f"stage '{stage.name}' can never be reached from the entry stage '{blueprint.entry_stage}'"
            document.report("warning", "unreachable-stage", ("stages", stage.name), text, "add a transition to it, or remove it")
    for stage in reached:
        _check_loop(document, blueprint, stage)


def _check_edge(document: Document, stage: Stage, edge: Transition, names: list[str]) -> None:
    path = ("stages", stage.name, "transitions", edge.target)
    start = f"Invalid transition from '{stage.name}' to '{edge.target}'"
    if edge.target not in names:
        fix = did_you_mean(edge.target, names) or f"the stages are: {', '.join(names)}"
        document.report("error", "graph", path, f"{start}: target stage does not exist", fix)
    elif edge.target == stage.name and stage.max_revisits is None:
        fix = f"set max_revisits in [stages.{stage.name}]"
        document.report("error", "graph", path, f"{start}: self-loop transition requires max_revisits", fix)


def _check_loop(document: Document, blueprint: Blueprint, stage: Stage) -> None:
    """Warn of a way back to `stage` on which no stage counts its visits: nothing but the model's choices ends such a run."""
    uncounted = [target for target in _targets(blueprint, stage) if target.max_revisits is None]
    for after in uncounted:  # grows while it is walked
        uncounted += [target for target in _targets(blueprint, after) if target.max_revisits is None and target not in uncounted]
    if stage in uncounted:
        text = f"stage '{stage.name}' may be entered again and again: no stage on the way back to it has max_revisits"
        document.report("warning", "endless-loop", ("stages", stage.name), text, f"set max_revisits in [stages.{stage.name}]")


def _reached(blueprint: Blueprint) -> list[Stage]:
    reached = [blueprint.entry]
    for stage in reached:  # grows while it is walked
        reached += [target for target in _targets(blueprint, stage) if target not in reached]
    return reached


def _targets(blueprint: Blueprint, stage: Stage) -> list[Stage]:
    return [target for edge in stage.transitions if (target := blueprint.stage(edge.target)) is not None]


def _may_end(stage: Stage) -> bool:
    return stage.allow_complete or not any(edge.condition in ("always", "llm_choice") for edge in stage.transitions)
