"""The seven hook points as data: what each sees, what its `modify` must give, what is said when it refuses or goes wrong.

How one is fired is the same for all (`hooks`).
"""

from dataclasses import dataclass
from typing import Final

REGIONS: Final = "a map of region name to content"
EVERYWHERE: Final = ("stage", "stage_index", "iteration", "totals")
"""The fields of every ctx: the stage, the turn in this visit of it (0 before the first), and what the run has taken so far."""


@dataclass(frozen=True, slots=True)
class Point:
    """One hook. `sees` names the fields of its ctx beside those of EVERYWHERE; `takes` says what its `modify` must give.

    `refusal` and `retry` are the middle of the two messages; `{stage}` in them stands for the stage's name.
    """

    name: str
    sees: tuple[str, ...]
    takes: str
    refusal: str
    retry: str
    opening: str = ": "

    def failed(self, why: str) -> str:
        """The script threw, ran out of something, or gave no answer of the contract."""
        return f"{self.name}{self.opening}hook failed: {why}"

    def refused(self, stage: str, reason: str | None) -> str:
        """The script answered `false` or `cancel`."""
        why = "no reason given" if reason is None else reason
        return f"{self.name}{self.opening}{_named(self.refusal, stage)}: {why}"

    def cannot_retry(self, stage: str) -> str:
        """The script answered `retry` where it cannot be honoured."""
        return f"{self.name}{self.opening}returned 'retry', which {_named(self.retry, stage)}"

    def bad_value(self, what: str) -> str:
        """The value of a `modify` is nothing this hook can use."""
        return f"{self.name}: {what}"


def _named(text: str, stage: str) -> str:
    return text.replace("{stage}", stage)


ON_STAGE_ENTER: Final = Point(
    "on_stage_enter",
    sees=("regions",),
    takes=REGIONS,
    refusal="refused stage '{stage}'",
    retry="this hook cannot honour (stage '{stage}' is already entered)",
    opening=" ",
)
ON_STAGE_EXIT: Final = Point(
    "on_stage_exit",
    sees=("regions", "ended"),
    takes=REGIONS,
    refusal="refused to leave stage '{stage}'",
    retry="this hook cannot honour (the stage is already over)",
)
BEFORE_INFERENCE: Final = Point(
    "before_inference",
    sees=("regions", "attempt"),
    takes=REGIONS,
    refusal="refused the inference",
    retry="this hook cannot honour (nothing has run yet)",
)
AFTER_INFERENCE: Final = Point(
    "after_inference",
    sees=("response", "tokens_used", "tool_calls", "attempt"),
    takes="the replacement response text",
    refusal="rejected the response",
    retry="this hook can honour no more (max_attempts of stage '{stage}' is used up)",
)
ON_TOOL_CALL: Final = Point(
    "on_tool_call",
    sees=("tool_calls",),
    takes="an array of #{ name, arguments }",
    refusal="refused the tool calls",
    retry="this hook cannot honour - cancel the call and let the model choose again",
)
ON_COMPLETION: Final = Point(
    "on_completion",
    sees=("status", "output", "error"),
    takes="replacement text",
    refusal="rejected the result",
    retry="this hook cannot honour (the run has finished)",
)
ON_ERROR: Final = Point(
    "on_error",
    sees=("status", "output", "error"),
    takes="replacement text",
    refusal="rejected the result",
    retry="this hook cannot honour (the run has finished)",
)

POINTS: Final = {
    point.name: point
    for point in (
        ON_STAGE_ENTER, ON_STAGE_EXIT, BEFORE_INFERENCE, AFTER_INFERENCE, ON_TOOL_CALL, ON_COMPLETION, ON_ERROR,
    )
}  # fmt: skip
"""Every hook by name, in the order of `HOOK_NAMES`."""
