"""A run is cancelled, or held, at every single step of the event loop: it ends as cancelled, or comes to the same end."""

import asyncio
from pathlib import Path
from typing import cast

import pytest

import stagehooks
from stagehooks import Answer, Interaction, Question, Reply, Request, RunEnded, RunOptions, Store
from stagehooks.run.lifecycle import Run
from tests.stagehooks.driving import calls, stage, write_agent
from tests.stagehooks.resuming import outcome

SCRIPT = """
fn before_inference(ctx) { () }
fn after_inference(ctx) { () }
fn on_tool_call(ctx) { () }
fn on_stage_exit(ctx) { () }
fn on_completion(ctx) { () }
fn on_error(ctx) { () }
"""
HOOKS = ("before_inference", "after_inference", "on_tool_call", "on_stage_exit", "on_completion", "on_error")
POINT = """
[[stages.one.interaction_points]]
name = "sure"
prompt = "Are you sure?"
style = "confirm"
"""
STAGES = (
    stage("one", HOOKS, ["wait", "list_files"])
    + POINT
    + "[stages.one.transitions.two]\n[stages.one.transitions.three]\n"
    + stage("three", HOOKS)
    + stage("two", HOOKS, ["submit_output"])
)
REPLIES = {
    ("one", "reply"): [calls(("wait", {}), ("list_files", {})), calls(("wait", {})), Reply("done")],
    ("one", "transition"): [Reply("two")],
    ("two", "reply"): [calls(("submit_output", {"content": "yes"})), Reply("done")],
}
MOST = 400
"""Steps of the loop that the run may take."""


async def steps(count: int = 3) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


class Slow:
    """Everything that is asked takes a few steps of the loop."""

    async def complete(self, request: Request) -> Reply:
        await steps()
        return REPLIES[request.stage, request.purpose][request.turn - 1]


async def wait() -> str:
    """Take a few steps."""
    await steps()
    return "waited"


async def approve(question: Question) -> Answer:
    await steps()
    return Answer.ONCE


async def person(question: Interaction) -> bool:
    await steps()
    return True


class Watched:
    """A run with everything that it tells."""

    def __init__(self, room: Path, stored: bool = True) -> None:
        self.store = Store(room / "runs.db") if stored else None
        self.events: list[stagehooks.Event] = []
        options = {
            "model": Slow(), "tools": [stagehooks.tool(wait)], "approve": approve, "interact": person, "store": self.store,
            "observe": self.events.append,
        }  # fmt: skip
        self.run = Run(write_agent(room / "agent", SCRIPT, STAGES), cast(RunOptions, options))

    def fired(self, hook: str) -> bool:
        return any(isinstance(event, stagehooks.HookFired) and event.hook == hook for event in self.events)

    def has_ended_as_cancelled(self) -> None:
        assert self.run.result is not None
        assert self.run.result.status == "cancelled"
        assert [event.status for event in self.events if isinstance(event, RunEnded)] == ["cancelled"]
        assert not self.fired("on_completion")
        assert not self.fired("on_error")
        assert self.store is None or [run.status for run in self.store.runs()] == ["cancelled"]


async def after(count: int, task: asyncio.Task[object]) -> bool:
    """Let `count` steps of the loop pass; is `task` still at work?"""
    for _ in range(count):
        if task.done():
            return False
        await asyncio.sleep(0)
    return not task.done()


def whole(room: Path) -> tuple[object, ...]:
    watched = Watched(room)
    result = asyncio.run(watched.run.drive())
    assert (result.status, result.output, result.stages) == ("complete", "yes", ("one", "two"))
    return outcome(result)


@pytest.mark.parametrize("way", ["task", "switch"])
def test_a_run_is_cancelled_at_every_step_of_the_loop(tmp_path: Path, way: str) -> None:
    whole(tmp_path / "whole")

    async def cancelled(watched: Watched, at: int) -> bool:
        task = asyncio.ensure_future(watched.run.drive())
        if not await after(at, task):
            await task
            return False
        if watched.fired("on_completion"):
            await task
            return False
        if way == "task":
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        else:
            watched.run.cancel()
            assert (await task).status == "cancelled"
        return True

    at = 1
    while at < MOST:
        watched = Watched(tmp_path / str(at), stored=way == "switch")
        if not asyncio.run(cancelled(watched, at)):
            break
        watched.has_ended_as_cancelled()
        at += 1
    assert 40 < at < MOST


def test_a_run_is_held_at_every_step_of_the_loop_and_goes_the_same_way(tmp_path: Path) -> None:
    expected = whole(tmp_path / "whole")

    async def held(watched: Watched, at: int) -> bool:
        task = asyncio.ensure_future(watched.run.drive())
        at_work = await after(at, task)
        watched.run.pause()
        await steps(10)
        told = len(watched.events)
        await steps(10)
        assert task.done() or len(watched.events) == told
        watched.run.resume()
        assert outcome(await task) == expected, at
        return at_work

    at = 1
    while at < MOST and asyncio.run(held(Watched(tmp_path / str(at), stored=False), at)):
        at += 1
    assert 40 < at < MOST
