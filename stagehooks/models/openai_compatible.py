"""The chat completions format, which OpenAI defined and many servers speak.

The request is one JSON object at `BASE_URL/chat/completions`. The system prompt is the first of its `messages`; the assistant's
tool calls stand in its message with their arguments as JSON text, and each result is a message of the role `tool` that names the
call's id. The reply is the first of the answer's `choices`: its `content`, its `tool_calls`, and a `finish_reason` that tells a
whole reply from one that was cut off or suppressed. Servers differ in details: arguments that are already an object, a content in
pieces, an `error` in an answer with the status 200. All of these are taken.
"""

from dataclasses import dataclass
from typing import Final

from stagehooks.models.conversation import Call, Part, conversation
from stagehooks.models.protocol import Reply, Request, ToolCall, ToolOffer, UserMessage
from stagehooks.models.wire import (
    CutOff,
    NoReply,
    as_list,
    as_table,
    as_text,
    check_offers,
    cut_arguments,
    read_arguments,
    system_blocks,
    tokens,
)
from stagehooks.scripts.json_text import dump, show
from stagehooks.scripts.outcome import Json

NEEDS_TOOLS: Final = ("tool_choice", "parallel_tool_calls")
"""Parameters that servers refuse in a request without tools, such as the choice of the next stage."""


@dataclass(frozen=True, slots=True)
class ChatCompletions:
    """The format. `limit` is the parameter for the most tokens of a reply: OpenAI renamed it, others did not follow."""

    limit: str = "max_tokens"

    @property
    def path(self) -> str:
        """Below the base URL."""
        return "/chat/completions"

    @property
    def reserved(self) -> tuple[str, ...]:
        """What the runtime sets; a reply is always one, and whole."""
        return ("model", "messages", "tools", "n", "stream", self.limit)

    def headers(self, key: str | None) -> dict[str, str]:
        """The key as a bearer token."""
        return {} if key is None else {"Authorization": f"Bearer {key}"}

    def body(self, model: str, request: Request) -> dict[str, Json]:
        """The request as this format says it."""
        check_offers(request)
        system = "\n\n".join(system_blocks(request))
        messages: list[Json] = [{"role": "system", "content": system}] if system else []
        for part in conversation(request.messages):
            messages += _messages(part)
        body: dict[str, Json] = {key: value for key, value in request.extra if request.tools or key not in NEEDS_TOOLS}
        body |= {"model": model, "messages": messages}
        if request.tools:
            body["tools"] = [_tool(tool) for tool in request.tools]
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if request.max_output_tokens is not None:
            body[self.limit] = request.max_output_tokens
        return body

    def reply(self, answer: dict[str, Json]) -> Reply:
        """The first choice."""
        choices = as_list(answer.get("choices"), "'choices'")
        if not choices:
            raise NoReply("the server sent no choice")
        choice = as_table(choices[0], "'choices[0]'")
        message = as_table(choice.get("message"), "'message'")
        text, finish = _text(message.get("content")), choice.get("finish_reason")
        asked = as_list(message.get("tool_calls") or [], "'tool_calls'")
        calls = tuple(_call(as_table(call, "a tool call")) for call in asked)
        if isinstance(message.get("refusal"), str) and message["refusal"]:
            raise NoReply(f"the model refused: {show(message['refusal'])}")
        if finish == "content_filter":
            raise NoReply("the server's content filter stopped the reply")
        if finish == "length" and not text.strip() and not calls:
            raise CutOff
        if finish == "length" and calls and _may_be_cut(asked[-1]):
            calls = (*calls[:-1], cut_arguments(calls[-1]))
        return Reply(text, calls, _tokens(answer.get("usage")))


def _messages(part: Part) -> list[Json]:
    if isinstance(part, UserMessage):
        return [{"role": "user", "content": part.text}]
    said: dict[str, Json] = {"role": "assistant", "content": part.text or None}
    if part.calls:
        said["tool_calls"] = [_asked(call) for call in part.calls]
    return [said, *(_result(call) for call in part.calls)]


def _asked(call: Call) -> Json:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": dump(call.arguments)}}


def _result(call: Call) -> Json:
    return {"role": "tool", "tool_call_id": call.id, "content": call.result}


def _tool(tool: ToolOffer) -> Json:
    return {"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters}}


def _text(content: Json) -> str:
    """A content is a string, nothing, or a list of pieces, of which those that are text count."""
    if not isinstance(content, list):
        return "" if content is None else as_text(content, "'content'")
    pieces = [as_table(piece, "a piece of 'content'") for piece in content]
    return "".join(as_text(piece.get("text"), "'text'") for piece in pieces if piece.get("type") == "text")


def _call(call: dict[str, Json]) -> ToolCall:
    function = as_table(call.get("function"), "'function'")
    return ToolCall("", as_text(function.get("name"), "the name of a tool call"), read_arguments(function.get("arguments")))


def _may_be_cut(call: Json) -> bool:
    """May the arguments be a part of what the model meant? Whole JSON text is all of it; no text at all may be its beginning."""
    function = call.get("function") if isinstance(call, dict) else None
    arguments = function.get("arguments") if isinstance(function, dict) else None
    return not isinstance(arguments, str) or not arguments.strip()


def _tokens(usage: Json) -> int:
    return tokens(usage, "total_tokens") or tokens(usage, "prompt_tokens", "completion_tokens")
