"""The work in one stage: turn after turn of its model, until the stage is over or cannot go on."""

from dataclasses import dataclass

from stagehooks.agent.blueprint import Stage, Transition
from stagehooks.errors import ModelError
from stagehooks.models.protocol import AssistantMessage, UserMessage
from stagehooks.run.effects import Effects
from stagehooks.run.events import Abandoned, Ended, Nudged
from stagehooks.run.inference import Inference
from stagehooks.run.stages import Visits
from stagehooks.run.tally import Tally
from stagehooks.run.turns import ToolTurns
from stagehooks.run.upkeep import Upkeep
from stagehooks.run.visit import Visit
from stagehooks.run.window import Window
from stagehooks.tools.answer import FinalAnswer

OUTPUT_NUDGE = "This stage is not finished: you have not called `submit_output` with the final output of this run."
REGION_NUDGE = "This stage is not finished: there is nothing yet in the region '{region}', which it is to fill."


@dataclass(frozen=True, slots=True)
class Ending:
    """How a stage's work came to its end, and why where that says more. `said` is what the model said last.

    `edge` is the way out of a stage that is stuck.
    """

    ended: Ended
    why: str = ""
    said: str = ""
    edge: Transition | None = None


class Work:
    """Takes the stages of one run through their turns."""

    def __init__(
        self,
        inference: Inference,
        turns: ToolTurns,
        upkeep: Upkeep,
        window: Window,
        answer: FinalAnswer,
        visits: Visits,
        tally: Tally,
        effects: Effects,
    ) -> None:
        self._inference = inference
        self._turns = turns
        self._upkeep = upkeep
        self._window = window
        self._answer = answer
        self._visits = visits
        self._tally = tally
        self._effects = effects

    async def until_over(self, visit: Visit) -> Ending:
        """Turn after turn, until the model has said its last, or is not to be asked any more."""
        stage = visit.stage
        while True:
            stopped = self._stopped(visit)
            if stopped is not None:
                return stopped
            visit.iterations += 1
            self._tally.iteration = visit.iterations
            await self._upkeep.before_inference(stage)
            level = self._window.level
            try:
                reply = await self._inference.next_turn(stage)
            except ModelError as error:
                return Ending("error", error.message)
            if reply.tool_calls:
                visit.asks_for(reply.tool_calls)
                await self._turns.take(visit, reply.text, reply.tool_calls, level)
                continue
            self._window.say(AssistantMessage(reply.text), level)
            told = self._unfinished(visit)
            if not told:
                return Ending("normal", said=reply.text)
            self.nudge(stage, told)

    def nudge(self, stage: Stage, text: str) -> None:
        """Tell the model of `stage` to go on."""
        regions = ", ".join(region.name for region in stage.regions)
        said = text.replace("{stage}", stage.name).replace("{regions}", regions)
        self._window.say(UserMessage(f"[System] {said}"))
        self._tally.take(Nudged(stage.name, said))

    def _stopped(self, visit: Visit) -> Ending | None:
        """The end of a stage whose turns are used up, or that is stuck and has an edge for that."""
        stage = visit.stage
        if stage.max_iterations and visit.iterations >= stage.max_iterations:
            return Ending("max_iterations", f"{visit.iterations} iterations")
        for edge in stage.transitions:
            if edge.condition == "stuck" and self._visits.open(edge):
                why = visit.stuck(edge.stuck_after, self._minutes(visit) if edge.stuck_after.minutes else 0.0)
                if why:
                    return Ending("stuck", why, edge=edge)
        return None

    def _minutes(self, visit: Visit) -> float:
        minutes = self._effects.noted("minutes", visit.stage.name, visit.minutes)
        if not isinstance(minutes, float):
            return 0.0
        visit.took(minutes)
        return minutes

    def _unfinished(self, visit: Visit) -> str:
        """What the model is told where it has said its last too early; empty where it has not."""
        stage = visit.stage
        if visit.nudges_left:
            visit.nudges_left -= 1
            return stage.nudge.text
        for region in stage.regions:
            if region.required and not self._window.region(region.name).entries:
                if visit.region_nudges_left:
                    visit.region_nudges_left -= 1
                    return (region.required_message or REGION_NUDGE).replace("{region}", region.name)
                self._tally.take(Abandoned(stage.name, region.name))
        if visit.output_nudges_left and self._answer.content is None:
            visit.output_nudges_left -= 1
            return OUTPUT_NUDGE
        return ""
