"""The examples that newcomers copy: each does what its README says, with nothing but what is in its folder."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from stagehooks.agent.layout import KINDS
from stagehooks.agent.spawn import load
from stagehooks.models.choice import models_of
from stagehooks.models.protocol import Reply, Request
from stagehooks.run.events import EdgeHeld, Event, HookFired, PointAnswered, RegionChanged, RunResult, ToolCalled, Warned
from stagehooks.run.lifecycle import run_agent_sync
from stagehooks.scripts.outcome import HOOK_NAMES

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
NAMES = sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir())


def run(name: str) -> tuple[RunResult, list[Event]]:
    events: list[Event] = []
    return run_agent_sync(load(EXAMPLES / name), observe=events.append), events


def hooks(events: list[Event]) -> list[HookFired]:
    return [event for event in events if isinstance(event, HookFired)]


def tools(events: list[Event]) -> list[ToolCalled]:
    return [event for event in events if isinstance(event, ToolCalled)]


def test_the_planner_goes_through_its_three_stages() -> None:
    result, _ = run("planner")
    assert (result.status, result.stages) == ("complete", ("survey", "draft", "deliver"))


def test_the_planner_defines_all_seven_hooks_and_fires_six() -> None:
    _, events = run("planner")
    assert {hook for stage in load(EXAMPLES / "planner").blueprint.stages for hook in stage.hooks.declared()} == set(HOOK_NAMES)
    assert {event.hook for event in hooks(events)} == set(HOOK_NAMES) - {"on_error"}


def test_the_planners_guard_drops_the_shell_and_tames_the_reads() -> None:
    _, events = run("planner")
    treated = {event.name: event.hook for event in tools(events)}
    assert treated == {"shell": "dropped", "list_files": "allowed", "read_file": "rewritten", "submit_output": "none"}
    reads = [event for event in tools(events) if event.name == "read_file"]
    assert all(event.arguments["max_lines"] == 20 and "max_lines" not in event.asked for event in reads)
    assert all(event.ok for event in tools(events) if event.hook != "dropped")


def test_the_planners_output_is_trimmed() -> None:
    result, events = run("planner")
    (submitted,) = [event for event in tools(events) if event.name == "submit_output"]
    assert result.output == submitted.arguments["content"].strip() != submitted.arguments["content"]


def test_the_planner_needs_to_ask_nobody() -> None:
    _, events = run("planner")
    assert [event.approval for event in tools(events)] == [None] * len(tools(events))


def test_the_failing_agent_is_refused_by_its_guard_and_reported_by_on_error() -> None:
    result, events = run("failing")
    assert [(event.hook, event.outcome) for event in hooks(events)] == [("on_tool_call", "cancel"), ("on_error", "modify")]
    assert result.exit_code == 1
    assert result.error == (
        "Stage 'clean' was stopped: on_tool_call: refused the tool calls: 'rm -rf /var/log/app' deletes files. "
        "Nothing was changed; delete by hand what should go."
    )
    assert tools(events) == []


def test_the_cost_gate_shortens_the_conversation_before_the_second_request() -> None:
    result, events = run("cost_gate")
    assert [event.outcome for event in hooks(events)] == ["allow", "modify", "allow"]
    assert result.output == "Worker 3 stopped at 08:02 because the disk for /data/jobs was full."


def test_the_redactor_lets_no_secret_out() -> None:
    result, events = run("redactor")
    assert result.status == "complete"
    assert "sk-" not in (result.output or "")
    assert "[redacted]" in (result.output or "")
    assert "modify" in [event.outcome for event in hooks(events) if event.hook == "after_inference"]


def test_the_full_agent_goes_through_its_five_stages_and_once_back() -> None:
    result, _ = run("full")
    assert (result.status, result.stages) == ("complete", ("intake", "sort", "check", "repair", "check", "report"))
    assert json.loads(result.output or "") == {"total": 155.0, "receipts": {"paper": 28.0, "train": 70.0, "lunch": 57.0}}


def test_the_full_agent_has_one_of_everything() -> None:
    agent = load(EXAMPLES / "full")
    stages = agent.blueprint.stages
    assert {region.kind for stage in stages for region in stage.regions} == set(KINDS)
    assert {hook for stage in stages for hook in stage.hooks.declared()} == set(HOOK_NAMES)
    edges = [edge for stage in stages for edge in stage.transitions]
    assert {edge.condition for edge in edges} == {"always", "llm_choice", "stuck"}
    assert [edge.target for edge in edges if edge.gate is not None] == ["check"]
    assert [point.name for stage in stages for point in stage.interaction_points] == ["sum"]


def test_the_full_agent_uses_all_that_it_has() -> None:
    _, events = run("full")
    assert {event.hook for event in hooks(events)} == set(HOOK_NAMES) - {"on_error"}
    assert {event.outcome for event in hooks(events)} == {"allow", "modify", "retry"}
    made = {event.name: event for event in tools(events)}
    assert made["add_up"].result == "155.0"
    assert made["share_of"].result == "36%"
    denied, counted = [event for event in tools(events) if event.name == "shell"]
    assert (denied.hook, denied.result) == ("denied", "[denied] receipts are never deleted")
    assert (counted.taint, counted.approval) == ("rule counting", "nobody")
    refused, taken = [event for event in tools(events) if event.name == "submit_output"]
    assert (refused.ok, taken.ok) == (False, True)
    assert "the receipts add up to 155.0, not to 150.0" in refused.result
    assert [event.forced for event in events if isinstance(event, EdgeHeld)] == [False]
    assert {event.what for event in events if isinstance(event, RegionChanged)} == {"seeded", "summarised", "cleared"}
    assert [event.outcome for event in events if isinstance(event, PointAnswered)] == ["auto_approved"] * 2
    assert not [event for event in events if isinstance(event, Warned)]


def test_the_full_agent_shows_its_ledger_without_the_line_that_is_none() -> None:
    asked = []

    class Asked:
        def __init__(self) -> None:
            self.model = models_of(load(EXAMPLES / "full"))["check"]

        async def complete(self, request: Request) -> Reply:
            asked.append(request)
            return await self.model.complete(request)

    run_agent_sync(load(EXAMPLES / "full"), model=Asked())
    seen = next(request for request in asked if request.stage == "check")
    ledger = "Ledger, 3 lines:\n| 4 March: paper, 28.00 |\n| 11 March: train, 70.00 |\n| 19 March: lunch, 57.00 |"
    assert ledger in seen.system
    assert any("4 March, Stationer Brook: 28.00" in text for text in seen.system)


@pytest.mark.parametrize("name", NAMES)
def test_an_example_says_what_it_is_and_is_not_changed_by_running(name: str) -> None:
    before = {path: path.read_bytes() for path in sorted((EXAMPLES / name).rglob("*")) if path.is_file()}
    run(name)
    assert f"stagehooks run examples/{name}" in (EXAMPLES / name / "README.md").read_text()
    assert {path: path.read_bytes() for path in sorted((EXAMPLES / name).rglob("*")) if path.is_file()} == before


@pytest.mark.parametrize("name", NAMES)
def test_an_example_happens_the_same_way_every_time(name: str) -> None:
    def told(events: list[Event]) -> list[Event]:
        return events[1:]  # the first one names a fresh work directory

    assert told(run(name)[1]) == told(run(name)[1])


@pytest.mark.parametrize(("name", "code"), [("planner", 0), ("failing", 1), ("cost_gate", 0), ("redactor", 0), ("full", 0)])
def test_an_example_runs_from_the_command_line_unattended(name: str, code: int) -> None:
    command = [sys.executable, "-m", "stagehooks", "run", f"examples/{name}", "--json"]
    done = subprocess.run(command, cwd=EXAMPLES.parent, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    assert done.returncode == code
    assert done.stderr == ""
    assert json.loads(done.stdout.splitlines()[-1])["status"] == ("error" if code else "complete")
