"""Regions and their budgets, what is carried from stage to stage, and what a model gets to see."""

import contextlib
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as some

from stagehooks.agent import blueprint
from stagehooks.errors import WindowError
from stagehooks.models.protocol import AssistantMessage, ToolCall, ToolResult, ToolResults, UserMessage
from stagehooks.run.assembly import assemble
from stagehooks.run.region import Entry, Region, Text, cut
from stagehooks.run.window import Window
from stagehooks.scripts.functions import estimate_tokens
from stagehooks.tools.levels import Level

KINDS = get_args(blueprint.RegionKind)


def layout(name: str = "notes", kind: blueprint.RegionKind = "temporary", max_tokens: int = 10, **more: Any) -> blueprint.Region:
    return blueprint.Region(name, kind, max_tokens, **more)


def text(said: str, level: Level = Level.PUBLIC) -> Entry:
    return Entry(Text(said), level)


def asked(said: str, *ids: str) -> Entry:
    return Entry(AssistantMessage(said, tuple(ToolCall(id, "read_file", {}) for id in ids)))


def answered(id: str, said: str, level: Level = Level.PUBLIC) -> Entry:
    return Entry(ToolResult(id, "read_file", said), level)


def window(*regions: blueprint.Region) -> Window:
    made = Window()
    made.lay_out(regions)
    return made


# --- tokens ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("said", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("é" * 4, 2), ("🙂", 1)])
def test_a_token_is_four_bytes_rounded_up(said: str, tokens: int) -> None:
    assert estimate_tokens(said) == tokens


@given(some.text(), some.integers(0, 40))
def test_a_text_is_cut_to_the_room_there_is(said: str, room: int) -> None:
    left = cut(said, room)
    assert estimate_tokens(left) <= room
    assert left == said or left.endswith("\n[...truncated]") == (room >= 4)


# --- one region -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["temporary", "clearable", "sliding_window"])
def test_a_region_that_evicts_drops_its_oldest_entries(kind: blueprint.RegionKind) -> None:
    region = Region(layout(kind=kind, max_tokens=3))
    for said in ("a" * 4, "b" * 4, "c" * 4, "d" * 8):
        region.add((text(said),))
    assert region.text == "cccc\ndddddddd"


@pytest.mark.parametrize("kind", ["temporary", "clearable", "sliding_window"])
def test_nothing_is_evicted_for_an_entry_that_never_fits(kind: blueprint.RegionKind) -> None:
    region = Region(layout(kind=kind, max_tokens=3))
    region.add((text("kept"),))
    with pytest.raises(WindowError, match="Content exceeds token budget: 5 > 3"):
        region.add((text("x" * 16),))
    assert region.text == "kept"


def test_a_pinned_region_never_rolls_off() -> None:
    region = Region(layout(kind="pinned", max_tokens=2))
    region.add((text("12345678"),))
    with pytest.raises(WindowError, match="Content exceeds token budget: 3 > 2"):
        region.add((text("x"),))
    assert region.text == "12345678"


def test_a_region_that_rejects_says_that_it_is_full() -> None:
    region = Region(layout(max_tokens=2, admission="reject"))
    region.add((text("12345678"),))
    with pytest.raises(WindowError) as error:
        region.add((text("x"),))
    assert error.value.message == (
        "Region 'notes' is full (2/2 tokens) and does not evict automatically - release an entry before adding another"
    )


def test_a_sliding_window_keeps_its_newest_items() -> None:
    region = window(layout(kind="sliding_window", max_items=2)).region("notes")
    for said in "abc":
        region.add((text(said),))
    assert region.text == "b\nc"


def test_a_turn_comes_and_goes_as_one() -> None:
    region = window(layout(kind="sliding_window", max_tokens=100, max_items=3)).region("notes")
    region.add((asked("look", "1", "2"), answered("1", "one"), answered("2", "two")))
    region.add((text("later"),))
    assert region.text == "later"


