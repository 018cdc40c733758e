"""Every hook point, through the real driver: what it sees, and what each of its answers does to the run."""

from pathlib import Path

import pytest

from tests.stagehooks.driving import REGIONS, Driven, calls, drive, modify, stage

LIST = ("list_files", {})


def region_hook(hook: str, body: str) -> str:
    return f"fn {hook}(ctx) {{ {body} }}"


REGION_HOOKS = ("on_stage_enter", "before_inference", "on_stage_exit")


def drive_region_hook(directory: Path, hook: str, body: str) -> Driven:
    """Two stages, so that what `on_stage_exit` writes in the first is seen by the model in the second."""
    stages = stage("main", [hook]) + stage("after", [])
    return drive(directory, region_hook(hook, body), "first", "second", stages=stages)


# --- the three hooks that see the regions ---------------------------------------------------------------------------------


@pytest.mark.parametrize("hook", REGION_HOOKS)
def test_allow_leaves_the_window_and_the_run_as_they_are(tmp_path: Path, hook: str) -> None:
    with_hook = drive_region_hook(tmp_path / "a", hook, "()")
    without = drive(tmp_path / "b", "", "first", "second", stages=stage("main") + stage("after"))
    assert with_hook.result.status == "complete"
    assert with_hook.model.requests == without.model.requests
    assert [fired.outcome for fired in with_hook.hooks(hook)] == ["allow"]


@pytest.mark.parametrize("hook", REGION_HOOKS)
def test_modify_writes_a_region_that_the_model_then_sees(tmp_path: Path, hook: str) -> None:
    driven = drive_region_hook(tmp_path, hook, modify('#{ notes: "look left" }'))
    assert driven.model.saw("[notes]:\\nlook left")
    assert driven.hooks(hook)[0].changes == ("notes: 0 -> 3 tokens",)


@pytest.mark.parametrize("hook", ["on_stage_enter", "before_inference"])
def test_what_is_written_before_an_inference_reaches_that_inference(tmp_path: Path, hook: str) -> None:
    assert drive_region_hook(tmp_path, hook, modify('#{ notes: "look left" }')).model.saw("look left", turn=0)


@pytest.mark.parametrize("hook", REGION_HOOKS)
def test_a_region_hook_sees_its_stage_and_every_region(tmp_path: Path, hook: str) -> None:
    body = modify("#{ notes: `${ctx.stage} ${ctx.stage_index} ${ctx.regions.keys()}` }")
    driven = drive_region_hook(tmp_path, hook, body)
    shown = 'main 0 ["conversation", "final_output", "goal", "notes", "tool_results"]'
    assert driven.model.saw(shown)


@pytest.mark.parametrize("hook", REGION_HOOKS)
@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (modify('#{ nope: "x" }'), "no region 'nope' in this stage's layout"),
        (modify("#{ notes: 42 }"), "region 'notes' must be given a string, got: 42"),
        (modify("#{ notes: () }"), "region 'notes' must be given a string, got: null"),
        (modify("#{ notes: [1] }"), "region 'notes' must be given a string, got: [1]"),
        (modify('"text"'), "'value' must be a map of region name to content, got: \"text\""),
        (modify("()"), "'value' must be a map of region name to content, got: null"),
    ],
)
def test_a_value_that_is_no_map_of_regions_to_texts_ends_the_run(tmp_path: Path, hook: str, answer: str, message: str) -> None:
    driven = drive_region_hook(tmp_path, hook, answer)
    assert (driven.result.status, driven.result.error) == ("error", f"{hook}: {message}")


@pytest.mark.parametrize("hook", REGION_HOOKS)
def test_writing_more_than_a_region_holds_ends_the_run(tmp_path: Path, hook: str) -> None:
    body = 'let text = ""; text.pad(401, "x"); ' + modify("#{ goal: text }")
    driven = drive_region_hook(tmp_path, hook, body)
    assert driven.result.error == f"{hook}: writing region 'goal': Content exceeds token budget: 101 > 100"


