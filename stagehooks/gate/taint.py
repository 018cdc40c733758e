"""The taint gate: confidential text may not leave by a tool that is cleared for less.

What the agent holds anywhere may be in the arguments of its next call, so the whole window is measured, hidden regions included.
"""

from dataclasses import dataclass

from stagehooks.run.window import Window
from stagehooks.tools.levels import Level
from stagehooks.tools.tool import Tool


@dataclass(frozen=True, slots=True)
class Leak:
    """`tool` would be given data of `level`, held in `regions`, although it is cleared for `clearance` only."""

    tool: str
    level: Level
    clearance: Level
    regions: tuple[str, ...]

    def question(self) -> str:
        """What is asked of whoever may let it pass."""
        return (
            f"Tool '{self.tool}' would send {self.level.title}-level data over a channel cleared only for "
            f"{self.clearance.title}. Allow it?"
        )

    def blocked(self) -> str:
        """What the model is told where nobody can be asked."""
        return (
            f"[blocked] Tool '{self.tool}' would send {self.level.title}-level data over a channel cleared only for "
            f"{self.clearance.title} (tainted by: {', '.join(self.regions)}). Nobody was there to permit it."
        )

    def denied(self) -> str:
        """What the model is told after a no."""
        return (
            f"[blocked] Tool '{self.tool}' would send data at {self.level.word} sensitivity, above its "
            f"{self.clearance.word} clearance. Denied by user."
        )


def leak_of(tool: Tool, window: Window) -> Leak | None:
    """What `tool` would give away, or None where it is no outbound tool or cleared for all that is held."""
    if tool.direction != "outbound" or window.level <= tool.clearance:
        return None
    return Leak(tool.name, window.level, tool.clearance, window.tainted(above=tool.clearance))