def test_a_region_is_as_confidential_as_its_most_confidential_entry() -> None:
    region = Region(layout())
    assert region.level is Level.PUBLIC
    region.add((text("a", Level.PRIVATE),))
    region.add((text("b"),))
    assert region.level is Level.PRIVATE


def test_replacing_checks_before_it_drops() -> None:
    region = Region(layout(max_tokens=2))
    region.replace("old", Level.PRIVATE)
    with pytest.raises(WindowError):
        region.replace("x" * 9, Level.PUBLIC)
    assert (region.text, region.level) == ("old", Level.PRIVATE)


def test_replacing_by_nothing_leaves_no_entry() -> None:
    region = Region(layout())
    region.replace("old", Level.PRIVATE)
    region.replace("", Level.PRIVATE)
    assert (region.entries, region.tokens, region.level) == ((), 0, Level.PUBLIC)


# --- totals are always the sum --------------------------------------------------------------------------------------------

NAMES = ("pinned", "sliding_window", "temporary", "clearable", "conversation")
step = some.one_of(
    some.tuples(some.just("add"), some.sampled_from(NAMES), some.text(max_size=30), some.sampled_from(Level)),
    some.tuples(some.just("write"), some.dictionaries(some.sampled_from((*NAMES, "nope")), some.text(max_size=60), max_size=3)),
    some.tuples(some.just("record"), some.lists(some.text(max_size=60), max_size=4)),
    some.tuples(some.just("lay out"), some.sets(some.sampled_from(NAMES)), some.integers(1, 12)),
    some.tuples(some.just("clear")),
)


def take(held: Window, move: tuple) -> None:
    match move:
        case ("add", name, said, level):
            held.region(name).add((text(said, level),))
        case ("write", texts):
            held.write(texts, held.level)
        case ("record", results):
            ids = [str(place) for place in range(len(results))]
            held.record(asked("look", *ids), [answered(id, said, Level.INTERNAL) for id, said in zip(ids, results, strict=True)])
        case ("lay out", names, size):
            held.lay_out(layout(name, name if name in KINDS else "sliding_window", size, max_items=3) for name in names)
        case ("clear",):
            held.clear_stage_specific()


@given(some.lists(step, max_size=12))
def test_whatever_happens_totals_are_sums_and_no_region_is_over_its_budget(moves: list[tuple]) -> None:
    held = window(*(layout(name, name if name in KINDS else "sliding_window", max_items=3) for name in NAMES))
    for move in moves:
        with contextlib.suppress(WindowError):
            take(held, move)
        assert held.tokens == sum(entry.tokens for region in held.regions for entry in region.entries)
        assert held.level == max((entry.level for region in held.regions for entry in region.entries), default=Level.PUBLIC)
        for region in held.regions:
            assert region.tokens == sum(entry.tokens for entry in region.entries) <= region.layout.max_tokens


@given(some.lists(step, max_size=12))
def test_whatever_happens_a_model_sees_every_result_with_its_call(moves: list[tuple]) -> None:
    held = window(*(layout(name, name if name in KINDS else "sliding_window", 40, max_items=3) for name in NAMES))
    for move in moves:
        with contextlib.suppress(WindowError):
            take(held, move)
    _, messages = assemble(held)
    assert not isinstance(messages[-1], AssistantMessage)
    for before, message in zip((None, *messages), messages, strict=False):
        if isinstance(message, ToolResults):
            assert isinstance(before, AssistantMessage)
            assert [call.id for call in before.tool_calls] == [result.call_id for result in message.results]


@given(some.dictionaries(some.sampled_from((*NAMES, "nope")), some.text(max_size=60), min_size=1))
def test_a_write_is_all_or_nothing(texts: dict[str, str]) -> None:
    held = window(*(layout(name, name if name in KINDS else "sliding_window") for name in NAMES))
    before = held.texts()
    try:
        held.write(texts, Level.PUBLIC)
    except WindowError:
        assert held.texts() == before
    else:
        assert held.texts() == before | texts


# --- writing from a hook --------------------------------------------------------------------------------------------------


