"""Where results of tools go, and how much of them is kept; and regions that a stage has to fill before it is over."""

from pathlib import Path

import pytest

from stagehooks.errors import BlueprintError
from stagehooks.run.events import Abandoned
from stagehooks.tools.tool import Tool
from tests.stagehooks.driving import REGIONS, Driven, Recorder, calls, drive, drive_agent, modify, stage, write_agent

LONG = "word " * 60


def say() -> str:
    return LONG


TABLE = "[stages.main.tool_routing]\n"
SAY = Tool("say", "", (), say, policy="allow")


def routed(directory: Path, more: str, top: str = REGIONS) -> Driven:
    """A stage whose model calls `say` once; `more` is the rest of its table."""
    agent = write_agent(directory, "", stage("main", tools=["say"], more=more), top=top)
    return drive_agent(agent, Recorder(calls(("say", {})), "done"), tools=[SAY])


def system(driven: Driven) -> str:
    return "\n".join(driven.model.requests[-1].system)


def said(driven: Driven) -> str:
    return repr(driven.model.requests[-1].messages)


def test_without_a_table_results_stay_in_the_conversation(tmp_path: Path) -> None:
    driven = routed(tmp_path, "")
    assert LONG in said(driven)


def test_a_result_goes_to_its_region_and_the_conversation_says_where(tmp_path: Path) -> None:
    driven = routed(tmp_path, TABLE)
    assert f"[tool_results]:\n{LONG}" in system(driven)
    assert "[the result of say is in your context under 'tool_results']" in said(driven)
    assert LONG not in said(driven)


@pytest.mark.parametrize("override", ['"notes"', '{ region = "notes" }'])
def test_a_tool_may_have_a_region_of_its_own(tmp_path: Path, override: str) -> None:
    driven = routed(tmp_path, TABLE + f"overrides = {{ say = {override} }}")
    assert "[notes]:\nword word" in system(driven)
    assert "[the beginning of the result of say is in your context under 'notes']" in said(driven)


@pytest.mark.parametrize(
    "cap",
    [
        "max_result_tokens = 10",
        "max_result_tokens_per_tool = { say = 10 }",
        "overrides = { say = { max_result_tokens = 10 } }",
        "max_result_tokens = 70\nmax_result_tokens_per_tool = { say = 10 }",
    ],
)
def test_no_more_is_kept_of_a_result_than_the_table_says(tmp_path: Path, cap: str) -> None:
    driven = routed(tmp_path, TABLE + cap)
    assert "[...truncated]" in system(driven)
    assert LONG[:41] not in system(driven)
    kept = routed(tmp_path / "again", TABLE + f'default_region = "conversation"\n{cap}')
    assert "[...truncated]" in said(kept)


def test_a_region_that_is_full_is_said_to_be(tmp_path: Path) -> None:
    top = (
        '[context.regions.desk]\nkind = "pinned"\nmax_tokens = 80\nseed = { literal = "full of other things already" }\n'
        + REGIONS
    )
    driven = routed(tmp_path, TABLE + 'default_region = "desk"', top)
    assert "[the result of say does not fit into region 'desk', which is full]" in said(driven)


@pytest.mark.parametrize(("persist", "heading"), [("false", "[scratch]:"), ("true", "[tool_results]:")])
def test_results_that_are_not_to_persist_go_to_the_scratch_region(tmp_path: Path, persist: str, heading: str) -> None:
    top = "[context.regions.scratch]\nmax_tokens = 500\n" + REGIONS
    assert f"{heading}\n{LONG}" in system(routed(tmp_path, TABLE + f"persist = {persist}", top))


def test_another_name_of_the_shell_is_the_shell(tmp_path: Path) -> None:
    stages = stage("main", more='[stages.main.tool_routing]\noverrides = { bash = "notes" }')
    routing = write_agent(tmp_path, "", stages).blueprint.entry.tool_routing
    assert routing is not None
    assert routing.route("shell").region == "notes"


@pytest.mark.parametrize(
    ("routing", "text"),
    [
        ('default_region = "nowhere"', "names region 'nowhere', which the stage does not have"),
        ('overrides = { say = "nowhere" }', "tool_routing: say names region 'nowhere'"),
        ("overrides = { say = 3 }", "'say' must be a region, or a table, got: 3"),
        ("max_result_tokens = 0", "'max_result_tokens' must be a whole number, 1 or more"),
        ("keep = true", "has unknown key 'keep'"),
    ],
)
def test_a_table_that_would_lose_results_is_refused(tmp_path: Path, routing: str, text: str) -> None:
    with pytest.raises(BlueprintError) as error:
        write_agent(tmp_path, "", stage("main", more=f"[stages.main.tool_routing]\n{routing}"))
    assert text in error.value.message


# --- regions that are to be filled ----------------------------------------------------------------------------------------

PLAN = '[context.regions.plan]\nmax_tokens = 100\nrequired = true\nrequired_message = "Fill {region} first."\n' + REGIONS
FILLS = "fn before_inference(ctx) { if ctx.iteration == 2 { " + modify('#{ plan: "p" }') + " } }"


def test_a_stage_is_not_over_before_its_required_regions_hold_something(tmp_path: Path) -> None:
    driven = drive(tmp_path, FILLS, "done", "done", top=PLAN)
    assert len(driven.model.requests) == 2
    assert driven.model.saw("[System] Fill plan first.", 1)


def test_in_the_end_it_goes_on_without_them_and_says_so(tmp_path: Path) -> None:
    driven = drive(tmp_path, "", *["done"] * 9, top=PLAN)
    assert len(driven.model.requests) == 4
    assert [(event.stage, event.region) for event in driven.events if isinstance(event, Abandoned)] == [("main", "plan")]


def test_more_calls_than_the_conversation_can_hold_are_made_and_forgotten(tmp_path: Path) -> None:
    many = calls(*[("list_files", {})] * 800, text="Let me see.")
    driven = drive(tmp_path, "", many, "done", tools=["list_files"])
    assert driven.result.status == "complete"
    assert sum(made.ok for made in driven.tools) == 800
    assert driven.model.saw("[800 tool calls and their results are left out: there is no room for them]\\nLet me see.")
