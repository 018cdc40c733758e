"""What a run that is resumed is made of, and whose it is."""

import asyncio
import json
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

import stagehooks
from stagehooks import (
    Reply,
    Request,
    RunResumed,
    Store,
    resume_run_sync,
)
from stagehooks.cli import main
from stagehooks.errors import SpawnError, StoreError, UsageError
from stagehooks.run.lifecycle import run_agent, run_agent_sync
from tests.stagehooks.resuming import (
    EXAMPLES,
    LONGEST,
    SCRIPT,
    Scripted,
    World,
    in_a_child,
    interrupted,
    killer,
    noted,
    sqlite,
    stagehooks_command,
    sweep,
)

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are made by forking")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    sweep(made.store)


# --- what is resumed ------------------------------------------------------------------------------------------------------


def test_who_watches_sees_that_it_goes_on_and_only_what_is_new(world: World) -> None:
    run = interrupted(world)
    before = world.store.count_events(run)
    events: list[stagehooks.Event] = []
    world.resume(run, events.append)
    assert events[0] == RunResumed(run, before, (), "one")
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


def test_a_run_whose_work_directory_is_gone_says_so_and_stays_as_it_was(world: World) -> None:
    run = interrupted(world)
    shutil.rmtree(world.store.run(run).beginning.workdir)
    with pytest.raises(SpawnError, match=f"the work directory of run '{run}' is gone: '") as caught:
        world.resume(run)
    assert "begin a new run" in caught.value.hint
    assert world.store.run(run).status == "interrupted"


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
    with pytest.raises(UsageError, match=f"is driven by process {child}") as caught:
        resume_run_sync(world.store, run.id, by_force=True, model=Scripted(world.asked), tools=world.tools())
    assert caught.value.hint == "end that process first"
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


@pytest.mark.parametrize(
    ("after", "words"),
    [("ask", "interrupted at one: model 1; "), ("tool_start", "interrupted at one: pay; "), ("reply", "interrupted; ")],
)
def test_the_log_of_an_interrupted_run_says_what_it_was_at(
    world: World, capsys: pytest.CaptureFixture[str], after: str, words: str
) -> None:
    run = interrupted(world, after)
    assert main(["log", run, "--store", str(world.store.path)]) == 0
    assert capsys.readouterr().err == f"\n{words}'stagehooks resume {run}' goes on\n"
    assert main(["log", run, "--json", "--store", str(world.store.path)]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["event"] == after
