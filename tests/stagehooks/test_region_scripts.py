"""The scripts of custom regions: how they are checked, and what the model sees of a region."""

from pathlib import Path

import pytest

from stagehooks.agent.spawn import load
from stagehooks.check import check
from stagehooks.errors import AnswerError, CompilationError, SpawnError, ValidationError
from stagehooks.models.protocol import AssistantMessage, ToolCall, ToolResult, ToolResults, UserMessage
from stagehooks.run.region import Entry
from stagehooks.scripts.region import Rendering, Said, SaidCall, SaidResult, compile_region, render
from tests.stagehooks.custom_regions import RENDER, Custom, agent

# --- checking -------------------------------------------------------------------------------------------------------------


def test_a_script_says_which_functions_it_defines() -> None:
    assert compile_region("r.rhai", RENDER + "fn on_write(ctx) { }").defined == ("render", "on_write")


def test_a_script_must_define_render() -> None:
    with pytest.raises(ValidationError) as error:
        compile_region("r.rhai", "fn on_write(ctx) { }")
    assert error.value.message == "Script validation failed: r.rhai: script must define fn render(ctx)"


@pytest.mark.parametrize("name", ["render", "on_write", "on_overflow"])
def test_each_function_takes_exactly_one_parameter(name: str) -> None:
    with pytest.raises(ValidationError) as error:
        compile_region("r.rhai", RENDER.replace("render", "render" if name != "render" else "x") + f"fn {name}(a, b) {{ }}")
    assert error.value.message == f"Script validation failed: r.rhai: fn {name} must take exactly one parameter (ctx), found 2"


def test_a_script_that_is_no_program_is_refused() -> None:
    with pytest.raises(CompilationError, match=r"r\.rhai"):
        compile_region("r.rhai", "fn render(")


def test_a_script_is_compiled_once_for_all_regions_that_name_it(tmp_path: Path) -> None:
    (compiled,) = load(agent(tmp_path, RENDER)).region_scripts
    assert (compiled.path, compiled.script.defined) == ("brain.rhai", ("render",))


@pytest.mark.parametrize(
    ("script", "path", "message"),
    [
        (None, "brain.rhai", "region 'brain': cannot read custom region script '{dir}/brain.rhai': No such file or directory"),
        (
            "fn on_write(ctx) {}",
            "brain.rhai",
            "region 'brain': custom region script failed to compile: Script validation failed: brain.rhai: "
            "script must define fn render(ctx)",
        ),
        (
            RENDER,
            "../brain.rhai",
            "region 'brain': custom region script '../brain.rhai' resolves outside the blueprint's directory ({dir}); "
            "a script must live beside the agent that declares it",
        ),
        (RENDER, "brain.txt", "region 'brain': custom region script 'brain.txt' must be a path to a .rhai file"),
    ],
)
def test_a_wrong_script_stops_the_agent_before_it_runs_and_validate_says_so(
    tmp_path: Path, script: str | None, path: str, message: str
) -> None:
    place = agent(tmp_path, script, path)
    with pytest.raises(SpawnError) as error:
        load(place)
    assert error.value.message == message.replace("{dir}", str(tmp_path))
    (found,) = [found for found in check(place).findings if found.severity == "error"]
    assert (found.code, found.text) == ("region-script", error.value.message)


# --- render ---------------------------------------------------------------------------------------------------------------


def rendering(answer: str) -> Rendering:
    return render(compile_region("r.rhai", f"fn render(ctx) {{ {answer} }}"), {})


@pytest.mark.parametrize(
    ("answer", "made"),
    [
        ('"text"', Rendering(("text",))),
        ('""', Rendering()),
        ("#{}", Rendering()),
        ('#{ system: "one" }', Rendering(("one",))),
        ('#{ system: ["one", "", "two"], messages: [] }', Rendering(("one", "two"))),
        ('#{ messages: [#{ role: "user", content: "hi" }] }', Rendering((), (Said("user", "hi"),))),
        (
            '#{ messages: [#{ role: "assistant", tool_calls: [#{ id: "1", name: "f", arguments: #{ a: 1 } }] }] }',
            Rendering((), (Said("assistant", "", (SaidCall("1", "f", {"a": 1}),)),)),
        ),
        (
            '#{ messages: [#{ role: "user", tool_results: [#{ tool_call_id: "1", content: "x", is_error: true }] }] }',
            Rendering((), (Said("user", results=(SaidResult("1", "x"),)),)),
        ),
    ],
)
def test_what_render_may_return(answer: str, made: Rendering) -> None:
    assert rendering(answer) == made


