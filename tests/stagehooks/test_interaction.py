"""Interaction points: who is asked before a stage is left, and what each answer does."""

import asyncio
import io
from pathlib import Path

import pytest

from stagehooks.errors import BlueprintError
from stagehooks.gate.terminal import TerminalInteractor
from stagehooks.models.protocol import Reply
from stagehooks.run.events import PointAnswered, PointAsked
from stagehooks.run.interaction import Form, Interaction
from tests.stagehooks.driving import Driven, calls, drive, stage, write_agent

CHOICE = """
style = "multiple_choice"
options = ["Approve", "Revise", "Edit", "Abort"]
abort_options = ["Abort"]
edit_options = ["Edit"]
directives = { Revise = "Make it shorter." }
"""
EXIT = "fn on_stage_exit(ctx) { () }"


def asking(point: str = CHOICE, more: str = "") -> str:
    table = f'{more}\n[[stages.main.interaction_points]]\nname = "plan"\nprompt = "Good?"\n{point}'
    return stage("main", ["on_stage_exit", "on_completion", "on_error"], more=table) + stage("after")


class Person:
    """Gives its answers in order, and remembers what it was asked."""

    def __init__(self, *answers: str | bool | None) -> None:
        self.answers = list(answers)
        self.asked: list[Interaction] = []

    def __call__(self, interaction: Interaction) -> str | bool | None:
        self.asked.append(interaction)
        return self.answers.pop(0)


def run(directory: Path, person: object, *replies: Reply | str, stages: str | None = None, **options: object) -> Driven:
    script = EXIT + " fn on_completion(ctx) { () } fn on_error(ctx) { () }"
    return drive(directory, script, *replies, stages=stages or asking(), interact=person, **options)


def outcomes(driven: Driven) -> list[str]:
    return [event.outcome for event in driven.events if isinstance(event, PointAnswered)]


# --- what an answer does --------------------------------------------------------------------------------------------------


def test_a_person_is_asked_before_the_stage_is_left(tmp_path: Path) -> None:
    person = Person("Approve")
    driven = run(tmp_path, person, "the plan", "done")
    (asked,) = person.asked
    assert (asked.stage, asked.name, asked.prompt, asked.document) == ("main", "plan", "Good?", "the plan")
    assert asked.options == ("Approve", "Revise", "Edit", "Abort")
    assert (driven.result.stages, outcomes(driven)) == (("main", "after"), ["approved"])
    events = [event.event for event in driven.events]
    assert events.index("point") < events.index("answer") < events.index("hook")


@pytest.mark.parametrize("said", ["approve", "AP-PROVE", " Approve "])
def test_an_option_is_known_by_its_letters(tmp_path: Path, said: str) -> None:
    assert outcomes(run(tmp_path, Person(said), "plan", "done")) == ["approved"]


def test_a_directive_sends_the_stage_back_with_its_text(tmp_path: Path) -> None:
    driven = run(tmp_path, Person("Revise", "Approve"), "a long plan", "a plan", "done")
    assert driven.model.saw("[System] Make it shorter.", 1)
    assert outcomes(driven) == ["sent_back", "approved"]
    assert len(driven.hooks("on_stage_exit")) == 1


def test_a_person_may_rewrite_the_document(tmp_path: Path) -> None:
    person = Person("Edit", "my own plan", "Approve")
    driven = run(tmp_path, person, "a plan", "done")
    assert [asked.form for asked in person.asked] == ["multiple_choice", "edit", "multiple_choice"]
    assert person.asked[-1].document == "my own plan"
    assert driven.model.saw("my own plan")
    assert outcomes(driven) == ["edited", "approved"]


def test_a_person_may_end_the_run(tmp_path: Path) -> None:
    driven = run(tmp_path, Person("Abort"), "a plan")
    assert (driven.result.status, driven.result.exit_code) == ("cancelled", 130)
    assert outcomes(driven) == ["aborted"]
    assert driven.result.totals.hooks == 0


def test_the_rounds_are_bounded_and_nothing_is_approved_by_wearing_somebody_out(tmp_path: Path) -> None:
    driven = run(tmp_path, Person(*["Revise"] * 9), *["plan"] * 9)
    assert len(outcomes(driven)) == 4
    assert driven.result.error == "'plan' of stage 'main' was not approved in 4 rounds"


