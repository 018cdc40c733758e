"""The store: where it is, what it holds, two processes at once, and the commands that look into it."""

import json
import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import stagehooks
from stagehooks.cli import main
from stagehooks.errors import StoreError, UsageError
from stagehooks.models.protocol import Reply
from stagehooks.run.events import ModelReplied, RunEnded, ToolCalled
from stagehooks.run.lifecycle import run_agent_sync
from stagehooks.store import coding, place
from stagehooks.store.owner import Owner, this_process
from stagehooks.store.store import Store
from tests.stagehooks.driving import Recorder, calls, drive, write_agent

ROOT = Path(__file__).parents[2]
FULL = (calls(("list_files", {}), text="looking", tokens=7), calls(("submit_output", {"content": "the answer"})), "done")
TOOLS = ("list_files", "submit_output")
SCRIPT = "fn on_tool_call(ctx) { () }  fn on_error(ctx) { () }"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "runs.db")


def command(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return code, out, err


# --- where it is ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({"STAGEHOOKS_HOME": "/s", "XDG_STATE_HOME": "/x", "HOME": "/h"}, "linux", "/s/runs.db"),
        ({"XDG_STATE_HOME": "/x", "HOME": "/h"}, "linux", "/x/stagehooks/runs.db"),
        ({"XDG_STATE_HOME": "relative", "HOME": "/h"}, "linux", "/h/.local/state/stagehooks/runs.db"),
        ({"HOME": "/h"}, "linux", "/h/.local/state/stagehooks/runs.db"),
        ({"HOME": "/h"}, "darwin", "/h/Library/Application Support/stagehooks/runs.db"),
        ({"LOCALAPPDATA": "/l", "HOME": "/h"}, "win32", "/l/stagehooks/runs.db"),
    ],
)
def test_the_usual_place_is_where_the_platform_keeps_state(environment: dict[str, str], platform: str, expected: str) -> None:
    assert place.default_path(environment, platform) == Path(expected)


def test_the_package_needs_no_sqlite_until_a_store_is_opened() -> None:
    program = (
        "import sys; sys.modules['sqlite3'] = None\n"
        "import stagehooks\n"
        "try: stagehooks.Store('x.db')\n"
        "except stagehooks.StoreError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "this Python has no SQLite, so there can be no store\n"


def test_only_its_owner_may_read_a_store(store: Store) -> None:
    assert stat.S_IMODE(os.stat(store.path).st_mode) == 0o600


@pytest.mark.parametrize("content", [b"no database at all, but long enough to look at" * 100, None])
def test_a_file_that_is_no_store_is_one_clear_error_and_left_alone(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "other.db"
    if content is None:
        with sqlite3.connect(path) as other:
            other.execute("CREATE TABLE dogs (name)")
        other.close()
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"cannot open the store '.*other\.db': ") as caught:
        Store(path)
    assert "\n" not in caught.value.message
    assert path.read_bytes() == before


def test_a_store_of_a_newer_version_is_refused(store: Store) -> None:
    with sqlite3.connect(store.path) as newer:
        newer.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="newer version of stagehooks"):
        Store(store.path)


def test_a_directory_that_cannot_be_written_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot open the store"):
        Store(tmp_path / "file" / "runs.db")


# --- what it holds --------------------------------------------------------------------------------------------------------


def test_a_run_is_kept_with_all_that_was_observed(tmp_path: Path, store: Store) -> None:
    driven = drive(tmp_path, SCRIPT, *FULL, tools=TOOLS, store=store, task="find it")
    (run,) = store.runs()
    kept = [item.event for item in store.events(run.id)]
    assert kept == [event for event in driven.events if event in kept]
    assert {RunEnded, ModelReplied, ToolCalled} <= {type(event) for event in kept}
    assert (run.id, run.status, run.output, run.beginning.task) == (driven.result.run, "complete", "the answer", "find it")
    assert (run.stage, run.owner, run.ended is not None) == ("main", None, True)


def test_events_survive_being_written_and_read(tmp_path: Path) -> None:
    driven = drive(tmp_path, SCRIPT, *FULL, tools=TOOLS)
    for event in driven.events:
        assert coding.read_event(json.loads(json.dumps(coding.event_data(event)))) == event


def test_an_event_of_another_version_is_read_as_far_as_it_is_known() -> None:
    known = coding.event_data(ModelReplied("s", 1, "reply", "hi", (), 3))
    assert coding.read_event({**known, "mood": "good"}) == ModelReplied("s", 1, "reply", "hi", (), 3)
    for unknown in ({"event": "dance"}, {"event": "reply", "stage": "s"}, [], None):
        with pytest.raises(coding.Unreadable):
            coding.read_event(unknown)


def test_a_failed_run_is_kept_with_its_error(tmp_path: Path, store: Store) -> None:
    drive(tmp_path, 'fn before_inference(ctx) { throw "no" }', store=store)
    (run,) = store.runs()
    assert run.status == "error"
    assert run.error is not None
    assert run.error.startswith("before_inference: hook failed")
    assert not run.hit_a_limit


