"""The kinds of region: what each keeps, what it drops, and what it never does."""

import contextlib
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as some

from stagehooks.agent import blueprint
from stagehooks.agent.region import Budget, RegionKind
from stagehooks.errors import WindowError
from stagehooks.models.protocol import AssistantMessage, ToolCall, ToolResult
from stagehooks.run.assembly import assemble
from stagehooks.run.kinds import Checklist, HashMap
from stagehooks.run.region import Entry, Region, Text
from stagehooks.run.window import Window
from stagehooks.tools.levels import Level

KINDS: tuple[RegionKind, ...] = get_args(RegionKind)
KEEPING = ("pinned", "compact_history", "checklist", "custom")


def region(kind: RegionKind, max_tokens: int = 100, **more: Any) -> Region:
    held = Window()
    held.lay_out([blueprint.Region("r", kind, max_tokens, **more)])
    return held.region("r")


def hashmap(max_tokens: int = 100, **more: Any) -> HashMap:
    made = region("hashmap", max_tokens, **more)
    assert isinstance(made, HashMap)
    return made


def checklist(max_tokens: int = 100) -> Checklist:
    made = region("checklist", max_tokens)
    assert isinstance(made, Checklist)
    return made


def text(said: str, key: str = "", level: Level = Level.PUBLIC) -> tuple[Entry, ...]:
    return (Entry(Text(said), level, key),)


def turn(said: str, results: int) -> tuple[Entry, ...]:
    calls = tuple(ToolCall(str(place), "f", {}) for place in range(results))
    return (Entry(AssistantMessage(said, calls)), *(Entry(ToolResult(call.id, "f", "x")) for call in calls))


# --- budgets --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("percent", "cap", "floor", "tokens"),
    [(35, None, 1, 350), (35, 200, 1, 200), (35, None, 500, 500), (35, 200, 500, 500), (12.5, None, 1, 125), (0.05, None, 1, 1)],
)
def test_a_percentage_is_of_the_models_window_and_its_floor_wins(
    percent: float, cap: int | None, floor: int, tokens: int
) -> None:
    assert Budget(percent, cap, floor).tokens(1000) == tokens


@pytest.mark.parametrize(
    ("compact_at", "threshold_tokens", "threshold"),
    [(None, None, 80), (50.0, None, 50), (None, 30, 30), (50.0, 60, 50), (50.0, 40, 40)],
)
def test_the_lower_of_its_two_bounds_is_the_threshold_of_a_compacting_region(
    compact_at: float | None, threshold_tokens: int | None, threshold: int
) -> None:
    layout = blueprint.Region("r", "compacting", 100, compact_at=compact_at, threshold_tokens=threshold_tokens)
    assert layout.threshold == threshold


@pytest.mark.parametrize("kind", KEEPING)
def test_a_region_that_keeps_everything_refuses_what_does_not_fit(kind: RegionKind) -> None:
    held = region(kind, 2)
    held.add(text("12345678"))
    with pytest.raises(WindowError, match="Content exceeds token budget: 3 > 2"):
        held.add(text("x"))
    assert held.text == "12345678"


@pytest.mark.parametrize("kind", KINDS)
def test_a_region_that_rejects_never_drops_anything(kind: RegionKind) -> None:
    held = region(kind, 2, admission="reject")
    held.add(text("12345678", "a"))
    with pytest.raises(WindowError, match="is full"):
        held.add(text("x", "b"))
    assert held.text == "12345678"


# --- sliding windows ------------------------------------------------------------------------------------------------------


def texts_after(held: Region, count: int) -> list[str]:
    for number in range(count):
        held.add(text(str(number)))
    return [entry.content.text for entry in held.entries]


def test_per_item_drops_one_for_one() -> None:
    assert texts_after(region("sliding_window", max_items=3), 5) == ["2", "3", "4"]


def test_bulk_drops_many_at_once() -> None:
    assert len(texts_after(region("sliding_window", max_items=3, strategy="bulk", overflow=2), 5)) == 5
    assert texts_after(region("sliding_window", max_items=3, strategy="bulk", overflow=2), 6) == ["3", "4", "5"]


def test_compact_waits_for_its_summary_before_it_drops() -> None:
    held = region("sliding_window", max_items=3, strategy="compact", compact_count=2)
    assert texts_after(held, 4)
    assert held.stale == ()
    held.add(text("4"))
    assert [entry.content.text for gone in held.stale for entry in gone] == ["0", "1"]
    texts_after(held, 2)
    assert len(held.entries) == 7
    held.add(text("last"))
    assert len(held.entries) == 3


