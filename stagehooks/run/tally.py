"""Counting what a run takes, by listening to its events."""

from dataclasses import replace

from stagehooks.run.effects import Effects
from stagehooks.run.events import Event, HookFired, ModelReplied, Observer, StageEntered, ToolCalled, Totals
from stagehooks.scripts.json_text import Json


class Tally:
    """Passes on to `observer` every event that is new to `effects`, and keeps the sums of all."""

    def __init__(self, observer: Observer | None, effects: Effects) -> None:
        self._observer = observer
        self._effects = effects
        self.totals = Totals()
        self.stages: list[str] = []
        self.iteration = 0
        """The turn of the current visit, from 1; whoever begins it sets it."""

    def take(self, event: Event) -> None:
        """Count `event` and pass it on."""
        totals = self.totals
        match event:
            case StageEntered(stage):
                self.stages.append(stage)
                self.iteration = 0
                self.totals = replace(totals, stages=totals.stages + 1)
            case HookFired():
                operations = totals.operations + (event.operations or 0)
                self.totals = replace(totals, hooks=totals.hooks + 1, operations=operations)
            case ModelReplied():
                self.totals = replace(totals, inferences=totals.inferences + 1, tokens=totals.tokens + event.tokens)
            case ToolCalled() if event.offered is not None:
                self.totals = replace(totals, tool_calls=totals.tool_calls + 1)
            case _:
                pass
        if self._effects.event(event) and self._observer is not None:
            self._observer(event)

    def spend(self, operations: int) -> None:
        """A script that is no hook has used so many operations."""
        self.totals = replace(self.totals, operations=self.totals.operations + operations)

    def tell(self, event: Event) -> None:
        """Pass on what is true for the moment only: it is not counted, and a resumed run does not come by it again."""
        if not self._effects.live:
            return
        self._effects.aside(event)
        if self._observer is not None:
            self._observer(event)

    def so_far(self) -> Json:
        """What the run has taken, as hooks see it."""
        totals = self.totals
        return {
            "stages": totals.stages,
            "inferences": totals.inferences,
            "tokens": totals.tokens,
            "tool_calls": totals.tool_calls,
        }
