"""Models that a user writes: the example, and what the runtime makes of a model that misbehaves."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from examples.own_model.librarian import Librarian
from stagehooks.agent.spawn import load
from stagehooks.models.protocol import Reply, Request
from stagehooks.run.lifecycle import run_agent_sync

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = ROOT / "examples" / "own_model"


def run_example(*question: str) -> str:
    command = [sys.executable, "-m", "examples.own_model.librarian", *question]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_example_answers_from_its_notes() -> None:
    assert run_example() == "On Sundays the library is closed.\n"
    assert run_example("How many books may a reader borrow?") == "A reader may borrow ten books at a time.\n"


def test_the_example_goes_through_its_tools_and_counts_its_tokens() -> None:
    result = run_agent_sync(load(EXAMPLE), task="When does it close on Saturdays?", model=Librarian())
    assert (result.status, result.output) == ("complete", "On Saturdays it closes at noon.")
    assert (result.totals.tool_calls, result.totals.tokens) == (4, 4)


def test_the_example_says_what_it_cannot_do_without() -> None:
    agent = load(EXAMPLE)
    (stage,) = agent.blueprint.stages
    without = replace(
        agent, blueprint=replace(agent.blueprint, stages=(replace(stage, available_tools=("read_file", "submit_output")),))
    )
    result = run_agent_sync(without, model=Librarian())
    assert result.status == "error"
    assert (result.error or "").startswith("the librarian cannot do without list_files: [unavailable]")


@pytest.mark.parametrize("answer", [None, "text", Reply(7), Reply("x", tokens=-1), Reply("x", ("call",))])
def test_what_is_no_reply_is_an_error_of_the_model(answer: object) -> None:
    class Wrong:
        async def complete(self, request: Request) -> Reply:
            return answer

    assert run_agent_sync(load(EXAMPLE), model=Wrong()).status == "error"
