"""Leaving a stage: the people who are asked, the gates on its edges, its on_stage_exit, and the choice of the next one.

The hook fires when the stage is really left, before the next one is chosen. Only where a gate holds one of several edges does
the model choose first: the stage may then go on after all.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from stagehooks.agent.blueprint import Transition
from stagehooks.errors import RunFailed
from stagehooks.run.edge_gates import why_shut
from stagehooks.run.events import EdgeHeld, StageLeft
from stagehooks.run.hooks import HookPoints
from stagehooks.run.inference import Inference
from stagehooks.run.interaction import InteractionPoints
from stagehooks.run.points import ON_STAGE_EXIT
from stagehooks.run.stages import ESCAPES, Visits, dead_end
from stagehooks.run.tally import Tally
from stagehooks.run.visit import Visit
from stagehooks.run.window import Window
from stagehooks.run.work import Ending


@dataclass(frozen=True, slots=True)
class Stay:
    """The stage is not over: it is told `text`, and goes on."""

    text: str


@dataclass(frozen=True, slots=True)
class Go:
    """The stage is left by `edge`; None where the run is complete. `note` tells the next stage what went wrong in this one."""

    edge: Transition | None
    note: str = ""


class Leaving:
    """Decides for the stages of one run whether they are left, and where to."""

    def __init__(
        self,
        hooks: HookPoints,
        inference: Inference,
        points: InteractionPoints,
        window: Window,
        visits: Visits,
        tally: Tally,
    ) -> None:
        self._hooks = hooks
        self._inference = inference
        self._points = points
        self._window = window
        self._visits = visits
        self._tally = tally

    async def leave(self, visit: Visit, ending: Ending) -> Stay | Go:
        """Leave the stage, or keep it at work. RunFailed where it can do neither."""
        edges = self._visits.edges_after(visit.stage, ending.ended, ending.edge)
        if ending.ended == "error" and not edges:
            raise RunFailed(ending.why)
        if ending.ended in ("error", "stuck") or [edge.condition for edge in edges] == ["max_iterations"]:
            self._exit(visit, ending)
            return self._left(visit, ending, edges[0])
        told = await self._points.pass_through(visit, ending.said)
        if told and ending.ended == "max_iterations":
            raise RunFailed(f"stage '{visit.stage.name}' was sent back by a person, but its iterations are used up")
        return Stay(told) if told else await self._choose(visit, ending, edges)

    async def _choose(self, visit: Visit, ending: Ending, edges: tuple[Transition, ...]) -> Stay | Go:
        stage = visit.stage
        several = len(edges) > 1 or bool(edges and stage.allow_complete)
        shut = {} if ending.ended == "max_iterations" else self._shut(visit, edges)
        if not several or not shut:
            chosen = edges[0] if edges else None
        elif len(shut) == len(edges) and not stage.allow_complete:
            return self._hold(visit, shut)
        else:
            chosen = await self._inference.choice(stage, edges)
        if chosen is not None and chosen.target in shut:
            return self._hold(visit, {chosen.target: shut[chosen.target]})
        self._exit(visit, ending)
        if not edges and dead_end(stage):
            raise RunFailed(
                f"stage '{stage.name}' dead-ended: every declared transition's target has spent its max_revisits budget before "
                "an output or terminal stage was reached"
            )
        if several and not shut:
            chosen = await self._inference.choice(stage, edges)
        return self._left(visit, ending, chosen)

    def _exit(self, visit: Visit, ending: Ending) -> None:
        self._hooks.regions(ON_STAGE_EXIT, visit.stage, self._window, ending.ended)

    def _left(self, visit: Visit, ending: Ending, edge: Transition | None) -> Go:
        name = visit.stage.name
        if edge is not None and edge.condition not in ESCAPES:
            text = why_shut(edge, visit, self._window)
            if text:
                self._tally.take(EdgeHeld(name, edge.target, visit.held_by[edge.target], text, forced=True))
        self._tally.take(StageLeft(name, ending.ended, edge.target if edge is not None else None))
        return Go(edge, _note(name, ending))

    def _shut(self, visit: Visit, edges: tuple[Transition, ...]) -> dict[str, str]:
        """The targets that may not be gone to yet, with what the stage is told; a gate that has used up its attempts is open."""
        told = {
            edge.target: why_shut(edge, visit, self._window)
            for edge in edges
            if edge.gate is not None and edge.condition not in ESCAPES and visit.held_by[edge.target] < edge.gate.max_attempts
        }
        return {target: text for target, text in told.items() if text}

    def _hold(self, visit: Visit, shut: Mapping[str, str]) -> Stay:
        for target, text in shut.items():
            visit.held_by[target] += 1
            self._tally.take(EdgeHeld(visit.stage.name, target, visit.held_by[target], text, forced=False))
        return Stay("\n".join(dict.fromkeys(shut.values())))


def _note(stage: str, ending: Ending) -> str:
    match ending.ended:
        case "error":
            return f"Stage '{stage}' failed: {ending.why}."
        case "stuck":
            return f"Stage '{stage}' was left because it was stuck: {ending.why}."
        case "max_iterations":
            return f"Stage '{stage}' was cut off after {ending.why}; its work may not be finished."
        case _:
            return ""
