"""What a run cannot do twice in the same way: ask a model, a person or a script, make a tool call.

All of it goes through one `Effects`, so that a store can write it down, and give it back when the run is resumed. `Direct` does
neither.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from stagehooks.agent.spawn import Agent
from stagehooks.gate.approval import Answer, Ask, Question
from stagehooks.models.protocol import Reply, Request, ToolCall
from stagehooks.run.events import Event
from stagehooks.run.given import Given
from stagehooks.scripts.json_text import Json
from stagehooks.scripts.stage_hook import HookCall, HookScript, call
from stagehooks.tools.tool import Tool

Made: TypeAlias = tuple[str, bool]
"""What came of a tool call: the text for the model, and whether the call worked."""

OUT_OF_TIME: Final = "out of time"
"""The kind of the effect with which a run ends that took too long; its name is the message."""

AskModel: TypeAlias = Callable[[Request], Awaitable[Reply]]
Make: TypeAlias = Callable[[Tool, ToolCall], Awaitable[Made]]


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a run begins with. `fresh`: its work directory was made for it."""

    agent: Agent
    task: str
    inputs: Mapping[str, str]
    workdir: Path
    fresh: bool
    given: Given


class Effects(Protocol):
    """One run's way to everything outside of it. What a method is given to call is how it is really done."""

    run: str
    """The id under which the run is stored; empty where it is not."""

    @property
    def live(self) -> bool:
        """Is what happens new? Not while a resumed run is still on its way to where it was interrupted."""

    workdir: Path | None
    """The directory that was made for this run before it was interrupted; None for a run that begins."""

    def begin(self, beginning: Beginning) -> None:
        """The run is about to start."""

    def event(self, event: Event) -> bool:
        """Something happened. False when it was told before the run was interrupted."""

    def aside(self, event: Event) -> None:
        """Something is so at the moment: a run that is resumed does not come by it again."""

    def hook(self, script: HookScript, hook: str, stage: str, ctx: Json) -> HookCall:
        """Call a hook; raises as `stage_hook.call`."""

    def unhooked(self, hook: str, stage: str, ctx: Json) -> None:
        """A hook point was passed at which the stage has no script."""

    async def reply(self, request: Request, ask: AskModel) -> Reply:
        """Ask a model; ModelError where it has no answer."""

    async def approval(self, question: Question, ask: Ask) -> Answer | None:
        """Ask whoever approves."""

    async def tool(self, tool: Tool, call: ToolCall, make: Make) -> Made:
        """Make a tool call."""

    async def told(self, kind: str, name: str, ask: Callable[[], Awaitable[Json]]) -> Json:
        """Ask for anything else that comes from outside."""

    def noted(self, kind: str, name: str, find: Callable[[], Json]) -> Json:
        """Find out something that will not be the same again, such as the time."""

    def close(self) -> None:
        """The run goes no further in this process."""


class Direct:
    """Effects of a run that nobody writes down."""

    run = ""
    live = True
    workdir: Path | None = None

    def begin(self, beginning: Beginning) -> None:
        """Nothing to prepare."""

    def event(self, event: Event) -> bool:
        """Every event is new."""
        return True

    def aside(self, event: Event) -> None:
        """Nobody writes it down."""

    def hook(self, script: HookScript, hook: str, stage: str, ctx: Json) -> HookCall:
        """Call the hook."""
        return call(script, hook, ctx)

    def unhooked(self, hook: str, stage: str, ctx: Json) -> None:
        """Nobody wants to know."""

    async def reply(self, request: Request, ask: AskModel) -> Reply:
        """Ask the model."""
        return await ask(request)

    async def approval(self, question: Question, ask: Ask) -> Answer | None:
        """Ask the person."""
        return await ask(question)

    async def tool(self, tool: Tool, call: ToolCall, make: Make) -> Made:
        """Make the call."""
        return await make(tool, call)

    async def told(self, kind: str, name: str, ask: Callable[[], Awaitable[Json]]) -> Json:
        """Ask."""
        return await ask()

    def noted(self, kind: str, name: str, find: Callable[[], Json]) -> Json:
        """Find out."""
        return find()

    def close(self) -> None:
        """Nothing to close."""


class Recorder(Protocol):
    """Whoever can write runs down (`store.Store`)."""

    def new_run(self) -> Effects:
        """The effects of a run that is about to begin."""
