"""What the model is asked, turn by turn and stage by stage."""

from pathlib import Path

from stagehooks.models.protocol import UserMessage
from stagehooks.scripts.outcome import HOOK_NAMES
from tests.stagehooks.driving import REGIONS, drive, stage

LIST = ("list_files", {})
ALLOW_ALL = " ".join(f"fn {hook}(ctx) {{ () }}" for hook in HOOK_NAMES)


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
