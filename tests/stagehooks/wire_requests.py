"""A request with everything in it, and what a server's answer to it becomes."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stagehooks.errors import ModelError
from stagehooks.models.anthropic import Messages
from stagehooks.models.choice import models_of
from stagehooks.models.openai_compatible import ChatCompletions
from stagehooks.models.protocol import (
    AssistantMessage,
    Message,
    Model,
    Reply,
    Request,
    ToolCall,
    ToolOffer,
    ToolResult,
    ToolResults,
    UserMessage,
)
from stagehooks.models.wire import Wire
from tests.stagehooks.driving import stage, write_agent
from tests.stagehooks.model_server import KEY, Answers, ModelServer, serving

SCHEMA = {"type": "object", "properties": {"path": {"type": "string", "description": "which"}}, "required": ["path"]}
READ = ToolOffer("read_file", "Reads a file.", SCHEMA)
WIRES: dict[str, Wire] = {"openai": ChatCompletions("max_completion_tokens"), "anthropic": Messages()}


def user(said: str) -> UserMessage:
    return UserMessage(said)


def called(said: str, *calls: tuple[str, Any], id: str = "c") -> AssistantMessage:
    return AssistantMessage(said, tuple(ToolCall(f"{id}{n}", name, arguments) for n, (name, arguments) in enumerate(calls)))


def results(*texts: str, id: str = "c") -> ToolResults:
    return ToolResults(tuple(ToolResult(f"{id}{n}", "read_file", said) for n, said in enumerate(texts)))


WORK: tuple[Message, ...] = (
    user("Look."),
    called("Looking.", ("read_file", {"path": "a"}), ("read_file", {"path": "b"})),
    results("A", "B"),
    user("Go on."),
)
REQUEST = Request("main", 3, "reply", "ignored", ("You are careful.", " ", "## notes\nnone"), WORK, (READ,), 0.5, 900)
CHOICE = replace(REQUEST, purpose="transition", tools=(), temperature=0.0, max_output_tokens=256)


def model_on(directory: Path, server: ModelServer, provider: str) -> Model:
    agent = write_agent(directory, "", stage() + f'[stages.main.model]\nprovider = "{provider}"\nmodel = "m-1"\n')
    urls = {"OPENAI_BASE_URL": f"{server.url}/v1", "ANTHROPIC_BASE_URL": f"{server.url}/v1/"}
    keys = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
    return models_of(agent, None, {**urls, **keys})["main"]


def ask(directory: Path, provider: str, answer: Answers, request: Request = REQUEST) -> Reply:
    with serving(answer) as server:
        return asyncio.run(model_on(directory, server, provider).complete(request))


def fails(directory: Path, provider: str, answer: Answers) -> str:
    with pytest.raises(ModelError) as error:
        ask(directory, provider, answer)
    return error.value.message.removeprefix(f"{provider}/m-1: ")
