"""One visit of a stage: what has happened in it so far, as counts that gates, stuck edges and hooks ask for."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from stagehooks.agent.blueprint import Stage, StuckAfter
from stagehooks.models.protocol import ToolCall
from stagehooks.run.control import Clock
from stagehooks.run.events import ToolCalled
from stagehooks.run.window import Window

EDITING: Final = ("write_file", "edit_file")
"""The built-in tools that change files."""
MOST_NUDGES: Final = 3
"""How often a stage is told of an output that it owes, or of regions that it is to fill."""


class Visit:
    """The counts of one visit, from after on_stage_enter. `iterations` counts the turns that the model was asked for."""

    def __init__(self, stage: Stage, window: Window, clock: Clock) -> None:
        self.stage = stage
        self.iterations = 0
        self.asked_calls = 0
        self.nudges_left = stage.nudge.max if stage.nudge.enabled and stage.available_tools else 0
        self.output_nudges_left = MOST_NUDGES if stage.require_output else 0
        self.region_nudges_left = MOST_NUDGES
        self.held_by: Counter[str] = Counter()
        """How often the gate to each target has held the stage."""
        self.answered: set[str] = set()
        """The interaction points that are done with."""
        self.rounds: Counter[str] = Counter()
        """How often a person has sent the stage back, by interaction point."""
        self._edits: Counter[str] = Counter()
        self._worked: Counter[str] = Counter()
        self._denied: set[str] = set()
        self._clock = clock
        self._began = clock.seconds
        gates = [edge.gate for edge in stage.transitions if edge.gate is not None]
        watched = [gate.require_region_updated for gate in gates if gate.require_region_updated]
        self._texts = {name: window.region(name).text for name in watched}

    def asks_for(self, calls: Iterable[ToolCall]) -> None:
        """The model asks for `calls`; what becomes of them is another matter."""
        self.nudges_left = 0
        for call in calls:
            self.asked_calls += 1
            if call.name in EDITING and isinstance(call.arguments, dict):
                self._edits[str(call.arguments.get("path"))] += 1

    def made(self, event: ToolCalled) -> None:
        """A call has come to its end."""
        if event.ok:
            self._worked[event.name] += 1
        elif event.policy == "deny" or event.approval in ("deny", "nobody"):
            self._denied.add(event.name)

    def worked(self, tool: str) -> bool:
        """Has a call of `tool` succeeded?"""
        return self._worked[tool] > 0

    def was_denied(self, tool: str) -> bool:
        """Was a call of `tool` refused by policy or by a person?"""
        return tool in self._denied

    def changed(self, region: str, window: Window) -> bool:
        """Does `region` hold something else than when the stage was entered?"""
        return self._texts[region] != window.region(region).text

    def minutes(self) -> float:
        """How long the visit has taken, without the time in which it waited for a person."""
        return (self._clock.seconds - self._began) / 60

    def took(self, minutes: float) -> None:
        """The visit has taken so long, whatever the clock says: it began in a process that is gone."""
        self._clock.forward(max(0.0, minutes - self.minutes()) * 60)

    def stuck(self, after: StuckAfter, minutes: float) -> str:
        """Which of the thresholds has been reached, in words; empty where none has."""
        path, edits = max(self._edits.items(), key=lambda item: item[1], default=("", 0))
        if after.iterations and self.iterations >= after.iterations:
            return f"{self.iterations} iterations"
        if after.minutes and minutes >= after.minutes:
            return f"{after.minutes:g} minutes"
        if after.same_file_edits and edits >= after.same_file_edits:
            return f"{edits} edits of '{path}'"
        if after.tool_calls and self.asked_calls >= after.tool_calls:
            return f"{self.asked_calls} tool calls"
        return ""
