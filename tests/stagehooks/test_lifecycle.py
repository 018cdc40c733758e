"""A whole run: the order of things, how stages end and follow each other, and how a run ends."""

import asyncio
from pathlib import Path

import pytest

from stagehooks.errors import ModelError
from stagehooks.models.protocol import Reply, Request, UserMessage
from stagehooks.run.events import (
    Event,
    HookFired,
    ModelReplied,
    RunEnded,
    RunFailing,
    RunResult,
    StageEntered,
    StageLeft,
    ToolCalled,
)
from stagehooks.run.lifecycle import Run, run_agent_sync
from stagehooks.scripts.outcome import HOOK_NAMES
from stagehooks.tools.tool import Tool
from tests.stagehooks.driving import REGIONS, Driven, Recorder, calls, drive, drive_agent, modify, stage, write_agent

LIST = ("list_files", {})
ALLOW_ALL = " ".join(f"fn {hook}(ctx) {{ () }}" for hook in HOOK_NAMES)


def outline(driven: Driven) -> list[str]:
    """What happened, a word for each event."""
    words = []
    for event in driven.events:
        match event:
            case StageEntered():
                words.append(f"enter {event.stage}")
            case StageLeft():
                words.append(f"leave {event.stage}")
            case HookFired():
                words.append(event.hook)
            case ModelReplied():
                words.append("model")
            case ToolCalled():
                words.append(f"tool {event.name}")
            case RunEnded():
                words.append(event.status)
    return words


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


# --- what the model is asked ----------------------------------------------------------------------------------------------


def test_the_task_stands_in_the_region_that_waits_for_it(tmp_path: Path) -> None:
    top = '[context.regions.task]\nkind = "pinned"\n' + REGIONS
    driven = drive(tmp_path, "", top=top, task="count the files")
    assert driven.model.requests[0].system == ("## task\ncount the files",)


def test_without_such_a_region_the_task_is_what_the_user_says(tmp_path: Path) -> None:
    assert drive(tmp_path, task="count the files").model.requests[0].messages == (UserMessage("count the files"),)


def test_a_task_that_is_too_long_is_cut(tmp_path: Path) -> None:
    top = '[context.regions.task]\nkind = "pinned"\nmax_tokens = 20\n' + REGIONS
    driven = drive(tmp_path, "", top=top, task="x" * 500)
    assert driven.model.saw("[...truncated: seed exceeded this region")


def test_other_regions_are_seeded_by_name_or_by_the_agent_file(tmp_path: Path) -> None:
    seeds = '[context.regions.a]\nseed = "input"\n[context.regions.b]\nseed = { literal = "written" }\n'
    driven = drive(tmp_path, "", top=seeds, inputs={"a": "given"})
    assert driven.model.requests[0].system == ("[a]:\ngiven", "[b]:\nwritten")


def test_each_stage_has_its_own_instructions_tools_and_parameters(tmp_path: Path) -> None:
    one = stage("one", tools=["list_files"], more='system_prompt = "First."\nnudge = { enabled = false }')
    one += '[stages.one.model]\nprovider = "scripted"\nmodel = "m"\nparameters = { temperature = 0.5, seed = 7 }\n'
    driven = drive(tmp_path, "", "a", "b", stages=one + stage("two", more='system_prompt = "Second."'))
    first, second = driven.model.requests
    assert "## stage_instructions\n[Stage instructions: First.]" in first.system
    assert "## stage_instructions\n[Stage instructions: Second.]" in second.system
    assert ([offer.name for offer in first.tools], second.tools) == (["list_files"], ())
    assert (first.model, first.temperature, first.extra) == ("m", 0.5, (("seed", 7),))


def test_turns_are_counted_over_all_visits_of_a_stage(tmp_path: Path) -> None:
    loop = 'max_revisits = 1\n[stages.main.transitions.main]\n[stages.main.transitions.end]\ncondition = "dead_end"'
    stages = stage("main", more=loop) + stage("end")
    driven = drive(tmp_path, "", "a", "b", "c", stages=stages)
    assert [(request.stage, request.turn) for request in driven.model.requests] == [("main", 1), ("main", 2), ("end", 1)]


def test_what_a_stage_concluded_is_there_in_the_next(tmp_path: Path) -> None:
    driven = drive(tmp_path, "", "the plan", "done", stages=stage("one") + stage("two"))
    assert driven.model.saw("the plan")


def test_a_stage_may_be_entered_with_a_clean_slate(tmp_path: Path) -> None:
    edge = '[stages.one.transitions.two]\ntransform = "clear"'
    stages = stage("one", more=edge) + stage("two", more="[stages.two.transitions]")
    assert not drive(tmp_path, "", "the plan", "done", stages=stages).model.saw("the plan")


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


# --- how a run ends -------------------------------------------------------------------------------------------------------


def test_a_run_without_an_answer_is_complete_without_output(tmp_path: Path) -> None:
    result = drive(tmp_path).result
    assert (result.status, result.output, result.error, result.exit_code) == ("complete", None, None, 0)


