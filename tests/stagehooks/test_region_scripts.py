"""The scripts of custom regions: how they are checked, what they decide, and what happens when they fail."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from stagehooks.agent import blueprint
from stagehooks.agent.spawn import load
from stagehooks.check import check
from stagehooks.errors import AnswerError, CompilationError, SpawnError, ValidationError, WindowError
from stagehooks.models.protocol import AssistantMessage, ToolCall, ToolResult, ToolResults, UserMessage
from stagehooks.run.assembly import assemble
from stagehooks.run.custom import CustomRegion, Scene
from stagehooks.run.events import Warned
from stagehooks.run.region import Entry, Text
from stagehooks.run.window import Window
from stagehooks.scripts.outcome import Json
from stagehooks.scripts.region import Rendering, Said, SaidCall, SaidResult, compile_region, on_overflow, on_write, render
from stagehooks.tools.levels import Level
from tests.stagehooks.driving import calls, drive, modify, stage

RENDER = 'fn render(ctx) { "" }\n'
REGION: Json = {"name": "brain", "budget": 10, "current_tokens": 0, "entry_count": 0}


class Custom:
    """A window with one custom region, `brain`, and what its script was warned of."""

    def __init__(self, script: str, max_tokens: int = 100, **more: Any) -> None:
        self.warnings: list[str] = []
        compiled = compile_region("brain.rhai", script if "fn render" in script else RENDER + script)
        self.window = Window(scripts={"brain.rhai": compiled}, warn=self.warnings.append)
        self.window.lay_out([blueprint.Region("brain", "custom", max_tokens, script="brain.rhai", **more)])

    @property
    def region(self) -> CustomRegion:
        region = self.window.region("brain")
        assert isinstance(region, CustomRegion)
        return region

    def add(self, *said: str, level: Level = Level.PUBLIC) -> None:
        for text in said:
            self.region.add((Entry(Text(text), level),))

    def shown(self) -> tuple[tuple[str, ...], tuple[object, ...]]:
        return assemble(self.window, Scene("plan", 2, "m", 5, 100))


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


def agent(directory: Path, script: str | None, path: str = "brain.rhai") -> Path:
    (directory / "agent.toml").write_text(
        '[agent]\nname = "a"\n[stages.main]\n'
        + "".join(f'[context.regions.{name}]\nkind = "custom"\nscript = "{path}"\n' for name in ("brain", "again"))
    )
    (directory / "replies.toml").write_text("")
    if script is not None:
        (directory / "brain.rhai").write_text(script)
    return directory


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


# --- on_write -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "held"),
    [
        ("()", "said"),
        ("true", "said"),
        ("false", ""),
        ('"other"', "other"),
        ("ctx.entry.content + ctx.entry.kind + ctx.entry.tokens + ctx.region.name", "saidtext1brain"),
    ],
)
def test_what_on_write_may_return(body: str, held: str) -> None:
    custom = Custom(f"fn on_write(ctx) {{ {body} }}")
    custom.add("said")
    assert (custom.region.text, custom.warnings) == (held, [])


@pytest.mark.parametrize("body", ["42", "#{}", "[]", 'throw "boom"', "loop {}"])
def test_an_entry_is_taken_as_it_is_where_on_write_fails(body: str) -> None:
    custom = Custom(f"fn on_write(ctx) {{ {body} }}")
    custom.add("said")
    assert custom.region.text == "said"
    assert custom.warnings[0].endswith("; the entry is taken as it is")


def test_a_replaced_entry_keeps_its_taint_and_its_kind() -> None:
    custom = Custom('fn on_write(ctx) { "short" }')
    custom.region.add((Entry(ToolResult("1", "f", "secret and long"), Level.PRIVATE),))
    (entry,) = custom.region.entries
    assert entry == Entry(ToolResult("1", "f", "short"), Level.PRIVATE)


def test_what_on_write_makes_of_an_entry_must_fit_too() -> None:
    custom = Custom('fn on_write(ctx) { "far too much for it" }', 2)
    with pytest.raises(WindowError, match="Content exceeds token budget: 5 > 2"):
        custom.add("x")
    assert custom.region.entries == ()


def test_hooks_write_through_on_write_and_before_anything_else_is_written() -> None:
    custom = Custom("fn on_write(ctx) { ctx.entry.content.to_upper() }", 2)
    custom.window.write({"brain": "small"}, Level.PRIVATE)
    assert (custom.region.text, custom.region.level) == ("SMALL", Level.PRIVATE)
    with pytest.raises(WindowError, match="writing region 'brain'"):
        custom.window.write({"brain": "too much for it", "conversation": "x"}, Level.PUBLIC)
    assert (custom.region.text, custom.window.texts()["conversation"]) == ("SMALL", "")


def test_a_write_that_the_script_does_not_take_leaves_the_region() -> None:
    custom = Custom('fn on_write(ctx) { ctx.entry.content != "no" }')
    custom.window.write({"brain": "yes"}, Level.PUBLIC)
    custom.window.write({"brain": "no"}, Level.PUBLIC)
    assert custom.region.text == "yes"
    custom.window.write({"brain": ""}, Level.PUBLIC)
    assert custom.region.entries == ()


def test_what_is_carried_to_another_stage_is_not_written_again() -> None:
    custom = Custom('fn on_write(ctx) { ctx.entry.content + "!" }')
    custom.add("said")
    custom.window.lay_out([blueprint.Region("brain", "custom", 50, script="brain.rhai")])
    assert custom.region.text == "said!"


# --- on_overflow ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("answer", "places"), [("[]", ()), ("[2, 0, 2]", (0, 2))])
def test_on_overflow_names_places(answer: str, places: tuple[int, ...]) -> None:
    assert on_overflow(compile_region("r.rhai", RENDER + f"fn on_overflow(ctx) {{ {answer} }}"), {}, 3) == places


@pytest.mark.parametrize("answer", ["()", "1", "[3]", "[-1]", "[0, 9]", "[1.0]", "[true]", '["0"]', "[()]"])
def test_one_bad_place_spoils_the_whole_answer(answer: str) -> None:
    with pytest.raises(AnswerError, match="on_overflow must return an array of places from 0 to 2"):
        on_overflow(compile_region("r.rhai", RENDER + f"fn on_overflow(ctx) {{ {answer} }}"), {}, 3)


def test_a_write_that_does_not_fit_lets_the_script_make_room() -> None:
    custom = Custom("fn on_overflow(ctx) { [1] }", 3)
    custom.add("a", "b", "c", "d")
    assert custom.region.text == "a\nc\nd"


def test_nothing_is_dropped_where_that_makes_too_little_room() -> None:
    custom = Custom("fn on_overflow(ctx) { [0] }", 3)
    custom.add("a", "b", "c")
    with pytest.raises(WindowError):
        custom.add("12345678")
    assert custom.region.text == "a\nb\nc"


def test_on_overflow_is_told_how_much_is_needed() -> None:
    custom = Custom("fn on_overflow(ctx) { if ctx.needed_tokens == 2 && ctx.entries.len() == 3 { [0, 1] } else { [] } }", 3)
    custom.add("a", "b", "c", "12345678")
    assert custom.region.text == "c\n12345678"


def test_a_turn_goes_as_a_whole() -> None:
    custom = Custom("fn on_overflow(ctx) { [1] }")
    custom.region.add((Entry(AssistantMessage("look", (ToolCall("1", "f", {}),))), Entry(ToolResult("1", "f", "x"))))
    custom.add("later")
    assert custom.region.overflow(1)
    assert custom.region.text == "later"


def test_taint_goes_with_the_entry_that_brought_it() -> None:
    custom = Custom("fn on_overflow(ctx) { [0] }", 2)
    custom.add("s", level=Level.PRIVATE)
    custom.add("a", "b")
    assert custom.region.level is Level.PUBLIC


def test_a_failing_on_overflow_drops_nothing() -> None:
    custom = Custom('fn on_overflow(ctx) { throw "boom" }', 1)
    custom.add("a")
    with pytest.raises(WindowError):
        custom.add("b")
    assert custom.region.text == "a"
    assert custom.warnings[0].endswith("; its answer is not used")


@given(
    some.lists(some.tuples(some.text("ab", max_size=12), some.sampled_from(Level)), max_size=10), some.lists(some.integers(-1, 4))
)
def test_whatever_a_script_answers_its_budget_holds_and_totals_are_sums(
    writes: list[tuple[str, Level]], drops: list[int]
) -> None:
    custom = Custom(f"fn on_overflow(ctx) {{ {drops} }} fn on_write(ctx) {{ ctx.entry.content + ctx.entry.content }}", 5)
    for said, level in writes:
        before = custom.region.turns
        try:
            custom.add(said, level=level)
        except WindowError:
            assert custom.region.turns == before
        assert custom.region.tokens == sum(entry.tokens for entry in custom.region.entries) <= 5
        assert custom.region.level == max((entry.level for entry in custom.region.entries), default=Level.PUBLIC)


# --- in a run -------------------------------------------------------------------------------------------------------------

LEDGER = """
fn render(ctx) { `${ctx.stage_name} ${ctx.stage_iterations}: ` + ctx.entries.map(|entry| entry.content).join("; ") }
fn on_write(ctx) { if ctx.entry.content == "odd" { 42 } else { ctx.entry.content.to_upper() } }
"""
TOP = '[context.regions.brain]\nkind = "custom"\nscript = "hooks.rhai"\n'


def test_a_custom_region_lives_through_a_run(tmp_path: Path) -> None:
    script = LEDGER + f"fn on_stage_enter(ctx) {{ {modify('#{ brain: `first` }')} }}"
    append = calls(("context_append", {"region": "brain", "content": "second"}))
    stages = stage(hooks=["on_stage_enter"], tools=["context_append"])
    driven = drive(tmp_path, script, append, "done", stages=stages, top=TOP)
    assert [request.system for request in driven.model.requests] == [("main 1: FIRST",), ("main 2: FIRST; SECOND",)]


def test_a_failing_function_is_a_warning_of_the_run(tmp_path: Path) -> None:
    script = LEDGER + f"fn on_stage_enter(ctx) {{ {modify('#{ brain: `odd` }')} }}"
    driven = drive(tmp_path, script, stages=stage(hooks=["on_stage_enter"]), top=TOP)
    assert driven.result.status == "complete"
    (warning,) = [event for event in driven.events if isinstance(event, Warned)]
    assert (warning.stage, warning.text) == (
        "main",
        "region 'brain': Script validation failed: hooks.rhai: on_write must return a string, a bool or (), got: 42; "
        "the entry is taken as it is",
    )


def test_on_write_itself_is_asked_with_plain_data_only() -> None:
    assert on_write(compile_region("r.rhai", RENDER + "fn on_write(ctx) { ctx.region.budget > 5 }"), {"region": REGION}) is True
