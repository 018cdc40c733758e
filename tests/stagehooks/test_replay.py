"""Replaying a stored run's hook calls with the scripts as they are now."""

import json
from pathlib import Path

import pytest

from stagehooks import Store
from stagehooks.agent.spawn import Agent, load
from stagehooks.cli import main
from stagehooks.replay import Replayed, replayed
from stagehooks.run.lifecycle import run_agent_sync
from tests.stagehooks.driving import Recorder, calls, stage, write_agent

SCRIPT = """\
fn on_tool_call(ctx) {
    if ctx.tool_calls[0].name == "list_files" { return; }
    #{ action: "modify", value: ctx.tool_calls }
}
"""
REPLIES = (calls(("list_files", {})), calls(("submit_output", {"content": "x"})), "done")
TOOLS = ("list_files", "submit_output", "shell")


class Past:
    """A run in a store, and the agent that it was of."""

    def __init__(self, room: Path, script: str = SCRIPT, *replies: object) -> None:
        self.agent = write_agent(room / "agent", script, tools=TOOLS)
        self.store = Store(room / "runs.db")
        self.run = run_agent_sync(self.agent, model=Recorder(*(replies or REPLIES)), store=self.store).run

    def write(self, script: str) -> None:
        (self.agent.directory / "hooks.rhai").write_text(script)

    def again(self, agent: Agent | None = None) -> list[Replayed]:
        return list(replayed(agent or load(self.agent.directory), self.store.hook_calls(self.run)))


@pytest.fixture
def past(tmp_path: Path) -> Past:
    return Past(tmp_path)


def command(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return code, out, err


def test_the_same_scripts_decide_the_same(past: Past) -> None:
    items = past.again()
    assert [(item.stage, item.hook, item.differs) for item in items] == [("main", "on_tool_call", False)] * 2
    assert [item.then["outcome"] for item in items] == ["allow", "modify"]


def test_a_script_that_means_the_same_does_not_differ(past: Past) -> None:
    past.write("// a remark\n\n" + SCRIPT.replace("return;", "return true;"))
    assert not any(item.differs for item in past.again())


@pytest.mark.parametrize(
    ("script", "now"),
    [
        ("fn on_tool_call(ctx) { false }", [{"outcome": "cancel", "reason": None}] * 2),
        ('fn on_tool_call(ctx) { #{ action: "cancel", reason: "no" } }', [{"outcome": "cancel", "reason": "no"}] * 2),
        ('fn on_tool_call(ctx) { #{ action: "modify", value: [] } }', [{"outcome": "modify", "value": []}] * 2),
    ],
)
def test_what_would_be_decided_differently_is_told_call_by_call(past: Past, script: str, now: list[object]) -> None:
    past.write(script)
    items = past.again()
    assert [item.now for item in items] == now
    assert all(item.differs for item in items)


def test_each_call_sees_what_it_saw(past: Past) -> None:
    past.write('fn on_tool_call(ctx) { #{ action: "modify", value: [ctx.tool_calls[0].name] } }')
    assert [item.now["value"] for item in past.again()] == [["list_files"], ["submit_output"]]


def test_an_error_is_a_decision_and_its_place_is_none(tmp_path: Path) -> None:
    past = Past(tmp_path, 'fn on_tool_call(ctx) { throw "boom" }')
    past.write('\n\nfn on_tool_call(ctx) {\n    throw "boom"\n}')
    (item,) = past.again()
    assert item.then["outcome"] == "error"
    assert not item.differs
    past.write('fn on_tool_call(ctx) { throw "bang" }')
    (item,) = past.again()
    assert item.differs


def test_a_hook_that_is_new_is_tried_on_what_it_would_have_seen(tmp_path: Path) -> None:
    past = Past(tmp_path, "")
    assert past.again() == []
    guard = 'fn on_tool_call(ctx) { if ctx.tool_calls[0].name == "submit_output" { false } }'
    agent = write_agent(tmp_path / "agent", guard, tools=TOOLS)
    items = past.again(agent)
    assert [(item.then["outcome"], item.now["outcome"]) for item in items] == [("none", "allow"), ("none", "cancel")]


def test_a_hook_that_is_gone_differs(past: Past) -> None:
    agent = write_agent(past.agent.directory, SCRIPT, stage("main", tools=TOOLS))
    assert [item.now for item in past.again(agent)] == [{"outcome": "none"}] * 2


def test_a_stage_that_is_gone_differs(past: Past) -> None:
    agent = write_agent(past.agent.directory, SCRIPT, stage("other", ["on_tool_call"], TOOLS))
    assert all(item.differs for item in past.again(agent))


# --- the command ----------------------------------------------------------------------------------------------------------


def test_the_command_tells_what_differs_and_ends_with_1(capsys, past: Past) -> None:
    at = ("--store", past.store.path)
    assert command(capsys, "replay", past.run, *at) == (0, f"2 hook calls of run {past.run}: 2 the same, 0 different\n", "")
    past.write(SCRIPT.replace("{ return; }", "{ return false; }"))
    code, out, err = command(capsys, "replay", past.run[:5], *at)
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert lines[0].split() == [str(past.again()[0].step), "main", "on_tool_call"]
    assert lines[1:] == [
        "      then  allow",
        "      now   cancel",
        f"2 hook calls of run {past.run}: 1 the same, 1 different",
    ]


def test_the_command_gives_an_object_with_every_ctx(capsys, past: Past) -> None:
    past.write(SCRIPT.replace("{ return; }", '{ return #{ action: "cancel", reason: "no" }; }'))
    code, out, _ = command(capsys, "replay", past.run, "--json", "--store", past.store.path)
    report = json.loads(out)
    assert (code, report["run"], report["different"], len(report["calls"])) == (1, past.run, 1, 2)
    first = report["calls"][0]
    assert first["ctx"]["tool_calls"] == [{"name": "list_files", "arguments": {}}]
    assert (first["then"], first["now"], first["different"]) == (
        {"outcome": "allow"}, {"outcome": "cancel", "reason": "no"}, True,
    )  # fmt: skip


def test_a_copy_of_the_agent_can_be_tried(capsys, past: Past, tmp_path: Path) -> None:
    copy = write_agent(tmp_path / "copy", "fn on_tool_call(ctx) { false }", tools=TOOLS)
    assert command(capsys, "replay", past.run, "--agent", copy.directory, "--store", past.store.path)[0] == 1
    assert command(capsys, "replay", past.run, "--store", past.store.path)[0] == 0


def test_a_new_hook_that_cannot_be_tried_is_named(capsys, past: Past) -> None:
    write_agent(past.agent.directory, SCRIPT + "fn before_inference(ctx) { () }", tools=TOOLS)
    code, _, err = command(capsys, "replay", past.run, "--store", past.store.path)
    assert code == 0
    assert err == "before_inference of stage 'main' was not tried: the run has stored nothing for it\n"


def test_an_agent_that_does_not_load_is_refused(capsys, past: Past) -> None:
    past.write("fn on_tool_call(")
    code, out, err = command(capsys, "replay", past.run, "--store", past.store.path)
    assert (code, out) == (2, "")
    assert "failed to compile" in err
