"""Agents made at random, killed at random events, once or twice, and resumed: the same events, the same end, nothing done twice.

Everything that is asked answers by what it is asked, so that two runs of one seed go the same way.
"""

import os
from functools import partial
from pathlib import Path
from random import Random
from typing import cast

import pytest

import stagehooks
from stagehooks import Agent, Answer, Interaction, ModelError, Question, Reply, Request, RunOptions, RunResult, Store, ToolCall
from stagehooks.run.lifecycle import run_agent_sync
from stagehooks.scripts.outcome import HOOK_NAMES
from stagehooks.store.resume import ResumeOptions, resume_run_sync
from tests.stagehooks.driving import write_agent
from tests.stagehooks.resuming import in_a_child, killer, note, noted, outcome

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are made by forking")

REGIONS = """
[context.regions.notes]
kind = "temporary"
max_tokens = 60

[context.regions.list]
kind = "checklist"

[context.regions.log]
kind = "compacting"
max_tokens = 120
compact_at = "50%"

[context.regions.ledger]
kind = "custom"
script = "ledger.rhai"
max_tokens = 100

[context.regions.conversation]
kind = "sliding_window"
max_items = 8
strategy = "compact"
compact_count = 2
max_tokens = 3000
"""
LEDGER = """
fn render(ctx) { ctx.region.name + ctx.entries.len() }
fn on_write(ctx) { !ctx.entry.content.contains("x") }
fn on_overflow(ctx) { [0] }
"""
HOOKS = """
fn on_stage_enter(ctx) { if ctx.totals.stages > 2 { #{ action: "modify", value: #{ notes: "again " + ctx.stage } } } }
fn before_inference(ctx) { if ctx.iteration == 3 { #{ action: "modify", value: #{ ledger: "turn " + ctx.iteration } } } }
fn after_inference(ctx) {
    if ctx.response == "again" { return #{ action: "retry" }; }
    if ctx.response == "bad" { #{ action: "modify", value: "good" } }
}
fn on_tool_call(ctx) {
    let calls = [];
    for wanted in ctx.tool_calls {
        switch wanted.name { "list_files" => calls.push(#{ deny: "no lists" }), "drop" => (), _ => calls.push(wanted) }
    }
    #{ action: "modify", value: calls }
}
fn on_stage_exit(ctx) { () }
fn on_completion(ctx) { if ctx.output != "" { #{ action: "modify", value: ctx.output + "!" } } }
fn on_error(ctx) { #{ action: "modify", value: "seen: " + ctx.error } }
"""
TOOLS = ["pay", "list_files", "write_file", "context_write", "context_append", "todo_add", "todo_done", "submit_output"]
POINT = """
[[stages.{stage}.interaction_points]]
name = "sure"
prompt = "Are you sure?"
style = "multiple_choice"
options = ["Yes", "Back", "Edit"]
directives = {{ Back = "Once more." }}
edit_options = ["Edit"]
document_region = "notes"
required = {required}
"""
STAGES = ("a", "b", "c")


def stages(chance: Random) -> str:
    text = ""
    for name in STAGES:
        text += f"[stages.{name}]\navailable_tools = {TOOLS}\nmax_iterations = {chance.choice([3, 5, 8])}\nmax_revisits = 2\n"
        text += f"allow_complete = {'true' if chance.random() < 0.5 else 'false'}\n[stages.{name}.hooks]\n"
        text += "".join(f'{hook} = "hooks.rhai"\n' for hook in HOOK_NAMES if chance.random() < 0.8)
        if chance.random() < 0.5:
            text += POINT.format(stage=name, required=chance.choice(["true", "false"]))
        for target in STAGES:
            if target != name and chance.random() < 0.6:
                text += edge(chance, name, target)
    return text


def edge(chance: Random, name: str, target: str) -> str:
    condition = chance.choice(["always", "llm_choice", "error", "max_iterations", "stuck"])
    text = f'[stages.{name}.transitions.{target}]\ncondition = "{condition}"\n'
    if condition == "stuck":
        return f"{text}stuck_after_tool_calls = 4\nstuck_after_minutes = 5\n"
    if chance.random() < 0.5:
        text += 'gate = { require_regions = ["notes"], max_attempts = 2 }\n'
    return f'{text}transform = "{chance.choice(["direct", "clear", "compact"])}"\n'


