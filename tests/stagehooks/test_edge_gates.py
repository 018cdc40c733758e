"""Gates on edges: a stage is not left before there is something to show, and never held for ever."""

from pathlib import Path

import pytest

from stagehooks.errors import BlueprintError
from stagehooks.models.protocol import Reply
from stagehooks.run.events import EdgeHeld
from tests.stagehooks.driving import REGIONS, Driven, calls, drive, modify, stage, write_agent

WRITE = calls(("write_file", {"path": "a.txt", "content": "x"}))
ALLOW = '[tool_permissions]\nwrite_file = "allow"\n' + REGIONS


def gated(gate: str, hooks: tuple[str, ...] = (), tools: tuple[str, ...] = ("write_file", "list_files"), more: str = "") -> str:
    edge = f"{more}\nnudge = {{ enabled = false }}\n[stages.main.transitions.next]\ngate = {{ {gate} }}"
    return stage("main", hooks, tools, more=edge) + stage("next", more="[stages.next.transitions]")


def held(driven: Driven) -> list[tuple[int, bool]]:
    return [(event.attempt, event.forced) for event in driven.events if isinstance(event, EdgeHeld)]


# --- require_modifications ------------------------------------------------------------------------------------------------


def test_a_stage_that_changed_nothing_is_held_and_told_so(tmp_path: Path) -> None:
    driven = drive(tmp_path, "", "done", WRITE, "done", "bye", stages=gated("require_modifications = true"), top=ALLOW)
    assert driven.result.stages == ("main", "next")
    assert driven.model.saw("[System] No file modifications were recorded in this stage", 1)
    assert held(driven) == [(1, False)]


def test_the_message_of_the_gate_is_what_is_told(tmp_path: Path) -> None:
    gate = 'require_modifications = true, message = "Write it first."'
    driven = drive(tmp_path, "", "done", WRITE, "done", "bye", stages=gated(gate), top=ALLOW)
    assert driven.model.saw("[System] Write it first.", 1)


@pytest.mark.parametrize(("attempts", "requests"), [("", 4), (", max_attempts = 1", 2), (", max_attempts = 0", 1)])
def test_a_gate_gives_up_in_the_end_and_says_so(tmp_path: Path, attempts: str, requests: int) -> None:
    driven = drive(tmp_path, "", *["done"] * 9, stages=gated(f"require_modifications = true{attempts}"), top=ALLOW)
    assert driven.result.stages == ("main", "next")
    assert len(driven.model.requests) == requests + 1
    assert held(driven) == [*((number, False) for number in range(1, requests)), (requests - 1, True)]


def test_a_change_that_was_refused_is_a_try(tmp_path: Path) -> None:
    driven = drive(tmp_path, "", WRITE, "done", "bye", stages=gated("require_modifications = true"))
    assert driven.tools[0].approval == "nobody"
    assert (driven.result.stages, held(driven)) == (("main", "next"), [])


def test_a_stage_that_cannot_change_files_is_not_held(tmp_path: Path) -> None:
    driven = drive(tmp_path, "", "done", "bye", stages=gated("require_modifications = true", tools=("list_files",)))
    assert held(driven) == []


def test_another_tool_may_count_as_a_modifying_one(tmp_path: Path) -> None:
    gate = 'require_modifications = true, tools = ["list_files"]'
    driven = drive(tmp_path, "", calls(("list_files", {})), "done", "bye", stages=gated(gate))
    assert held(driven) == []


def test_a_region_may_stand_for_a_change(tmp_path: Path) -> None:
    script = "fn on_stage_enter(ctx) { " + modify('#{ notes: "changed" }') + " }"
    stages = gated('require_modifications = true, region = "notes"', ("on_stage_enter",))
    assert held(drive(tmp_path, script, "done", "bye", stages=stages)) == []


# --- regions --------------------------------------------------------------------------------------------------------------

FILLS = "fn after_inference(ctx) { () } fn before_inference(ctx) { if ctx.iteration == 2 { " + modify('#{ notes: "n" }') + " } }"


def test_regions_that_are_required_must_hold_something(tmp_path: Path) -> None:
    stages = gated('require_regions = ["notes"]', ("before_inference",))
    driven = drive(tmp_path, FILLS, "done", "done", "bye", stages=stages)
    assert held(driven) == [(1, False)]
    assert driven.model.saw("there is nothing yet in 'notes'", 1)


def test_all_that_a_gate_asks_for_must_hold(tmp_path: Path) -> None:
    stages = gated('require_modifications = true, require_regions = ["notes"]', ("before_inference",))
    driven = drive(tmp_path, FILLS, WRITE, "done", "bye", stages=stages, top=ALLOW)
    assert held(driven) == []
    again = drive(tmp_path / "again", "", WRITE, *["done"] * 4, "bye", stages=gated('require_regions = ["notes"]'), top=ALLOW)
    assert held(again)[-1] == (3, True)


def test_a_region_must_have_been_changed_by_this_visit(tmp_path: Path) -> None:
    script = "fn on_stage_enter(ctx) { " + modify('#{ notes: "old" }') + " } fn before_inference(ctx) { if ctx.iteration == 2 { "
    script += modify('#{ notes: "new" }') + " } }"
    stages = gated('require_region_updated = "notes"', ("on_stage_enter", "before_inference"))
    driven = drive(tmp_path, script, "done", "done", "bye", stages=stages)
    assert held(driven) == [(1, False)]
    assert driven.model.saw("The region 'notes' is as it was when this stage began", 1)