def test_the_newest_turn_stays_however_long_it_is() -> None:
    held = region("sliding_window", 1000, max_items=2)
    held.add(turn("look", 5))
    assert len(held.entries) == 6


# --- hashmaps -------------------------------------------------------------------------------------------------------------


def test_a_write_to_a_key_replaces_what_it_held() -> None:
    held = hashmap()
    held.add(text("old", "a"))
    held.add(text("b", "b"))
    held.add(text("new", "a"))
    assert [(entry.key, entry.content.text) for entry in held.entries] == [("a", "new"), ("b", "b")]


def test_the_key_that_was_used_least_recently_goes_first() -> None:
    held = hashmap(max_entries=2)
    held.add(text("1", "a"))
    held.add(text("2", "b"))
    assert held.find("a") is not None
    held.add(text("3", "c"))
    assert [entry.key for entry in held.entries] == ["a", "c"]


def test_keys_go_until_there_is_room() -> None:
    held = hashmap(3)
    for key in "abc":
        held.add(text("1234", key))
    held.add(text("12345678", "d"))
    assert [entry.key for entry in held.entries] == ["c", "d"]


def test_no_key_goes_for_an_entry_that_never_fits() -> None:
    held = hashmap(3)
    held.add(text("kept", "a"))
    with pytest.raises(WindowError):
        held.add(text("x" * 16, "a"))
    assert held.text == "kept"


def test_a_key_can_be_removed() -> None:
    held = hashmap()
    held.add(text("1", "a"))
    assert (held.remove("a"), held.remove("a"), held.entries) == (True, False, ())


# --- checklists -----------------------------------------------------------------------------------------------------------


def test_items_have_numbers_that_are_never_used_again() -> None:
    held = checklist()
    assert [held.put(item, Level.PUBLIC) for item in ("one", "two")] == ["1", "2"]
    held.clear()
    assert held.put("three", Level.PUBLIC) == "3"


def test_an_item_is_ticked_off_by_its_number() -> None:
    held = checklist()
    held.put("one", Level.PUBLIC)
    assert (held.finish("1"), held.finish("9")) == (True, False)
    assert held.open == ()


def test_a_note_keeps_an_item_open_and_brings_its_taint_along() -> None:
    held = checklist()
    held.put("one", Level.PUBLIC)
    assert held.note("1", "see\nbelow", Level.PRIVATE)
    assert (held.text, held.level, len(held.open)) == ("one (see below)", Level.PRIVATE, 1)


def test_a_note_that_does_not_fit_changes_nothing() -> None:
    held = checklist(2)
    held.put("one", Level.PUBLIC)
    with pytest.raises(WindowError):
        held.note("1", "far too long for it", Level.PUBLIC)
    assert held.text == "one"


def test_what_a_hook_writes_back_keeps_numbers_and_states() -> None:
    held = checklist()
    held.put("one", Level.PUBLIC)
    held.put("two", Level.PUBLIC)
    held.finish("1")
    held.replace("one\n\n- [x] two\nthree\n[ ] four", Level.PUBLIC)
    shown = [(entry.key, entry.content.text, entry.done) for entry in held.entries]
    assert shown == [("1", "one", True), ("2", "two", True), ("3", "three", False), ("4", "four", False)]


def test_numbers_go_on_in_another_layout() -> None:
    held = Window()
    held.lay_out([blueprint.Region("r", "checklist", 100)])
    held.region("r").add(text("one"))
    held.region("r").clear()
    held.lay_out([blueprint.Region("r", "checklist", 50)])
    held.region("r").add(text("two"))
    assert held.region("r").entries[0].key == "2"


# --- what the model sees --------------------------------------------------------------------------------------------------


def shown(*layouts: blueprint.Region, **texts: str) -> tuple[str, ...]:
    held = Window()
    held.lay_out(layouts)
    held.write(texts, Level.PUBLIC)
    return assemble(held)[0]


def test_a_checklist_shows_open_items_first() -> None:
    assert shown(blueprint.Region("todo", "checklist"), todo="[x] one\ntwo") == (
        "## todo\nChecklist (1 open, 1 done):\n- [ ] 2: two\n- [x] 1: one",
    )


def test_a_hashmap_shows_its_keys() -> None:
    held = Window()
    held.lay_out([blueprint.Region("files", "hashmap")])
    held.region("files").add(text("first", "a.py"))
    held.region("files").add(text("second", "b.py"))
    assert assemble(held)[0] == ("[files]:\n### [a.py]\nfirst\n### [b.py]\nsecond",)