def test_a_write_keeps_the_taint_of_what_the_writer_saw() -> None:
    held = window(layout("a"), layout("b"))
    held.region("a").replace("secret", Level.PRIVATE)
    held.write({"b": "secret", "a": ""}, held.level)
    assert held.region("b").level is Level.PRIVATE
    assert held.region("a").level is Level.PUBLIC
    assert held.level is Level.PRIVATE


def test_a_hidden_region_can_be_written_and_is_not_shown() -> None:
    held = window(layout("a"))
    held.lay_out([layout("b")])
    held.write({"a": "there"}, Level.PUBLIC)
    assert held.texts()["a"] == "there"
    assert "there" not in repr(assemble(held))


# --- from stage to stage --------------------------------------------------------------------------------------------------


def test_declared_regions_keep_their_entries_and_their_taint() -> None:
    held = window(layout("a"))
    held.region("a").replace("kept", Level.INTERNAL)
    held.lay_out([layout("a", "pinned")])
    assert (held.region("a").text, held.region("a").level, held.region("a").layout.kind) == ("kept", Level.INTERNAL, "pinned")


def test_what_no_longer_fits_is_dropped_silently() -> None:
    held = window(layout("a"))
    held.region("a").add((text("long" * 5),))
    held.region("a").add((text("b"),))
    held.lay_out([layout("a", max_tokens=2)])
    assert held.region("a").text == "b"


def test_undeclared_regions_are_hidden_until_they_are_declared_again() -> None:
    held = window(layout("a"))
    held.region("a").replace("waiting", Level.PUBLIC)
    held.lay_out([layout("b")])
    assert "waiting" not in repr(assemble(held))
    held.lay_out([layout("a")])
    assert "waiting" in repr(assemble(held))


def test_implicit_regions_are_there_and_never_hidden() -> None:
    held = window(layout("a"))
    held.say(UserMessage("hello"))
    held.lay_out([layout("b")])
    assert set(held.texts()) == {"a", "b", "conversation", "tool_results", "final_output"}
    assert "hello" in repr(assemble(held))


def test_new_regions_are_told_once() -> None:
    held = window(layout("a"))
    assert [region.layout.name for region in held.lay_out([layout("a"), layout("b")])] == ["b"]


def test_clearing_spares_pinned_regions() -> None:
    held = window(layout("a", "pinned"), layout("b"), layout("c", "sliding_window"))
    held.write({"a": "1", "b": "2", "c": "3"}, Level.PUBLIC)
    held.clear_stage_specific()
    assert (held.region("a").text, held.region("b").text, held.region("c").text) == ("1", "", "")


def test_instructions_are_replaced_stage_by_stage() -> None:
    held = Window(["plan it", "do", ""])
    held.lay_out([])
    for prompt, shown in (("plan it", "[Stage instructions: plan it]"), ("do", "[Stage instructions: do]"), ("", "")):
        held.instruct(prompt)
        assert held.texts()["stage_instructions"] == shown


def test_instructions_that_do_not_fit_say_which_region_is_too_small() -> None:
    held = Window(["a long prompt"])
    held.lay_out([layout("stage_instructions", "pinned", 2)])
    with pytest.raises(WindowError) as error:
        held.instruct("a long prompt")
    assert error.value.message == (
        "stage system prompt (~9 tokens) does not fit context region 'stage_instructions': Content exceeds token budget: 9 > 2. "
        "Increase that region's max_tokens (or shorten the prompt)."
    )


# --- results --------------------------------------------------------------------------------------------------------------


def test_results_are_cut_to_what_the_conversation_holds() -> None:
    held = window(layout("conversation", "sliding_window", 60))
    held.record(asked("look", "1", "2"), [answered("1", "x" * 400), answered("2", "short")])
    first, second = (entry.content for entry in held.region("conversation").entries[1:])
    assert first.text.endswith("\n[...truncated]")
    assert second.text == "short"


