"""What a wire format is to the rest: a request as JSON, and JSON as a reply; and how the JSON of strangers is read."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Protocol

from stagehooks.errors import ModelError
from stagehooks.models.conversation import can_be_offered
from stagehooks.models.protocol import Reply, Request, ToolCall
from stagehooks.scripts.json_text import dump, parse, show
from stagehooks.scripts.outcome import Json

MOST_TOKENS: Final = 2**53
AROUND_THE_GATE: Final = (
    "mcp_servers", "web_search_options", "search_parameters", "plugins", "functions", "function_call", "tool_resources",
    "container",
)  # fmt: skip
"""Parameters by which a server runs tools of its own: nothing here would judge what they are given."""
CUT_ARGUMENTS: Final = "the reply was cut off at its token limit within these arguments"


class Malformed(Exception):
    """The answer is not what the wire format says; the text says where."""


class NoReply(Exception):
    """The answer is well formed, but it is no reply: the model refused, or was stopped."""


class CutOff(NoReply):
    """The model used up its tokens before it said anything."""

    def __init__(self) -> None:
        super().__init__("the model used up its tokens before it said anything: raise parameters.max_output_tokens")


class Wire(Protocol):
    """A wire format. `reserved` are the parameters that an agent file cannot set, since the runtime does."""

    @property
    def path(self) -> str:
        """The path that is asked, below the base URL."""
        ...

    @property
    def reserved(self) -> tuple[str, ...]: ...

    def headers(self, key: str | None) -> dict[str, str]:
        """The headers that this format adds; `key` is None where the server needs none."""
        ...

    def body(self, model: str, request: Request) -> dict[str, Json]:
        """What is asked of `model`."""
        ...

    def reply(self, answer: dict[str, Json]) -> Reply:
        """The reply that `answer` holds, its tool calls without ids; or Malformed, or NoReply."""
        ...


def system_blocks(request: Request) -> list[str]:
    """The blocks of the system prompt that say something."""
    return [block for block in request.system if block.strip()]


def check_offers(request: Request) -> None:
    """ModelError where the name of an offered tool cannot be written on the wire."""
    for tool in request.tools:
        if not can_be_offered(tool.name):
            raise ModelError(f"the tool '{tool.name}' cannot be offered: a name has up to 64 letters, digits, '_' and '-'")


# --- reading JSON of strangers -----------------------------------------------------------------------------------------------


def as_table(value: Json, where: str) -> dict[str, Json]:
    """`value`, if it is an object; Malformed if not. Here and below `where` is what the message calls it."""
    if not isinstance(value, dict):
        raise Malformed(f"{where} is no object: {show(value)}")
    return value


def as_list(value: Json, where: str) -> list[Json]:
    """`value`, if it is an array."""
    if not isinstance(value, list):
        raise Malformed(f"{where} is no array: {show(value)}")
    return value


def as_text(value: Json, where: str) -> str:
    """`value`, if it is a string."""
    if not isinstance(value, str):
        raise Malformed(f"{where} is no string: {show(value)}")
    return value


def tokens(usage: Json, *names: str) -> int:
    """The sum of the counts in `usage`; what is missing or no count is 0, since nothing hangs on it."""
    counts: Mapping[str, Json] = usage if isinstance(usage, dict) else {}
    return sum(count for name in names if (count := _count(counts.get(name))))


def _count(value: Json) -> int:
    return value if type(value) is int and 0 < value < MOST_TOKENS else 0


def read_arguments(value: Json) -> Json:
    """The arguments in `value`, JSON text or already data. For text that is no JSON: a text that says so.

    A text is no object, so the gate refuses the call, and what the model then reads as the result tells it why.
    """
    if not isinstance(value, str):
        return value
    if not value.strip():
        return {}
    try:
        read = parse(value)
    except (ValueError, RecursionError) as error:
        return f"not valid JSON ({error}): {value}"
    return read


def cut_arguments(call: ToolCall) -> ToolCall:
    """`call` as one that cannot be made: its arguments may be a part of what the model meant."""
    return replace(call, arguments=f"{CUT_ARGUMENTS}: {dump(call.arguments)}")