def test_a_history_is_a_section_and_a_compacting_region_is_labelled() -> None:
    layouts = (blueprint.Region("h", "compact_history"), blueprint.Region("c", "compacting"))
    assert shown(*layouts, h="then", c="now") == ("## h\nthen", "[c]:\nnow")


def test_blocks_that_change_least_stand_first() -> None:
    layouts = (
        blueprint.Region("a", volatility="rewritten"),
        blueprint.Region("b", volatility="grows"),
        blueprint.Region("c", volatility="stable"),
        blueprint.Region("d"),
    )
    assert shown(*layouts, a="1", b="2", c="3", d="4") == ("[c]:\n3", "[b]:\n2", "[a]:\n1", "[d]:\n4")


def test_a_region_that_grows_is_shown_in_blocks_that_stay_as_they_are() -> None:
    held = Window()
    held.lay_out([blueprint.Region("log", max_tokens=9000, volatility="grows")])
    for letter in "abc":
        held.region("log").add(text(letter * 4 * 1500))
    titles = [block.partition("\n")[0] for block in assemble(held)[0]]
    assert titles == ["[log]:", "[log] (continued):", "[log] (continued):"]


# --- whatever happens -----------------------------------------------------------------------------------------------------

words = some.text("ab \n", max_size=30)
layouts = some.builds(
    blueprint.Region,
    some.just("r"),
    some.sampled_from(KINDS),
    some.integers(1, 20),
    max_items=some.integers(1, 4),
    admission=some.sampled_from(("evict", "reject")),
    strategy=some.sampled_from(("per_item", "bulk", "compact")),
    overflow=some.integers(0, 3),
    compact_count=some.integers(1, 3),
    max_entries=some.none() | some.integers(1, 3),
)
moves = some.one_of(
    some.tuples(some.just("add"), words, some.sampled_from(("", "a", "b", "c")), some.sampled_from(Level)),
    some.tuples(some.just("turn"), words, some.integers(0, 3)),
    some.tuples(some.just("replace"), words, some.sampled_from(Level)),
    some.tuples(some.just("lay out"), layouts),
    some.tuples(some.just("summarise"), some.integers(0, 3), words),
)


def move(held: Window, step: tuple) -> None:
    inner = held.region("r")
    match step:
        case ("add", said, key, level):
            inner.add(text(said, key, level))
        case ("turn", said, results):
            inner.add(turn(said, results))
        case ("replace", said, level):
            held.write({"r": said}, level)
        case ("lay out", layout):
            held.lay_out([layout])
        case ("summarise", count, said):
            inner.summarise(count, text(said) if said else ())


@given(layouts, some.lists(moves, max_size=15))
def test_no_budget_is_ever_exceeded_and_totals_are_sums(layout: blueprint.Region, steps: list[tuple]) -> None:
    held = Window()
    held.lay_out([layout])
    for step in steps:
        turns = held.region("r").turns
        try:
            move(held, step)
        except WindowError:
            assert held.region("r").turns == turns, "a refused write has changed something"
        inner = held.region("r")
        assert inner.tokens == sum(entry.tokens for entry in inner.entries) <= inner.layout.max_tokens
        assert held.tokens == sum(other.tokens for other in held.regions)
        assert inner.level == max((entry.level for entry in inner.entries), default=Level.PUBLIC)


@given(layouts, some.lists(words, min_size=1, max_size=12))
def test_what_should_stay_is_never_lost(layout: blueprint.Region, said: list[str]) -> None:
    held = Window()
    held.lay_out([layout])
    inner = held.region("r")
    taken: list[str] = []
    for word in said:
        with contextlib.suppress(WindowError):
            inner.add(text(word))
            taken.append(word)
    kept = [entry.content.text for entry in inner.entries]
    assert kept == taken[len(taken) - len(kept) :], "only the oldest may go"
    if layout.kind in (*KEEPING, "hashmap") or (layout.admission == "reject" and layout.kind != "sliding_window"):
        assert kept == taken


@given(layouts, layouts, some.lists(words, max_size=8))
def test_a_layout_that_has_room_for_all_keeps_all(one: blueprint.Region, other: blueprint.Region, said: list[str]) -> None:
    held = Window()
    held.lay_out([one])
    for word in said:
        with contextlib.suppress(WindowError):
            held.region("r").add(text(word))
    before = held.region("r").entries
    held.lay_out([])
    assert held.region("r").hidden
    held.lay_out([blueprint.Region("r", other.kind, 1000, max_items=100, admission=other.admission)])
    assert [entry.content for entry in held.region("r").entries] == [entry.content for entry in before]