@pytest.mark.parametrize("hook", REGION_HOOKS)
def test_an_empty_text_leaves_a_region_without_entries(tmp_path: Path, hook: str) -> None:
    top = REGIONS.replace("[context.regions.notes]", '[context.regions.notes]\nseed = { literal = "seeded" }')
    stages = stage("main", [hook]) + stage("after", [])
    driven = drive(tmp_path, region_hook(hook, modify('#{ notes: "" }')), "first", "second", stages=stages, top=top)
    assert driven.result.status == "complete"
    assert not driven.model.saw("[notes]")


@pytest.mark.parametrize("hook", REGION_HOOKS)
def test_mutating_ctx_does_nothing(tmp_path: Path, hook: str) -> None:
    driven = drive_region_hook(tmp_path, hook, 'ctx.regions.notes = "smuggled"; ()')
    assert driven.result.status == "complete"
    assert not driven.model.saw("smuggled")


REFUSED = {
    "on_stage_enter": "on_stage_enter refused stage 'main': ",
    "before_inference": "before_inference: refused the inference: ",
    "after_inference": "after_inference: rejected the response: ",
    "on_tool_call": "on_tool_call: refused the tool calls: ",
    "on_stage_exit": "on_stage_exit: refused to leave stage 'main': ",
}
RETRIED = {
    "on_stage_enter": "on_stage_enter returned 'retry', which this hook cannot honour (stage 'main' is already entered)",
    "before_inference": "before_inference: returned 'retry', which this hook cannot honour (nothing has run yet)",
    "on_tool_call": "on_tool_call: returned 'retry', which this hook cannot honour - "
    "cancel the call and let the model choose again",
    "on_stage_exit": "on_stage_exit: returned 'retry', which this hook cannot honour (the stage is already over)",
}
INFERENCES = {"on_stage_enter": 0, "before_inference": 0, "after_inference": 1, "on_tool_call": 1, "on_stage_exit": 2}


def drive_refusing(directory: Path, hook: str, body: str) -> Driven:
    """A run whose first reply asks for a tool and whose second is only text, in a stage that another one follows."""
    stages = stage("main", [hook], ["list_files"]) + stage("after")
    return drive(directory, f"fn {hook}(ctx) {{ {body} }}", calls(LIST), "done", "more", stages=stages)


@pytest.mark.parametrize("hook", REFUSED)
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ('#{ action: "cancel", reason: "not today" }', "not today"),
        ('#{ action: "cancel" }', "no reason given"),
        ("false", "no reason given"),
    ],
)
def test_a_refusal_ends_the_run_with_its_reason(tmp_path: Path, hook: str, answer: str, reason: str) -> None:
    driven = drive_refusing(tmp_path, hook, answer)
    assert (driven.result.status, driven.result.error) == ("error", REFUSED[hook] + reason)
    assert driven.result.exit_code == 1
    assert driven.result.stages == ("main",)


@pytest.mark.parametrize("hook", REFUSED)
def test_after_a_refusal_nothing_more_goes_out(tmp_path: Path, hook: str) -> None:
    driven = drive_refusing(tmp_path, hook, "false")
    assert len(driven.model.requests) == INFERENCES[hook]
    assert len(driven.hooks(hook)) == 1


@pytest.mark.parametrize("hook", REFUSED)
def test_a_hook_that_throws_ends_the_run(tmp_path: Path, hook: str) -> None:
    driven = drive_refusing(tmp_path, hook, 'throw "boom"')
    opening = f"{hook} hook failed: " if hook == "on_stage_enter" else f"{hook}: hook failed: "
    assert driven.result.status == "error"
    assert (driven.result.error or "").startswith(f"{opening}Script execution failed: hooks.rhai: {hook}: Runtime error: boom")
    assert driven.hooks(hook)[0].outcome == "failed"


@pytest.mark.parametrize("hook", REFUSED)
def test_a_hook_that_answers_nonsense_ends_the_run(tmp_path: Path, hook: str) -> None:
    driven = drive_refusing(tmp_path, hook, '#{ action: "modfiy", value: 1 }')
    assert driven.result.status == "error"
    assert "unknown action 'modfiy' (expected allow, modify, cancel, or retry)" in (driven.result.error or "")


@pytest.mark.parametrize("hook", REFUSED)
def test_a_hook_that_runs_out_of_operations_ends_the_run_at_a_limit(tmp_path: Path, hook: str) -> None:
    driven = drive_refusing(tmp_path, hook, "loop {}")
    assert driven.result.status == "error"
    assert "Too many operations" in (driven.result.error or "")
    assert driven.result.exit_code == 3


