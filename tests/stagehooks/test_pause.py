"""A live run: holding it, letting it go on, stopping it, from inside and from another thread; and what takes too long."""

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Unpack

import pytest

from stagehooks.agent.spawn import Agent
from stagehooks.models.protocol import Reply, Request
from stagehooks.run.events import (
    Event,
    HookFired,
    ModelAsked,
    ModelReplied,
    RunContinued,
    RunEnded,
    RunPaused,
    RunResult,
    StageEntered,
    ToolStarted,
)
from stagehooks.run.lifecycle import Run, RunOptions
from stagehooks.scripts.outcome import HOOK_NAMES
from stagehooks.tools.tool import Tool
from tests.stagehooks.driving import Recorder, calls, drive, stage, write_agent

ALLOW_ALL = " ".join(f"fn {hook}(ctx) {{ () }}" for hook in HOOK_NAMES)
LIST = calls(("list_files", {}))


def agent_in(directory: Path, tools: tuple[str, ...] = ("list_files",)) -> Agent:
    return write_agent(directory, ALLOW_ALL, stage("main", HOOK_NAMES, tools) + stage("after", HOOK_NAMES))


class Watch:
    """Keeps the events of a run, and does something at the first event that `when` is true of."""

    def __init__(self, when: Callable[[Event], bool], act: Callable[[], None] = lambda: None) -> None:
        self.events: list[Event] = []
        self.when = when
        self.act = act
        self.acted = False

    def __call__(self, event: Event) -> None:
        self.events.append(event)
        if not self.acted and self.when(event):
            self.acted = True
            self.act()


def begun(agent: Agent, watch: Watch, *replies: Reply | str, **options: Unpack[RunOptions]) -> Run:
    return Run(agent, {"model": Recorder(*replies), "observe": watch, **options})


def is_a(kind: type) -> Callable[[Event], bool]:
    return lambda event: isinstance(event, kind)


# --- pause and resume -----------------------------------------------------------------------------------------------------

STEPS = [StageEntered, ModelAsked, ModelReplied, ToolStarted, HookFired]


@pytest.mark.parametrize("step", STEPS)
def test_a_held_run_does_nothing_until_it_is_let_go(tmp_path: Path, step: type) -> None:
    watch = Watch(is_a(step))
    run = begun(agent_in(tmp_path), watch, LIST, "done", "more", workdir=tmp_path)
    watch.act = run.pause

    async def main() -> RunResult:
        task = asyncio.ensure_future(run.drive())
        while not any(isinstance(event, RunPaused) for event in watch.events):
            await asyncio.sleep(0)
        held = len(watch.events)
        for _ in range(20):
            await asyncio.sleep(0)
        assert len(watch.events) == held
        run.resume()
        return await task

    result = asyncio.run(main())
    assert (result.status, result.stages) == ("complete", ("main", "after"))
    words = [event.event for event in watch.events]
    assert words[words.index("paused") + 1] == "continued"


