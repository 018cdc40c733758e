"""How a run ends: complete, in error, cancelled; and what it leaves behind."""

import asyncio
from pathlib import Path

import pytest

from stagehooks.models.protocol import Reply, Request
from stagehooks.run.events import (
    Event,
    HookFired,
    RunEnded,
    RunResult,
    StageEntered,
)
from stagehooks.run.lifecycle import Run, run_agent_sync
from stagehooks.scripts.outcome import HOOK_NAMES
from stagehooks.tools.tool import Tool
from tests.stagehooks.driving import Recorder, calls, drive, drive_agent, modify, outline, stage, write_agent

LIST = ("list_files", {})
ALLOW_ALL = " ".join(f"fn {hook}(ctx) {{ () }}" for hook in HOOK_NAMES)


def test_a_run_without_an_answer_is_complete_without_output(tmp_path: Path) -> None:
    result = drive(tmp_path).result
    assert (result.status, result.output, result.error, result.exit_code) == ("complete", None, None, 0)


def test_only_a_complete_run_has_an_output(tmp_path: Path) -> None:
    answer = calls(("submit_output", {"content": "x"}))
    result = drive(tmp_path, "fn on_stage_exit(ctx) { false }", answer, "done", tools=["submit_output"]).result
    assert (result.status, result.output) == ("error", None)


class Waiting:
    """A model that waits until it is cancelled."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def complete(self, request: Request) -> Reply:
        self.asked.set()
        await asyncio.sleep(60)
        return Reply("too late")


def test_a_cancelled_run_fires_neither_terminal_hook(tmp_path: Path) -> None:
    script = "fn on_completion(ctx) { () } fn on_error(ctx) { () } fn before_inference(ctx) { () }"
    agent = write_agent(tmp_path, script)
    events: list[Event] = []

    async def cancel() -> Run:
        model = Waiting()
        run = Run(agent, {"model": model, "observe": events.append})
        running = asyncio.ensure_future(run.drive())
        await model.asked.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        return run

    run = asyncio.run(cancel())
    assert run.result is not None
    assert (run.result.status, run.result.exit_code) == ("cancelled", 130)
    assert (run.result.output, run.result.error) == (None, None)
    assert [event.hook for event in events if isinstance(event, HookFired)] == ["before_inference"]
    assert isinstance(events[-1], RunEnded)
    assert events[-1].status == "cancelled"


def test_a_cancellation_gets_through_a_model_that_never_waits(tmp_path: Path) -> None:
    agent = write_agent(tmp_path, "fn on_completion(ctx) { () }", stage("main", ["on_completion"], ["list_files"]))
    events: list[Event] = []

    async def cancel() -> None:
        model = Recorder(*[calls(LIST)] * 40)
        running = asyncio.ensure_future(Run(agent, {"model": model, "observe": events.append}).drive())
        await asyncio.sleep(0)
        running.cancel()
        await running

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancel())
    assert isinstance(events[-1], RunEnded)
    assert events[-1].status == "cancelled"


@pytest.mark.parametrize(("body", "outcome"), [("loop {}", "failed"), ("()", "allow")])
def test_a_cancellation_during_the_last_hook_before_the_end_fires_no_terminal_hook(
    tmp_path: Path, body: str, outcome: str
) -> None:
    script = f"fn on_stage_exit(ctx) {{ {body} }} fn on_completion(ctx) {{ () }} fn on_error(ctx) {{ () }}"
    agent = write_agent(tmp_path, script)
    fired: list[HookFired] = []

    async def cancel() -> None:
        def observe(event: Event) -> None:
            if isinstance(event, HookFired):
                fired.append(event)
                running.cancel()

        running = asyncio.ensure_future(Run(agent, {"model": Recorder("done"), "observe": observe}).drive())
        await running

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancel())
    assert [(event.hook, event.outcome) for event in fired] == [("on_stage_exit", outcome)]


def test_an_interrupt_in_the_middle_of_a_tool_gives_a_cancelled_result(tmp_path: Path) -> None:
    def interrupt() -> str:
        raise KeyboardInterrupt

    tool = Tool("interrupt", "", (), interrupt, policy="allow")
    agent = write_agent(tmp_path, "fn on_error(ctx) { () }", stage("main", ["on_error"], ["interrupt"]))
    result = run_agent_sync(agent, model=Recorder(calls(("interrupt", {}))), tools=[tool], workdir=tmp_path)
    assert (result.status, result.exit_code) == ("cancelled", 130)


def test_a_running_run_fires_no_terminal_hook(tmp_path: Path) -> None:
    driven = drive(tmp_path, ALLOW_ALL, *["talk"] * 2, stages=stage("one", HOOK_NAMES) + stage("two", HOOK_NAMES))
    assert outline(driven).count("on_completion") == 1
    assert outline(driven)[-2:] == ["on_completion", "complete"]


def test_the_same_run_happens_the_same_way_twice(tmp_path: Path) -> None:
    script = "fn on_stage_enter(ctx) { " + modify('#{ notes: "x", goal: "y" }') + " }"
    agent = write_agent(tmp_path / "agent", script)
    first, second = (drive_agent(agent, Recorder("done"), workdir=tmp_path) for _ in range(2))
    assert first.events == second.events
    assert first.model.requests == second.model.requests


def test_a_failing_observer_leaves_no_work_directory_behind(tmp_path: Path) -> None:
    seen: list[Path] = []

    def observe(event: Event) -> None:
        if isinstance(event, StageEntered):
            raise BrokenPipeError
        seen.append(Path(event.workdir))

    with pytest.raises(BrokenPipeError):
        drive(tmp_path, observe=observe)
    assert not seen[0].exists()


def test_two_runs_of_one_agent_at_once_do_not_meet(tmp_path: Path) -> None:
    script = "fn before_inference(ctx) { " + modify('#{ notes: ctx.regions.notes + "x" }') + " }"
    agent = write_agent(tmp_path, script, tools=["list_files"])
    models = [Recorder(calls(LIST), "done") for _ in range(2)]

    async def both() -> list[RunResult]:
        return await asyncio.gather(*(Run(agent, {"model": model}).drive() for model in models))

    first, second = asyncio.run(both())
    assert first == second
    assert models[0].requests == models[1].requests
    assert models[0].saw("[notes]:\\nxx'")
