"""A store in trouble: full, held by somebody, no store at all, with rows that nobody can read. One clear message, each time."""

import json
import os
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import stagehooks
from stagehooks.cli import main
from stagehooks.errors import StoreError, UnusableStore, UsageError
from stagehooks.run.lifecycle import run_agent_sync
from stagehooks.store import database
from stagehooks.store.database import Database
from stagehooks.store.journal import Journal
from stagehooks.store.resume import resume_run_sync
from stagehooks.store.store import Store
from tests.stagehooks.driving import Recorder, calls, stage, write_agent
from tests.stagehooks.resuming import sweep

LIST = ("list_files", {})
DONE = '[[main]]\ntext = "done"\n'


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A store with two runs."""
    agent = write_agent(tmp_path / "agent", "fn before_inference(ctx) { () }")
    (agent.directory / "replies.toml").write_text(DONE)
    with Store(tmp_path / "runs.db") as store:
        for task in ("first", "second"):
            run_agent_sync(agent, task=task, store=store)
    return tmp_path / "runs.db"


def edit(place: Path, statement: str) -> None:
    connection = sqlite3.connect(place, isolation_level=None)
    connection.execute(statement)
    connection.close()


# --- opening --------------------------------------------------------------------------------------------------------------


def test_a_directory_is_no_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnusableStore, match="cannot open the store"):
        Store(tmp_path)
    assert main(["ps", "--store", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"stagehooks: cannot open the store '{tmp_path}': Is a directory\n"


def test_a_run_that_is_over_leaves_one_file(place: Path) -> None:
    agent = place.parent / "agent"
    assert main(["run", str(agent), "--store", str(place), "--json"]) == 0
    assert sorted(path.name for path in place.parent.iterdir()) == ["agent", "runs.db"]


def test_a_store_that_somebody_holds_is_waited_for_and_then_one_error(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)
    agent = write_agent(place.parent / "agent", "")
    held = sqlite3.connect(place, isolation_level=None)
    held.execute("BEGIN IMMEDIATE")
    with Store(place) as store:
        with pytest.raises(StoreError, match=r"cannot write to the store .*: database is locked"):
            run_agent_sync(agent, model=Recorder("done"), store=store)
        assert len(store.runs()) == 2
        held.execute("ROLLBACK")
        assert run_agent_sync(agent, model=Recorder("done"), store=store).status == "complete"


def test_many_threads_of_one_process_use_one_store(place: Path) -> None:
    agent = write_agent(place.parent / "agent", "")
    with Store(place) as store:
        threads = [threading.Thread(target=lambda: run_agent_sync(agent, model=Recorder("done"), store=store)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [run.status for run in store.runs()] == ["complete"] * 8


# --- no room --------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "fork"), reason="ids of runs are those of processes that are gone")
def test_a_disk_that_is_full_stops_the_run_where_it_is_and_it_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = "fn before_inference(ctx) { () }"
    agent = write_agent(tmp_path / "agent", script, stage("main", ["before_inference"], ["list_files"]))
    text = "x" * 3000
    turns = (calls(LIST, text=text), calls(LIST, text=text), "done")
    whole = run_agent_sync(agent, model=Recorder(*turns), store=Store(tmp_path / "whole.db"))
    prepare: Callable[[Database], None] = Database._prepare
    outcomes = set()
    for pages in range(8, 40):
        file = tmp_path / f"{pages}.db"

        def small(self: Database, pages: int = pages) -> None:
            prepare(self)
            self._connection.execute(f"PRAGMA max_page_count = {pages}")

        monkeypatch.setattr(Database, "_prepare", small)
        try:
            with Store(file) as store:
                result = run_agent_sync(agent, model=Recorder(*turns), store=store)
            outcomes.add("complete")
            assert result.totals == whole.totals
        except StoreError as error:
            outcomes.add("full" if "full" in error.message else error.message)
        monkeypatch.setattr(Database, "_prepare", prepare)
        with Store(file) as store:
            for run in store.runs():
                if not run.over:
                    edit(file, "UPDATE runs SET owner = 'null'")
                    again = resume_run_sync(store, run.id, model=Late(*turns))
                    assert (again.status, again.totals) == ("complete", whole.totals), pages
            sweep(store)
    assert outcomes == {"complete", "full"}


class Late(Recorder):
    """Gives the reply for the turn that it is asked for."""

    async def complete(self, request):
        del self.replies[: request.turn - 1 - len(self.requests)]
        self.requests += [request] * (request.turn - 1 - len(self.requests))
        return await super().complete(request)


# --- rows that nobody can read --------------------------------------------------------------------------------------------

DAMAGE = [
    "UPDATE runs SET beginning = '{}'",
    "UPDATE runs SET beginning = 'x'",
    "UPDATE runs SET beginning = json_set(beginning, '$.given', 5)",
    "UPDATE runs SET beginning = json_set(beginning, '$.given.approvals', 'maybe')",
    "UPDATE runs SET beginning = json_set(beginning, '$.given.allow', 5)",
    "UPDATE runs SET outcome = '5'",
    "UPDATE runs SET status = 'dancing'",
    "UPDATE runs SET started = 'today'",
    "UPDATE runs SET started = 1e300",
    "UPDATE runs SET ended = 1e300",
    "UPDATE runs SET ended = -1",
]
COMMANDS = ["ps", "log", "result", "resume", "replay"]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_run_that_cannot_be_read_is_one_message_and_hides_no_other(
    place: Path, capsys: pytest.CaptureFixture[str], damage: str
) -> None:
    with Store(place) as store:
        broken = next(run.id for run in store.runs() if run.beginning.task == "second")
    edit(place, f"{damage} WHERE id = '{broken}'")
    assert main(["ps", "--json", "--store", str(place)]) == 0
    printed = capsys.readouterr()
    assert [run["task"] for run in json.loads(printed.out)] == ["first"]
    assert printed.err.startswith(f"warning: run '{broken}' is left out: the store holds something that cannot be read")
    for command in COMMANDS[1:]:
        assert main([command, broken, "--store", str(place)]) == 1, command
        assert "the store holds something that cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize(
    "damage", ["DROP TABLE runs", "DROP TABLE events", "DROP TABLE effects", "DELETE FROM events", "DELETE FROM effects"]
)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_store_without_its_tables_is_no_traceback(
    place: Path, capsys: pytest.CaptureFixture[str], damage: str, command: str
) -> None:
    edit(place, damage)
    code = main([command, *([] if command == "ps" else ["last"]), "--json", "--store", str(place)])
    assert code in (0, 1)
    printed = capsys.readouterr()
    for line in printed.out.splitlines():
        json.loads(line)
    assert code == 0 or "cannot read the store" in printed.err or "no final output" in printed.err or command == "result"


# --- ids ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "id", ["", " ", "*", "?", "[a-z]", "%", "'", "--", "../../etc", "\x1b[31m", "\0", "ä", "\ud800", "x" * 100_000]
)
def test_odd_ids_name_no_run(place: Path, capsys: pytest.CaptureFixture[str], id: str) -> None:
    with Store(place) as store, pytest.raises(UsageError, match="there is no run") as caught:
        store.run(id)
    assert len(caught.value.message) < 300
    if id != "--":
        assert main(["log", id, "--json", "--store", str(place)]) == 2
        printed = capsys.readouterr()
        assert json.loads(printed.out)["error"].startswith("there is no run")
        assert "\x1b" not in printed.err


# --- nothing swallows it --------------------------------------------------------------------------------------------------


def test_a_store_that_fails_in_the_middle_of_a_tool_or_a_model_is_not_taken_for_their_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(self: Journal, event: stagehooks.Event) -> bool:
        if isinstance(event, stagehooks.Warned):
            raise StoreError("no room")
        return written(self, event)

    written = Journal.event
    monkeypatch.setattr(Journal, "event", failing)
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "broken.rhai").write_text('fn validate(content) { throw "no" }')
    submits = stage("main", [], ["submit_output"]) + '[stages.main.output]\nvalidator = "broken.rhai"\n'
    agent = write_agent(tmp_path / "agent", "", submits)
    with Store(tmp_path / "runs.db") as store:
        with pytest.raises(StoreError, match="no room"):
            run_agent_sync(agent, model=Recorder(calls(("submit_output", {"content": "x"})), "done"), store=store)
        assert [run.over for run in store.runs()] == [False]


def test_a_program_may_go_elsewhere_while_its_store_is_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with Store("runs.db") as store:
        monkeypatch.chdir("elsewhere")
        run_agent_sync(write_agent(tmp_path / "agent", ""), model=Recorder("done"), store=store)
        assert len(store.runs()) == 1
    assert not list((tmp_path / "elsewhere").iterdir())
