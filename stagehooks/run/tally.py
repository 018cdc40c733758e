"""Counting what a run takes, by listening to its events."""

from dataclasses import replace

from stagehooks.run.events import Event, HookFired, ModelReplied, Observer, StageEntered, ToolCalled, Totals


class Tally:
    """Passes every event on to `observer` and keeps the sums."""

    def __init__(self, observer: Observer | None) -> None:
        self._observer = observer
        self.totals = Totals()
        self.stages: tuple[str, ...] = ()

    def take(self, event: Event) -> None:
        """Count `event` and pass it on."""
        totals = self.totals
        match event:
            case StageEntered(stage):
                self.stages = (*self.stages, stage)
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
        if self._observer is not None:
            self._observer(event)
