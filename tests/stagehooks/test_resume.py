"""A run is killed at every instant that counts, and resumed: the same outcome, and nothing done twice."""

import asyncio
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import pytest

import stagehooks
from stagehooks import (
    Agent,
    Answer,
    Question,
    Reply,
    Request,
    RunOptions,
    RunResult,
    RunResumed,
    Store,
    ToolCalled,
    resume_run_sync,
)
from stagehooks.errors import SpawnError, StoreError, UsageError
from stagehooks.run.lifecycle import run_agent, run_agent_sync
from stagehooks.store.database import Database
from stagehooks.store.journal import INTERRUPTED
from stagehooks.store.resume import ResumeOptions
from stagehooks.tools.tool import Tool
from tests.stagehooks.driving import REGIONS, calls, stage, write_agent

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are made by forking")

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
        """Everything that the store has of `run`, but for what names the run itself."""
        return [event.event for event in self.store.events(run) if not isinstance(event.event, RunResumed)][1:]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    sweep(made.store)


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


# --- the kill test --------------------------------------------------------------------------------------------------------


def test_a_run_killed_at_each_event_comes_to_the_same_end_and_does_nothing_twice(world: World) -> None:
    whole = world.run()
    assert (whole.status, whole.output, whole.stages) == ("complete", "paid!", ("one", "two"))
    everything = [noted(file) for file in (world.paid, world.looked, world.asked, world.approved)]
    told = world.told(whole.run)
    observed: list[object] = []
    world.run(observed.append)
    assert len(observed) > len(told) > 30
    for at in range(1, len(observed)):
        run = world.killed_in(lambda at=at: world.run(killer(at)))
        assert world.store.run(run).status == "interrupted", at
        assert outcome(world.resume(run)) == outcome(whole), at
        assert [noted(file) for file in (world.paid, world.looked, world.asked, world.approved)] == everything, at
        assert world.told(run) == told, at


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_run_killed_at_each_write_to_the_store_pays_once(world: World, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    """Before a write: what was done and not yet written down. After it: what is written down and not yet done."""
    whole = world.run()
    write, writes = Database.write, []
    monkeypatch.setattr(Database, "write", lambda *given, **more: (writes.append(1), write(*given, **more))[1])
    world.run()
    total = len(writes)

    def dying(at: int) -> Callable[..., None]:
        left = iter(range(at - 1, -1, -1))

        def write_and_die(*given: object, **more: object) -> None:
            last = next(left) == 0
            if last and moment == "before":
                kill()
            write(*given, **more)
            if last:
                kill()

        return write_and_die

    def work(at: int) -> None:
        Database.write = dying(at)
        world.run()

    assert total > 60
    before = len(world.store.runs())
    for at in range(1, total - 1):
        run = world.killed_in(lambda at=at: work(at))
        if len(world.store.runs()) == before:
            continue  # nothing had begun
        before += 1
        assert (world.store.run(run).status, at) == ("interrupted", at) or at > total - 3
        if not world.store.run(run).over:
            assert outcome(world.resume(run))[:2] == ("complete", "paid!"), at
        # A payment that was written down and not made is reported, never guessed: at most once, each.
        assert all(count == 1 for count in noted(world.paid).values()), at
        assert set(noted(world.paid)) <= {"5", "7", "9"}
    assert outcome(whole)[:2] == ("complete", "paid!")


def test_a_call_that_may_have_happened_is_not_made_again_and_the_model_is_told(world: World) -> None:
    world.in_pay = kill
    run = world.killed_in(world.run)
    world.in_pay = lambda: None
    events: list[stagehooks.Event] = []
    assert world.resume(run, events.append).status == "complete"
    paid = [event for event in events if isinstance(event, ToolCalled) and event.name == "pay"]
    assert (paid[0].ok, paid[0].result) == (False, INTERRUPTED.replace("{name}", "pay"))
    assert [event.result for event in paid[1:]] == ["paid 7", "paid 9"]
    assert noted(world.paid) == {"5": 1, "7": 1, "9": 1}


def test_a_read_that_was_interrupted_is_made_again(world: World) -> None:
    def dying_look() -> str:
        kill()
        return ""

    tools = world.tools
    world.tools = lambda: [tools()[0], Tool("look", "Look.", (), dying_look, policy="allow", effect="repeatable")]
    run = world.killed_in(world.run)
    world.tools = tools
    assert world.resume(run).status == "complete"
    assert noted(world.looked) == {"look": 1}


def test_a_run_may_be_killed_again_and_again(world: World) -> None:
    whole = world.run()
    run = world.killed_in(lambda: world.run(killer(6)))
    deaths = 0
    while True:
        status = in_a_child(lambda: world.resume(run, killer(4)))  # the first event says that it goes on
        if not os.WIFSIGNALED(status):
            break
        deaths += 1
        assert deaths < 50
        if world.store.run(run).over:
            break
    assert deaths > 5
    assert (world.store.run(run).status, world.store.run(run).output) == ("complete", whole.output)
    assert world.told(run) == world.told(whole.run)
    assert noted(world.paid) == {"5": 1, "7": 1, "9": 1}


def killed_and_resumed(store: Store, agent: Agent, **options: object) -> list[tuple[object, ...]]:
    """The outcome of a run of `agent`, and those of runs that were killed at each event (or at thirty of them) and resumed."""
    observed: list[object] = []
    given = cast(RunOptions, options)
    whole = run_agent_sync(agent, store=store, observe=observed.append, **given)
    found = [(*outcome(whole), whole.exit_code)]
    for at in range(1, len(observed), max(1, len(observed) // 30)):
        in_a_child(lambda at=at: run_agent_sync(agent, store=Store(store.path), observe=killer(at), **given))
        run = next(run for run in store.runs() if not run.over)
        result = resume_run_sync(store, run.id, **cast(ResumeOptions, options))
        found.append((*outcome(result), result.exit_code))
    sweep(store)
    return found


@pytest.mark.parametrize("name", sorted(path.parent.name for path in EXAMPLES.glob("*/replies.toml")))
def test_an_example_killed_at_each_event_comes_to_the_same_end(tmp_path: Path, name: str) -> None:
    found = killed_and_resumed(Store(tmp_path / "runs.db"), stagehooks.load(EXAMPLES / name))
    assert len(found) > 5
    assert found == [found[0]] * len(found)


RICH = """
[agent]
name = "rich"

[context.regions.facts]
kind = "temporary"
seed = { glob = "*.txt" }

[context.regions.list]
kind = "checklist"

[stages.look]
available_tools = ["list_files", "todo_add", "todo_done", "context_write", "submit_output"]
max_attempts = 3

[stages.look.hooks]
after_inference = "hooks.rhai"

[[stages.look.interaction_points]]
name = "go on"
prompt = "Is enough known?"
style = "multiple_choice"
options = ["Yes", "Look again"]
directives = { "Look again" = "Look at what you left out." }
required = true
"""


class Thorough:
    """A model whose replies depend on nothing but the turn."""

    async def complete(self, request: Request) -> Reply:
        replies = (
            Reply("again", (), 2),
            calls(("todo_add", {"region": "list", "item": "look"}), ("context_write", {"region": "facts", "content": "seen"})),
            Reply("I am done."),
            calls(("todo_done", {"region": "list", "id": "1"}), ("submit_output", {"content": f"{'seen' in repr(request)}"})),
            Reply("Now I am done."),
        )
        return replies[min(request.turn, len(replies)) - 1]


def test_everything_that_comes_from_outside_is_taken_from_the_store(tmp_path: Path) -> None:
    (tmp_path / "agent" / "workspace").mkdir(parents=True)
    (tmp_path / "agent" / "workspace" / "a.txt").write_text("a fact")
    (tmp_path / "agent" / "agent.toml").write_text(RICH)
    (tmp_path / "agent" / "hooks.rhai").write_text(
        'fn after_inference(ctx) { if ctx.response == "again" { #{ action: "retry" } } }'
    )
    answered = tmp_path / "answered"

    def interact(question: stagehooks.Interaction) -> str:
        note(answered, question.name)
        return "Look again" if noted(answered)["go on"] == 1 else "Yes"

    store, agent = Store(tmp_path / "runs.db"), stagehooks.load(tmp_path / "agent")
    observed: list[stagehooks.Event] = []
    whole = run_agent_sync(agent, model=Thorough(), interact=interact, store=store, observe=observed.append)
    assert (whole.status, whole.output, whole.error) == ("complete", "True", None)
    assert noted(answered) == {"go on": 2}
    first = next(event for event in observed if isinstance(event, stagehooks.RegionChanged))
    for at in range(1, len(observed)):
        answered.unlink(missing_ok=True)
        in_a_child(
            lambda at=at: run_agent_sync(agent, model=Thorough(), interact=interact, store=Store(store.path), observe=killer(at))
        )
        run = next(run for run in store.runs() if not run.over)
        was_seeded = any(isinstance(event.event, stagehooks.RegionChanged) for event in store.events(run.id))
        (Path(run.beginning.workdir) / "a.txt").write_text("another fact, and a longer one")
        result = resume_run_sync(store, run.id, model=Thorough(), interact=interact)
        assert outcome(result) == outcome(whole), at
        assert noted(answered) == {"go on": 2}, at
        seeded = next(event.event for event in store.events(run.id) if isinstance(event.event, stagehooks.RegionChanged))
        assert (seeded == first) == was_seeded, at
    sweep(store)


def test_a_failed_hook_stays_failed_and_its_limit_a_limit(tmp_path: Path) -> None:
    script = "fn before_inference(ctx) { loop { } }\nfn on_error(ctx) { () }"
    agent = write_agent(tmp_path / "agent", script)
    store = Store(tmp_path / "runs.db")
    observed: list[object] = []
    whole = run_agent_sync(agent, model=Scripted(tmp_path / "asked"), store=store, observe=observed.append)
    assert whole.exit_code == 3
    for at in range(3, len(observed)):
        in_a_child(
            lambda at=at: run_agent_sync(agent, model=Scripted(tmp_path / "asked"), store=Store(store.path), observe=killer(at))
        )
        result = resume_run_sync(store, next(run.id for run in store.runs() if not run.over), model=Scripted(tmp_path / "asked"))
        assert (outcome(result), result.exit_code) == (outcome(whole), 3), at


# --- what is resumed ------------------------------------------------------------------------------------------------------


def interrupted(world: World, after: str = "reply") -> str:
    """The id of a run that was killed right after the first event `after`."""

    def watch(event: stagehooks.Event) -> None:
        if event.event == after:
            kill()

    return world.killed_in(lambda: world.run(watch))


def test_who_watches_sees_that_it_goes_on_and_only_what_is_new(world: World) -> None:
    run = interrupted(world)
    before = world.store.count_events(run)
    events: list[stagehooks.Event] = []
    world.resume(run, events.append)
    assert events[0] == RunResumed(run, before, ())
    assert "run" not in [event.event for event in events]
    kept = [event.event for event in world.store.events(run)]
    assert kept[before:] == [event for event in events if event in kept]


def test_a_script_that_changed_is_said_and_decides_from_there_on(world: World) -> None:
    run = interrupted(world)
    script = world.agent.directory / "hooks.rhai"
    script.write_text(SCRIPT.replace('ctx.output + "!"', 'ctx.output + "?"').replace('notes: "begin"', 'notes: "other"'))
    events: list[stagehooks.Event] = []
    result = world.resume(run, events.append)
    assert isinstance(events[0], RunResumed)
    assert events[0].changes == ("'hooks.rhai' has changed",)
    assert result.output == "paid?"
    assert result.stages == ("one", "two")


def test_the_agent_file_is_the_one_that_the_run_began_with(world: World) -> None:
    run = interrupted(world)
    file = world.agent.file
    file.write_text(file.read_text().replace("'pay', 'look'", "'look'"))
    events: list[stagehooks.Event] = []
    assert world.resume(run, events.append).output == "paid!"
    assert isinstance(events[0], RunResumed)
    assert events[0].changes == ("'agent.toml' has changed; the run keeps to the one that it began with",)


def test_an_agent_that_was_moved_is_found_where_it_is_said_to_be(world: World) -> None:
    run = interrupted(world)
    moved = world.room / "moved"
    world.agent.directory.rename(moved)
    with pytest.raises(SpawnError, match=f"the agent of run '{run}' is gone") as caught:
        world.resume(run)
    assert "--agent" in caught.value.hint
    result = resume_run_sync(
        world.store, run, agent=moved, model=Scripted(world.asked), tools=world.tools(), approve=world.approve
    )
    assert result.output == "paid!"


def test_a_way_that_cannot_be_gone_again_stops_the_run_and_leaves_it_as_it_was(world: World) -> None:
    run = interrupted(world, after="stage_left")
    with sqlite(world) as database:
        database.execute("UPDATE effects SET name = 'elsewhere' WHERE run = ? AND ordinal = 4", (run,))
    before = world.store.count_events(run)
    with pytest.raises(StoreError, match=rf"run '{run}' cannot go the way it went: step 4 was '\w+ elsewhere', and now it is '"):
        world.resume(run)
    assert world.store.run(run).status == "interrupted"
    assert world.store.count_events(run) == before + 1


def sqlite(world: World) -> sqlite3.Connection:
    return sqlite3.connect(world.store.path, isolation_level=None)


def test_a_run_without_its_tools_cannot_be_resumed_and_stays_as_it_was(world: World) -> None:
    run = interrupted(world)
    with pytest.raises(SpawnError, match="there is no tool 'pay'"):
        resume_run_sync(world.store, run, model=Scripted(world.asked))
    assert world.store.run(run).status == "interrupted"
    assert world.resume(run).status == "complete"


def test_a_run_that_is_over_is_not_resumed(world: World) -> None:
    result = world.run()
    with pytest.raises(UsageError, match=f"run '{result.run}' is over: complete"):
        world.resume(result.run)


def test_a_cancelled_run_is_over(world: World) -> None:
    async def cancelled() -> None:
        async def wait(request: Request) -> Reply:
            await asyncio.sleep(60)
            return Reply("")

        model = type("Waiting", (), {"complete": staticmethod(wait)})()
        task = asyncio.create_task(run_agent(world.agent, model=model, tools=world.tools(), store=world.store))
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.wait([task])

    asyncio.run(cancelled())
    assert world.store.runs()[0].status == "cancelled"


def test_the_work_directory_is_the_same_and_is_kept(world: World) -> None:
    run = interrupted(world, after="stage_left")
    directory = Path(world.store.run(run).beginning.workdir)
    assert (directory / "a.txt").read_text() == "text"
    world.resume(run)
    assert (directory / "a.txt").read_text() == "text"


def test_a_fresh_work_directory_in_which_nothing_was_done_goes_with_the_run(tmp_path: Path) -> None:
    store = Store(tmp_path / "runs.db")
    agent = stagehooks.load(EXAMPLES / "planner")
    in_a_child(lambda: run_agent_sync(agent, store=Store(store.path), observe=killer(5)))
    directory = Path(store.runs()[0].beginning.workdir)
    assert directory.is_dir()
    resume_run_sync(store, store.runs()[0].id)
    assert not directory.exists()


# --- whose it is ----------------------------------------------------------------------------------------------------------


def test_a_run_that_another_process_drives_is_not_to_be_had(world: World) -> None:
    ready, go = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(LONGEST)
        try:

            def watch(event: stagehooks.Event) -> None:
                if event.event == "reply":
                    os.write(ready[1], b"x")
                    os.read(go[0], 1)

            world.run(watch)
        finally:
            os._exit(0)
    os.read(ready[0], 1)
    (run,) = world.store.runs()
    assert run.status == "running"
    with pytest.raises(UsageError, match=f"run '{run.id}' is driven by process {child} on "):
        world.resume(run.id)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert world.resume(run.id).status == "complete"


def test_a_run_of_another_machine_is_taken_over_only_by_force(world: World) -> None:
    run = interrupted(world)
    with sqlite(world) as database:
        owner = json.dumps({"host": "elsewhere", "boot": "", "pid": 1, "began": ""})
        database.execute("UPDATE runs SET owner = ? WHERE id = ?", (owner, run))
    assert world.store.run(run).status == "running"
    with pytest.raises(UsageError, match="is driven by process 1 on 'elsewhere'") as caught:
        world.resume(run)
    assert "--take-over" in caught.value.hint
    result = resume_run_sync(
        world.store, run, by_force=True, model=Scripted(world.asked), tools=world.tools(), approve=world.approve
    )
    assert result.status == "complete"


def test_of_many_that_resume_one_run_at_once_one_gets_it(world: World) -> None:
    run = interrupted(world)
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            signal.alarm(LONGEST)
            try:
                World.resume(world_again(world), run)
                code = 0
            except UsageError:
                code = 7
            os._exit(code)
        children.append(child)
    codes = sorted(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children)
    assert codes == [0, 7, 7, 7]
    assert noted(world.paid) == {"5": 1, "7": 1, "9": 1}


def world_again(world: World) -> World:
    """The same world with a connection of its own, for a child."""
    world.store = Store(world.store.path)
    return world


# --- the command ----------------------------------------------------------------------------------------------------------


def stagehooks_command(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "stagehooks", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60, check=False)


def test_the_command_resumes_a_killed_run_and_tells_its_end_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "runs.db")
    in_a_child(lambda: run_agent_sync(stagehooks.load(EXAMPLES / "planner"), store=Store(store.path), observe=killer(9)))
    run = store.runs()[0].id
    listed = stagehooks_command("ps", "--store", store.path).stdout
    assert "interrupted" in listed
    assert f"'stagehooks resume {run}' goes on" in stagehooks_command("log", run, "--store", store.path).stderr

    done = stagehooks_command("resume", run[:6], "--store", store.path)
    assert done.returncode == 0
    assert done.stderr.startswith(f"run {run} goes on after ")
    assert done.stdout.startswith("# Release 1.4\n")
    again = stagehooks_command("resume", run[:6], "--store", store.path)
    assert (again.returncode, again.stdout) == (0, done.stdout)
    assert again.stderr == f"run '{run}' is over: complete\n"
    record = json.loads(stagehooks_command("resume", run, "--json", "--store", store.path).stdout)
    assert (record["run"], record["status"]) == (run, "complete")
