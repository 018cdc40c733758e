"""A whole run: the order of things, how stages end and follow each other, and how a run ends."""

from pathlib import Path

import pytest

from stagehooks.errors import ModelError
from stagehooks.models.protocol import Reply
from stagehooks.run.events import (
    RunFailing,
    StageLeft,
)
from stagehooks.scripts.outcome import HOOK_NAMES
from tests.stagehooks.driving import REGIONS, calls, drive, outline, stage

LIST = ("list_files", {})
ALLOW_ALL = " ".join(f"fn {hook}(ctx) {{ () }}" for hook in HOOK_NAMES)


# --- the order of things --------------------------------------------------------------------------------------------------


def test_hooks_fire_in_the_order_of_the_chart(tmp_path: Path) -> None:
    stages = stage("one", HOOK_NAMES, ["list_files"]) + stage("two", HOOK_NAMES)
    driven = drive(tmp_path, ALLOW_ALL, calls(LIST), "done", "done", stages=stages)
    assert outline(driven) == [
        "enter one", "on_stage_enter",
        "before_inference", "model", "after_inference", "on_tool_call", "tool list_files",
        "before_inference", "model", "after_inference",
        "on_stage_exit", "leave one",
        "enter two", "on_stage_enter",
        "before_inference", "model", "after_inference",
        "on_stage_exit", "leave two",
        "on_completion", "complete",
    ]  # fmt: skip


def test_a_run_that_fails_fires_on_error_last_and_no_on_completion(tmp_path: Path) -> None:
    driven = drive(tmp_path, ALLOW_ALL, ModelError("line down"), stages=stage("one", HOOK_NAMES))
    assert outline(driven) == ["enter one", "on_stage_enter", "before_inference", "on_error", "error"]
    assert [event.error for event in driven.events if isinstance(event, RunFailing)] == ["line down"]


def test_the_result_says_what_the_run_took(tmp_path: Path) -> None:
    stages = stage("one", ["before_inference"], ["list_files"]) + stage("two")
    driven = drive(tmp_path, ALLOW_ALL, calls(LIST, LIST, tokens=10), Reply("done", (), 5), "done", stages=stages)
    totals = driven.result.totals
    assert (totals.stages, totals.inferences, totals.tokens, totals.tool_calls, totals.hooks) == (2, 3, 15, 2, 2)
    assert totals.operations > 0
    assert driven.result.stages == ("one", "two")


def test_the_entry_stage_of_the_agent_file_is_honoured(tmp_path: Path) -> None:
    top = 'entry_stage = "two"\n' + REGIONS
    assert drive(tmp_path, "", "done", stages=stage("one") + stage("two"), top=top).result.stages == ("two",)


# --- how a stage ends -----------------------------------------------------------------------------------------------------


def test_a_stage_that_has_tools_and_used_none_is_nudged(tmp_path: Path) -> None:
    driven = drive(tmp_path, "", "talk", "talk", "talk", "talk", tools=["list_files"])
    assert len(driven.model.requests) == 4
    assert driven.model.saw("[System] You have tools available. Please use them to complete the task.")


def test_a_nudge_may_name_the_stage_and_its_regions(tmp_path: Path) -> None:
    more = 'nudge = { max = 1, text = "{stage} has {regions}" }'
    driven = drive(tmp_path, "", "talk", "done", stages=stage(tools=["list_files"], more=more))
    assert driven.model.saw("[System] main has goal, notes, conversation")


def test_a_stage_that_used_a_tool_is_not_nudged(tmp_path: Path) -> None:
    assert len(drive(tmp_path, "", calls(LIST), "done", tools=["list_files"]).model.requests) == 2


def test_a_stage_without_tools_is_not_nudged(tmp_path: Path) -> None:
    assert len(drive(tmp_path, "", "done").model.requests) == 1


def test_a_stage_ends_at_its_iterations(tmp_path: Path) -> None:
    stages = stage("main", tools=["list_files"], more="max_iterations = 2") + stage("after")
    driven = drive(tmp_path, "", calls(LIST), calls(LIST), "done", stages=stages)
    assert driven.result.stages == ("main", "after")
    assert [event.ended for event in driven.events if isinstance(event, StageLeft)] == ["max_iterations", "normal"]


def test_a_stage_at_its_iterations_takes_the_edge_for_that(tmp_path: Path) -> None:
    edges = 'max_iterations = 1\n[stages.main.transitions.good]\n[stages.main.transitions.tired]\ncondition = "max_iterations"'
    stages = stage("main", tools=["list_files"], more=edges)
    stages += stage("good", more="[stages.good.transitions]") + stage("tired", more="[stages.tired.transitions]")
    assert drive(tmp_path, "", calls(LIST), "done", stages=stages).result.stages == ("main", "tired")


def test_a_required_output_is_asked_for_and_then_missed(tmp_path: Path) -> None:
    stages = stage("main", tools=["list_files"], more='mode = "output"\nnudge = { enabled = false }')
    driven = drive(tmp_path, "", "a", "b", "c", "d", stages=stages)
    assert len(driven.model.requests) == 4
    assert driven.model.saw("[System] This stage is not finished: you have not called `submit_output`")
    assert driven.result.error == (
        "the run finished without the final output it requires; the stage that owes one never called submit_output"
    )


# --- what comes next ------------------------------------------------------------------------------------------------------


def test_without_transitions_stages_follow_the_file(tmp_path: Path) -> None:
    stages = stage("one") + stage("two") + stage("three")
    assert drive(tmp_path, "", *"abc", stages=stages).result.stages == ("one", "two", "three")


def test_an_empty_table_of_transitions_ends_the_run(tmp_path: Path) -> None:
    stages = stage("one", more="[stages.one.transitions]") + stage("two")
    assert drive(tmp_path, "", "a", stages=stages).result.stages == ("one",)