@pytest.mark.parametrize(
    "answer",
    [
        "42",
        "()",
        "[]",
        "#{ system: 42 }",
        "#{ system: [42] }",
        "#{ messages: 42 }",
        "#{ messages: [42] }",
        '#{ messages: [#{ content: "x" }] }',
        '#{ messages: [#{ role: "system", content: "x" }] }',
        '#{ messages: [#{ role: "user" }] }',
        '#{ messages: [#{ role: "user", content: 42 }] }',
        '#{ messages: [#{ role: "user", tool_calls: [#{ id: "1", name: "f" }] }] }',
        '#{ messages: [#{ role: "assistant", tool_results: [#{ tool_call_id: "1", content: "x" }] }] }',
        '#{ messages: [#{ role: "assistant", tool_calls: [#{ id: 1, name: "f" }] }] }',
        '#{ messages: [#{ role: "user", tool_results: [42] }] }',
    ],
)
def test_what_render_may_not_return(answer: str) -> None:
    with pytest.raises(AnswerError, match="render"):
        rendering(answer)


def test_render_sees_its_entries_its_stage_and_the_window() -> None:
    custom = Custom("fn render(ctx) { to_json(ctx) }", 1000)
    custom.region.add((Entry(AssistantMessage("look", (ToolCall("1", "f", {}),))), Entry(ToolResult("1", "f", "[error] no"))))
    custom.region.add((Entry(UserMessage("hi"), key="k"),))
    (seen,), _ = custom.shown()
    assert '"region":{"budget":1000,"current_tokens":' in seen
    assert '"entry_count":3' in seen
    assert '"kind":"assistant_turn"' in seen
    assert '"tool_calls":[{"arguments":{},"id":"1","name":"f"}]' in seen
    assert '"is_error":true' in seen
    assert '"tool_call_id":"1"' in seen
    assert '"tool_name":"f"' in seen
    assert '"key":"k","kind":"user_message"' in seen
    assert '"stage_iterations":2' in seen
    assert '"stage_name":"plan"' in seen
    assert '"model":"m"' in seen
    assert '"window":{"max_tokens":100,"total_tokens":5}' in seen


def test_render_runs_for_an_empty_region_too() -> None:
    assert Custom('fn render(ctx) { "always here" }').shown()[0] == ("always here",)


def test_a_hidden_region_is_not_rendered() -> None:
    custom = Custom('fn render(ctx) { throw "called" }')
    custom.window.lay_out([])
    assert (custom.shown()[0], custom.warnings) == ((), [])


def test_messages_of_a_region_stand_before_the_conversation() -> None:
    custom = Custom('fn render(ctx) { #{ messages: [#{ role: "user", content: "first" }] } }')
    custom.window.say(UserMessage("second"))
    assert custom.shown()[1] == (UserMessage("first"), UserMessage("second"))


def test_calls_without_results_and_results_without_calls_are_left_out() -> None:
    call = '#{ role: "assistant", content: "look", tool_calls: [#{ id: "1", name: "f" }, #{ id: "2", name: "g" }] }'
    result = '#{ role: "user", tool_results: [#{ tool_call_id: "1", content: "x" }, #{ tool_call_id: "9", content: "y" }] }'
    assert Custom(f"fn render(ctx) {{ #{{ messages: [{result}, {call}, {result}, {call}] }} }}").shown()[1] == (
        AssistantMessage("look", (ToolCall("1", "f", {}),)),
        ToolResults((ToolResult("1", "f", "x"),)),
        AssistantMessage("look"),
        UserMessage("Continue."),
    )


@pytest.mark.parametrize("body", ['throw "boom"', "42", "loop {}", "#{ messages: 1 }", "|x| x"])
def test_a_region_whose_render_fails_is_shown_as_it_is_with_a_warning(body: str) -> None:
    custom = Custom(f"fn render(ctx) {{ {body} }}")
    custom.add("one", "two")
    assert custom.shown()[0] == ("[brain]:\none\ntwo",)
    (warning,) = custom.warnings
    assert warning.startswith("region 'brain': Script ")
    assert warning.endswith("; it is shown as it is")


def test_an_empty_region_whose_render_fails_is_not_shown() -> None:
    assert Custom('fn render(ctx) { throw "boom" }').shown()[0] == ()


def test_more_than_the_budget_is_shown_with_a_warning() -> None:
    custom = Custom('fn render(ctx) { "12345678" }', 1)
    assert custom.shown()[0] == ("12345678",)
    assert custom.warnings == ["region 'brain': render made 2 tokens, more than its budget of 1"]