def test_only_a_complete_run_has_an_output(tmp_path: Path) -> None:
    answer = calls(("submit_output", {"content": "x"}))
    result = drive(tmp_path, "fn on_stage_exit(ctx) { false }", answer, "done", tools=["submit_output"]).result
    assert (result.status, result.output) == ("error", None)


class Waiting:
    """A model that waits until it is cancelled."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def complete(self, request: Request) -> Reply:
        self.asked.set()
        await asyncio.sleep(60)
        return Reply("too late")


def test_a_cancelled_run_fires_neither_terminal_hook(tmp_path: Path) -> None:
    script = "fn on_completion(ctx) { () } fn on_error(ctx) { () } fn before_inference(ctx) { () }"
    agent = write_agent(tmp_path, script)
    events: list[Event] = []

    async def cancel() -> Run:
        model = Waiting()
        run = Run(agent, {"model": model, "observe": events.append})
        running = asyncio.ensure_future(run.drive())
        await model.asked.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        return run

    run = asyncio.run(cancel())
    assert run.result is not None
    assert (run.result.status, run.result.exit_code) == ("cancelled", 130)
    assert (run.result.output, run.result.error) == (None, None)
    assert [event.hook for event in events if isinstance(event, HookFired)] == ["before_inference"]
    assert isinstance(events[-1], RunEnded)
    assert events[-1].status == "cancelled"


def test_a_cancellation_gets_through_a_model_that_never_waits(tmp_path: Path) -> None:
    agent = write_agent(tmp_path, "fn on_completion(ctx) { () }", stage("main", ["on_completion"], ["list_files"]))
    events: list[Event] = []

    async def cancel() -> None:
        model = Recorder(*[calls(LIST)] * 40)
        running = asyncio.ensure_future(Run(agent, {"model": model, "observe": events.append}).drive())
        await asyncio.sleep(0)
        running.cancel()
        await running

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancel())
    assert isinstance(events[-1], RunEnded)
    assert events[-1].status == "cancelled"


@pytest.mark.parametrize(("body", "outcome"), [("loop {}", "failed"), ("()", "allow")])
def test_a_cancellation_during_the_last_hook_before_the_end_fires_no_terminal_hook(
    tmp_path: Path, body: str, outcome: str
) -> None:
    script = f"fn on_stage_exit(ctx) {{ {body} }} fn on_completion(ctx) {{ () }} fn on_error(ctx) {{ () }}"
    agent = write_agent(tmp_path, script)
    fired: list[HookFired] = []

    async def cancel() -> None:
        def observe(event: Event) -> None:
            if isinstance(event, HookFired):
                fired.append(event)
                running.cancel()

        running = asyncio.ensure_future(Run(agent, {"model": Recorder("done"), "observe": observe}).drive())
        await running

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancel())
    assert [(event.hook, event.outcome) for event in fired] == [("on_stage_exit", outcome)]


def test_an_interrupt_in_the_middle_of_a_tool_gives_a_cancelled_result(tmp_path: Path) -> None:
    def interrupt() -> str:
        raise KeyboardInterrupt

    tool = Tool("interrupt", "", (), interrupt, policy="allow")
    agent = write_agent(tmp_path, "fn on_error(ctx) { () }", stage("main", ["on_error"], ["interrupt"]))
    result = run_agent_sync(agent, model=Recorder(calls(("interrupt", {}))), tools=[tool], workdir=tmp_path)
    assert (result.status, result.exit_code) == ("cancelled", 130)


def test_a_running_run_fires_no_terminal_hook(tmp_path: Path) -> None:
    driven = drive(tmp_path, ALLOW_ALL, *["talk"] * 2, stages=stage("one", HOOK_NAMES) + stage("two", HOOK_NAMES))
    assert outline(driven).count("on_completion") == 1
    assert outline(driven)[-2:] == ["on_completion", "complete"]


def test_the_same_run_happens_the_same_way_twice(tmp_path: Path) -> None:
    script = "fn on_stage_enter(ctx) { " + modify('#{ notes: "x", goal: "y" }') + " }"
    agent = write_agent(tmp_path / "agent", script)
    first, second = (drive_agent(agent, Recorder("done"), workdir=tmp_path) for _ in range(2))
    assert first.events == second.events
    assert first.model.requests == second.model.requests


def test_a_failing_observer_leaves_no_work_directory_behind(tmp_path: Path) -> None:
    seen: list[Path] = []

    def observe(event: Event) -> None:
        if isinstance(event, StageEntered):
            raise BrokenPipeError
        seen.append(Path(event.workdir))

    with pytest.raises(BrokenPipeError):
        drive(tmp_path, observe=observe)
    assert not seen[0].exists()


def test_two_runs_of_one_agent_at_once_do_not_meet(tmp_path: Path) -> None:
    script = "fn before_inference(ctx) { " + modify('#{ notes: ctx.regions.notes + "x" }') + " }"
    agent = write_agent(tmp_path, script, tools=["list_files"])
    models = [Recorder(calls(LIST), "done") for _ in range(2)]

    async def both() -> list[RunResult]:
        return await asyncio.gather(*(Run(agent, {"model": model}).drive() for model in models))

    first, second = asyncio.run(both())
    assert first == second
    assert models[0].requests == models[1].requests
    assert models[0].saw("[notes]:\\nxx'")