@pytest.mark.parametrize("hook", RETRIED)
def test_retry_is_not_read_as_allow(tmp_path: Path, hook: str) -> None:
    driven = drive_refusing(tmp_path, hook, '#{ action: "retry" }')
    assert (driven.result.status, driven.result.error) == ("error", RETRIED[hook])


def test_a_stage_without_the_hook_does_not_run_another_stages_hook(tmp_path: Path) -> None:
    stages = stage("main", ["on_stage_enter"]) + stage("after", [])
    driven = drive(tmp_path, "fn on_stage_enter(ctx) { () }", "first", "second", stages=stages)
    assert [fired.stage for fired in driven.hooks("on_stage_enter")] == ["main"]


def test_an_agent_without_hooks_fires_none(tmp_path: Path) -> None:
    driven = drive(tmp_path)
    assert driven.result.totals.hooks == 0
    assert driven.result.status == "complete"


# --- on_stage_enter -------------------------------------------------------------------------------------------------------


def test_the_entry_stage_is_entered_like_any_other(tmp_path: Path) -> None:
    driven = drive(tmp_path, "fn on_stage_enter(ctx) { " + modify('#{ notes: "hello" }') + " }")
    assert driven.model.saw("hello", turn=0)


def test_each_visit_of_a_stage_fires_again_and_replaces_rather_than_appends(tmp_path: Path) -> None:
    again = 'max_revisits = 1\n[stages.main.transitions.main]\n[stages.main.transitions.after]\ncondition = "dead_end"'
    stages = stage("main", ["on_stage_enter"], more=again) + stage("after")
    driven = drive(tmp_path, "fn on_stage_enter(ctx) { " + modify('#{ notes: "once" }') + " }", *"abc", stages=stages)
    assert driven.result.stages == ("main", "main", "after")
    assert len(driven.hooks("on_stage_enter")) == 2
    assert repr(driven.model.requests[1]).count("once") == 1


# --- before_inference -----------------------------------------------------------------------------------------------------


def test_before_inference_fires_once_for_each_inference(tmp_path: Path) -> None:
    body = "fn before_inference(ctx) { " + modify('#{ notes: ctx.regions.notes + "x" }') + " }"
    driven = drive(tmp_path, body, calls(LIST), calls(LIST), "done", tools=["list_files"])
    assert len(driven.hooks("before_inference")) == len(driven.model.requests) == 3
    assert driven.model.saw("[notes]:\\nxxx'")


def test_before_inference_does_not_fire_for_the_choice_of_a_stage(tmp_path: Path) -> None:
    edges = "[stages.main.transitions.left]\n[stages.main.transitions.right]"
    ends = "[stages.{0}.transitions]"
    stages = stage("main", ["before_inference"], more=edges)
    stages += stage("left", more=ends.format("left")) + stage("right", more=ends.format("right"))
    driven = drive(tmp_path, "fn before_inference(ctx) { () }", "done", "right", "done", stages=stages)
    assert driven.result.stages == ("main", "right")
    assert len(driven.hooks("before_inference")) == 1


# --- after_inference ------------------------------------------------------------------------------------------------------


def test_after_inference_rewrites_the_response_before_it_reaches_the_context(tmp_path: Path) -> None:
    script = 'fn after_inference(ctx) { let text = ctx.response; text.replace("raw", "cooked"); ' + modify("text") + " }"
    driven = drive(tmp_path, script, calls(LIST, text="a raw answer"), "done", tools=["list_files"])
    assert driven.model.saw("a cooked answer")
    assert not driven.model.saw("a raw answer")


def test_after_inference_sees_the_response_the_tokens_and_the_names_of_the_calls(tmp_path: Path) -> None:
    script = "fn after_inference(ctx) { throw `${ctx.response}/${ctx.tokens_used}/${ctx.tool_calls}` }"
    driven = drive(tmp_path, script, calls(LIST, ("read_file", {"path": "x"}), text="the raw answer", tokens=7))
    assert 'Runtime error: the raw answer/7/["list_files", "read_file"]' in (driven.result.error or "")