def test_a_run_that_hit_a_limit_is_kept_as_such(tmp_path: Path, store: Store) -> None:
    driven = drive(tmp_path, "fn before_inference(ctx) { loop { } }", store=store)
    assert driven.result.exit_code == 3
    assert store.runs()[0].hit_a_limit


def test_every_hook_call_is_kept_with_its_ctx_and_its_answer(tmp_path: Path, store: Store) -> None:
    drive(tmp_path, SCRIPT, *FULL, tools=TOOLS, store=store)
    (run,) = store.runs()
    (first, _) = [call for call in store.hook_calls(run.id) if call.kind == "hook"]
    assert first.name == "main/on_tool_call"
    assert isinstance(first.given, dict)
    assert first.given["tool_calls"] == [{"name": "list_files", "arguments": {}}]
    assert isinstance(first.outcome, dict)
    assert first.outcome["outcome"] == "allow"


def test_keys_are_not_kept(tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    drive(tmp_path, SCRIPT, *FULL, tools=TOOLS, store=store)
    files = [path.read_bytes() for path in store.path.parent.glob("runs.db*")]
    assert not any(b"sk-very-secret" in data for data in files)


def test_texts_that_are_no_unicode_do_no_harm(tmp_path: Path, store: Store) -> None:
    driven = drive(tmp_path, "", Reply("done"), store=store, task="a\ud800b")
    assert driven.result.status == "complete"
    assert store.runs()[0].beginning.task == "a?b"


def test_a_store_that_fails_stops_the_run_where_it_is(tmp_path: Path, store: Store) -> None:
    agent = write_agent(tmp_path / "agent", SCRIPT, tools=TOOLS)

    class Breaking(Recorder):
        async def complete(self, request: stagehooks.Request) -> Reply:
            with sqlite3.connect(store.path) as other:
                other.execute("DROP TABLE effects")
            return await super().complete(request)

    with pytest.raises(StoreError, match="cannot write to the store"):
        run_agent_sync(agent, model=Breaking(*FULL), store=store)
    assert store.runs()[0].status == "interrupted"


# --- finding runs ---------------------------------------------------------------------------------------------------------


def test_the_beginning_of_an_id_is_enough(tmp_path: Path, store: Store) -> None:
    driven = drive(tmp_path, store=store)
    assert store.run(driven.result.run[:3]).id == driven.result.run


def test_the_latest_run_has_a_name(tmp_path: Path, store: Store) -> None:
    with pytest.raises(UsageError, match="there is no run 'last'"):
        store.run("last")
    drive(tmp_path / "first", store=store)
    second = drive(tmp_path / "second", store=store)
    assert store.run("last").id == second.result.run


@pytest.mark.parametrize("prefix", ["", "zz", "*", "?", "[a-z]", "' OR 1=1 --"])
def test_a_run_that_does_not_exist_is_a_usage_error(tmp_path: Path, store: Store, prefix: str) -> None:
    drive(tmp_path, store=store)
    with pytest.raises(UsageError, match="there is no run"):
        store.run(prefix)


def test_an_id_that_is_not_enough_is_a_usage_error(tmp_path: Path, store: Store) -> None:
    for number in range(20):
        drive(tmp_path / str(number), store=store)
    ids = [run.id for run in store.runs()]
    shared = next(id[0] for id in ids if sum(other[0] == id[0] for other in ids) > 1)
    with pytest.raises(UsageError, match="is the beginning of more than one run"):
        store.run(shared)


# --- processes ------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are made by forking")
def test_this_process_lives_and_one_that_has_ended_does_not() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    here = this_process()
    zombie = Owner(here.host, here.boot, child, "")
    os.waitpid(child, 0)
    assert here.alive
    assert not zombie.alive


def test_a_process_number_that_is_used_again_is_another_process() -> None:
    here = this_process()
    if not here.began:
        pytest.skip("this system does not tell when a process began")
    assert not Owner(here.host, here.boot, here.pid, "12").alive
    assert not Owner(here.host, "before the machine was started again", here.pid, here.began).alive
    assert Owner("another machine", "", 1, "").alive


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are made by forking")
def test_two_processes_write_to_one_store_at_once(tmp_path: Path) -> None:
    path = tmp_path / "both.db"
    agent = write_agent(tmp_path / "agent", SCRIPT, tools=TOOLS)
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            ended = 1
            try:
                for _ in range(5):
                    run_agent_sync(agent, model=Recorder(*FULL), store=Store(path))
                ended = 0
            finally:
                os._exit(ended)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
    store = Store(path)
    runs = store.runs()
    assert len(runs) == 20
    assert {run.status for run in runs} == {"complete"}
    assert len({len(list(store.events(run.id))) for run in runs}) == 1


# --- commands -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def scripted(tmp_path: Path) -> Path:
    write_agent(tmp_path / "agent", SCRIPT, tools=TOOLS)
    (tmp_path / "agent" / "replies.toml").write_text(
        '[[main]]\ntool_calls = [{ name = "submit_output", arguments = { content = "yes" } }]\n[[main]]\ntext = "done"\n'
    )
    return tmp_path / "agent"


def test_a_run_of_the_command_is_listed_and_told_again(capsys, tmp_path: Path, scripted: Path) -> None:
    at = ("--store", tmp_path / "runs.db")
    code, printed, said = command(capsys, "run", scripted, "--task", "find it", "--json", *at)
    assert (code, said) == (0, "")
    run = json.loads(printed.splitlines()[0])["run"]

    code, out, _ = command(capsys, "ps", *at)
    assert code == 0
    assert out.splitlines()[0].split() == ["RUN", "AGENT", "STATUS", "STAGE", "STARTED", "TASK"]
    assert out.splitlines()[1].startswith(f"{run}  test   complete  main")
    assert out.splitlines()[1].endswith("find it")
    (listed,) = json.loads(command(capsys, "ps", "--json", *at)[1])
    assert (listed["run"], listed["status"], listed["task"], listed["process"]) == (run, "complete", "find it", None)

    assert command(capsys, "log", run[:6], "--json", *at)[1] == printed
    code, out, err = command(capsys, "log", run[:6], *at)
    assert (code, err) == (0, "")
    assert all(word in out for word in ("stage main", "submit_output", "complete", "yes"))


def test_the_result_is_told_again(capsys, tmp_path: Path, scripted: Path) -> None:
    at = ("--store", tmp_path / "runs.db")
    command(capsys, "run", scripted, *at)
    run = Store(tmp_path / "runs.db").runs()[0].id
    assert command(capsys, "result", run, *at) == (0, "yes\n", f"Final output from run '{run}', stage 'main':\n\n")
    assert command(capsys, "result", run, "--raw", *at) == (0, "yes\n", "")
    record = json.loads(command(capsys, "result", run, "--json", *at)[1])
    assert (record["run"], record["status"], record["output"], record["error"]) == (run, "complete", "yes", None)


def test_a_run_without_an_output_says_so(capsys, tmp_path: Path, scripted: Path) -> None:
    (scripted / "replies.toml").write_text('[[main]]\nerror = "line down"\n')
    at = ("--store", tmp_path / "runs.db")
    assert command(capsys, "run", scripted, *at)[0] == 1
    run = Store(tmp_path / "runs.db").runs()[0].id
    code, out, err = command(capsys, "result", run, *at)
    assert (code, out) == (1, "")
    assert err.startswith(f"run '{run}' produced no final output (status: error). Only an agent that calls `submit_output` has")
    assert "line down" in err
    assert json.loads(command(capsys, "result", run, "--json", *at)[1])["error"] == "line down"


def test_a_run_need_not_be_stored(capsys, scripted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAGEHOOKS_HOME", str(tmp_path / "home"))
    code, out, _ = command(capsys, "run", scripted, "--no-store", "--json")
    assert (code, json.loads(out.splitlines()[0])["run"]) == (0, "")
    assert not (tmp_path / "home").exists()
    assert command(capsys, "run", scripted)[0] == 0
    assert (tmp_path / "home" / "runs.db").exists()


def test_the_usual_store_is_done_without_where_it_cannot_be_had(capsys, scripted: Path, tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("STAGEHOOKS_HOME", str(tmp_path / "file"))
    code, out, err = command(capsys, "run", scripted)
    assert (code, out) == (0, "yes\n")
    assert err.startswith("warning: this run is not stored and cannot be resumed: cannot open the store")
    code, out, err = command(capsys, "run", scripted, "--store", tmp_path / "file" / "runs.db")
    assert (code, out) == (2, "")
    assert err.startswith("stagehooks: cannot open the store")


@pytest.mark.parametrize("name", ["log", "result", "resume", "replay"])
def test_commands_about_a_run_that_is_not_there_are_one_line_and_a_hint(capsys, tmp_path: Path, name: str) -> None:
    Store(tmp_path / "runs.db").close()
    code, out, err = command(capsys, name, "nope", "--store", tmp_path / "runs.db")
    assert (code, out) == (2, "")
    assert err == f"stagehooks: there is no run 'nope' in {tmp_path / 'runs.db'}\n  hint: 'stagehooks ps' lists the runs\n"


@pytest.mark.parametrize("arguments", [["ps"], ["log", "x"], ["result", "x"], ["resume", "x"], ["replay", "x"]])
def test_looking_into_a_store_that_is_not_there_makes_none(capsys, tmp_path: Path, arguments: list[str]) -> None:
    code, out, err = command(capsys, *arguments, "--store", tmp_path / "none.db")
    assert (code, out) == (2, "")
    assert err.startswith(f"stagehooks: there is no store at '{tmp_path / 'none.db'}'\n")
    assert not (tmp_path / "none.db").exists()