@pytest.mark.parametrize(
    ("room", "shown"),
    [
        (16, "x" * 49 + "\n[...truncated]"),
        (15, "[tool result truncated - context window full]"),
        (4, "[result omitted]"),
        (3, ""),
    ],
)
def test_a_result_with_little_room_says_so(room: int, shown: str) -> None:
    message = asked("", "1")
    held = window(layout("conversation", "sliding_window", message.tokens + room))
    held.record(message, [answered("1", "x" * 400)])
    assert held.region("conversation").entries[1].content.text == shown


def test_a_turn_that_is_too_long_is_remembered_with_a_shorter_text_and_shorter_arguments() -> None:
    window = Window()
    window.lay_out([layout("conversation", kind="sliding_window", max_tokens=60)])
    call = ToolCall("1", "write_file", {"path": "a.txt", "content": "x" * 4000})
    window.record(Entry(AssistantMessage("y" * 4000, (call,))), [Entry(ToolResult("1", "write_file", "Wrote it."))])
    said, result = (entry.content for entry in window.region("conversation").entries)
    assert isinstance(said, AssistantMessage)
    assert said.text.startswith("yyy")
    assert said.tool_calls[0].arguments["path"] == "a.txt"
    assert "x" * 100 not in str(said.tool_calls)
    assert window.region("conversation").tokens <= 60
    assert result.call_id == "1"


def test_arguments_that_cannot_be_shortened_are_left_out() -> None:
    window = Window()
    window.lay_out([layout("conversation", kind="sliding_window", max_tokens=20)])
    window.record(Entry(AssistantMessage("", (ToolCall("1", "f", {"list": list(range(500))}),))), [])
    (said,) = window.region("conversation").entries
    assert said.content.tool_calls == (ToolCall("1", "f", {}),)


def test_a_long_message_is_cut_to_the_budget_of_the_conversation() -> None:
    held = window(layout("conversation", "sliding_window", 20))
    held.say(AssistantMessage("x" * 1000))
    assert held.region("conversation").text.endswith("\n[...truncated]")


# --- what the model sees --------------------------------------------------------------------------------------------------


def test_pinned_regions_are_sections_and_others_are_labelled() -> None:
    held = window(layout("goal", "pinned", 50, description="What for.", describe_in_prompt=True), layout("notes"))
    held.region("goal").add((text("win"),))
    held.region("goal").add((text("soon"),))
    held.region("notes").add((text("a"),))
    held.region("notes").add((text("b"),))
    system, messages = assemble(held)
    assert system == ("## goal\nWhat for.\n\nwin\n\nsoon", "[notes]:\na\nb")
    assert messages == (UserMessage("Begin."),)


def test_a_sliding_window_becomes_messages() -> None:
    held = window(layout("conversation", "sliding_window", 200))
    held.say(UserMessage("hello"))
    held.record(asked("look", "1", "2"), [answered("1", "one"), answered("2", "two")])
    _, messages = assemble(held)
    assert messages == (
        UserMessage("hello"),
        AssistantMessage("look", (ToolCall("1", "read_file", {}), ToolCall("2", "read_file", {}))),
        ToolResults((ToolResult("1", "read_file", "one"), ToolResult("2", "read_file", "two"))),
    )


def test_the_last_message_is_never_the_assistants() -> None:
    held = window()
    held.say(UserMessage("hello"))
    held.say(AssistantMessage("hi"))
    assert assemble(held)[1][-1] == UserMessage("Continue.")


def test_without_a_user_message_the_user_begins() -> None:
    held = window()
    held.say(AssistantMessage("hi"))
    assert assemble(held)[1] == (AssistantMessage("hi"), UserMessage("Begin."))


def test_a_plain_text_in_a_sliding_window_may_say_who_speaks() -> None:
    held = window(layout("talk", "sliding_window", 100))
    for said in ("Assistant: I did", "User: well", "neither: nor"):
        held.region("talk").add((text(said),))
    assert assemble(held)[1] == (AssistantMessage("I did"), UserMessage("well"), UserMessage("neither: nor"))


def test_blank_messages_say_nothing() -> None:
    held = window(layout("talk", "sliding_window", 100))
    held.region("talk").add((text(" \n"),))
    held.say(AssistantMessage(""))
    assert assemble(held)[1] == (UserMessage("Begin."),)
