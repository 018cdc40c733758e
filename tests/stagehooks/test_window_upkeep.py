"""Room in the window: summaries before a model is asked, what is freed where the whole is full, and what edges do to regions."""

from pathlib import Path
from typing import cast

import pytest

from stagehooks.errors import ModelError
from stagehooks.models.protocol import Reply, Request, UserMessage
from stagehooks.run.events import RegionChanged, Warned
from tests.stagehooks.driving import Driven, Recorder, calls, drive, drive_agent, modify, stage, write_agent

NOTES = """
[context.regions.notes]
kind = "compacting"
max_tokens = 100
threshold_tokens = 50
"""
HISTORY = NOTES + '[context.regions.history]\nkind = "compact_history"\nsource_region = "notes"\nmax_tokens = 100\n'


class Summariser(Recorder):
    """A model whose replies to summaries are `summaries`, and whose other replies are as a Recorder's."""

    def __init__(self, *summaries: str | Exception, replies: tuple[Reply | str | Exception, ...] = ("done",)) -> None:
        super().__init__(*replies)
        self.summaries = list(summaries)
        self.asked: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        if request.purpose != "summary":
            return await super().complete(request)
        self.asked.append(request)
        summary = self.summaries.pop(0) if self.summaries else ModelError("no more summaries")
        if isinstance(summary, Exception):
            raise summary
        return Reply(summary)


def run(directory: Path, model: Recorder, top: str, script: str = "", stages: str | None = None) -> Driven:
    return drive_agent(write_agent(directory / "agent", script, stages, top=top), model)


def said(request: Request) -> str:
    """What the first message of `request` says."""
    first = request.messages[0]
    assert isinstance(first, UserMessage)
    return first.text


def enter(**texts: str) -> str:
    """A hook that writes into regions as a stage is entered; the texts are in Rhai."""
    value = ", ".join(f"{region}: {text}" for region, text in texts.items())
    return f"fn on_stage_enter(ctx) {{ {modify(f'#{{ {value} }}')} }}\n"


def changes(driven: Driven) -> list[tuple[str, str, int, int]]:
    return [(event.region, event.what, event.before, event.after) for event in driven.events if isinstance(event, RegionChanged)]


def warnings(driven: Driven) -> list[str]:
    return [event.text for event in driven.events if isinstance(event, Warned)]


def long(text: str) -> str:
    """The Rhai text of 60 tokens that begin with `text`."""
    return f'{{ let s = "{text}"; s.pad(240, "."); s }}'


# --- compacting -----------------------------------------------------------------------------------------------------------


def test_a_region_over_its_threshold_is_summarised_into_its_history(tmp_path: Path) -> None:
    model = Summariser("It was long.")
    driven = run(tmp_path, model, HISTORY, enter(notes=long("facts")))
    assert changes(driven) == [("notes", "summarised", 60, 0)]
    assert model.requests[0].system == ("## history\nIt was long.",)
    (asked,) = model.asked
    assert "facts" in said(asked)
    assert (asked.purpose, asked.temperature, asked.max_output_tokens, asked.tools) == ("summary", 0.2, 100, ())


def test_without_a_history_the_summary_takes_the_place_of_what_it_is_about(tmp_path: Path) -> None:
    model = Summariser("It was long.")
    driven = run(tmp_path, model, NOTES, enter(notes=long("facts")))
    assert changes(driven) == [("notes", "summarised", 60, 12)]
    assert model.requests[0].system == ("[notes]:\n[Summary of what was here before]\nIt was long.",)


def test_a_region_below_its_threshold_is_left_alone(tmp_path: Path) -> None:
    model = Summariser()
    assert changes(run(tmp_path, model, NOTES, enter(notes='"short"'))) == []
    assert model.asked == []


@pytest.mark.parametrize(
    ("summary", "why"), [("", "the summary is empty"), (" \n", "the summary is empty"), (ModelError("down"), "down")]
)
def test_a_summary_that_cannot_be_had_leaves_its_region_and_is_asked_for_once(
    tmp_path: Path, summary: str | Exception, why: str
) -> None:
    model = Summariser(summary, replies=(calls(("list_files", {})), "done"))
    tools = stage("main", ["on_stage_enter"], ["list_files"])
    driven = run(tmp_path, model, HISTORY, enter(notes=long("facts")), tools)
    assert driven.result.status == "complete"
    assert warnings(driven) == [f"region 'notes' was not summarised: {why}"]
    assert all("facts" in repr(request.system) for request in model.requests)
    assert len(model.asked) == 1


def test_a_full_history_is_not_asked_for(tmp_path: Path) -> None:
    model = Summariser("never")
    script = enter(notes=long("a"), history=f"{long('b')} + {long('c')}")
    driven = run(tmp_path, model, HISTORY.replace("max_tokens = 100\n", "max_tokens = 125\n"), script)
    assert warnings(driven) == ["region 'notes' was not summarised: there is no room for a summary"]
    assert model.asked == []


