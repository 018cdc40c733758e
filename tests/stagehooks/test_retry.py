"""`retry`: after_inference gets another reply, a bounded number of times; and models that are asked again."""

import asyncio
from pathlib import Path

import pytest

from stagehooks.errors import ModelError, TransientError
from stagehooks.models.fallbacks import Fallbacks
from stagehooks.models.protocol import Model, ModelTroubled, Reply, Request
from stagehooks.models.retry import Retrying
from stagehooks.run.events import ModelAsked
from tests.stagehooks.driving import Recorder, calls, drive, modify, stage

AGAIN_UNLESS_GOOD = 'fn after_inference(ctx) { if ctx.response == "good" { () } else { #{ action: "retry" } } }'
ALWAYS_AGAIN = 'fn after_inference(ctx) { #{ action: "retry" } }'


def attempts(more: str) -> str:
    return stage("main", ["after_inference"], more=more)


def test_a_reply_that_is_sent_back_is_asked_for_again(tmp_path: Path) -> None:
    driven = drive(tmp_path, AGAIN_UNLESS_GOOD, "bad", "good")
    assert driven.result.status == "complete"
    assert [event.outcome for event in driven.hooks("after_inference")] == ["retry", "allow"]
    assert [event.error for event in driven.hooks("after_inference")] == [None, None]


def test_a_reply_that_is_sent_back_leaves_no_trace_but_its_cost(tmp_path: Path) -> None:
    bad = calls(("list_files", {}), text="bad", tokens=7)
    driven = drive(tmp_path, AGAIN_UNLESS_GOOD, bad, Reply("good", (), 5), tools=["list_files"], stages=attempts(""))
    assert driven.model.requests[0].messages == driven.model.requests[1].messages
    assert driven.tools == []
    assert (driven.result.totals.inferences, driven.result.totals.tokens, driven.result.totals.tool_calls) == (2, 12, 0)


@pytest.mark.parametrize(("more", "asked"), [("", 3), ("max_attempts = 1", 1), ("max_attempts = 5", 5)])
def test_the_attempts_are_bounded(tmp_path: Path, more: str, asked: int) -> None:
    driven = drive(tmp_path, ALWAYS_AGAIN, *["bad"] * 9, stages=attempts(more))
    assert len(driven.model.requests) == asked
    assert driven.result.error == (
        "after_inference: returned 'retry', which this hook can honour no more (max_attempts of stage 'main' is used up)"
    )


def test_the_attempts_are_counted_for_each_reply_anew(tmp_path: Path) -> None:
    stages = stage("main", ["after_inference"], ["list_files"], more="max_attempts = 2")
    again = calls(("list_files", {}), text="good")
    driven = drive(tmp_path, AGAIN_UNLESS_GOOD, "bad", again, "bad", again, "bad", "good", stages=stages)
    assert (driven.result.status, len(driven.model.requests)) == ("complete", 6)


def test_attempts_are_no_iterations(tmp_path: Path) -> None:
    driven = drive(tmp_path, AGAIN_UNLESS_GOOD, "bad", "bad", "good", stages=attempts("max_iterations = 1"))
    assert driven.result.status == "complete"


def test_before_inference_fires_once_for_each_real_inference(tmp_path: Path) -> None:
    script = AGAIN_UNLESS_GOOD + " fn before_inference(ctx) { " + modify("#{ notes: `${ctx.iteration}/${ctx.attempt}` }") + " }"
    driven = drive(tmp_path, script, "bad", "bad", "good")
    assert len(driven.hooks("before_inference")) == len(driven.model.requests) == 3
    assert [driven.model.saw(f"1/{attempt}", attempt - 1) for attempt in (1, 2, 3)] == [True] * 3


def test_the_hook_sees_which_attempt_it_is(tmp_path: Path) -> None:
    script = 'fn after_inference(ctx) { if ctx.attempt < 3 { #{ action: "retry" } } else { () } }'
    driven = drive(tmp_path, script, "a", "b", "c", "d")
    assert len(driven.model.requests) == 3
    assert [event.attempt for event in driven.events if isinstance(event, ModelAsked)] == [1, 2, 3]


def test_a_model_that_fails_on_the_second_attempt_has_failed(tmp_path: Path) -> None:
    assert drive(tmp_path, AGAIN_UNLESS_GOOD, "bad", ModelError("line down")).result.error == "line down"


# --- models that are asked again ------------------------------------------------------------------------------------------


async def no_wait(seconds: float) -> None:
    pass


def ask(model: Model) -> Reply:
    request = Request("main", 1, "reply", "m", (), ())
    return asyncio.run(model.complete(request))


def test_each_retry_is_told_with_its_error_and_its_wait() -> None:
    told: list[ModelTroubled] = []
    model = Recorder(TransientError("busy"), TransientError("full", crowded=True), "now")
    ask(Retrying(model, no_wait, told.append))
    assert told == [ModelTroubled("main", 1, "busy", 1.0), ModelTroubled("main", 1, "full", 30.0)]


def test_the_last_failure_is_the_models_error_and_no_retry() -> None:
    told: list[ModelTroubled] = []
    with pytest.raises(TransientError):
        ask(Retrying(Recorder(*[TransientError("busy")] * 4), no_wait, told.append))
    assert len(told) == 3


def test_each_fallback_is_told() -> None:
    told: list[ModelTroubled] = []
    ask(Fallbacks((Recorder(ModelError("a is down")), Recorder(ModelError("b is down")), Recorder("here")), told.append))
    assert told == [ModelTroubled("main", 1, "a is down", None), ModelTroubled("main", 1, "b is down", None)]


def test_where_no_model_is_left_nothing_is_told() -> None:
    told: list[ModelTroubled] = []
    with pytest.raises(ModelError):
        ask(Fallbacks((Recorder(ModelError("down")),), told.append))
    assert told == []
