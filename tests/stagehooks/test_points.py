"""The table of hook points, and the messages it makes."""

from stagehooks.run.points import POINTS
from stagehooks.scripts.outcome import HOOK_NAMES

RETRIES = {
    "on_stage_enter": "on_stage_enter returned 'retry', which this hook cannot honour (stage 'plan' is already entered)",
    "on_stage_exit": "on_stage_exit: returned 'retry', which this hook cannot honour (the stage is already over)",
    "before_inference": "before_inference: returned 'retry', which this hook cannot honour (nothing has run yet)",
    "after_inference": "after_inference: returned 'retry', which this hook can honour no more "
    "(max_attempts of stage 'plan' is used up)",
    "on_tool_call": "on_tool_call: returned 'retry', which this hook cannot honour - "
    "cancel the call and let the model choose again",
    "on_completion": "on_completion: returned 'retry', which this hook cannot honour (the run has finished)",
    "on_error": "on_error: returned 'retry', which this hook cannot honour (the run has finished)",
}
REFUSALS = {
    "on_stage_enter": "on_stage_enter refused stage 'plan': why",
    "on_stage_exit": "on_stage_exit: refused to leave stage 'plan': why",
    "before_inference": "before_inference: refused the inference: why",
    "after_inference": "after_inference: rejected the response: why",
    "on_tool_call": "on_tool_call: refused the tool calls: why",
    "on_completion": "on_completion: rejected the result: why",
    "on_error": "on_error: rejected the result: why",
}
FAILURES = {name: f"{name}: hook failed: boom" for name in HOOK_NAMES} | {"on_stage_enter": "on_stage_enter hook failed: boom"}


def test_there_is_a_point_for_each_hook_in_the_order_of_their_names() -> None:
    assert tuple(POINTS) == HOOK_NAMES


def test_each_point_says_why_it_cannot_retry() -> None:
    assert {name: point.cannot_retry("plan") for name, point in POINTS.items()} == RETRIES


def test_each_point_says_what_it_refused() -> None:
    assert {name: point.refused("plan", "why") for name, point in POINTS.items()} == REFUSALS


def test_a_refusal_without_a_reason_says_so() -> None:
    assert all(point.refused("plan", None).endswith(": no reason given") for point in POINTS.values())


def test_an_empty_reason_stays_empty() -> None:
    assert POINTS["on_error"].refused("plan", "") == "on_error: rejected the result: "


def test_each_point_says_that_its_hook_failed() -> None:
    assert {name: point.failed("boom") for name, point in POINTS.items()} == FAILURES


def test_a_bad_value_is_reported_under_the_name_of_its_own_hook() -> None:
    assert {name: point.bad_value("x") for name, point in POINTS.items()} == {name: f"{name}: x" for name in HOOK_NAMES}


def test_braces_in_a_stage_name_or_a_reason_are_only_text() -> None:
    assert POINTS["on_stage_exit"].refused("{stage} {0}", "{x}") == "on_stage_exit: refused to leave stage '{stage} {0}': {x}"
