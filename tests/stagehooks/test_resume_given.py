"""A run that is resumed has what it was given, needs none of it again, and gets no more than that."""

import asyncio
import os
from pathlib import Path
from typing import cast

import pytest

import stagehooks
from stagehooks import Answer, Interaction, Question, Reply, Request, RunResult, Store, approve_all, deny_all, resume_run_sync
from stagehooks.agent.blueprint import StuckAfter
from stagehooks.errors import UsageError
from stagehooks.run.control import Clock
from stagehooks.run.given import Given
from stagehooks.run.lifecycle import run_agent_sync
from stagehooks.run.visit import Visit
from stagehooks.run.window import Window
from stagehooks.store.resume import ResumeOptions
from stagehooks.tools.tool import Tool
from tests.stagehooks.driving import calls, stage, write_agent
from tests.stagehooks.resuming import (
    in_a_child,
    kill,
    killed_and_resumed,
    killer,
    note,
    noted,
    outcome,
    stagehooks_command,
)

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are made by forking")


class Turns:
    """A model whose replies depend on nothing but the turn; after the last one it says that it is done."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = replies

    async def complete(self, request: Request) -> Reply:
        return self._replies[request.turn - 1] if request.turn <= len(self._replies) else Reply("done")


PAYS = Turns(calls(("pay", {"amount": 1})), calls(("pay", {"amount": 2})), calls(("pay", {"amount": 3})))


def paying(room: Path) -> list[Tool]:
    def pay(amount: int) -> str:
        note(room / "paid", str(amount))
        return f"paid {amount}"

    return [stagehooks.tool(pay)]


class Shop:
    """An agent that pays three times, and has to ask each time."""

    def __init__(self, room: Path) -> None:
        self.room = room
        self.agent = write_agent(room / "agent", "", tools=["pay"])
        self.store = Store(room / "runs.db")

    def killed(self, at: str, count: int = 1, **given: object) -> str:
        """The id of a run that was killed at its `count`-th event `at`."""

        def watch(event: stagehooks.Event) -> None:
            if event.event == at:
                seen.append(event)
                if len(seen) == count:
                    kill()

        seen: list[stagehooks.Event] = []
        options = cast(stagehooks.RunOptions, {"model": PAYS, "tools": paying(self.room), "observe": watch, **given})
        in_a_child(lambda: run_agent_sync(self.agent, store=Store(self.store.path), **options))
        return self.store.runs()[0].id

    def resume(self, run: str, **given: object) -> RunResult:
        return resume_run_sync(self.store, run, **cast(ResumeOptions, {"model": PAYS, "tools": paying(self.room), **given}))

    def paid(self) -> str:
        return "".join(sorted(noted(self.room / "paid")))


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


# --- it has it again ------------------------------------------------------------------------------------------------------


def test_what_was_allowed_is_allowed_again(shop: Shop) -> None:
    run = shop.killed("tool", allow=["pay"])
    assert shop.store.run(run).beginning.given.allow == ("pay",)
    shop.resume(run)
    assert shop.paid() == "123"


@pytest.mark.parametrize(("approve", "paid"), [(approve_all, "123"), (deny_all, "")])
def test_questions_are_answered_as_they_were(shop: Shop, approve: object, paid: str) -> None:
    shop.resume(shop.killed("tool", approve=approve))
    assert shop.paid() == paid


def test_where_nobody_was_there_nobody_is_there_again(shop: Shop) -> None:
    shop.resume(shop.killed("tool"))
    assert shop.paid() == ""


def test_a_run_that_was_allowed_something_comes_to_the_same_end_wherever_it_is_killed(shop: Shop) -> None:
    again = cast(ResumeOptions, {"model": PAYS, "tools": paying(shop.room)})
    found = killed_and_resumed(
        shop.store, shop.agent, again, model=PAYS, tools=paying(shop.room), allow=["pay"], approve=deny_all
    )
    assert len(found) > 10
    assert found == [found[0]] * len(found)


def test_the_command_needs_no_option_again(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.mkdir()
    (agent / "agent.toml").write_text('[agent]\nname = "a"\n[stages.work]\navailable_tools = ["shell"]\n')
    shell = '[[work]]\ntool_calls = [{{ name = "shell", arguments = {{ command = "{}" }} }}]\n'
    (agent / "replies.toml").write_text(
        shell.format("kill -9 $PPID") + shell.format("echo twice >> done") + '[[work]]\ntext = "x"\n'
    )
    work, store = tmp_path / "work", tmp_path / "runs.db"
    work.mkdir()
    assert stagehooks_command("run", agent, "--yes", "--workdir", work, "--store", store, "--timeout", "50").returncode == -9
    assert Store(store).runs()[0].beginning.given == Given(approvals="yes", unattended=True, seconds=50.0)
    assert stagehooks_command("resume", "last", "--store", store).returncode == 0
    assert (work / "done").read_text() == "twice\n"


# --- it gets no more ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("had", "asked", "words"),
    [
        ({}, {"allow": ["pay"]}, "tool 'pay'"),
        ({"allow": ["look"]}, {"allow": ["look", "pay"]}, "tool 'pay'"),
        ({}, {"allow_variables": ["TOKEN"]}, "variable 'TOKEN'"),
        ({}, {"allow_local_network": True}, "the local network"),
        ({}, {"approve": approve_all}, "a yes to every question"),
        ({"approve": deny_all}, {"approve": approve_all}, "a yes to every question"),
        ({"approve": deny_all}, {"approve": lambda question: True}, "asking anybody"),
        ({}, {"unattended": True}, "going on where nobody is asked"),
        ({"seconds": 50.0}, {"seconds": 51.0}, "more than 50 seconds for the run"),
        ({"seconds": 50.0}, {"seconds": None}, "more than 50 seconds for the run"),
        ({"patience": 5.0}, {"patience": 3600.0}, "more than 5 seconds for an answer"),
        ({}, {"allow": ["pay"], "allow_local_network": True}, "tool 'pay'; the local network"),
    ],
)
def test_more_is_refused_and_the_run_stays_as_it_was(shop: Shop, had: dict, asked: dict, words: str) -> None:
    run = shop.killed("tool", **had)
    with pytest.raises(UsageError, match=f"run '{run}' was begun without leave for {words}") as caught:
        shop.resume(run, **asked)
    assert "allowed less than it was, not more" in caught.value.hint
    assert shop.store.run(run).status == "interrupted"
    assert shop.resume(run).status == "complete"


def test_less_holds_from_there_on_and_for_whoever_resumes_it_next(shop: Shop) -> None:
    run = shop.killed("tool", allow=["pay"])
    seen: list[str] = []

    def watch(event: stagehooks.Event) -> None:
        seen.append(event.event)
        if seen.count("tool") == 1:
            kill()

    in_a_child(lambda: Shop.resume(Shop(shop.room), run, allow=[], observe=watch))
    assert shop.store.run(run).beginning.given.allow == ()
    result = shop.resume(run)
    assert (result.status, shop.paid()) == ("complete", "1")
    with pytest.raises(UsageError):
        shop.resume(shop.killed("tool"), allow=["pay"])


def test_a_stricter_answer_is_taken(shop: Shop) -> None:
    asked: list[str] = []

    def approve(question: Question) -> Answer:
        asked.append(question.call.name)
        return Answer.DENY

    shop.resume(shop.killed("tool", approve=approve_all), approve=approve)
    assert (asked, shop.paid()) == (["pay", "pay"], "1")


def test_a_model_of_a_program_is_given_again_by_the_program(shop: Shop) -> None:
    run = shop.killed("tool")
    with pytest.raises(UsageError, match=f"run '{run}' was begun by a program with a model of its own") as caught:
        resume_run_sync(shop.store, run, tools=paying(shop.room))
    assert "model=" in caught.value.hint


def test_the_command_says_what_it_refuses(tmp_path: Path) -> None:
    store = Store(tmp_path / "runs.db")
    agent = write_agent(tmp_path / "agent", "")
    (tmp_path / "agent" / "replies.toml").write_text("")
    in_a_child(lambda: run_agent_sync(agent, store=Store(store.path), observe=killer(2)))
    refused = stagehooks_command("resume", "last", "--yes", "--allow", "shell", "--store", store.path)
    assert refused.returncode == 2
    assert refused.stderr.splitlines() == [
        f"stagehooks: run '{store.runs()[0].id}' was begun without leave for tool 'shell'; a yes to every question",
        "  hint: a run that is resumed may be allowed less than it was, not more: leave that out, or begin a new run",
    ]


# --- what is told by the world --------------------------------------------------------------------------------------------

POINT = """
[[stages.main.interaction_points]]
name = "sure"
prompt = "Are you sure?"
style = "confirm"
"""


@pytest.mark.parametrize("somebody_first", [True, False])
def test_who_is_there_may_change_and_what_was_passed_stays_passed(tmp_path: Path, somebody_first: bool) -> None:
    agent = write_agent(
        tmp_path / "agent", "", stages=stage("main", more="") + POINT + stage("next") + POINT.replace("main", "next")
    )
    asked = tmp_path / "asked"

    def person(question: Interaction) -> bool:
        note(asked, question.stage)
        return True

    store = Store(tmp_path / "runs.db")
    first, then = (person, None) if somebody_first else (None, person)
    observed: list[object] = []
    run_agent_sync(agent, model=Turns(), store=store, interact=first, observe=observed.append)
    for at in range(1, len(observed)):
        asked.unlink(missing_ok=True)
        in_a_child(
            lambda at=at: run_agent_sync(agent, model=Turns(), store=Store(store.path), interact=first, observe=killer(at))
        )
        run = next(run for run in store.runs() if not run.over)
        answered = {event.event.stage for event in store.events(run.id) if isinstance(event.event, stagehooks.PointAnswered)}
        before = {*noted(asked)}
        result = resume_run_sync(store, run.id, model=Turns(), interact=then)
        assert (result.status, result.stages) == ("complete", ("main", "next")), at
        assert {*noted(asked)} == (before if somebody_first else {"main", "next"} - answered), at


@pytest.mark.parametrize("waits", ["model", "tool", "repeatable tool", "person"])
def test_a_run_that_took_too_long_fails_so_again_wherever_it_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waits: str
) -> None:
    deadlines: list[asyncio.Timeout] = []
    timeout = asyncio.timeout

    def noted_timeout(seconds: float | None) -> asyncio.Timeout:
        made = timeout(seconds)
        if seconds is None:  # that of the whole run, which is set when it is live
            deadlines.append(made)
        return made

    monkeypatch.setattr(asyncio, "timeout", noted_timeout)

    async def forever(*given: object) -> str:
        deadlines[-1].reschedule(asyncio.get_running_loop().time())
        await asyncio.sleep(60)
        return "yes"

    async def wait() -> str:
        return await forever() if "tool" in waits else "waited"

    class Slow:
        async def complete(self, request: Request) -> Reply:
            if request.turn == 3 and waits == "model":
                await forever()
            return Reply("done") if request.turn > 2 else calls(("list_files", {}), ("wait", {}))

    script = 'fn before_inference(ctx) { () }\nfn on_error(ctx) { #{ action: "modify", value: ctx.error + "!" } }'
    agent = write_agent(
        tmp_path / "agent", script, stage("main", ["before_inference", "on_error"], ["list_files", "wait"]) + POINT
    )
    effect = "outside" if waits == "tool" else "repeatable"
    given = {"model": Slow(), "tools": [Tool("wait", "Wait.", (), wait, policy="allow", effect=effect)], "interact": forever}
    store = Store(tmp_path / "runs.db")
    found = killed_and_resumed(store, agent, cast(ResumeOptions, given), seconds=60.0, **given)
    assert found[0][0] == "error"
    assert found[0][2] == "the run took longer than 60 seconds!"
    assert found == [found[0]] * len(found)


def test_time_that_a_visit_took_in_a_process_that_is_gone_counts(tmp_path: Path) -> None:
    agent = write_agent(tmp_path / "agent", "")
    visit = Visit(agent.blueprint.entry, Window((), {}, lambda text: None), Clock(lambda: 0.0))
    visit.took(5.0)
    visit.took(3.0)
    assert visit.minutes() == pytest.approx(5.0)
    assert visit.stuck(StuckAfter(minutes=5), visit.minutes()) == "5 minutes"


def test_a_stage_that_was_nearly_stuck_when_it_was_killed_is_nearly_stuck_when_it_is_resumed(tmp_path: Path) -> None:
    stages = (
        stage("work", tools=["list_files"])
        + '[stages.work.transitions.rescue]\ncondition = "stuck"\nstuck_after_minutes = 1\n[stages.work.transitions.end]\n'
        + stage("end")
        + stage("rescue")
    )
    agent = write_agent(tmp_path / "agent", "", stages=stages)
    model = Turns(*[calls(("list_files", {}))] * 5)
    store = Store(tmp_path / "runs.db")
    in_a_child(lambda: run_agent_sync(agent, model=model, store=Store(store.path), observe=killer(8)))
    (run,) = store.runs()
    import sqlite3

    with sqlite3.connect(store.path, isolation_level=None) as database:
        last = "SELECT max(ordinal) FROM effects WHERE run = ? AND kind = 'minutes'"
        database.execute(f"UPDATE effects SET outcome = '0.9999999' WHERE ordinal = ({last}) AND run = ?", (run.id, run.id))
    result = resume_run_sync(store, run.id, model=model)
    assert result.stages == ("work", "rescue")


# --- pauses ---------------------------------------------------------------------------------------------------------------


def test_a_run_that_was_held_is_resumed_wherever_it_is_killed(shop: Shop) -> None:
    from stagehooks.run.lifecycle import Run, drive_sync

    def held(store: Store, observe: object) -> RunResult:
        def watch(event: stagehooks.Event) -> None:
            observe(event)
            if event.event == "reply":
                run.pause()
            if event.event == "paused":
                run.resume()

        options = {"model": PAYS, "tools": paying(shop.room), "allow": ["pay"], "store": store, "observe": watch}
        run = Run(shop.agent, cast(stagehooks.RunOptions, options))
        return drive_sync(lambda: run)

    observed: list[stagehooks.Event] = []
    whole = held(shop.store, observed.append)
    kept = [event.event.event for event in shop.store.events(whole.run)]
    assert kept == [event.event for event in observed]
    assert kept.count("paused") == kept.count("continued") == 4
    for at in range(1, len(observed)):
        in_a_child(lambda at=at: held(Store(shop.store.path), killer(at)))
        run = next(run for run in shop.store.runs() if not run.over)
        assert outcome(shop.resume(run.id)) == outcome(whole), at
