"""Which stage comes next: the edges that are open, and asking the model where there are several."""

import re
from collections.abc import Mapping
from typing import Final

from stagehooks.agent.blueprint import Blueprint, Stage, Transition
from stagehooks.run.events import Ended

DONE: Final = "DONE"
SHORT_LINE: Final = 40
CHOOSABLE: Final = ("always", "llm_choice")


def edges_after(stage: Stage, ended: Ended, blueprint: Blueprint, visits: Mapping[str, int]) -> tuple[Transition, ...]:
    """The edges that may be taken out of `stage` now, in the order of the file.

    A stage that failed leaves by its first `error` edge, one that used up its iterations by its `max_iterations` edge if it has
    one. An edge into a stage that was revisited as often as it allows is closed.
    """
    edges = [edge for edge in stage.transitions if _is_open(edge, blueprint, visits)]
    if ended == "error":
        failed = [edge for edge in edges if edge.condition == "error"] or [edge for edge in edges if edge.condition == "dead_end"]
        return tuple(failed[:1])
    if ended == "max_iterations":
        stopped = [edge for edge in edges if edge.condition == "max_iterations"]
        if stopped:
            return (stopped[0],)
    chosen = tuple(edge for edge in edges if edge.condition in CHOOSABLE)
    if not chosen and any(edge.condition in CHOOSABLE for edge in stage.transitions):
        return tuple(edge for edge in edges if edge.condition == "dead_end")[:1]
    return chosen


def dead_end(stage: Stage) -> bool:
    """Should `stage` be left by an edge? Then it is a dead end where all of them are closed."""
    return any(edge.condition in CHOOSABLE for edge in stage.transitions)


def _is_open(edge: Transition, blueprint: Blueprint, visits: Mapping[str, int]) -> bool:
    target = blueprint.stage(edge.target)
    return target is not None and (target.max_revisits is None or visits.get(edge.target, 0) <= target.max_revisits)


def question(stage: Stage, edges: tuple[Transition, ...]) -> str:
    """What the model is asked when it is to choose."""
    lines = [f"Stage '{stage.name}' is complete. Available next stages:"]
    lines += [f"- {edge.target}: {edge.hint}" if edge.hint else f"- {edge.target}" for edge in edges]
    if stage.allow_complete:
        lines.append(f"- {DONE}: the task is finished")
    if stage.transition_prompt:
        lines.append(stage.transition_prompt)
    lines.append("Answer with the name of one of them on the first line.")
    return "\n".join(lines)


def read_choice(answer: str, stage: Stage, edges: tuple[Transition, ...]) -> Transition | None:
    """The edge that `answer` names; None for DONE.

    The first line counts, then a short last line. Where neither is clear the run is done if it may be, or takes the first edge.
    """
    lines = [line for line in answer.strip().splitlines() if line.strip()]
    candidates = lines[:1] + [line for line in lines[1:][-1:] if len(line) <= SHORT_LINE]
    for line in candidates:
        named = [edge for edge in edges if _names(line, edge.target)]
        done = stage.allow_complete and _names(line, DONE)
        if len(named) == 1 and not done:
            return named[0]
        if done and not named:
            return None
    return None if stage.allow_complete else edges[0]


def _names(line: str, word: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", line) is not None
