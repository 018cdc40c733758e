"""What `stagehooks run` prints: a timeline for people, or one JSON object a line for programs.

The timeline is prose and goes to standard error, line by line as things happen; the final output is the result and goes to
standard output when all is over. JSON goes to standard output alone.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Final, TextIO, TypedDict

from stagehooks.agent.output import OutputSpec
from stagehooks.agent.spawn import Agent
from stagehooks.console import Console, indented, one_line, safe
from stagehooks.gate.approval import Approver, approve_all, deny_all
from stagehooks.gate.terminal import TerminalApprover, TerminalInteractor
from stagehooks.models.protocol import ModelTroubled, ToolCall
from stagehooks.progress import Progress
from stagehooks.run.effects import Recorder
from stagehooks.run.events import (
    Abandoned,
    EdgeHeld,
    Event,
    HookFired,
    ModelAsked,
    ModelReplied,
    Nudged,
    Observer,
    PointAnswered,
    PointAsked,
    RegionChanged,
    RunContinued,
    RunEnded,
    RunFailing,
    RunPaused,
    RunResumed,
    RunStarted,
    StageEntered,
    StageLeft,
    ToolCalled,
    ToolStarted,
    Warned,
)
from stagehooks.run.given import GivenOptions
from stagehooks.run.interaction import Interactor
from stagehooks.run.lifecycle import run_agent_sync
from stagehooks.run.options import RunOptions
from stagehooks.scripts.json_text import dump
from stagehooks.scripts.outcome import Json

SHOWN: Final = 90
LONG: Final = 400
LONGEST: Final = 4000
NAME: Final = 18
OUTCOME: Final = 7
OUTCOME_STYLES: Final = {"allow": "green", "modify": "yellow", "cancel": "red", "retry": "red", "failed": "red"}
PURPOSES: Final = {"reply": "model", "transition": "model chooses", "summary": "model sums up"}
POINT_STYLES: Final = {
    "approved": "green", "auto_approved": "green", "sent_back": "yellow", "edited": "yellow", "skipped": "dim", "aborted": "red",
}  # fmt: skip
STATUS_STYLES: Final = {"complete": "green", "error": "red", "cancelled": "yellow"}


class People(TypedDict):
    """Who is asked in a run that a command drives."""

    approve: Approver | None
    interact: Interactor | None
    unattended: bool


def given_by(options: argparse.Namespace) -> GivenOptions:
    """What the options of a command let a run do; those that are not written are left out."""
    given = GivenOptions()
    if options.allow:
        given["allow"] = options.allow
    if options.allow_variable:
        given["allow_variables"] = options.allow_variable
    if options.allow_local_network:
        given["allow_local_network"] = True
    if options.timeout is not None:
        given["seconds"] = options.timeout
    return given


def run_command(
    agent: Agent,
    *,
    task: str,
    as_json: bool,
    answer: bool | None,
    workdir: Path | None,
    output: OutputSpec | None = None,
    store: Recorder | None = None,
    given: GivenOptions,
) -> int:
    """Run `agent` and print what happens. `answer` replies to every approval; None asks, where there is a terminal.

    `given` is what else the run is given.

    The exit code: 0 complete, 1 error, 3 a limit was hit, 130 cancelled.
    """
    with printed(as_json) as observe:
        options: RunOptions = {
            "task": task, "inputs": {}, "output": output, "tools": (), "workdir": workdir, "store": store, "observe": observe,
            **people(answer), **given,
        }  # fmt: skip
        result = run_agent_sync(agent, **options)
    return result.exit_code


@contextmanager
def printed(as_json: bool) -> Iterator[Observer]:
    """An observer that prints what happens, as long as the block lasts."""
    progress = Progress(sys.stderr)
    watch = JsonLines(sys.stdout) if as_json else Timeline(Console(sys.stdout, sys.stderr), progress)
    try:
        yield watch.take
    finally:
        progress.end()


def people(answer: bool | None) -> People:
    """Who is asked: whoever sits at the terminal, or nobody where `answer` replies to everything."""
    return {
        "approve": _approver(answer),
        "interact": TerminalInteractor(sys.stdin, sys.stderr) if _somebody_is_there() else None,
        "unattended": answer is not None,
    }


def _approver(answer: bool | None) -> Approver | None:
    if answer is not None:
        return approve_all if answer else deny_all
    return TerminalApprover(sys.stdin, sys.stderr) if _somebody_is_there() else None


def _somebody_is_there() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


class JsonLines:
    """Every event as one line of JSON, flushed at once."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def take(self, event: Event) -> None:
        """Print `event`."""
        self._out.write(json.dumps(as_data(event)) + "\n")
        self._out.flush()


