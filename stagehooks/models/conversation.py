"""The messages of a request in the shape that every wire format can say.

Servers are strict where the window is not: the user speaks first, the speakers take turns, every tool call has a result right
behind it and an id of its own, names have few characters, arguments are an object.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from stagehooks.models.protocol import AssistantMessage, Message, ToolCall, ToolResult, ToolResults, UserMessage
from stagehooks.scripts.outcome import Json

NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
NOT_IN_NAMES: Final = re.compile(r"[^a-zA-Z0-9_-]")
LONGEST_NAME: Final = 64
LEFT_OUT: Final = "[What was said before is left out.]"
NO_RESULT: Final = "[There is no result of this call.]"


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call with its result. Ids count the calls of a request, in nine letters and digits: Mistral wants it so."""

    id: str
    name: str
    arguments: dict[str, Json]
    result: str


@dataclass(frozen=True, slots=True)
class Said:
    """What the assistant said, and the calls it made."""

    text: str
    calls: tuple[Call, ...] = ()


Part: TypeAlias = UserMessage | Said


def conversation(messages: Sequence[Message]) -> list[Part]:
    """What was said, the user first, then in turns."""
    parts: list[Part] = []
    made = 0
    for place, message in enumerate(messages):
        match message:
            case UserMessage():
                _add(parts, message)
            case AssistantMessage(text, asked):
                behind = messages[place + 1] if place + 1 < len(messages) else None
                results = behind.results if isinstance(behind, ToolResults) else ()
                calls = tuple(_call(call, made + number, results) for number, call in enumerate(asked, 1))
                made += len(calls)
                _add(parts, Said(text, calls))
            case ToolResults(results):
                before = messages[place - 1] if place else None
                known = {call.id for call in before.tool_calls} if isinstance(before, AssistantMessage) else set()
                for result in results:
                    if result.call_id not in known:
                        _add(parts, UserMessage(f"[result of {result.tool}]\n{result.text}"))
    return parts or [UserMessage(LEFT_OUT)]


def _add(parts: list[Part], part: Part) -> None:
    """Put `part` behind the others; one speaker's parts become one where no calls stand between them."""
    if not part.text.strip() and not (isinstance(part, Said) and part.calls):
        return
    last = parts[-1] if parts else None
    if isinstance(part, Said) and last is None:
        parts.append(UserMessage(LEFT_OUT))
    if isinstance(part, UserMessage) and isinstance(last, UserMessage):
        parts[-1] = UserMessage(_joined(last.text, part.text))
    elif isinstance(part, Said) and isinstance(last, Said) and not last.calls:
        parts[-1] = replace(part, text=_joined(last.text, part.text))
    else:
        parts.append(part)


def _joined(one: str, other: str) -> str:
    return "\n\n".join(text for text in (one, other) if text.strip())


def _call(call: ToolCall, number: int, results: Sequence[ToolResult]) -> Call:
    result = next((result.text for result in results if result.call_id == call.id), NO_RESULT)
    return Call(f"call{number:05}", wire_name(call.name), _arguments(call.arguments), result)


def _arguments(value: Json) -> dict[str, Json]:
    """What was asked for, as an object: others are refused by servers, and here by the gate."""
    if isinstance(value, dict):
        return value
    return {} if value is None else {"invalid_arguments": value}


def wire_name(name: str) -> str:
    """`name` as every server takes it; a model or a hook may have made up any other."""
    return NOT_IN_NAMES.sub("_", name)[:LONGEST_NAME] or "_"


def can_be_offered(name: str) -> bool:
    """Can a tool called `name` be offered to a model and be called by that name?"""
    return NAME.fullmatch(name) is not None
