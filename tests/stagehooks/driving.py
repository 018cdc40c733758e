"""Small agents for the tests, driven to their end by the real driver, with everything that happened recorded."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from stagehooks.agent.spawn import Agent, load
from stagehooks.errors import ModelError
from stagehooks.models.protocol import Reply, Request, ToolCall
from stagehooks.run.events import Event, HookFired, ModelReplied, RunEnded, RunResult, StageEntered, StageLeft, ToolCalled
from stagehooks.run.lifecycle import RunOptions, run_agent
from stagehooks.scripts.outcome import HOOK_NAMES, Json

REGIONS = """
[context.regions.goal]
kind = "pinned"
max_tokens = 100

[context.regions.notes]
kind = "temporary"
max_tokens = 50

[context.regions.conversation]
kind = "sliding_window"
max_items = 20
max_tokens = 2000
"""


class Recorder:
    """A model that gives its replies in order and remembers what it was asked. An exception among them is raised."""

    def __init__(self, *replies: Reply | str | Exception) -> None:
        self.replies = list(replies)
        self.requests: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        if not self.replies:
            raise ModelError("no more replies")
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return Reply(reply) if isinstance(reply, str) else reply

    def saw(self, text: str, turn: int = -1) -> bool:
        """Was `text` anywhere in the request of that turn (the last one by default)?"""
        return text in repr(self.requests[turn])


@dataclass
class Driven:
    """A run that is over."""

    result: RunResult
    model: Recorder
    events: list[Event] = field(default_factory=list)

    def hooks(self, name: str) -> list[HookFired]:
        return [event for event in self.events if isinstance(event, HookFired) and event.hook == name]

    @property
    def tools(self) -> list[ToolCalled]:
        return [event for event in self.events if isinstance(event, ToolCalled)]

    @property
    def end(self) -> RunEnded:
        last = self.events[-1]
        assert isinstance(last, RunEnded)
        return last


def outline(driven: Driven) -> list[str]:
    """What happened, a word for each event."""
    words = []
    for event in driven.events:
        match event:
            case StageEntered():
                words.append(f"enter {event.stage}")
            case StageLeft():
                words.append(f"leave {event.stage}")
            case HookFired():
                words.append(event.hook)
            case ModelReplied():
                words.append("model")
            case ToolCalled():
                words.append(f"tool {event.name}")
            case RunEnded():
                words.append(event.status)
    return words


def calls(*wanted: tuple[str, Json], text: str = "", tokens: int = 0) -> Reply:
    """A reply that asks for tools: pairs of a name and arguments."""
    return Reply(text, tuple(ToolCall(f"id-{place}", name, arguments) for place, (name, arguments) in enumerate(wanted)), tokens)


def stage(name: str = "main", hooks: Iterable[str] = (), tools: Iterable[str] = (), more: str = "") -> str:
    """The tables of one stage; every hook is named for the file `hooks.rhai`. `more` goes below [stages.NAME]."""
    lines = [f"[stages.{name}]", f"available_tools = {list(tools)}", more, f"[stages.{name}.hooks]"]
    return "\n".join(lines + [f'{hook} = "hooks.rhai"' for hook in hooks]) + "\n"


def write_agent(directory: Path, script: str, stages: str | None = None, tools: Iterable[str] = (), top: str = REGIONS) -> Agent:
    """An agent whose stages are `stages`, or one stage `main` that names every hook which `script` defines."""
    defined = [hook for hook in HOOK_NAMES if f"fn {hook}(" in script]
    text = '[agent]\nname = "test"\n' + top + (stage("main", defined, tools) if stages is None else stages)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "agent.toml").write_text(text)
    (directory / "hooks.rhai").write_text(script)
    return load(directory)


def drive_agent(agent: Agent, model: Recorder, **options: object) -> Driven:
    events: list[Event] = []
    given = cast(RunOptions, {"model": model, "observe": events.append, **options})
    result = asyncio.run(run_agent(agent, **given))
    return Driven(result, model, events)


def drive(
    directory: Path,
    script: str = "",
    *replies: Reply | str | Exception,
    stages: str | None = None,
    tools: Iterable[str] = (),
    top: str = REGIONS,
    **options: object,
) -> Driven:
    """Write an agent into `directory` and drive it; without replies the model says "done" once."""
    agent = write_agent(directory / "agent", script, stages, tools, top)
    return drive_agent(agent, Recorder(*(replies or ("done",))), **options)


def modify(value: str) -> str:
    """The Rhai text of a `modify` answer."""
    return f'#{{ action: "modify", value: {value} }}'
