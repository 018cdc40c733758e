"""A model on a server of the tests, asked once, with everything that it needs."""

import asyncio
from pathlib import Path

import pytest

from stagehooks.agent.spawn import Agent
from stagehooks.errors import ModelError
from stagehooks.models.choice import models_of
from stagehooks.models.protocol import Model, Reply, Request, UserMessage
from tests.stagehooks.driving import stage, write_agent
from tests.stagehooks.model_server import KEY, ModelServer

REQUEST = Request("main", 1, "reply", "", ("Be brief.",), (UserMessage("Hello."),))
OPENAI = 'provider = "openai"\nmodel = "gpt-x"\n'
TWO = 'models = [{ provider = "openai", model = "gpt-x" }, { provider = "anthropic", model = "claude-x" }]\n'


class Naps:
    """A sleep that takes no time and remembers how long it was."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def agent_with(directory: Path, table: str) -> Agent:
    return write_agent(directory, "", stage() + f"[stages.main.model]\n{table}")


def environment(server: ModelServer, **more: str) -> dict[str, str]:
    urls = {"OPENAI_BASE_URL": f"{server.url}/v1", "ANTHROPIC_BASE_URL": f"{server.url}/anthropic"}
    return {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY, **urls, **more}


def model_on(directory: Path, server: ModelServer, table: str = OPENAI, naps: Naps | None = None, **more: str) -> Model:
    return models_of(agent_with(directory, table), None, environment(server, **more), naps or Naps())["main"]


def ask(model: Model, request: Request = REQUEST) -> Reply:
    return asyncio.run(model.complete(request))


def fails(model: Model, request: Request = REQUEST) -> str:
    with pytest.raises(ModelError) as error:
        ask(model, request)
    return error.value.message
