"""The contract of a stage hook: its seven names, its four answers, and how a returned value becomes an answer.

What `Modify` and `Retry` mean is the calling point's business. Here it is only decided that a script gave a well-formed
answer; a typo such as "modfiy" must never read as "allow".
"""

from rhaipy import frozen
from rhaipy.typings import Final, TypeAlias
from stagehooks.scripts.json_text import SHOWN, show
from stagehooks.scripts.json_text import Json as Json

HOOK_NAMES: Final = (
    "on_stage_enter",
    "on_stage_exit",
    "before_inference",
    "after_inference",
    "on_tool_call",
    "on_completion",
    "on_error",
)
"""The hooks there are, as the names of the functions that a script defines."""

ACTIONS: Final = "allow, modify, cancel, or retry"


@frozen
class Allow:
    """Proceed unchanged."""


@frozen
class Modify:
    """Proceed with `value`."""

    value: Json


@frozen
class Cancel:
    """Refuse. `reason` is None when the script gave none."""

    reason: str | None = None


@frozen
class Retry:
    """Do it again."""


HookOutcome: TypeAlias = Allow | Modify | Cancel | Retry


class BadAnswer(Exception):
    """A returned value that is no answer; the text says why."""


def read_outcome(answer: Json) -> HookOutcome:
    """The answer that the returned value `answer` stands for; BadAnswer if it stands for none."""
    if answer is None or answer is True:
        return Allow()
    if answer is False:
        return Cancel()
    if type(answer) is not dict:
        raise BadAnswer(f"expected (), a bool, or a map with an 'action', got: {show(answer)}")
    action = answer.get("action")
    if type(action) is not str:
        raise BadAnswer(f"the returned map has no 'action' (expected {ACTIONS})")
    match action:
        case "allow":
            return Allow()
        case "modify" if "value" in answer:
            return Modify(answer["value"])
        case "modify":
            raise BadAnswer("action 'modify' needs a 'value' saying what to proceed with")
        case "cancel":
            reason = answer.get("reason")
            return Cancel(reason if type(reason) is str else None)
        case "retry":
            return Retry()
    raise BadAnswer(f"unknown action '{action[:SHOWN]}' (expected {ACTIONS})")


def outcome_data(outcome: HookOutcome) -> dict[str, Json]:
    """`outcome` with a `value` where it modifies and a `reason` where it cancels."""
    match outcome:
        case Modify(value):
            return {"outcome": "modify", "value": value}
        case Cancel(reason):
            return {"outcome": "cancel", "reason": reason}
        case Allow():
            return {"outcome": "allow"}
        case Retry():
            return {"outcome": "retry"}