def as_data(event: Event) -> dict[str, Json]:
    """`event` as plain data. The last one has `output` or `error`, as its status says."""
    data: dict[str, Json] = {"event": event.event, **asdict(event)}
    if isinstance(event, RunEnded):
        said = {"complete": "output", "error": "error"}.get(event.status)
        for key in {"output", "error"} - {said}:
            del data[key]
        if not event.hit_a_limit:
            del data["hit_a_limit"]
        if said == "output":
            data["output"] = event.output or ""
    return data


class Timeline:
    """The run as lines for people."""

    def __init__(self, console: Console, progress: Progress | None = None) -> None:
        self._console = console
        self._progress = progress
        self._last_error = ""

    def take(self, event: Event) -> None:
        """Print `event`, and then what the run waits for."""
        if self._progress is not None:
            self._progress.end()
        self._print(event)
        waits_for = _waits_for(event)
        if self._progress is not None and waits_for:
            self._progress.begin(waits_for)

    def _print(self, event: Event) -> None:
        match event:
            case RunStarted():
                self._start(event)
            case RunResumed():
                self._resume(event)
            case StageEntered():
                again = f", visit {event.visit}" if event.visit > 1 else ""
                self._console.say(f"\nstage {event.stage}{again}", "bold")
            case HookFired():
                self._hook(event)
            case ModelReplied():
                self._reply(event)
            case ModelTroubled():
                next_step = "asking the next model" if event.wait is None else f"asking again in {event.wait:g} s"
                self._line("no answer", f"{short(event.error, SHOWN)}; {next_step}", "yellow")
            case Nudged():
                self._line("nudge", quoted(event.text), "dim")
            case Abandoned():
                self._line("given up", f"region '{event.region}' is to be filled, and is empty", "yellow")
            case EdgeHeld():
                held = "no longer held" if event.forced else "held"
                self._line("gate", f"{event.target}: {held}: {short(event.text, SHOWN)}", "yellow")
            case PointAnswered():
                said = f": {short(event.answer, SHOWN)}" if event.answer else ""
                self._line(event.name, f"{event.outcome.replace('_', ' ')}{said}", POINT_STYLES[event.outcome])
            case RunPaused():
                self._line("paused", "waiting to go on", "yellow")
            case RunContinued():
                self._line("goes on", "", "dim")
            case PointAsked() | ModelAsked() | ToolStarted():
                pass
            case ToolCalled():
                self._tool(event)
            case RegionChanged():
                self._line(event.region, f"{event.what}: {event.before} -> {event.after} tokens", "dim")
            case Warned():
                self._line("warning", short(event.text, LONG), "yellow")
            case StageLeft():
                ended = "" if event.ended == "normal" else f" ({event.ended})"
                self._line("->", f"{event.next or 'the run is complete'}{ended}", "bold")
            case RunFailing():
                if event.error != self._last_error:
                    self._line("failure", short(event.error, LONG), "red")
            case RunEnded():
                self._end(event)

    def _line(self, name: str, text: str, style: str = "") -> None:
        self._console.say(one_line(f"  {name:<{NAME}} {text}".rstrip()), style)

    def _start(self, event: RunStarted) -> None:
        self._console.say(one_line(f"{event.agent} {event.version}"), "bold")
        if event.task:
            self._line("task", short(event.task, SHOWN))
        self._line("work directory", event.workdir)
        if event.run:
            self._line("run", event.run)

    def _resume(self, event: RunResumed) -> None:
        where = f", in stage {event.stage}" if event.stage else ""
        self._console.say(one_line(f"run {event.run} goes on after {counted(event.events, 'events')}{where}"), "bold")
        for change in event.changes:
            self._line("changed", short(change, LONG), "yellow")

    def _hook(self, event: HookFired) -> None:
        used = "" if event.operations is None else f"  [{counted(event.operations, 'operations')}]"
        first, *more = event.changes or ("",)
        self._line(event.hook, f"{event.outcome:<{OUTCOME}} {short(first, SHOWN)}".rstrip() + used, OUTCOME_STYLES[event.outcome])
        for change in more:
            self._line("", f"{'':<{OUTCOME}} {short(change, SHOWN)}", OUTCOME_STYLES[event.outcome])
        if event.error is not None:
            self._line("", short(event.error, LONG), "red")
            self._last_error = event.error

    def _reply(self, event: ModelReplied) -> None:
        tokens = f"  [{counted(event.tokens, 'tokens')}]" if event.tokens else ""
        name = PURPOSES[event.purpose]
        self._line(f"{name} {event.turn}", f"{quoted(event.text)}{tokens}")
        for call in event.tool_calls:
            self._line("", f"asks for {_call(call)}", "dim")

    def _tool(self, event: ToolCalled) -> None:
        call = f"{event.name} {dump(event.arguments)}"
        if event.hook == "dropped":
            self._line("tool", f"{short(call, SHOWN)}", "yellow")
            self._line("", "dropped by on_tool_call", "yellow")
            return
        self._line("tool", short(call, SHOWN))
        self._line("", ", ".join(verdicts(event)), "dim")
        self._line("", ("" if event.ok else "not done: ") + short(event.result, SHOWN), "" if event.ok else "yellow")

    def _end(self, event: RunEnded) -> None:
        totals = event.totals
        self._console.say(f"\n{event.status}", STATUS_STYLES[event.status])
        self._console.say(
            "  " + ", ".join(counted(number, what) for what, number in asdict(totals).items()),
            "dim",
        )
        if event.error is not None:
            self._console.say(indented(event.error[:LONGEST]), "red")
        if event.status == "complete" and event.output is None:
            self._console.say("  no final output was submitted")
        if event.output is not None:
            self._console.say("\nfinal output", "bold")
            self._console.result(event.output)