@pytest.mark.parametrize(("answer", "asked"), [(True, 1), ("yes", 1), ("No", 2), (False, 2)])
def test_a_confirmation_is_yes_or_no(tmp_path: Path, answer: str | bool, asked: int) -> None:
    person = Person(answer, True)
    driven = run(tmp_path, person, "plan", "plan", "done", stages=asking('style = "confirm"'))
    assert (len(person.asked), driven.result.status) == (asked, "complete")


def test_a_free_text_is_what_the_user_says(tmp_path: Path) -> None:
    driven = run(tmp_path, Person("Mind the budget."), "plan", "done", stages=asking(""))
    assert driven.model.saw("[plan] Mind the budget.")


def test_the_document_stands_in_its_region(tmp_path: Path) -> None:
    stages = asking(CHOICE + 'document_region = "notes"')
    driven = run(tmp_path, Person("Revise", "Edit", "third", "Approve"), "first", "second", "done", stages=stages)
    assert driven.model.saw("[notes]:\\nfirst", 1)
    assert driven.model.saw("[notes]:\\nthird")


def test_each_point_is_asked_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    second = CHOICE + '[[stages.main.interaction_points]]\nname = "again"\nprompt = "Sure?"\nstyle = "confirm"'
    person = Person("Approve", "no", "yes")
    driven = run(tmp_path, person, "plan", "plan", "done", stages=asking(second))
    assert [asked.name for asked in person.asked] == ["plan", "again", "again"]
    assert driven.result.status == "complete"


def test_a_stage_that_is_entered_again_asks_again(tmp_path: Path) -> None:
    more = 'max_revisits = 1\n[stages.main.transitions.main]\n[stages.main.transitions.after]\ncondition = "dead_end"\n'
    stages = asking(CHOICE).replace("[[stages", more + "[[stages", 1) + "[stages.after.transitions]\n"
    assert len(outcomes(run(tmp_path, Person("Approve", "Approve"), *"abc", stages=stages))) == 2


# --- nobody, or no answer -------------------------------------------------------------------------------------------------


def test_an_unattended_run_passes_what_may_be_passed(tmp_path: Path) -> None:
    person = Person()
    assert outcomes(run(tmp_path, None, "plan", "done")) == ["auto_approved"]
    assert outcomes(run(tmp_path / "again", person, "plan", "done", unattended=True)) == ["auto_approved"]
    assert person.asked == []


def test_a_point_that_asks_for_a_person_is_asked_in_an_unattended_run_too(tmp_path: Path) -> None:
    stages = asking(CHOICE + 'unattended = "ask"')
    assert outcomes(run(tmp_path, Person("Approve"), "plan", "done", stages=stages, unattended=True)) == ["approved"]


@pytest.mark.parametrize("answers", [(None,), ("what?", "who?", "why?"), ("",) * 3])
def test_without_an_answer_nothing_that_is_required_passes(tmp_path: Path, answers: tuple) -> None:
    driven = run(tmp_path, Person(*answers), "plan", "done")
    assert driven.result.error == "'plan' of stage 'main' needs an answer, and nobody was there to give it"
    assert driven.result.stages == ("main",)


def test_where_nobody_is_there_a_point_that_asks_for_a_person_does_not_pass(tmp_path: Path) -> None:
    driven = run(tmp_path, None, "plan", "done", stages=asking(CHOICE + 'unattended = "ask"'))
    assert driven.result.status == "error"
    assert len(driven.hooks("on_error")) == 1


def test_a_point_that_is_not_required_may_be_skipped(tmp_path: Path) -> None:
    driven = run(tmp_path, Person(None), "plan", "done", stages=asking(CHOICE + "required = false"))
    assert (driven.result.status, outcomes(driven)) == ("complete", ["skipped"])


def test_an_answer_that_does_not_come_in_time_is_none(tmp_path: Path) -> None:
    async def slow(interaction: Interaction) -> str:
        await asyncio.sleep(60)
        return "Approve"

    driven = run(tmp_path, slow, "plan", patience=0.01)
    assert driven.result.error == "'plan' of stage 'main' needs an answer, and nobody was there to give it"


