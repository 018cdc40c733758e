"""Which stage comes next: the edges that are open, and asking the model where there are several."""

import re
from collections import Counter
from typing import Final

from stagehooks.agent.blueprint import Blueprint, Stage, Transition
from stagehooks.agent.graph import DONE
from stagehooks.run.events import Ended

SHORT_LINE: Final = 40
CHOOSABLE: Final = ("always", "llm_choice")
ESCAPES: Final = ("error", "max_iterations", "stuck", "dead_end")
"""Edges that are taken when a stage cannot go on: nobody chooses them, and nothing holds them."""


class Visits:
    """How often each stage of one run was entered, and which edges are open because of that."""

    def __init__(self, blueprint: Blueprint) -> None:
        self._blueprint = blueprint
        self._counts: Counter[str] = Counter()

    def enter(self, stage: Stage) -> int:
        """Count a visit of `stage`: which one it is, from 1."""
        self._counts[stage.name] += 1
        return self._counts[stage.name]

    def has_been(self, stage: Stage) -> bool:
        """Was `stage` entered at all?"""
        return self._counts[stage.name] > 0

    def open(self, edge: Transition) -> bool:
        """May the target of `edge` be entered once more?"""
        target = self._blueprint.stage(edge.target)
        return target is not None and (target.max_revisits is None or self._counts[edge.target] <= target.max_revisits)

    def edges_after(self, stage: Stage, ended: Ended, stuck: Transition | None = None) -> tuple[Transition, ...]:
        """The edges that may be taken out of `stage` now, in the order of the file.

        A stage that is stuck leaves by the edge that says so. One that failed leaves by its first `error` edge, one that used up
        its iterations by its `max_iterations` edge if it has one. Where all edges that can be chosen are closed, `dead_end`
        edges are open, or else `error` edges.
        """
        if stuck is not None:
            return (stuck,)
        edges = [edge for edge in stage.transitions if self.open(edge)]
        if ended == "error":
            return _first(edges, "error", "dead_end")
        if ended == "max_iterations" and _first(edges, "max_iterations"):
            return _first(edges, "max_iterations")
        chosen = tuple(edge for edge in edges if edge.condition in CHOOSABLE)
        if not chosen and dead_end(stage):
            return _first(edges, "dead_end", "error")
        return chosen


def _first(edges: list[Transition], *conditions: str) -> tuple[Transition, ...]:
    """The first edge with the first of the `conditions` that any has; none where none has."""
    for condition in conditions:
        for edge in edges:
            if edge.condition == condition:
                return (edge,)
    return ()


def dead_end(stage: Stage) -> bool:
    """Should `stage` be left by an edge? Then it is a dead end where all of them are closed."""
    return any(edge.condition in CHOOSABLE for edge in stage.transitions)


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