def _waits_for(event: Event) -> str:
    """What the run is going to wait for after `event`; nothing where it goes on at once, or asks a person."""
    match event:
        case ModelAsked():
            return f"{safe(event.stage)}: {PURPOSES[event.purpose]} {event.turn}"
        case ToolStarted():
            return f"{safe(event.stage)}: {safe(event.name)}"
        case ModelTroubled():
            return f"{safe(event.stage)}: waiting for a model"
        case _:
            return ""


def was_at(event: Event | None) -> str:
    """What a run was at that was interrupted after `event`; nothing where that is not known."""
    match event:
        case PointAsked():
            return f"{safe(event.stage)}: asking at '{safe(event.name)}'"
        case RunPaused():
            return f"{safe(event.stage)}: paused"
        case None:
            return ""
    return _waits_for(event)


def verdicts(event: ToolCalled) -> Iterator[str]:
    """What each layer said of the call, in the order in which they were asked."""
    if event.hook != "none":
        yield f"hook: {event.hook}"
    if event.offered is not None:
        yield "offered" if event.offered else "not offered"
    layers = (("arguments", event.schema), ("taint", event.taint), ("policy", event.policy), ("approval", event.approval))
    for layer, said in layers:
        if said is not None:
            yield f"{layer}: {said}"


def counted(number: int, what: str) -> str:
    """`3 tool calls`; `what` is the plural, with underscores."""
    words = what.replace("_", " ")
    return f"{number} {words.removesuffix('s') if number == 1 else words}"


def short(text: str, width: int) -> str:
    """`text` on one line, cut at `width` characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[:width]}..."


def quoted(text: str) -> str:
    """`text`, short and in quotes."""
    return f'"{short(text, SHOWN)}"' if text.strip() else "(no text)"


def _call(call: ToolCall) -> str:
    return short(f"{call.name} {dump(call.arguments)}", SHOWN)
