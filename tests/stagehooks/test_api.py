"""What the package offers: names that are all there, the error tree, and the example of its own docstring."""

import ast
import asyncio
import pickle
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, cast, get_args

import pytest

import stagehooks
from stagehooks.run.events import Event
from stagehooks.run.options import RunOptions
from tests.stagehooks.driving import Recorder, calls, stage, write_agent

TICKETS = {7: "Login loops."}


def test_every_name_that_is_offered_is_there() -> None:
    assert sorted(stagehooks.__all__) == sorted(set(stagehooks.__all__))
    assert all(hasattr(stagehooks, name) for name in stagehooks.__all__)


def test_type_checkers_see_the_names_that_are_there_where_they_are() -> None:
    stub = Path(stagehooks.__file__).with_suffix(".pyi")
    seen: dict[str, str] = {}
    for item in ast.parse(stub.read_text(encoding="utf-8")).body:
        if isinstance(item, ast.ImportFrom):
            seen |= {alias.name: str(item.module) for alias in item.names}
        elif isinstance(item, ast.Assign):
            assert sorted(ast.literal_eval(item.value)) == sorted(stagehooks.__all__) == sorted(seen)
    for name, module in seen.items():
        assert getattr(import_module(module), name) is getattr(stagehooks, name), name


def test_the_package_of_runs_does_not_hide_the_function_that_runs_a_hook() -> None:
    order = "import stagehooks; import stagehooks.run.events; from stagehooks import Run; print(stagehooks.run.__name__, Run)"
    done = subprocess.run([sys.executable, "-c", order], capture_output=True, text=True, check=True)
    assert done.stdout == "run <class 'stagehooks.run.lifecycle.Run'>\n"


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


def test_the_page_for_programs_names_every_event_and_every_option() -> None:
    page = (Path(__file__).parents[2] / "docs" / "agents-in-python.md").read_text(encoding="utf-8")
    assert [kind.__name__ for kind in get_args(Event) if f"`{kind.__name__}`" not in page] == []
    options = RunOptions.__required_keys__ | RunOptions.__optional_keys__
    assert [name for name in options if f"`{name}`" not in page and f"`{name}=" not in page] == []


def test_inside_of_an_event_loop_a_run_is_awaited(tmp_path: Path) -> None:
    agent = write_agent(tmp_path, stage("main"))
    store = stagehooks.Store(tmp_path / "runs.db")

    async def both() -> stagehooks.RunResult:
        for run in (
            lambda: stagehooks.run_agent_sync(agent, model=Recorder("done"), store=store),
            lambda: stagehooks.resume_run_sync(store, "any"),
        ):
            with pytest.raises(stagehooks.UsageError, match="an event loop runs here already") as caught:
                run()
            assert caught.value.hint == "await the function whose name lacks '_sync'"
        assert store.runs() == []
        return await stagehooks.run_agent(agent, model=Recorder("done"), store=store)

    assert asyncio.run(both()).status == "complete"
    assert len(store.runs()) == 1


def test_an_option_that_there_is_not_is_refused(tmp_path: Path) -> None:
    agent = write_agent(tmp_path, stage("main"))
    with pytest.raises(stagehooks.UsageError, match="there is no option 'secnds'") as caught:
        stagehooks.run_agent_sync(agent, **cast(Any, {"secnds": 0.1}))
    assert caught.value.hint == "did you mean 'seconds'?"
    with pytest.raises(stagehooks.UsageError, match="there is no option 'x'") as caught:
        stagehooks.resume_run_sync(stagehooks.Store(tmp_path / "runs.db"), "a", **cast(Any, {"x": 1}))
    assert "there are agent, allow, " in caught.value.hint
