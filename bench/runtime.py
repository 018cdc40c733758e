"""A long run, to show that its cost grows with its length and its memory does not: `python -m bench --runtime`.

One stage is entered again and again. Each visit makes three requests and two tool calls, and fires ten hooks.
"""

import asyncio
import gc
import tempfile
import time
import tracemalloc
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from stagehooks import Agent, Event, Reply, Request, RunEnded, ToolCall, load, run_agent, tool

VISITS: Final = (250, 500, 1000)
HOOKS_IN_A_VISIT: Final = 10

SCRIPT: Final = """
fn on_stage_enter(ctx) { #{ action: "modify", value: #{ notes: `visit ${ctx.totals.stages}` } } }
fn before_inference(ctx) { if count_tokens(ctx.regions.conversation) > 5000 { false } }
fn after_inference(ctx) { #{ action: "modify", value: ctx.response.trim() } }
fn on_tool_call(ctx) { #{ action: "modify", value: ctx.tool_calls.filter(|asked| asked.name == "look") } }
fn on_stage_exit(ctx) { #{ action: "modify", value: #{ notes: "" } } }
"""

AGENT: Final = """
[agent]
name = "long"

[context.regions.notes]
kind = "temporary"
max_tokens = 100

[context.regions.conversation]
kind = "sliding_window"
max_items = 10
max_tokens = 2000

[stages.work]
available_tools = ["look"]
max_revisits = {revisits}

[stages.work.hooks]
on_stage_enter = "hooks.rhai"
before_inference = "hooks.rhai"
after_inference = "hooks.rhai"
on_tool_call = "hooks.rhai"
on_stage_exit = "hooks.rhai"

[stages.work.transitions.work]

[stages.work.transitions.end]
condition = "dead_end"

[stages.end]

[stages.end.transitions]
"""


@dataclass(frozen=True)
class Cost:
    """What a run of so many visits took. `kept`: the bytes that are held at its end beyond those after its first half."""

    visits: int
    hooks: int
    operations: int
    events: int
    seconds: float
    kept: int


class Worker:
    """A model that asks for a tool twice, and then says that it is done, again and again."""

    def __init__(self) -> None:
        self._turn = 0

    async def complete(self, request: Request) -> Reply:
        self._turn += 1
        if request.stage == "end" or self._turn % 3 == 0:
            return Reply(f" done {self._turn} ", (), 10)
        return Reply("Let me look.", (ToolCall(f"call-{self._turn}", "look", {"place": f"shelf {self._turn}"}),), 10)


class Watch:
    """Counts events and keeps none. `kept` is how much more memory is held at the end than when half of the visits were over."""

    def __init__(self, visits: int) -> None:
        self.events = 0
        self.ended: RunEnded | None = None
        self.kept = 0
        self._half = visits // 2

    def take(self, event: Event) -> None:
        self.events += 1
        if event.event == "stage_left":
            self._half -= 1
            if self._half == 0:
                self.kept = -held()
        if isinstance(event, RunEnded):
            self.kept += held()
            self.ended = event


def held() -> int:
    """The bytes that are held now, where that is watched."""
    if not tracemalloc.is_tracing():
        return 0
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def long_agent(directory: Path, visits: int) -> Agent:
    """An agent whose first stage is visited so often."""
    (directory / "agent.toml").write_text(AGENT.replace("{revisits}", str(visits - 1)), encoding="utf-8")
    (directory / "hooks.rhai").write_text(SCRIPT, encoding="utf-8")
    return load(directory)


def look(place: str) -> str:
    """Look at a place."""
    return f"nothing on {place} but dust"


def measure(visits: int, with_memory: bool = True) -> Cost:
    """Run the agent with so many visits. Watching the memory takes time: ask for one of the two at a time."""
    with tempfile.TemporaryDirectory() as name:
        agent, watch = long_agent(Path(name), visits), Watch(visits)
        if with_memory:
            tracemalloc.start()
        began = time.perf_counter()
        asyncio.run(
            run_agent(agent, model=Worker(), tools=[tool(look, policy="allow")], observe=watch.take, workdir=name, task="work")
        )
        seconds = time.perf_counter() - began
        tracemalloc.stop()
    assert watch.ended is not None, "the run has no end"
    totals = watch.ended.totals
    assert watch.ended.status == "complete", watch.ended.error
    return Cost(totals.stages - 1, totals.hooks, totals.operations, watch.events, seconds, watch.kept)


def main() -> int:
    """Print a line for each length, after a short run that fills what is filled only once."""
    measure(10)
    print("a run of     hooks  operations  events   seconds   ms a hook   kept")
    for visits in VISITS:
        timed, weighed = measure(visits, with_memory=False), measure(visits)
        each = timed.seconds * 1000 / timed.hooks
        print(
            f"{visits:5} stages {timed.hooks:6} {timed.operations:11} {timed.events:7} {timed.seconds:9.2f} {each:11.3f}"
            f" {weighed.kept / 1024:5.1f} KiB"
        )
    return 0
