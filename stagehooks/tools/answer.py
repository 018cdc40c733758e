"""The run's final answer, and the `submit_output` tool that sets it."""

from collections.abc import Iterable, Mapping
from typing import Final

from stagehooks.tools.levels import Level
from stagehooks.tools.output_check import NO_CHECK, OutputCheck
from stagehooks.tools.tool import Parameter, Tool, ToolError

LARGEST_ANSWER: Final = 262_144
RECORDED: Final = "Recorded as this run's final output."
DESCRIPTION: Final = "Record the final output of this run. The last one submitted counts."


class FinalAnswer:
    """What was submitted last: `content` is None until then. A refused submission leaves the earlier one.

    `checks` has for each stage what its submissions are measured by.
    """

    def __init__(self, stages: Iterable[str], checks: Mapping[str, OutputCheck] | None = None) -> None:
        self.content: str | None = None
        self.truncated = False
        self._stages = frozenset(name.lower() for name in stages)
        self._checks = checks or {}
        self._passed = NO_CHECK

    def submit(self, content: str, stage: str = "") -> str:
        """Record `content`, cut at 262,144 bytes. ToolError for a blank text, the name of a stage, or what a check rejects.

        What is checked is what is recorded: nothing passes a check by being too long for it.
        """
        if not content.strip():
            raise ToolError("the final output is blank")
        if content.strip().lower() in self._stages:
            raise ToolError(f"'{content.strip()}' is the name of a stage, not a final output")
        self._record(content, self._checks.get(stage, NO_CHECK))
        return RECORDED

    def rewrite(self, content: str) -> None:
        """Put `content` in the place of what was submitted; ToolError if it would not have passed where that did."""
        self._record(content, self._passed)

    def _record(self, content: str, check: OutputCheck) -> None:
        data = content.encode("utf-8", "replace")
        truncated = len(data) > LARGEST_ANSWER
        kept = data[:LARGEST_ANSWER].decode(errors="ignore")
        problem = check.problem(kept)
        if problem is not None:
            raise ToolError(f"{problem} (only the first {LARGEST_ANSWER} bytes of it count)" if truncated else problem)
        self.content, self.truncated, self._passed = kept, truncated, check


def submit_tool(answer: FinalAnswer, stage: str = "", wanted: str = "") -> Tool:
    """The `submit_output` tool of `stage`, which sets `answer`; `wanted` says what is to be submitted.

    It sends nothing anywhere, so it is never asked about.
    """

    def submit(content: str) -> str:
        return answer.submit(content, stage)

    return Tool(
        "submit_output",
        f"{DESCRIPTION}\n{wanted}" if wanted else DESCRIPTION,
        (Parameter("content", description="The whole final output."),),
        submit,
        policy="allow",
        direction="internal",
        sensitivity=Level.PUBLIC,
        effect="run",
    )