class Erratic:
    """A model that says something for each turn, by the seed alone."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    async def complete(self, request: Request) -> Reply:
        chance = Random(f"{self._seed}/{request.stage}/{request.purpose}/{request.turn}")
        if request.purpose != "reply":
            return Reply(chance.choice(["a", "b", "c", "DONE", "?"]), (), 1)
        what = chance.random()
        if what < 0.06:
            raise ModelError("line down")
        if what < 0.3:
            return Reply(chance.choice(["done", "bad", "again"]), (), 2)
        calls = [(place, *call(chance)) for place in range(chance.randint(1, 3))]
        return Reply("", tuple(ToolCall(f"{request.turn}-{place}", name, arguments) for place, name, arguments in calls), 3)


def call(chance: Random) -> tuple[str, dict[str, object]]:
    return chance.choice(
        [
            ("pay", {"amount": chance.randint(1, 9)}),
            ("pay", {"wrong": 1}),
            ("list_files", {}),
            ("drop", {}),
            ("write_file", {"path": f"{chance.randint(0, 2)}.txt", "content": "text"}),
            (
                "context_write",
                {"region": chance.choice(["notes", "ledger", "log"]), "content": chance.choice(["x", "hello " * 9])},
            ),
            ("context_append", {"region": "log", "content": "words " * 12}),
            ("todo_add", {"region": "list", "item": "look"}),
            ("todo_done", {"region": "list", "id": "1"}),
            ("submit_output", {"content": chance.choice(["one", "two", ""])}),
        ]
    )


class World:
    """What a run of one seed is given."""

    def __init__(self, room: Path, seed: int) -> None:
        self.paid = room / "paid"
        self._seed = seed
        self.allow = Random(seed).choice([[], ["pay"]])

    def options(self) -> dict[str, object]:
        def pay(amount: int) -> str:
            note(self.paid, str(amount))
            return f"paid {amount}"

        tools = [stagehooks.tool(pay)]
        return {"model": Erratic(self._seed), "tools": tools, "approve": self._approve, "interact": self._interact}

    def _approve(self, question: Question) -> Answer:
        return Random(f"{self._seed}/{question.call.id}").choice([*Answer])

    def _interact(self, question: Interaction) -> str | None:
        answers = ["Yes", "Yes", "Back", "Edit", None] if question.form != "edit" else ["other words", None]
        return Random(f"{self._seed}/{question.stage}/{question.form}/{question.document}").choice(answers)


def begun(agent: Agent, world: World, store: Store, observe: object) -> RunResult:
    options = {**world.options(), "allow": world.allow, "store": store, "observe": observe}
    return run_agent_sync(agent, **cast(RunOptions, options))


def resumed(store: Store, run: str, world: World, observe: object = None) -> RunResult:
    return resume_run_sync(store, run, **cast(ResumeOptions, {**world.options(), "observe": observe}))


def told(store: Store, run: str) -> list[object]:
    return [event.event for event in store.events(run) if not event.aside][1:]


def random_agent(place: Path, chance: Random) -> Agent:
    """An agent that may run, which not every one is that is made at random."""
    place.mkdir()
    (place / "ledger.rhai").write_text(LEDGER)
    while True:
        try:
            return write_agent(place, HOOKS, stages(chance), top=REGIONS)
        except stagehooks.SpawnError as error:
            if "no terminal path" not in error.message:
                raise


@pytest.mark.parametrize("seed", range(12))
def test_a_random_agent_killed_at_random_comes_to_the_same_end(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    agent = random_agent(tmp_path / "agent", chance)
    store, world = Store(tmp_path / "runs.db"), World(tmp_path, seed)
    observed: list[object] = []
    whole = begun(agent, world, store, observed.append)
    paid = noted(world.paid)
    for at in chance.sample(range(1, len(observed)), k=3):
        world.paid.unlink(missing_ok=True)
        in_a_child(partial(lambda at: begun(agent, world, Store(store.path), killer(at)), at))
        run = next(run.id for run in store.runs() if not run.over)
        if at % 2:
            in_a_child(partial(lambda run: resumed(Store(store.path), run, world, killer(3)), run))
        if store.run(run).over:
            continue
        assert outcome(resumed(store, run, world)) == outcome(whole), at
        assert told(store, run) == told(store, whole.run), at
        assert noted(world.paid) == paid, at