def test_a_long_summary_is_cut_to_the_room_there_is(tmp_path: Path) -> None:
    driven = run(tmp_path, Summariser("x" * 4000), HISTORY, enter(notes=long("facts")))
    assert changes(driven) == [("notes", "summarised", 60, 0)]
    assert driven.model.requests[0].system[0].endswith("\n[...truncated]")


def test_the_compaction_table_says_how_a_summary_is_asked_for(tmp_path: Path) -> None:
    model = Summariser("short")
    top = '[compaction]\nmax_summary_tokens = 30\ntemperature = 0.9\nsystem_prompt = "Be brief."\n' + HISTORY
    run(tmp_path, model, top, enter(notes=long("facts")))
    (asked,) = model.asked
    assert (asked.system, asked.temperature, asked.max_output_tokens) == (("Be brief.",), 0.9, 30)


def test_a_conversation_that_compacts_puts_a_summary_before_its_newest_items(tmp_path: Path) -> None:
    top = '[context.regions.conversation]\nkind = "sliding_window"\nstrategy = "compact"\nmax_items = 2\ncompact_count = 2\n'
    model = Summariser("They looked.", replies=(calls(("list_files", {})), calls(("list_files", {})), "done"))
    driven = run(tmp_path, model, top, stages=stage("main", tools=["list_files"]))
    assert changes(driven)[0][:2] == ("conversation", "summarised")
    assert "Assistant calls list_files {}\nResult of list_files: (empty)" in said(model.asked[0])
    assert said(model.requests[-1]) == "[Summary of what was here before]\nThey looked."


def test_the_offline_model_has_its_summaries_in_its_file(tmp_path: Path) -> None:
    agent = write_agent(tmp_path, enter(notes=long("facts")), top=HISTORY)
    (tmp_path / "replies.toml").write_text('[[main]]\nsummary = "From the file."\n[[main]]\ntext = "done"\n')
    driven = drive_agent(agent, cast(Recorder, None))
    assert driven.result.status == "complete"
    assert changes(driven) == [("notes", "summarised", 60, 0)]


# --- the whole window -----------------------------------------------------------------------------------------------------

SMALL = """
[stages.main]
available_tools = []
[stages.main.model]
context_window = 200
[stages.main.hooks]
on_stage_enter = "hooks.rhai"
"""
REGIONS = """
[context.regions.goal]
kind = "pinned"
[context.regions.first]
kind = "clearable"
[context.regions.second]
kind = "temporary"
"""


CUSTOM = '[context.regions.brain]\nkind = "custom"\nscript = "hooks.rhai"\n'


def test_clearable_regions_are_cleared_where_the_window_is_nearly_full(tmp_path: Path) -> None:
    script = enter(goal=long("g"), first=long("f"), second=long("s"))
    driven = run(tmp_path, Recorder("done"), REGIONS, script, SMALL)
    assert changes(driven) == [("first", "freed", 60, 0)]
    assert not driven.model.saw("[first]")


def test_the_oldest_entries_of_temporary_regions_go_next(tmp_path: Path) -> None:
    script = enter(goal=f"{long('g')} + {long('g')}", second=long("s"))
    driven = run(tmp_path, Recorder("done"), REGIONS, script, SMALL)
    assert changes(driven) == [("second", "freed", 60, 0)]


def test_a_region_that_rejects_is_exempt(tmp_path: Path) -> None:
    top = REGIONS.replace('"clearable"', '"clearable"\nadmission = "reject"')
    script = enter(goal=long("g"), first=long("f"), second=long("s"))
    assert changes(run(tmp_path, Recorder("done"), top, script, SMALL)) == [("second", "freed", 60, 0)]


def test_pinned_text_that_no_model_could_take_ends_the_run(tmp_path: Path) -> None:
    script = enter(goal=" + ".join([long("g")] * 4))
    driven = run(tmp_path, Recorder("done"), REGIONS, script, SMALL)
    assert driven.result.error == "Pinned regions (240) exceed total budget (200)"


def test_what_may_not_go_is_sent_with_a_warning(tmp_path: Path) -> None:
    top = '[context.regions.list]\nkind = "checklist"\n'
    script = enter(list=" + ".join([long("g")] * 4))
    driven = run(tmp_path, Recorder("done"), top, script, SMALL)
    assert driven.result.status == "complete"
    text = "the context is about 240 tokens, more than the 200 that the model takes, and nothing of it may go"
    assert warnings(driven) == [text]


def test_nothing_is_freed_for_a_model_that_takes_all_budgets_together(tmp_path: Path) -> None:
    top = '[context.regions.first]\nkind = "clearable"\nmax_tokens = 60\n'
    assert changes(run(tmp_path, Recorder("done"), top, enter(first=long("f")))) == []


