"""`on_completion` and `on_error`, through the real driver: once, last, and only one of them."""

from pathlib import Path

from stagehooks.models.protocol import Reply
from tests.stagehooks.driving import Driven, calls, drive, modify, stage

LIST = ("list_files", {})
ANSWER = calls(("submit_output", {"content": " the answer "}))


def drive_to_completion(directory: Path, body: str, *, answered: bool = True) -> Driven:
    script = f"fn on_completion(ctx) {{ {body} }} fn on_error(ctx) {{ throw `on_error saw ${{ctx.error}}` }}"
    replies = (ANSWER, "done") if answered else (calls(LIST), "done")
    return drive(directory, script, *replies, tools=["submit_output", "list_files"])


def drive_to_error(directory: Path, body: str) -> Driven:
    script = f"fn on_error(ctx) {{ {body} }} fn on_completion(ctx) {{ throw `on_completion fired` }}"
    return drive(directory, script, Exception("line down"))


def test_on_completion_rewrites_the_answer(tmp_path: Path) -> None:
    driven = drive_to_completion(tmp_path, modify("ctx.output.trim()"))
    assert (driven.result.status, driven.result.output) == ("complete", "the answer")
    assert driven.end.output == "the answer"


def test_on_error_rewrites_the_message(tmp_path: Path) -> None:
    driven = drive_to_error(tmp_path, modify("`${ctx.stage}: ${ctx.error}`"))
    assert (driven.result.status, driven.result.error) == ("error", "main: the model failed: Exception: line down")
    assert driven.end.error == driven.result.error


def test_terminal_hooks_see_the_status_and_an_empty_text_for_the_other_one(tmp_path: Path) -> None:
    completed = drive_to_completion(tmp_path / "a", modify("`${ctx.status}|${ctx.output}|${ctx.error}|${ctx.stage_index}`"))
    failed = drive_to_error(tmp_path / "b", modify("`${ctx.status}|${ctx.output}|${ctx.error}`"))
    assert completed.result.output == "complete| the answer ||0"
    message = "the model failed: Exception: line down"
    assert failed.result.error == f"error: {message}||{message}"


def test_a_terminal_hook_fires_once_and_nothing_compounds(tmp_path: Path) -> None:
    driven = drive_to_completion(tmp_path, modify('ctx.output + "!"'))
    assert driven.result.output == " the answer !"
    assert len(driven.hooks("on_completion")) == 1


def test_a_throwing_on_completion_ends_the_run_in_error_without_on_error(tmp_path: Path) -> None:
    driven = drive_to_completion(tmp_path, 'throw "boom"')
    assert driven.result.status == "error"
    assert (driven.result.error or "").startswith(
        "on_completion: hook failed: Script execution failed: hooks.rhai: on_completion"
    )
    assert driven.hooks("on_error") == []
    assert len(driven.hooks("on_completion")) == 1


def test_a_throwing_on_error_fires_once(tmp_path: Path) -> None:
    driven = drive_to_error(tmp_path, 'throw "boom"')
    failed = "the model failed: Exception: line down (on_error hook failed: Script execution failed: hooks.rhai: on_error"
    assert (driven.result.error or "").startswith(failed)
    assert len(driven.hooks("on_error")) == 1


def test_a_run_whose_on_completion_refuses_ends_in_error(tmp_path: Path) -> None:
    with_reason = drive_to_completion(tmp_path / "a", '#{ action: "cancel", reason: "too short" }')
    without = drive_to_completion(tmp_path / "b", "false")
    assert (with_reason.result.status, with_reason.result.error) == ("error", "on_completion: rejected the result: too short")
    assert without.result.error == "on_completion: rejected the result: no reason given"
    assert without.result.output is None


def test_a_refusing_on_error_replaces_the_message(tmp_path: Path) -> None:
    assert drive_to_error(tmp_path, "false").result.error == "on_error: rejected the result: no reason given"


def test_without_an_answer_on_completion_sees_an_empty_text_and_may_not_rewrite_it(tmp_path: Path) -> None:
    allowed = drive_to_completion(tmp_path / "a", 'if ctx.output != "" { throw "not empty" }', answered=False)
    rewritten = drive_to_completion(tmp_path / "b", modify('"made up"'), answered=False)
    assert (allowed.result.status, allowed.result.output) == ("complete", None)
    assert rewritten.result.error == "on_completion: asked to rewrite the answer, but this run submitted none"


def test_terminal_hooks_must_give_a_text(tmp_path: Path) -> None:
    completed = drive_to_completion(tmp_path / "a", modify("[1]"))
    failed = drive_to_error(tmp_path / "b", modify("()"))
    assert completed.result.error == "on_completion: 'value' must be replacement text, got: [1]"
    why = "on_error: 'value' must be replacement text, got: null"
    assert failed.result.error == f"the model failed: Exception: line down ({why})"


def test_terminal_hooks_cannot_retry(tmp_path: Path) -> None:
    completed = drive_to_completion(tmp_path / "a", '#{ action: "retry" }')
    failed = drive_to_error(tmp_path / "b", '#{ action: "retry" }')
    text = "returned 'retry', which this hook cannot honour (the run has finished)"
    assert completed.result.error == f"on_completion: {text}"
    assert failed.result.error == f"the model failed: Exception: line down (on_error: {text})"


def test_terminal_hooks_that_allow_change_nothing(tmp_path: Path) -> None:
    assert drive_to_completion(tmp_path / "a", "()").result.output == " the answer "
    assert drive_to_error(tmp_path / "b", "true").result.error == "the model failed: Exception: line down"


def test_a_terminal_hook_of_another_stage_is_not_used(tmp_path: Path) -> None:
    stages = stage("main", ["on_completion"]) + stage("last")
    driven = drive(tmp_path, "fn on_completion(ctx) { false }", "first", "second", stages=stages)
    assert driven.result.status == "complete"
    assert driven.hooks("on_completion") == []


def test_on_error_fires_for_a_run_that_a_hook_refused(tmp_path: Path) -> None:
    script = "fn after_inference(ctx) { false } fn on_error(ctx) { " + modify("`seen: ${ctx.error}`") + " }"
    driven = drive(tmp_path, script, Reply("x"))
    assert driven.result.error == "seen: after_inference: rejected the response: no reason given"