def test_after_inference_cannot_change_the_tool_calls(tmp_path: Path) -> None:
    script = "fn after_inference(ctx) { ctx.tool_calls = []; " + modify('"gone"') + " }"
    driven = drive(tmp_path, script, calls(("list_files", {"path": "."})), "done", tools=["list_files"])
    assert [(call.name, call.arguments) for call in driven.tools] == [("list_files", {"path": "."})]


def test_after_inference_must_give_a_text(tmp_path: Path) -> None:
    driven = drive(tmp_path, "fn after_inference(ctx) { " + modify("42") + " }")
    assert driven.result.error == "after_inference: 'value' must be the replacement response text, got: 42"


def test_a_rejected_text_only_reply_ends_the_run_although_its_stage_was_finished(tmp_path: Path) -> None:
    driven = drive(tmp_path, "fn after_inference(ctx) { false } fn on_completion(ctx) { () }", "done")
    assert driven.result.status == "error"
    assert driven.hooks("on_completion") == []


def test_a_rejected_reply_with_tool_calls_runs_none_of_them(tmp_path: Path) -> None:
    driven = drive(tmp_path, "fn after_inference(ctx) { false }", calls(LIST), "done", tools=["list_files"])
    assert driven.result.status == "error"
    assert driven.tools == []


# --- on_tool_call ---------------------------------------------------------------------------------------------------------


def test_on_tool_call_sees_names_and_arguments_and_nothing_else(tmp_path: Path) -> None:
    script = "fn on_tool_call(ctx) { throw `${ctx.tool_calls}` }"
    driven = drive(tmp_path, script, calls(("read_file", {"path": "x", "max_lines": 3})), tools=["read_file"])
    assert '[#{"arguments": #{"max_lines": 3, "path": "x"}, "name": "read_file"}]' in (driven.result.error or "")


def test_on_tool_call_rewrites_arguments(tmp_path: Path) -> None:
    script = 'fn on_tool_call(ctx) { let c = ctx.tool_calls; c[0].arguments.path = "b"; ' + modify("c") + " }"
    (tmp_path / "b").write_text("what b says")
    driven = drive(tmp_path, script, calls(("read_file", {"path": "a"})), "done", tools=["read_file"], workdir=tmp_path)
    (made,) = driven.tools
    assert (made.hook, made.asked, made.arguments, made.result) == ("rewritten", {"path": "a"}, {"path": "b"}, "what b says")
    assert made.id == "hook-read_file-0"


def test_the_conversation_records_the_rewritten_calls(tmp_path: Path) -> None:
    script = 'fn on_tool_call(ctx) { let c = ctx.tool_calls; c[0].arguments.path = "bbb"; ' + modify("c") + " }"
    driven = drive(tmp_path, script, calls(("read_file", {"path": "aaa"})), "done", tools=["read_file"])
    assert driven.model.saw("bbb")
    assert not driven.model.saw("aaa")


def test_on_tool_call_may_drop_all_calls_and_the_model_goes_on(tmp_path: Path) -> None:
    driven = drive(tmp_path, "fn on_tool_call(ctx) { " + modify("[]") + " }", calls(LIST), "done", tools=["list_files"])
    assert driven.result.status == "complete"
    assert [call.hook for call in driven.tools] == ["dropped"]
    assert len(driven.model.requests) == 2


def test_what_on_tool_call_leaves_still_passes_the_gate(tmp_path: Path) -> None:
    added = '#{ name: "shell", arguments: #{ command: "id" }, approved: true, id: "id-0" }'
    script = "fn on_tool_call(ctx) { " + modify(f"[{added}]") + " }"
    driven = drive(tmp_path, script, calls(LIST), "done", tools=["list_files", "shell"])
    (dropped, made) = driven.tools
    assert (dropped.hook, made.hook, made.id) == ("dropped", "added", "hook-shell-0")
    assert (made.policy, made.approval, made.ok) == ("ask", "nobody", False)


