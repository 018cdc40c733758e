"""What goes to a model and what comes back. Knows nothing of providers, regions or hooks."""

from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol, TypeAlias

from stagehooks.scripts.outcome import Json

Purpose = Literal["reply", "transition", "summary"]
"""Why a model is asked: for the next turn of a stage, for the stage to go to after it, or for the summary of a region."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the model asks for. `arguments` is plain data, as the model gave it: nothing has checked it."""

    id: str
    name: str
    arguments: Json


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What the user's side says."""

    text: str


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """What the model said, with the tool calls it asked for."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came of one tool call."""

    call_id: str
    tool: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolResults:
    """The results of one turn's tool calls, in the order of the calls."""

    results: tuple[ToolResult, ...]


Message: TypeAlias = UserMessage | AssistantMessage | ToolResults


@dataclass(frozen=True, slots=True)
class ToolOffer:
    """A tool as the model sees it. `parameters` is a JSON Schema of its arguments."""

    name: str
    description: str
    parameters: Json


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model. `turn` counts from 1 within the stage and the purpose, over all visits of the stage."""

    stage: str
    turn: int
    purpose: Purpose
    model: str
    system: tuple[str, ...]
    messages: tuple[Message, ...]
    tools: tuple[ToolOffer, ...] = ()
    temperature: float | None = None
    max_output_tokens: int | None = None
    extra: tuple[tuple[str, Json], ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer. `tokens` counts the whole call, input and output."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class ModelTroubled:
    """A model did not answer: it is asked again after `wait` seconds, or (None) the next one of the stage's is asked."""

    event: ClassVar[str] = "trouble"
    stage: str
    turn: int
    error: str
    wait: float | None


class Model(Protocol):
    """Whatever can answer a request; it raises ModelError and nothing else."""

    async def complete(self, request: Request) -> Reply:
        """The answer to `request`."""
        ...
