"""The messages format of Anthropic.

The request is one JSON object at `BASE_URL/v1/messages`, with the version of the format in a header. The system prompt stands
beside the `messages`, whose content is a list of blocks: text, `tool_use` in the assistant's messages, `tool_result` at the
beginning of the user's message behind it. `max_tokens` must be there. The reply is the answer's own list of blocks; those of
other types, such as the model's thinking, are left out. `stop_reason` tells a whole reply from one that was cut off or refused.

The version is the one that still takes `temperature`, for the models that do.
"""

from dataclasses import dataclass
from typing import Final

from stagehooks.models.conversation import Call, Part, conversation
from stagehooks.models.protocol import Reply, Request, ToolCall, UserMessage
from stagehooks.models.wire import (
    CutOff,
    NoReply,
    as_list,
    as_table,
    as_text,
    check_offers,
    cut_arguments,
    system_blocks,
    tokens,
)
from stagehooks.scripts.outcome import Json

VERSION: Final = "2023-06-01"
MAX_TOKENS: Final = 8192
"""Where the agent file gives none: the format wants a number, and every model of today takes this one."""
CUT: Final = ("max_tokens", "model_context_window_exceeded")
COUNTED: Final = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
NEEDS_TOOLS: Final = ("tool_choice",)
NOT_FOR_A_CHOICE: Final = ("thinking",)
"""A budget for thinking is larger than what the choice of the next stage may take altogether."""


@dataclass(frozen=True, slots=True)
class Messages:
    """The format."""

    @property
    def path(self) -> str:
        """Below the base URL."""
        return "/v1/messages"

    @property
    def reserved(self) -> tuple[str, ...]:
        """What the runtime sets; a reply always comes whole."""
        return ("model", "messages", "system", "tools", "max_tokens", "stream")

    def headers(self, key: str | None) -> dict[str, str]:
        """The version, and the key in a header of its own."""
        version = {"anthropic-version": VERSION}
        return version if key is None else {**version, "x-api-key": key}

    def body(self, model: str, request: Request) -> dict[str, Json]:
        """The request as this format says it."""
        check_offers(request)
        left_out = (() if request.tools else NEEDS_TOOLS) + (NOT_FOR_A_CHOICE if request.purpose != "reply" else ())
        body: dict[str, Json] = {key: value for key, value in request.extra if key not in left_out}
        body |= {"model": model, "messages": _messages(conversation(request.messages))}
        body["max_tokens"] = request.max_output_tokens or MAX_TOKENS
        system: list[Json] = [_text(block) for block in system_blocks(request)]
        if system:
            body["system"] = system
        if request.tools:
            body["tools"] = [
                {"name": tool.name, "description": tool.description, "input_schema": tool.parameters} for tool in request.tools
            ]
        if request.temperature is not None:
            body["temperature"] = request.temperature
        return body

    def reply(self, answer: dict[str, Json]) -> Reply:
        """All text, and all tool calls."""
        blocks = [as_table(block, "a block of 'content'") for block in as_list(answer.get("content"), "'content'")]
        stop = answer.get("stop_reason")
        text = "".join(as_text(block.get("text"), "'text'") for block in blocks if block.get("type") == "text")
        calls = [_call(block) for block in blocks if block.get("type") == "tool_use"]
        if stop == "refusal":
            raise NoReply("the model refused to answer")
        if stop in CUT and not text.strip() and not calls:
            raise CutOff
        if stop in CUT and blocks[-1].get("type") == "tool_use":
            calls[-1] = cut_arguments(calls[-1])
        return Reply(text, tuple(calls), tokens(answer.get("usage"), *COUNTED))


def _messages(parts: list[Part]) -> list[Json]:
    """The results of calls and what the user says next are one message."""
    messages: list[Json] = []
    results: list[Json] = []
    for part in parts:
        if isinstance(part, UserMessage):
            messages.append({"role": "user", "content": [*results, _text(part.text)]})
            results = []
            continue
        if results:
            messages.append({"role": "user", "content": results})
        said: list[Json] = [_text(part.text)] if part.text.strip() else []
        messages.append({"role": "assistant", "content": [*said, *(_use(call) for call in part.calls)]})
        results = [_result(call) for call in part.calls]
    if results:
        messages.append({"role": "user", "content": results})
    return messages


def _text(text: str) -> dict[str, Json]:
    return {"type": "text", "text": text}


def _use(call: Call) -> Json:
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments}


def _result(call: Call) -> Json:
    """The result of a call; a blank one is none, since the format takes no blank text."""
    result: dict[str, Json] = {"type": "tool_result", "tool_use_id": call.id}
    return {**result, "content": call.result} if call.result.strip() else result


def _call(block: dict[str, Json]) -> ToolCall:
    return ToolCall("", as_text(block.get("name"), "the name of a tool call"), block.get("input"))