def test_a_custom_region_names_what_it_can_spare(tmp_path: Path) -> None:
    script = enter(goal=f"{long('g')} + {long('g')}", brain=long("s")) + 'fn render(ctx) { "" } fn on_overflow(ctx) { [0] }'
    driven = run(tmp_path, Recorder("done"), REGIONS + CUSTOM, script, SMALL)
    assert changes(driven) == [("brain", "freed", 60, 0)]


def test_a_persistent_custom_region_spares_nothing(tmp_path: Path) -> None:
    script = enter(goal=f"{long('g')} + {long('g')}", brain=long("s")) + 'fn render(ctx) { "" } fn on_overflow(ctx) { [0] }'
    driven = run(tmp_path, Recorder("done"), REGIONS + CUSTOM + "persistent = true\n", script, SMALL)
    assert changes(driven) == []


# --- edges ----------------------------------------------------------------------------------------------------------------

KINDS = """
[context.regions.goal]
kind = "pinned"
[context.regions.files]
kind = "temporary"
[context.regions.scratch]
kind = "clearable"
summarizable = false
"""
FILL = f'fn on_stage_enter(ctx) {{ if ctx.stage == "one" {{ {modify("#{ goal: `g`, files: `many files`, scratch: `s` }")} }} }}'


def over_an_edge(directory: Path, edge: str, *summaries: str | Exception) -> Driven:
    stages = (
        stage("one", ["on_stage_enter"])
        + f"[stages.one.transitions.two]\n{edge}\n"
        + stage("two", ["on_stage_enter"])
        + "[stages.two.transitions]\n"
    )
    return run(directory, Summariser(*summaries, replies=("one", "two")), KINDS, FILL, stages)


@pytest.mark.parametrize(
    ("edge", "seen"),
    [
        ("", ("## goal\ng", "[files]:\nmany files", "[scratch]:\ns")),
        ('transform = "clear"', ("## goal\ng",)),
        ('transform = "custom"', ("## goal\ng", "[files]:\nmany files", "[scratch]:\ns")),
        (
            'transform = "custom"\ntransform_config = { clear = ["files", "goal"], carry = ["scratch"] }',
            ("## goal\ng", "[scratch]:\ns"),
        ),
    ],
)
def test_an_edge_carries_or_clears(tmp_path: Path, edge: str, seen: tuple[str, ...]) -> None:
    driven = over_an_edge(tmp_path, edge)
    assert driven.model.requests[-1].system == seen


@pytest.mark.parametrize("transform", ["compact", "summarize"])
def test_an_edge_that_compacts_summarises_what_belongs_to_the_stage(tmp_path: Path, transform: str) -> None:
    driven = over_an_edge(tmp_path, f'transform = "{transform}"', "the files", "the talk")
    assert [change[:2] for change in changes(driven)] == [("files", "summarised"), ("conversation", "summarised")]
    assert driven.model.requests[-1].system[1] == "[files]:\n[Summary of what was here before]\nthe files"
    assert driven.model.requests[-1].system[2] == "[scratch]:\ns"


def test_an_edge_may_say_region_by_region_what_is_summarised_and_how(tmp_path: Path) -> None:
    config = 'transform_config = { compact = ["files"], clear = ["scratch"], compact_prompt = "Names only." }'
    driven = over_an_edge(tmp_path, f'transform = "custom"\n{config}', "a.py")
    assert [change[:2] for change in changes(driven)] == [("files", "summarised"), ("scratch", "cleared")]
    assert isinstance(driven.model, Summariser)
    assert driven.model.asked[0].system[0].endswith("\n\nNames only.")


def test_an_edge_whose_summary_fails_carries_the_region_as_it_is(tmp_path: Path) -> None:
    driven = over_an_edge(tmp_path, 'transform = "custom"\ntransform_config = { compact = ["files"] }')
    assert driven.result.status == "complete"
    assert driven.model.saw("many files")


def test_what_a_summary_says_is_as_confidential_as_what_it_is_about(tmp_path: Path) -> None:
    top = "[security]\ntaint_tracking = true\n" + HISTORY + '[context.regions.notes.seed]\nfiles = ["secret.txt"]\n'
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "secret.txt").write_text("s" * 240)
    agent = write_agent(tmp_path / "agent", "", stage("main", tools=["shell"]), top=top)
    model = Summariser("It was long.", replies=(calls(("shell", {"command": "true"})), "done"))
    driven = drive_agent(agent, model, workdir=tmp_path / "work")
    assert driven.tools[0].taint == "blocked"
    assert "(tainted by: history)" in driven.tools[0].result


def test_a_run_without_any_of_this_is_as_it_was(tmp_path: Path) -> None:
    assert changes(drive(tmp_path)) == []
