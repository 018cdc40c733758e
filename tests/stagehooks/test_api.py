"""What the package offers: names that are all there, the error tree, and the example of its own docstring."""

import pickle
from pathlib import Path

import pytest

import stagehooks
from tests.stagehooks.driving import Recorder, calls, stage, write_agent

TICKETS = {7: "Login loops."}


def test_every_name_that_is_offered_is_there() -> None:
    assert sorted(stagehooks.__all__) == sorted(set(stagehooks.__all__))
    assert all(hasattr(stagehooks, name) for name in stagehooks.__all__)


def test_every_error_is_in_one_tree() -> None:
    errors = [value for name in stagehooks.__all__ if name.endswith("Error") and name != "ToolError"
              for value in [getattr(stagehooks, name)]]  # fmt: skip
    assert len(errors) > 8
    assert all(issubclass(error, stagehooks.StageHooksError) for error in [*errors, stagehooks.RunFailed])


def test_tools_approvals_and_events_are_enough_to_drive_an_agent(tmp_path: Path) -> None:
    @stagehooks.tool
    def ticket(number: int) -> str:
        "The text of a ticket."
        return TICKETS[number]

    def approve(question: stagehooks.Question) -> bool:
        return question.call.name == "ticket"

    events: list[stagehooks.Event] = []
    agent = write_agent(tmp_path, "", stage(tools=["ticket"]))
    model = Recorder(calls(("ticket", {"number": 7})), "done")
    result = stagehooks.run_agent_sync(agent, tools=[ticket], model=model, approve=approve, observe=events.append)
    assert isinstance(result, stagehooks.RunResult)
    assert [event.result for event in events if isinstance(event, stagehooks.ToolCalled)] == ["Login loops."]


def test_a_failed_call_tells_what_it_used() -> None:
    script = stagehooks.compile("h.rhai", 'fn on_error(ctx) { throw "x" } fn on_completion(ctx) { 1 + 1 }')
    for hook, kind in (("on_error", stagehooks.ExecutionError), ("on_completion", stagehooks.AnswerError)):
        with pytest.raises(kind) as caught:
            stagehooks.run(script, hook, {})
        assert caught.value.operations is not None
        assert caught.value.fuel is not None
        assert 0 < caught.value.operations <= caught.value.fuel


def test_a_call_that_never_began_used_nothing_that_is_known() -> None:
    with pytest.raises(stagehooks.ContextError) as caught:
        stagehooks.run(stagehooks.compile("h.rhai", "fn on_error(ctx) { () }"), "on_error", object())
    assert (caught.value.operations, caught.value.fuel) == (None, None)


def test_a_compiled_script_says_that_it_cannot_be_pickled() -> None:
    with pytest.raises(TypeError, match="compile its text again"):
        pickle.dumps(stagehooks.compile("h.rhai", "fn on_error(ctx) { () }"))
