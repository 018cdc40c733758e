"""What a person sees while a run waits, and of events that say so: a line on a terminal, nothing elsewhere."""

import io
import time
from dataclasses import fields
from typing import Final, get_args

import pytest

from stagehooks import progress
from stagehooks.console import Console
from stagehooks.models.protocol import ModelTroubled
from stagehooks.progress import CLEAR, Progress
from stagehooks.run import events
from stagehooks.run.events import (
    EdgeHeld,
    Event,
    ModelAsked,
    ModelReplied,
    PointAnswered,
    RunContinued,
    RunEnded,
    RunPaused,
    ToolStarted,
    Totals,
)
from stagehooks.timeline import JsonLines, Timeline

SAMPLES: Final = {str: "text", int: 1, bool: True, float: 2.0}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "DELAY", 0.01)
    monkeypatch.setattr(progress, "PERIOD", 0.01)
    monkeypatch.setenv("NO_COLOR", "1")


def wait_for(out: io.StringIO, text: str) -> None:
    for _ in range(1000):
        if text in out.getvalue():
            return
        time.sleep(0.005)
    raise AssertionError(out.getvalue())


def test_a_terminal_shows_what_is_waited_for_and_for_how_long() -> None:
    out = Terminal()
    line = Progress(out)
    line.begin("plan: model 1")
    wait_for(out, "plan: model 1, 0 s")
    line.end()
    assert out.getvalue().endswith(CLEAR)


def test_what_is_over_soon_leaves_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "DELAY", 10)
    out = Terminal()
    line = Progress(out)
    for _ in range(3):
        line.begin("plan: model 1")
    line.end()
    line.end()
    assert out.getvalue() == ""


def test_nothing_is_drawn_where_no_person_looks() -> None:
    out = io.StringIO()
    line = Progress(out)
    line.begin("plan: model 1")
    time.sleep(0.05)
    line.end()
    assert out.getvalue() == ""


@pytest.mark.parametrize(
    ("event", "shown"),
    [
        (ModelAsked("plan", 2, "reply", 1), "plan: model 2"),
        (ModelAsked("plan", 1, "transition", 1), "plan: model chooses 1"),
        (ToolStarted("plan", "id", "shell"), "plan: shell"),
        (ToolStarted("plan", "id", "\x1b[2J"), "plan: \\u{1b}[2J"),
        (ModelTroubled("plan", 2, "busy", 15.0), "plan: waiting for a model"),
    ],
)
def test_the_timeline_says_what_it_waits_for(event: Event, shown: str) -> None:
    err = Terminal()
    timeline = Timeline(Console(io.StringIO(), err), Progress(err))
    timeline.take(event)
    wait_for(err, shown)
    timeline.take(RunEnded("complete", None, None, Totals()))
    assert err.getvalue().index(CLEAR) < err.getvalue().index("complete")


def lines(*told: Event) -> str:
    err = io.StringIO()
    timeline = Timeline(Console(io.StringIO(), err))
    for event in told:
        timeline.take(event)
    return err.getvalue()


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (ModelTroubled("plan", 2, "busy", 15.0), "no answer          busy; asking again in 15 s"),
        (ModelTroubled("plan", 2, "down", None), "no answer          down; asking the next model"),
        (EdgeHeld("plan", "build", 1, "Write it.", False), "gate               build: held: Write it."),
        (EdgeHeld("plan", "build", 3, "Write it.", True), "gate               build: no longer held: Write it."),
        (PointAnswered("plan", "review", "sent_back", "Revise"), "review             sent back: Revise"),
        (PointAnswered("plan", "review", "auto_approved", ""), "review             auto approved"),
        (RunPaused("plan"), "paused"),
        (RunContinued("plan"), "goes on"),
    ],
)
def test_retries_gates_people_and_pauses_are_told(event: Event, said: str) -> None:
    assert said in lines(event)


def sample(kind: type) -> Event:
    """An event of that kind, with something in every field."""
    values = {}
    for field in fields(kind):
        hint = str(field.type)
        if field.name == "totals":
            values[field.name] = Totals()
        elif field.name in WORDS:
            values[field.name] = WORDS[field.name]
        elif "tuple" in hint:
            values[field.name] = ()
        else:
            values[field.name] = next((value for kind_, value in SAMPLES.items() if kind_.__name__ in hint), None)
    event: Event = kind(**values)
    return event


WORDS: Final[dict[str, object]] = {
    "outcome": "allow",
    "ended": "stuck",
    "status": "complete",
    "purpose": "reply",
    "what": "seeded",
    "hook": "allowed",
    "wait": None,
}


@pytest.mark.parametrize("kind", get_args(events.Event), ids=lambda kind: kind.__name__)
def test_every_kind_of_event_is_printed_by_both(kind: type) -> None:
    event = sample(kind)
    if isinstance(event, PointAnswered):
        event = PointAnswered("plan", "review", "approved", "yes")
    silent = {"ask", "point", "tool_start"}
    assert bool(lines(event).strip()) == (event.event not in silent)
    out = io.StringIO()
    JsonLines(out).take(event)
    assert f'"event": "{event.event}"' in out.getvalue()
    assert ModelReplied.event == "reply"
