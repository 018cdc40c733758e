"""How stages are left when they cannot go on: max_iterations, errors, stuck edges, dead ends; and what the next one is told."""

import itertools
from pathlib import Path

import pytest

from stagehooks.errors import BlueprintError, ModelError
from stagehooks.run.control import Clock
from stagehooks.run.events import StageLeft
from stagehooks.run.visit import Visit
from stagehooks.run.window import Window
from tests.stagehooks.driving import REGIONS, Driven, calls, drive, stage, write_agent

LIST = calls(("list_files", {}))
EXIT = 'fn on_stage_exit(ctx) { #{ action: "modify", value: #{ goal: `${ctx.ended}/${ctx.iteration}` } } }'


def end(name: str, more: str = "") -> str:
    return stage(name, more=f"{more}\n[stages.{name}.transitions]")


def ways(driven: Driven) -> list[tuple[str, str | None]]:
    return [(event.ended, event.next) for event in driven.events if isinstance(event, StageLeft)]


def stuck(threshold: str, hooks: tuple[str, ...] = ()) -> str:
    edges = f'[stages.main.transitions.good]\n[stages.main.transitions.help]\ncondition = "stuck"\n{threshold}'
    return stage("main", hooks, ["list_files", "write_file"], more=edges) + end("good") + end("help")


def write(path: str) -> tuple[str, dict]:
    return "write_file", {"path": path, "content": "x"}


# --- stuck ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("threshold", "replies", "why"),
    [
        ("stuck_after_iterations = 2", [LIST, LIST], "2 iterations"),
        ("stuck_after_tool_calls = 3", [calls(*[("list_files", {})] * 2), LIST], "3 tool calls"),
        ("stuck_after_same_file_edits = 2", [calls(write("a")), calls(write("b")), calls(write("a"))], "2 edits of 'a'"),
    ],
)
def test_a_stage_that_is_stuck_takes_the_edge_for_that(tmp_path: Path, threshold: str, replies: list, why: str) -> None:
    driven = drive(tmp_path, "", *replies, "done", stages=stuck(threshold))
    assert driven.result.stages == ("main", "help")
    assert ways(driven)[0] == ("stuck", "help")
    assert driven.model.saw(f"[System] Stage 'main' was left because it was stuck: {why}.")


def test_a_stage_that_gets_on_is_not_stuck(tmp_path: Path) -> None:
    driven = drive(tmp_path, "", LIST, "done", "done", stages=stuck("stuck_after_iterations = 3"))
    assert driven.result.stages == ("main", "good")


def test_calls_count_as_the_model_asked_for_them(tmp_path: Path) -> None:
    script = 'fn on_tool_call(ctx) { #{ action: "modify", value: [] } }'
    driven = drive(tmp_path, script, LIST, LIST, "done", stages=stuck("stuck_after_tool_calls = 2", ("on_tool_call",)))
    assert driven.result.stages == ("main", "help")


def test_a_stuck_edge_whose_target_is_spent_is_not_taken(tmp_path: Path) -> None:
    edges = '[stages.main.transitions.main]\ncondition = "stuck"\nstuck_after_iterations = 1\n[stages.main.transitions.good]'
    stages = stage("main", tools=["list_files"], more="max_revisits = 1\n" + edges) + end("good")
    driven = drive(tmp_path, "", LIST, LIST, LIST, "done", "done", stages=stages)
    assert driven.result.stages == ("main", "main", "good")


def test_minutes_count_only_while_nobody_is_waited_for(tmp_path: Path) -> None:
    agent = write_agent(tmp_path, "", stuck("stuck_after_minutes = 1.5"))
    ticks = itertools.count(0, 60)
    clock = Clock(lambda: next(ticks))
    window = Window()
    window.lay_out(agent.blueprint.entry.regions)
    visit = Visit(agent.blueprint.entry, window, clock)
    after = agent.blueprint.entry.transitions[1].stuck_after
    assert visit.stuck(after, visit.minutes()) == ""
    with clock.stopped():
        next(ticks)
    assert visit.minutes() == pytest.approx(3)
    assert visit.stuck(after, 1.5) == "1.5 minutes"


@pytest.mark.parametrize(
    ("edge", "text"),
    [
        ('condition = "stuck"', "has condition 'stuck' but no threshold"),
        ("stuck_after_iterations = 3", "sets 'stuck_after_iterations', which is for an edge with the condition 'stuck'"),
        (
            'condition = "stuck"\nstuck_after_tool_calls = 3\nstuck_after_minutes = -1',
            "'stuck_after_minutes' must be a number, 0 or more",
        ),
    ],
)
def test_a_stuck_edge_needs_a_threshold_and_a_threshold_a_stuck_edge(tmp_path: Path, edge: str, text: str) -> None:
    stages = stage("main", more=f"[stages.main.transitions.help]\n{edge}") + end("help")
    with pytest.raises(BlueprintError) as error:
        write_agent(tmp_path, "", stages)
    assert text in error.value.message


# --- what the next stage is told ------------------------------------------------------------------------------------------