def test_a_single_edge_is_taken_without_a_question(tmp_path: Path) -> None:
    stages = (
        stage("one", more="[stages.one.transitions.three]") + stage("two") + stage("three", more="[stages.three.transitions]")
    )
    driven = drive(tmp_path, "", *"ab", stages=stages)
    assert driven.result.stages == ("one", "three")
    assert {request.purpose for request in driven.model.requests} == {"reply"}


CHOICE = stage("ask", more='[stages.ask.transitions.left]\nhint = "to the west"\n[stages.ask.transitions.right]')
ENDS = stage("left", more="[stages.left.transitions]") + stage("right", more="[stages.right.transitions]")


@pytest.mark.parametrize(
    ("answer", "taken"),
    [
        ("right", "right"),
        ("I choose right.", "right"),
        ("left or right?\nright", "right"),
        ("bright", "left"),
        ("no idea", "left"),
        ("well\n" + "right " * 20, "left"),
        ("", "left"),
    ],
)
def test_the_model_chooses_among_several_edges(tmp_path: Path, answer: str, taken: str) -> None:
    driven = drive(tmp_path, "", "a", answer, "b", stages=CHOICE + ENDS)
    assert driven.result.stages == ("ask", taken)


def test_the_question_lists_the_edges_with_their_hints(tmp_path: Path) -> None:
    request = drive(tmp_path, "", "a", "left", "b", stages=CHOICE + ENDS).model.requests[1]
    assert (request.purpose, request.temperature, request.max_output_tokens, request.tools) == ("transition", 0.0, 256, ())
    assert request.messages[-1].text.startswith("Stage 'ask' is complete. Available next stages:\n- left: to the west\n- right\n")


@pytest.mark.parametrize(("answer", "stages"), [("DONE", ("ask",)), ("left", ("ask", "left")), ("no idea", ("ask",))])
def test_a_stage_that_may_complete_may_be_done(tmp_path: Path, answer: str, stages: tuple[str, ...]) -> None:
    asking = stage("ask", more="allow_complete = true\n[stages.ask.transitions.left]")
    driven = drive(tmp_path, "", "a", answer, "b", stages=asking + stage("left", more="[stages.left.transitions]"))
    assert driven.result.stages == stages


def test_a_model_that_fails_takes_the_error_edge_and_never_reaches_on_error(tmp_path: Path) -> None:
    edge = '[stages.one.transitions.rescue]\ncondition = "error"\n[stages.one.transitions.two]'
    stages = stage("one", ["on_stage_exit", "on_error"], more=edge)
    stages += stage("two", more="[stages.two.transitions]") + stage("rescue", ["on_error"], more="[stages.rescue.transitions]")
    driven = drive(tmp_path, ALLOW_ALL, ModelError("line down"), "saved", stages=stages)
    assert (driven.result.status, driven.result.stages) == ("complete", ("one", "rescue"))
    assert driven.hooks("on_error") == []
    assert len(driven.hooks("on_stage_exit")) == 1


def test_a_model_that_raises_anything_else_has_failed_as_well(tmp_path: Path) -> None:
    assert drive(tmp_path, "", ValueError("odd")).result.error == "the model failed: ValueError: odd"


@pytest.mark.parametrize(
    "reply",
    [
        Reply("\ud800"),
        calls(("list_files", {"x": {1}})),
        calls(("list_files", 2**70)),
        calls((7, {})),
        calls((["list_files"], {})),
        Reply(None),
        Reply("x", None),
        Reply("x", [None]),
        Reply("x", tokens="many"),
        Reply("x", tokens=-1),
        Reply("x", tokens=2**63),
        {"text": "x"},
        7,
    ],
)
def test_a_reply_that_is_no_plain_data_has_failed_as_well(tmp_path: Path, reply: Reply) -> None:
    result = drive(tmp_path, "", reply, tools=["list_files"]).result
    assert (result.error or "").startswith("the model's reply cannot be used: ")


def test_a_loop_that_used_up_its_visits_is_a_dead_end(tmp_path: Path) -> None:
    one = stage("one", more="max_revisits = 0\n[stages.one.transitions.two]")
    two = stage("two", more='[stages.two.transitions.one]\n[stages.two.transitions.end]\ncondition = "max_iterations"')
    driven = drive(tmp_path, "", *"abc", stages=one + two + stage("end", more="[stages.end.transitions]"))
    assert driven.result.error == (
        "stage 'two' dead-ended: every declared transition's target has spent its max_revisits budget before "
        "an output or terminal stage was reached"
    )


def test_a_refusal_of_a_hook_does_not_take_the_error_edge(tmp_path: Path) -> None:
    edges = '[stages.one.transitions.rescue]\ncondition = "error"'
    stages = stage("one", ["after_inference"], more=edges) + stage("rescue", more="[stages.rescue.transitions]")
    driven = drive(tmp_path, "fn after_inference(ctx) { false }", "a", "b", stages=stages)
    assert (driven.result.status, driven.result.stages) == ("error", ("one",))


def test_a_stage_that_may_not_be_left_holds_the_run(tmp_path: Path) -> None:
    stages = stage("one", ["on_stage_exit"]) + stage("two")
    driven = drive(tmp_path, "fn on_stage_exit(ctx) { false }", "a", "b", stages=stages)
    assert driven.result.error == "on_stage_exit: refused to leave stage 'one': no reason given"
    assert driven.result.stages == ("one",)


def test_the_last_stage_may_refuse_to_be_left_too(tmp_path: Path) -> None:
    driven = drive(tmp_path, "fn on_stage_exit(ctx) { false } fn on_completion(ctx) { () }", "a")
    assert driven.result.status == "error"
    assert driven.hooks("on_completion") == []
