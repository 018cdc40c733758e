"""The functions of a custom region that decide what it holds, and a custom region in a run."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from stagehooks.agent import blueprint
from stagehooks.errors import AnswerError, WindowError
from stagehooks.models.protocol import AssistantMessage, ToolCall, ToolResult
from stagehooks.run.events import Warned
from stagehooks.run.region import Entry
from stagehooks.scripts.region import compile_region, on_overflow, on_write
from stagehooks.tools.levels import Level
from tests.stagehooks.custom_regions import REGION, RENDER, Custom
from tests.stagehooks.driving import calls, drive, modify, stage

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