def rescued(region: str = "") -> str:
    edges = '[stages.main.transitions.rescue]\ncondition = "error"\n[stages.main.transitions.good]'
    return region + stage("main", more=edges) + end("rescue") + end("good")


def test_the_rescuer_is_told_what_failed(tmp_path: Path) -> None:
    driven = drive(tmp_path, "", ModelError("line down"), "saved", stages=rescued())
    assert driven.model.saw("[System] Stage 'main' failed: line down.")


@pytest.mark.parametrize(("region", "heading"), [("error_report", "## error_report"), ("other", 'UserMessage(text="[System]')])
def test_a_report_stands_in_its_region_where_there_is_one(tmp_path: Path, region: str, heading: str) -> None:
    top = f'[context.regions.{region}]\nkind = "pinned"\nmax_tokens = 200\n' + REGIONS
    driven = drive(tmp_path, "", ModelError("line down"), "saved", stages=rescued(), top=top)
    assert driven.model.saw(heading)


def test_a_stage_that_is_cut_off_says_so_to_the_next(tmp_path: Path) -> None:
    stages = stage("main", tools=["list_files"], more="max_iterations = 1") + stage("after")
    driven = drive(tmp_path, "", LIST, "done", stages=stages)
    assert driven.model.saw("[System] Stage 'main' was cut off after 1 iterations; its work may not be finished.")


def test_a_stage_that_ended_well_leaves_no_note(tmp_path: Path) -> None:
    assert not drive(tmp_path, "", "a", "b", stages=stage("one") + stage("two")).model.saw("[System]")


# --- dead ends ------------------------------------------------------------------------------------------------------------


def loop(*edges: str) -> str:
    declared = "".join(f'[stages.two.transitions.{name}]\ncondition = "{name}"\n' for name in edges)
    two = stage("two", more=f"[stages.two.transitions.one]\n{declared}")
    one = stage("one", more="max_revisits = 0\n[stages.one.transitions.two]")
    return one + two + "".join(end(name) for name in edges or ("never",))


@pytest.mark.parametrize(
    ("edges", "last"), [(("dead_end",), "dead_end"), (("error",), "error"), (("error", "dead_end"), "dead_end")]
)
def test_a_dead_end_takes_its_own_edge_or_else_the_one_for_errors(tmp_path: Path, edges: tuple[str, ...], last: str) -> None:
    driven = drive(tmp_path, "", *"abc", stages=loop(*edges))
    assert driven.result.stages == ("one", "two", last)


def test_an_edge_is_closed_after_the_last_revisit_and_not_before(tmp_path: Path) -> None:
    more = 'max_revisits = 2\n[stages.main.transitions.main]\n[stages.main.transitions.out]\ncondition = "dead_end"'
    driven = drive(tmp_path, "", *"abcd", stages=stage("main", more=more) + end("out"))
    assert driven.result.stages == ("main", "main", "main", "out")


# --- what hooks see of it -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stages", "replies", "seen"),
    [
        (stage("main", ["on_stage_exit"]) + stage("after"), ["a", "b"], "normal/1"),
        (
            stage("main", ["on_stage_exit"], ["list_files"], more="max_iterations = 2") + stage("after"),
            [LIST, LIST, "b"],
            "max_iterations/2",
        ),
        (stuck("stuck_after_iterations = 1", ("on_stage_exit",)), [LIST, "b"], "stuck/1"),
        (
            stage("main", ["on_stage_exit"], more='[stages.main.transitions.after]\ncondition = "error"') + end("after"),
            [ModelError("x"), "b"],
            "error/1",
        ),
    ],
)
def test_on_stage_exit_sees_why_the_stage_ended(tmp_path: Path, stages: str, replies: list, seen: str) -> None:
    driven = drive(tmp_path, EXIT, *replies, stages=stages)
    assert driven.result.status == "complete"
    assert driven.model.saw(f"## goal\\n{seen}")


def test_hooks_see_the_turn_and_what_the_run_has_taken(tmp_path: Path) -> None:
    script = """
    fn told(ctx) {
        let t = ctx.totals;
        `${ctx.iteration}:${t.stages}/${t.inferences}/${t.tokens}/${t.tool_calls}`
    }
    fn on_stage_enter(ctx) { #{ action: "modify", value: #{ goal: told(ctx) } } }
    fn on_tool_call(ctx) { if told(ctx) == "1:1/1/9/0" { () } else { false } }
    fn after_inference(ctx) { #{ action: "modify", value: `${ctx.response} ${told(ctx)}` } }
    fn on_completion(ctx) { #{ action: "modify", value: told(ctx) } }
    """
    submit = calls(("submit_output", {"content": "x"}), text="first", tokens=9)
    stages = stage("main", ["on_stage_enter", "on_tool_call", "after_inference", "on_completion"], ["submit_output"])
    driven = drive(tmp_path, script, submit, "second", stages=stages)
    assert driven.model.saw("## goal\\n0:1/0/0/0", 0)
    assert driven.model.saw("first 1:1/1/9/0")
    assert driven.result.output == "2:1/2/9/1"