def test_a_stage_that_is_cut_off_is_asked_about_all_the_same(tmp_path: Path) -> None:
    again = calls(("list_files", {}))
    stages = asking(CHOICE, "max_iterations = 1").replace("available_tools = []", 'available_tools = ["list_files"]', 1)
    assert outcomes(run(tmp_path, Person("Approve"), again, "done", stages=stages)) == ["approved"]
    driven = run(tmp_path / "again", Person("Revise"), again, "done", stages=stages)
    assert driven.result.error == "stage 'main' was sent back by a person, but its iterations are used up"


# --- on a terminal --------------------------------------------------------------------------------------------------------


def typed(text: str, form: Form = "multiple_choice") -> tuple[str | None, str]:
    out = io.StringIO()
    options = ("Approve", "Edit") if form == "multiple_choice" else ()
    interaction = Interaction("main", "plan", "Good?", form, options, "the plan\x1b[2J", True)
    answer = asyncio.run(TerminalInteractor(io.StringIO(text), out)(interaction))
    return answer, out.getvalue()


@pytest.mark.parametrize(
    ("text", "answer"), [("1\n", "Approve"), ("edit\n", "edit"), ("\n", ""), ("", None), ("7\n", "7"), ("9" * 5000, "9" * 5000)]
)
def test_an_option_is_given_by_its_number_or_its_name(text: str, answer: str | None) -> None:
    given, out = typed(text)
    assert given == answer
    assert "Good?\n  [1] Approve\n  [2] Edit\n> " in out


def test_a_new_document_ends_with_a_dot() -> None:
    assert typed("one\n\ntwo\n.\n", "edit")[0] == "one\n\ntwo"
    assert typed("one\n", "edit")[0] is None


def test_a_document_cannot_take_over_the_terminal() -> None:
    assert "\x1b" not in typed("1\n")[1]


# --- reading them ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("point", "text"),
    [
        ('style = "multiple_choice"', "a choice needs 'options'"),
        ('options = ["A"]\nabort_options = ["B"]', "abort_options names 'B', which is none of the options"),
        ('options = ["A"]\ndirectives = { B = "x" }', "directives names 'B', which is none of the options"),
        ('options = ["A", " "]', "an option is blank"),
        ('style = "song"', 'unknown style "song"'),
        ('document_region = "nots"', "document_region names region 'nots', which the stage does not have"),
        ('unattended = "maybe"', 'unknown unattended "maybe"'),
        ('[[stages.main.interaction_points]]\nname = "plan"\nprompt = "x"', "there are two interaction points 'plan'"),
        ('[[stages.main.interaction_points]]\nname = "x"', "an interaction point needs a 'prompt'"),
        ("speed = 1", "has unknown key 'speed'"),
    ],
)
def test_a_point_that_is_wrong_is_refused(tmp_path: Path, point: str, text: str) -> None:
    with pytest.raises(BlueprintError) as error:
        write_agent(tmp_path, EXIT + " fn on_completion(ctx) { () } fn on_error(ctx) { () }", asking(point))
    assert text in error.value.message


def test_the_other_names_of_keys_are_known(tmp_path: Path) -> None:
    stages = stage(
        "main", more='[[stages.main.interaction_points]]\nname = "a"\nprompt = "b"\nchoices = ["X"]\nfollowups = { X = "y" }'
    )
    (point,) = write_agent(tmp_path, "", stages).blueprint.entry.interaction_points
    assert (point.style, point.options, point.directives) == ("multiple_choice", ("X",), (("X", "y"),))


def test_a_mode_that_asks_nobody_is_warned_of(tmp_path: Path) -> None:
    agent = write_agent(tmp_path, "", stage("main", more='mode = "interactive_points"'))
    assert [finding.code for finding in agent.findings] == ["no-interaction-points"]


def test_what_is_asked_is_told_to_whoever_watches(tmp_path: Path) -> None:
    driven = run(tmp_path, Person("Approve"), "plan", "done")
    assert PointAsked("main", "plan", "Good?", "multiple_choice", ("Approve", "Revise", "Edit", "Abort")) in driven.events
