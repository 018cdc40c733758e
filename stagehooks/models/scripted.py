"""The offline model: replies read from a TOML file beside the agent, matched by stage and turn.

    [[plan]]                                        # the first reply in stage `plan`
    text = "Let me see what is there."
    tokens = 120
    tool_calls = [{ name = "list_files", arguments = { path = "." } }]

    [[plan]]                                        # the second one, whichever visit of the stage it falls into
    text = "That is all I need."

    [[plan]]                                        # the answer when the next stage is to be chosen
    next = "build"

    [[plan]]                                        # the answer when a region of the stage is to be summarised
    summary = "Tickets 101 and 102 were read."

`error = "text"` in place of a text makes the model fail at that turn.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from stagehooks.agent.document import MAX_BYTES, Document, Table
from stagehooks.agent.files import Unreadable, inside, read_bounded
from stagehooks.errors import BlueprintError, ModelError, SpawnError
from stagehooks.models.protocol import Purpose, Reply, Request, ToolCall

KEYS: Final = ("text", "tokens", "tool_calls", "next", "summary", "error")
ALONE: Final[dict[str, Purpose]] = {"next": "transition", "summary": "summary"}
"""The keys that stand alone in an entry, and what each answers."""
WANTED: Final[dict[Purpose, str]] = {"reply": "reply", "transition": "choice of the next stage", "summary": "summary"}


@dataclass(frozen=True, slots=True)
class ScriptedReply:
    """One entry of the file, on line `line` (0: not from a file): what is said where it is asked for `purpose`, or a failure."""

    reply: Reply
    purpose: Purpose = "reply"
    error: str | None = None
    line: int = 0


class ScriptedModel:
    """Answers from `replies`: for each stage its replies in order. `name` is what messages call the file."""

    def __init__(self, replies: Mapping[str, tuple[ScriptedReply, ...]], name: str = "replies") -> None:
        self._replies = replies
        self._name = name

    async def complete(self, request: Request) -> Reply:
        """The reply for the request's stage and turn; ModelError when there is none, or when it is a failure."""
        entries = self._replies.get(request.stage, ())
        fitting = [entry for entry in entries if entry.purpose == request.purpose]
        if request.turn > len(fitting):
            line = f":{entries[-1].line}" if entries else ""
            raise ModelError(
                f"{self._name}{line}: there is no {WANTED[request.purpose]} for turn {request.turn} of stage '{request.stage}' "
                f"({len(fitting)} in the file{self._others(request.stage)})"
            )
        entry = fitting[request.turn - 1]
        if entry.error is not None:
            raise ModelError(entry.error)
        return entry.reply

    def _others(self, stage: str) -> str:
        """A reminder of what the file does have, where it has nothing at all for `stage`."""
        return "" if stage in self._replies or not self._replies else f", which has replies for: {', '.join(self._replies)}"


def read_replies(directory: Path, declared: str) -> ScriptedModel:
    """The model whose replies stand in the file `declared` beside the agent in `directory`; SpawnError if it cannot be read."""
    path = inside(directory, declared)
    if path is None:
        raise SpawnError(f"replies file '{declared}' resolves outside the agent's directory ({directory})")
    try:
        data = read_bounded(path, MAX_BYTES + 1)
    except Unreadable as error:
        raise SpawnError(f"cannot read replies file '{directory / declared}': {error}") from None
    document = Document(str(directory / declared), data, "the replies file")
    replies = {stage: _read_stage(document.root, stage) for stage in document.root}
    for finding in document.findings:
        raise BlueprintError(finding.file, finding.line, finding.text)
    return ScriptedModel(replies, document.name)


def _read_stage(root: Table, stage: str) -> tuple[ScriptedReply, ...]:
    return tuple(_read(entry, f"{stage}-{turn}") for turn, entry in enumerate(root.tables(stage), 1))


def _read(entry: Table, turn: str) -> ScriptedReply:
    entry.allow(KEYS)
    said = next((key for key in ALONE if key in entry), "text")
    if not any(key in entry for key in ("text", "error", "tool_calls", *ALONE)):
        entry.error("text", f"{entry.subject}: a reply needs a 'text', 'tool_calls', 'next', 'summary' or 'error'")
    if said in ALONE and len(entry) > 1:
        entry.error(said, f"{entry.subject}: a {WANTED[ALONE[said]]} stands alone")
    calls = tuple(_read_call(call, f"{turn}-{place}") for place, call in enumerate(entry.tables("tool_calls"), 1))
    return ScriptedReply(
        Reply(entry.text(said), calls, entry.whole("tokens", 0)),
        purpose=ALONE.get(said, "reply"),
        error=entry.text("error") if "error" in entry else None,
        line=entry.line(),
    )


def _read_call(call: Table, id: str) -> ToolCall:
    call.allow(("name", "arguments"))
    if "name" not in call:
        call.error("name", f"{call.subject}: a tool call needs a 'name'")
    return ToolCall(id, call.text("name"), call.plain("arguments") if "arguments" in call else {})