def test_a_run_that_was_held_goes_the_same_way(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    free = Watch(is_a(RunEnded))
    asyncio.run(begun(agent_in(tmp_path / "a"), free, LIST, "done", "more", workdir=tmp_path / "work").drive())
    held = Watch(is_a(ModelReplied))
    run = begun(agent_in(tmp_path / "b"), held, LIST, "done", "more", workdir=tmp_path / "work")
    held.act = run.pause

    async def main() -> None:
        asyncio.get_running_loop().call_later(0.01, run.resume)
        await run.drive()

    asyncio.run(main())
    assert [event for event in held.events if not isinstance(event, RunPaused | RunContinued)] == free.events


def test_a_run_may_be_held_before_it_begins(tmp_path: Path) -> None:
    watch = Watch(is_a(RunPaused))
    run = begun(agent_in(tmp_path), watch, LIST, "done", "more")
    watch.act = run.resume
    run.pause()
    assert asyncio.run(run.drive()).status == "complete"
    assert not any(isinstance(event, ModelAsked) for event in watch.events[: watch.events.index(RunPaused("main"))])


def test_a_run_may_be_held_let_go_and_stopped_from_another_thread(tmp_path: Path) -> None:
    ready, paused = threading.Event(), threading.Event()
    watch = Watch(is_a(RunPaused), paused.set)
    run = begun(agent_in(tmp_path), watch, *[LIST] * 40)
    results: list[RunResult] = []

    def other() -> None:
        results.append(asyncio.run(run.drive()))

    run.pause()
    thread = threading.Thread(target=other)
    thread.start()
    assert paused.wait(10)
    run.resume()
    run.pause()
    run.cancel()
    thread.join(10)
    assert not thread.is_alive()
    assert results[0].status == "cancelled"
    assert not ready.is_set()


# --- cancel ---------------------------------------------------------------------------------------------------------------


class Waiting:
    """A model that never answers."""

    async def complete(self, request: Request) -> Reply:
        await asyncio.sleep(3600)
        raise AssertionError


def test_a_run_is_stopped_while_it_waits_for_a_model(tmp_path: Path) -> None:
    watch = Watch(is_a(ModelAsked))
    run = Run(agent_in(tmp_path), {"model": Waiting(), "observe": watch})
    watch.act = run.cancel
    result = asyncio.run(run.drive())
    assert (result.status, result.error) == ("cancelled", None)
    assert not [event for event in watch.events if isinstance(event, HookFired) and event.hook in ("on_error", "on_completion")]


def test_a_run_is_stopped_while_it_waits_for_a_tool(tmp_path: Path) -> None:
    async def endless() -> str:
        await asyncio.sleep(3600)
        return ""

    watch = Watch(is_a(ToolStarted))
    tool = Tool("endless", "", (), endless, policy="allow")
    run = begun(agent_in(tmp_path, ("endless",)), watch, calls(("endless", {})), tools=[tool])
    watch.act = run.cancel
    assert asyncio.run(run.drive()).status == "cancelled"


def test_a_run_is_stopped_while_it_waits_for_a_person(tmp_path: Path) -> None:
    agent = write_agent(tmp_path, "", stage("main", more='[[stages.main.interaction_points]]\nname = "a"\nprompt = "b"'))

    async def never(interaction: object) -> str:
        asyncio.get_running_loop().call_soon(run.cancel)
        await asyncio.sleep(3600)
        return ""

    run = begun(agent, Watch(is_a(RunEnded)), "done", interact=never)
    assert asyncio.run(run.drive()).status == "cancelled"


@pytest.mark.parametrize("place", range(1, 30))
def test_a_run_can_be_stopped_at_every_event(tmp_path: Path, place: int) -> None:
    count = 0

    def at_place(event: Event) -> bool:
        nonlocal count
        count += 1
        return count == place

    watch = Watch(at_place)
    run = begun(agent_in(tmp_path), watch, LIST, "done", "more")
    watch.act = run.cancel
    result = asyncio.run(run.drive())
    over = (
        count < place or watch.events[place - 1].event == "end" or getattr(watch.events[place - 1], "hook", "") == "on_completion"
    )
    assert result.status == ("complete" if over else "cancelled")
    terminal = [event for event in watch.events if isinstance(event, HookFired) and event.hook in ("on_completion", "on_error")]
    assert bool(terminal) == over
    assert [event.event for event in watch.events].count("end") == 1


def test_a_cancellation_from_outside_is_given_back(tmp_path: Path) -> None:
    run = Run(agent_in(tmp_path), {"model": Waiting()})

    async def main() -> None:
        task = asyncio.ensure_future(run.drive())
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert run.result is not None
    assert run.result.status == "cancelled"


def test_a_run_that_is_stopped_leaves_its_task_usable(tmp_path: Path) -> None:
    async def main() -> str:
        watch = Watch(is_a(ModelAsked))
        run = Run(agent_in(tmp_path), {"model": Waiting(), "observe": watch})
        watch.act = run.cancel
        await run.drive()
        await asyncio.sleep(0)
        return "still here"

    assert asyncio.run(main()) == "still here"


def test_stopping_a_run_at_its_end_stops_nothing_else(tmp_path: Path) -> None:
    async def main() -> RunResult:
        watch = Watch(is_a(RunEnded))
        run = begun(agent_in(tmp_path), watch, LIST, "done", "more")
        watch.act = run.cancel
        result = await run.drive()
        await asyncio.sleep(0.01)
        return result

    assert asyncio.run(main()).status == "complete"


def test_a_run_that_is_over_takes_no_switches(tmp_path: Path) -> None:
    run = begun(agent_in(tmp_path), Watch(is_a(RunEnded)), LIST, "done", "more")
    assert asyncio.run(run.drive()).status == "complete"
    run.pause()
    run.resume()
    run.cancel()
    assert run.result is not None
    assert run.result.status == "complete"


# --- what takes too long --------------------------------------------------------------------------------------------------


def test_a_run_may_be_given_a_time(tmp_path: Path) -> None:
    watch = Watch(is_a(RunEnded))
    run = Run(agent_in(tmp_path), {"model": Waiting(), "seconds": 0.05, "observe": watch})
    result = asyncio.run(run.drive())
    assert (result.status, result.error) == ("error", "the run took longer than 0.05 seconds")
    assert [event.hook for event in watch.events if isinstance(event, HookFired)][-1] == "on_error"


def test_an_approval_that_does_not_come_in_time_is_a_no(tmp_path: Path) -> None:
    async def slow(question: object) -> bool:
        await asyncio.sleep(3600)
        return True

    driven = drive(tmp_path, "", calls(("shell", {"command": "ls"})), "done", tools=["shell"], approve=slow, patience=0.02)
    assert (driven.result.status, driven.tools[0].ok) == ("complete", False)


@pytest.mark.parametrize(
    "body",
    [
        "loop {}",
        'let a = "x"; loop { a += a; }',
        "let a = []; loop { a.push(a); }",
        "let a = []; for i in 0..9999 { a.push(i); } loop { a.sort(|x, y| y - x); }",
        'let a = "y"; a.pad(999999, "y"); loop { a.contains("yx"); }',
        "fn f(n) { f(n + 1) } f(0)",
    ],
)
def test_no_hook_holds_the_loop_for_long(tmp_path: Path, body: str) -> None:
    helper, _, body = body.rpartition("} ") if body.startswith("fn") else ("", "", body)
    script = f"{helper + '}' if helper else ''} fn before_inference(ctx) {{ {body} }}"
    began = time.process_time()
    driven = drive(tmp_path, script)
    assert driven.result.status == "error"
    assert time.process_time() - began < 3