def test_open_items_of_a_checklist_hold_the_stage(tmp_path: Path) -> None:
    top = '[context.regions.todo]\nkind = "checklist"\nmax_tokens = 200\n' + REGIONS
    stages = gated('require_no_open_items = "todo"', tools=("todo_add", "todo_done"))
    add, tick = calls(("todo_add", {"item": "look", "region": "todo"})), calls(("todo_done", {"region": "todo", "id": "1"}))
    driven = drive(tmp_path, "", add, "done", tick, "done", "bye", stages=stages, top=top)
    assert held(driven) == [(1, False)]
    assert driven.model.saw("There are open items in 'todo': 1 look.", 2)


# --- the hook and the choice ----------------------------------------------------------------------------------------------

EXIT = "fn on_stage_exit(ctx) { () }"


def test_on_stage_exit_fires_only_when_the_stage_is_really_left(tmp_path: Path) -> None:
    stages = gated("require_modifications = true", ("on_stage_exit",))
    driven = drive(tmp_path, EXIT, "done", "done", WRITE, "done", "bye", stages=stages, top=ALLOW)
    assert held(driven) == [(1, False), (2, False)]
    assert len(driven.hooks("on_stage_exit")) == 1


def choosing(gate: str, more: str = "") -> str:
    edges = f"{more}\nnudge = {{ enabled = false }}\n[stages.main.transitions.next]\ngate = {{ {gate} }}\n"
    stages = stage("main", ["on_stage_exit"], ["write_file"], more=edges + "[stages.main.transitions.other]")
    return stages + stage("next", more="[stages.next.transitions]") + stage("other", more="[stages.other.transitions]")


def purposes(driven: Driven) -> list[str]:
    return [request.purpose for request in driven.model.requests]


def test_a_model_that_chooses_a_gated_edge_is_held_before_the_hook_fires(tmp_path: Path) -> None:
    driven = drive(
        tmp_path, EXIT, "done", "next", WRITE, "done", "next", "bye", stages=choosing("require_modifications = true"), top=ALLOW
    )
    assert driven.result.stages == ("main", "next")
    assert purposes(driven) == ["reply", "transition", "reply", "reply", "transition", "reply"]
    assert len(driven.hooks("on_stage_exit")) == 1


def test_a_model_may_choose_the_edge_that_is_not_held(tmp_path: Path) -> None:
    driven = drive(tmp_path, EXIT, "done", "other", "bye", stages=choosing("require_modifications = true"), top=ALLOW)
    assert driven.result.stages == ("main", "other")
    assert held(driven) == []


def test_a_hook_fires_before_the_choice_where_no_gate_holds(tmp_path: Path) -> None:
    driven = drive(tmp_path, EXIT, WRITE, "done", "next", "bye", stages=choosing("require_modifications = true"), top=ALLOW)
    names = [event.event for event in driven.events]
    chosen = next(place for place, event in enumerate(driven.events) if getattr(event, "purpose", "") == "transition")
    fired = next(place for place, event in enumerate(driven.events) if getattr(event, "hook", "") == "on_stage_exit")
    assert fired < chosen, names


def test_a_stage_that_is_cut_off_is_not_held(tmp_path: Path) -> None:
    driven = drive(
        tmp_path, "", "done", "done", "bye", stages=gated("require_modifications = true", more="max_iterations = 1"), top=ALLOW
    )
    assert driven.result.stages == ("main", "next")
    assert held(driven) == [(1, False), (1, True)]


def test_a_held_stage_goes_on_with_its_counts(tmp_path: Path) -> None:
    edges = '\n[stages.main.transitions.help]\ncondition = "stuck"\nstuck_after_iterations = 2'
    stages = gated("require_modifications = true").replace("[stages.main.hooks]", edges + "\n[stages.main.hooks]")
    stages += stage("help", more="[stages.help.transitions]")
    driven = drive(tmp_path, "", Reply("done"), Reply("done"), "bye", stages=stages, top=ALLOW)
    assert driven.result.stages == ("main", "help")


# --- reading them ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gate", "text"),
    [
        ('require_regions = ["nots"]', "the gate to 'next': require_regions names region 'nots', which the stage does not have"),
        ('require_region_updated = "x"', "require_region_updated names region 'x'"),
        ('region = "x"', "the gate to 'next': region names region 'x'"),
        ('require_no_open_items = "notes"', "require_no_open_items names region 'notes', which is no checklist"),
        ("require_modification = true", "has unknown key 'require_modification'"),
        ('max_attempts = "x"', "'max_attempts' must be a whole number, 0 or more"),
    ],
)
def test_a_gate_that_could_never_hold_is_refused(tmp_path: Path, gate: str, text: str) -> None:
    with pytest.raises(BlueprintError) as error:
        write_agent(tmp_path, "", gated(gate))
    assert text in error.value.message


def test_a_gate_on_a_way_out_is_warned_of(tmp_path: Path) -> None:
    stages = gated("require_modifications = true").replace("gate =", 'condition = "error"\ngate =')
    agent = write_agent(tmp_path, "", stages)
    assert "a gate has no effect on an edge with the condition 'error'" in [
        finding.text.partition(": ")[2] for finding in agent.findings
    ]
