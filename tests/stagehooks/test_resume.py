"""A run is killed at every instant that counts, and resumed: the same outcome, and nothing done twice."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import stagehooks
from stagehooks import (
    Reply,
    Request,
    Store,
    ToolCalled,
    resume_run_sync,
)
from stagehooks.run.lifecycle import run_agent_sync
from stagehooks.store.database import Database
from stagehooks.store.journal import INTERRUPTED
from stagehooks.tools.tool import Tool
from tests.stagehooks.driving import calls, write_agent
from tests.stagehooks.resuming import (
    EXAMPLES,
    Scripted,
    World,
    in_a_child,
    kill,
    killed_and_resumed,
    killer,
    note,
    noted,
    outcome,
    sweep,
)

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are made by forking")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    sweep(made.store)


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


@pytest.mark.parametrize("name", sorted(path.parent.name for path in EXAMPLES.glob("*/replies.toml")))
def test_an_example_killed_at_each_event_comes_to_the_same_end(tmp_path: Path, name: str) -> None:
    found = killed_and_resumed(Store(tmp_path / "runs.db"), stagehooks.load(EXAMPLES / name), {})
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
