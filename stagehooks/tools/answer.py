"""The run's final answer, and the `submit_output` tool that sets it."""

from collections.abc import Iterable
from typing import Final

from stagehooks.tools.levels import Level
from stagehooks.tools.tool import Parameter, Tool, ToolError

LARGEST_ANSWER: Final = 262_144
RECORDED: Final = "Recorded as this run's final output."


class FinalAnswer:
    """What was submitted last: `content` is None until then. A refused submission leaves the earlier one."""

    def __init__(self, stages: Iterable[str]) -> None:
        self.content: str | None = None
        self.truncated = False
        self._stages = frozenset(name.lower() for name in stages)

    def submit(self, content: str) -> str:
        """Record `content`, cut at 262,144 bytes. ToolError for a blank text, or for the name of a stage."""
        if not content.strip():
            raise ToolError("the final output is blank")
        if content.strip().lower() in self._stages:
            raise ToolError(f"'{content.strip()}' is the name of a stage, not a final output")
        data = content.encode("utf-8", "replace")
        self.truncated = len(data) > LARGEST_ANSWER
        self.content = data[:LARGEST_ANSWER].decode(errors="ignore")
        return RECORDED


def submit_tool(answer: FinalAnswer) -> Tool:
    """The `submit_output` tool, which sets `answer`. It sends nothing anywhere, so it is never asked about."""
    return Tool(
        "submit_output",
        "Record the final output of this run. The last one submitted counts.",
        (Parameter("content", description="The whole final output."),),
        answer.submit,
        policy="allow",
        direction="internal",
        sensitivity=Level.PUBLIC,
    )
