"""Runs that are killed in a process of their own and resumed, and an agent whose tools leave traces."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import cast

import stagehooks
from stagehooks import (
    Agent,
    Answer,
    Question,
    Reply,
    Request,
    RunOptions,
    RunResult,
    Store,
    resume_run_sync,
)
from stagehooks.run.lifecycle import run_agent_sync
from stagehooks.store.resume import ResumeOptions
from stagehooks.tools.tool import Tool
from tests.stagehooks.driving import REGIONS, calls, stage, write_agent

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
LONGEST = 60
"""Seconds that a child may take."""

SCRIPT = """
fn on_stage_enter(ctx) { #{ action: "modify", value: #{ notes: "begin" } } }
fn after_inference(ctx) { if ctx.response == "draft" { #{ action: "modify", value: "clean" } } }
fn on_tool_call(ctx) {
    let calls = [];
    for wanted in ctx.tool_calls { if wanted.name != "list_files" { calls.push(wanted); } }
    #{ action: "modify", value: calls }
}
fn on_stage_exit(ctx) { () }
fn on_completion(ctx) { #{ action: "modify", value: ctx.output + "!" } }
"""
HOOKS = ("on_stage_enter", "after_inference", "on_tool_call", "on_stage_exit", "on_completion")
STAGES = (
    stage("one", HOOKS, ["pay", "look", "list_files", "write_file"])
    + '\n[stages.one.transitions.two]\nhint = "go on"\n[stages.one.transitions.three]\nhint = "or not"\n'
    + stage("three", HOOKS)
    + stage("two", HOOKS, ["submit_output", "pay"])
)
REPLIES = {
    ("one", "reply"): (
        calls(("pay", {"amount": 5}), ("list_files", {}), ("look", {}), text="draft", tokens=3),
        calls(("write_file", {"path": "a.txt", "content": "text"}), ("pay", {"amount": 7})),
        Reply("done"),
    ),
    ("one", "transition"): (Reply("two"),),
    ("two", "reply"): (calls(("submit_output", {"content": "paid"}), ("pay", {"amount": 9})), Reply("done")),
}


class Scripted:
    """Gives the reply for the turn that it is asked for, and writes down that it was asked."""

    def __init__(self, asked: Path) -> None:
        self._asked = asked

    async def complete(self, request: Request) -> Reply:
        note(self._asked, f"{request.stage}/{request.purpose}/{request.turn}")
        return REPLIES[request.stage, request.purpose][request.turn - 1]


def note(file: Path, line: str) -> None:
    """Add a line to `file`, in one go."""
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(descriptor, f"{line}\n".encode())
    os.close(descriptor)


def noted(file: Path) -> Counter[str]:
    return Counter(file.read_text().splitlines()) if file.exists() else Counter()


class World:
    """An agent with tools that leave traces, and a store."""

    def __init__(self, room: Path) -> None:
        self.room = room
        self.agent = write_agent(room / "agent", SCRIPT, STAGES, top=REGIONS)
        self.paid, self.looked, self.asked, self.approved = (room / name for name in ("paid", "looked", "asked", "approved"))
        self.in_pay: Callable[[], None] = lambda: None
        self.store = Store(room / "runs.db")

    def forget(self) -> None:
        for file in (self.paid, self.looked, self.asked, self.approved):
            file.unlink(missing_ok=True)

    def tools(self) -> list[Tool]:
        def pay(amount: int) -> str:
            note(self.paid, str(amount))
            self.in_pay()
            return f"paid {amount}"

        def look() -> str:
            note(self.looked, "look")
            return "seen"

        return [stagehooks.tool(pay), Tool("look", "Look.", (), look, policy="allow", direction="inbound", effect="repeatable")]

    def approve(self, question: Question) -> Answer:
        note(self.approved, question.call.name)
        return Answer.ONCE

    def run(self, observe: Callable[[stagehooks.Event], None] | None = None) -> RunResult:
        return run_agent_sync(
            self.agent, model=Scripted(self.asked), tools=self.tools(), approve=self.approve, store=Store(self.store.path),
            observe=observe, task="pay",
        )  # fmt: skip

    def resume(self, run: str, observe: Callable[[stagehooks.Event], None] | None = None) -> RunResult:
        return resume_run_sync(
            self.store, run, model=Scripted(self.asked), tools=self.tools(), approve=self.approve, observe=observe
        )

    def killed_in(self, work: Callable[[], object]) -> str:
        """Do `work` in a process of its own until that is killed: the id of the run that it leaves behind."""
        self.forget()
        status = in_a_child(work)
        assert os.WIFSIGNALED(status), "it was not killed"
        assert os.WTERMSIG(status) == signal.SIGKILL
        runs = self.store.runs()
        return runs[0].id if runs else ""

    def told(self, run: str) -> list[object]:
        """Everything that the store has of `run`, but for what names the run itself and what was so for a moment."""
        return [event.event for event in self.store.events(run) if not event.aside][1:]


def in_a_child(work: Callable[[], object]) -> int:
    """Do `work` in a process of its own: how that ended. One that hangs is ended, too."""
    child = os.fork()
    if child == 0:
        signal.alarm(LONGEST)
        try:
            work()
        finally:
            os._exit(0)
    return os.waitpid(child, 0)[1]


def sweep(store: Store) -> None:
    """Remove the work directories that killed runs have left behind."""
    for run in store.runs():
        shutil.rmtree(run.beginning.workdir, ignore_errors=True)


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def killer(at: int) -> Callable[[object], None]:
    """An observer that kills its process at the `at`-th event."""
    left = iter(range(at - 1, -1, -1))

    def watch(event: object) -> None:
        if next(left) == 0:
            kill()

    return watch


def outcome(result: RunResult) -> tuple[object, ...]:
    return result.status, result.output, result.error, result.stages, result.totals


def interrupted(world: World, after: str = "reply") -> str:
    """The id of a run that was killed right after the first event `after`."""

    def watch(event: stagehooks.Event) -> None:
        if event.event == after:
            kill()

    return world.killed_in(lambda: world.run(watch))


def killed_and_resumed(store: Store, agent: Agent, again: ResumeOptions, **options: object) -> list[tuple[object, ...]]:
    """The outcome of a run of `agent` with `options`, and those of runs that were killed at each event (or at thirty of them)
    and resumed with what `again` says.
    """
    observed: list[object] = []

    def begin(store: Store, observe: Callable[[object], None]) -> RunResult:
        return run_agent_sync(agent, **cast(RunOptions, {**options, "store": store, "observe": observe}))

    whole = begin(store, observed.append)
    found = [(*outcome(whole), whole.exit_code)]
    for at in range(1, len(observed), max(1, len(observed) // 30)):
        in_a_child(partial(lambda at: begin(Store(store.path), killer(at)), at))
        run = next(run for run in store.runs() if not run.over)
        result = resume_run_sync(store, run.id, **again)
        found.append((*outcome(result), result.exit_code))
    sweep(store)
    return found


def sqlite(world: World) -> sqlite3.Connection:
    return sqlite3.connect(world.store.path, isolation_level=None)


def stagehooks_command(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "stagehooks", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60, check=False)