def test_a_hook_cannot_offer_a_tool_that_the_stage_does_not(tmp_path: Path) -> None:
    script = "fn on_tool_call(ctx) { " + modify('[#{ name: "shell", arguments: #{ command: "id" } }]') + " }"
    driven = drive(tmp_path, script, calls(LIST), "done", tools=["list_files"])
    assert driven.tools[-1].result == "[unavailable] 'shell' is not available in this stage. You may call: list_files."


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("42", "'value' must be an array of #{ name, arguments }, got: 42"),
        ("#{}", "'value' must be an array of #{ name, arguments }, got: {}"),
        ("[#{ arguments: #{} }]", "a replacement call has no 'name': {\"arguments\":{}}"),
        ("[#{ name: 7 }]", "a replacement call has no 'name': {\"name\":7}"),
        ('["shell"]', "a replacement call has no 'name': \"shell\""),
    ],
)
def test_calls_that_are_no_calls_end_the_run(tmp_path: Path, value: str, message: str) -> None:
    driven = drive(tmp_path, "fn on_tool_call(ctx) { " + modify(value) + " }", calls(LIST), tools=["list_files"])
    assert driven.result.error == f"on_tool_call: {message}"


def test_more_calls_than_anybody_makes_end_the_run(tmp_path: Path) -> None:
    script = 'fn on_tool_call(ctx) { let c = []; c.pad(1001, #{ name: "list_files" }); ' + modify("c") + " }"
    driven = drive(tmp_path, script, calls(LIST), tools=["list_files"])
    assert driven.result.error == "on_tool_call: 'value' holds 1001 calls; at most 1000 are taken"


def test_a_call_with_a_name_that_nobody_could_remember_ends_the_run(tmp_path: Path) -> None:
    script = 'fn on_tool_call(ctx) { let s = ""; s.pad(257, "x"); ' + modify("[#{ name: s }]") + " }"
    driven = drive(tmp_path, script, calls(LIST), tools=["list_files"])
    assert driven.result.error == "on_tool_call: the name of a replacement call has 257 characters; at most 256 are taken"


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ([LIST] * 1001, "it asks for 1001 tool calls; at most 1000 are made"),
        ([("x" * 257, {})], "it asks for a tool whose name is longer than 256 characters"),
    ],
)
def test_a_reply_that_asks_for_more_than_can_be_remembered_is_none(tmp_path: Path, wanted: list, says: str) -> None:
    driven = drive(tmp_path, "", calls(*wanted), tools=["list_files"])
    assert driven.result.error == f"the model's reply cannot be used: {says}"
    assert driven.tools == []


def test_a_call_without_arguments_has_none(tmp_path: Path) -> None:
    script = "fn on_tool_call(ctx) { " + modify('[#{ name: "list_files" }]') + " }"
    driven = drive(tmp_path, script, calls(("list_files", {"path": "nowhere"})), "done", tools=["list_files"])
    assert driven.tools[-1].ok


def test_on_tool_call_fires_once_for_a_batch_and_not_at_all_without_calls(tmp_path: Path) -> None:
    driven = drive(tmp_path, "fn on_tool_call(ctx) { () }", calls(LIST, LIST, LIST), "done", tools=["list_files"])
    assert len(driven.hooks("on_tool_call")) == 1
    assert [call.hook for call in driven.tools] == ["allowed"] * 3


def test_a_veto_ends_the_run_and_not_just_the_call(tmp_path: Path) -> None:
    script = 'fn on_tool_call(ctx) { #{ action: "cancel", reason: "no" } }'
    driven = drive(tmp_path, script, calls(LIST), "done", tools=["list_files"])
    assert driven.result.status == "error"
    assert driven.tools == []


# --- what a call took --------------------------------------------------------------------------------------------------


def test_operations_and_fuel_are_told_for_each_hook_call(tmp_path: Path) -> None:
    fired = drive(tmp_path, "fn on_stage_enter(ctx) { () }").hooks("on_stage_enter")[0]
    assert fired.operations is not None
    assert fired.fuel is not None


@pytest.mark.parametrize(("body", "least"), [('throw "boom"', 1), ("42", 1), ("loop {}", 100_000)])
def test_a_hook_call_that_failed_tells_what_it_used_too(tmp_path: Path, body: str, least: int) -> None:
    driven = drive(tmp_path, f"fn on_stage_enter(ctx) {{ {body} }}")
    (fired,) = driven.hooks("on_stage_enter")
    assert fired.operations is not None
    assert fired.fuel is not None
    assert least <= fired.operations <= fired.fuel
    assert driven.result.totals.operations == fired.operations
    assert fired.fuel >= fired.operations > 0
