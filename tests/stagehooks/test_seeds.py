"""The four scripts of the stage-hooks page, read from the page itself, give the outcomes that it documents."""

import re
from pathlib import Path

import pytest

from stagehooks.scripts.outcome import HOOK_NAMES, Allow, Cancel, HookOutcome, Json, Modify
from stagehooks.scripts.stage_hook import compile, run

SEEDS = Path(__file__).parents[3] / "shared" / "seeds"


def examples() -> list[str]:
    pages = sorted(SEEDS.glob("*.txt"))
    if not pages:
        pytest.skip(f"the stage-hooks page is not at {SEEDS}")
    text = pages[0].read_text(encoding="utf-8")
    return re.findall(r"```rhai\n(.*?)```", text[text.index("## Examples") :], re.DOTALL)


def answer(number: int, hook: str, ctx: Json) -> HookOutcome:
    source = examples()[number]
    script = compile("seed.rhai", source, [hook])
    assert script.defined == (hook,)
    return run(script, hook, ctx)


def test_there_are_four_examples():
    assert len(examples()) == 4


def test_a_region_is_seeded_as_a_stage_opens():
    ctx: Json = {"stage": "implement", "stage_index": 1, "regions": {"notes": ""}}
    assert answer(0, "on_stage_enter", ctx) == Modify({"notes": "Focus on the failing test first."})


@pytest.mark.parametrize(
    ("length", "outcome"),
    [(0, Allow()), (40_000, Allow()), (40_001, Cancel("context is larger than this stage should need"))],
)
def test_an_expensive_stage_is_stopped(length: int, outcome: HookOutcome):
    assert answer(1, "before_inference", {"regions": {"conversation": "x" * length}}) == outcome


@pytest.mark.parametrize(
    ("names", "outcome"),
    [
        ([], Allow()),
        (["read_file", "list_files"], Allow()),
        (["read_file", "shell"], Cancel("this stage plans, it does not run commands")),
    ],
)
def test_a_stage_is_kept_off_the_shell(names: list[str], outcome: HookOutcome):
    assert answer(2, "on_tool_call", {"tool_calls": [{"name": name, "arguments": {}} for name in names]}) == outcome


def test_an_answer_is_tidied_on_the_way_out():
    assert answer(3, "on_completion", {"output": "  done \n", "status": "complete", "error": ""}) == Modify("done")


def test_the_page_shows_a_hook_that_allows():
    pages = sorted(SEEDS.glob("*.txt"))
    if not pages:
        pytest.skip(f"the stage-hooks page is not at {SEEDS}")
    source = re.findall(r"```rhai\n(.*?)```", pages[0].read_text(encoding="utf-8"), re.DOTALL)[0]
    script = compile("seed.rhai", source, ["on_stage_enter"])
    assert run(script, "on_stage_enter", {}) == Allow()
    assert set(script.defined) < set(HOOK_NAMES)
