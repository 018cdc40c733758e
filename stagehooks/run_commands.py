"""The commands about stored runs: ps, log, result, resume; and which store `run` writes to."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final

from stagehooks.console import Console, indented, one_line
from stagehooks.errors import FAILED, INTERRUPTED, LIMIT, OK, StoreError, UsageError
from stagehooks.run.events import Event, Observer
from stagehooks.scripts import json_text
from stagehooks.scripts.json_text import Json
from stagehooks.store.place import default_path
from stagehooks.store.records import INTERRUPTED as INTERRUPTED_RUN
from stagehooks.store.records import Stored
from stagehooks.store.resume import ResumeOptions, resume_run_sync
from stagehooks.store.store import Store
from stagehooks.timeline import STATUS_STYLES, JsonLines, Timeline, given_by, people, printed, short, was_at

LAST: Final = 20
TASK_SHOWN: Final = 40
STYLES: Final = {**STATUS_STYLES, INTERRUPTED_RUN: "yellow", "running": "cyan"}


@contextmanager
def store_for_run(options: argparse.Namespace, console: Console) -> Iterator[Store | None]:
    """Where a new run is stored. A store that was asked for has to work; the usual one is done without, with a warning."""
    store = None
    try:
        store = None if options.no_store else Store(options.store)
    except StoreError as error:
        if options.store is not None:
            raise
        console.say(f"warning: this run is not stored and cannot be resumed: {error.message}", "yellow")
    try:
        yield store
    finally:
        if store is not None:
            store.close()


@contextmanager
def opened(options: argparse.Namespace) -> Iterator[Store]:
    """The store that a command looks into; UsageError where there is none."""
    path = options.store or default_path()
    if not path.exists():
        raise UsageError(f"there is no store at '{path}'", hint="'stagehooks run' makes one; --store PATH names another")
    with Store(path) as store:
        yield store


# --- ps -------------------------------------------------------------------------------------------------------------------


def ps_command(options: argparse.Namespace, console: Console) -> int:
    """List the runs, the latest first."""
    with opened(options) as store:
        runs = store.runs(None if options.all else LAST, lambda problem: console.say(f"warning: {problem}", "yellow"))
    if options.json:
        console.result(json_text.line([_run_json(run) for run in runs]))
        return OK
    rows = [("RUN", "AGENT", "STATUS", "STAGE", "STARTED", "TASK")]
    rows += [(run.id, one_line(run.beginning.agent), run.status, run.stage, _local(run.started), _task(run)) for run in runs]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        line = "  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True))
        console.result(line.rstrip(), STYLES.get(row[2], "bold"))
    return OK


def _task(run: Stored) -> str:
    return short(run.beginning.task, TASK_SHOWN)


def _local(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M:%S")


def _utc(seconds: float | None) -> str | None:
    return datetime.fromtimestamp(seconds, UTC).isoformat() if seconds is not None else None


def _run_json(run: Stored) -> Json:
    return {
        "run": run.id,
        "agent": run.beginning.agent,
        "version": run.beginning.version,
        "status": run.status,
        "stage": run.stage,
        "started": _utc(run.started),
        "ended": _utc(run.ended),
        "task": run.beginning.task,
        "directory": run.beginning.directory,
        "workdir": run.beginning.workdir,
        "process": run.owner.pid if run.owner is not None and run.status == "running" else None,
    }


# --- log and result -------------------------------------------------------------------------------------------------------


def log_command(options: argparse.Namespace, console: Console) -> int:
    """Print what happened in a run: the lines that `run` printed, or its JSON."""
    with opened(options) as store:
        run = store.run(options.run)
        lines, timeline = JsonLines(sys.stdout), Timeline(Console(sys.stdout, sys.stdout))
        last: Event | None = None
        for stored in store.events(run.id):
            last = stored.event
            if stored.event is not None:
                (lines if options.json else timeline).take(stored.event)
            elif options.json:
                console.result(json_text.line(stored.data))
            else:
                console.result("  an event that this version does not know", "dim")
    if not run.over:
        resume = f"; 'stagehooks resume {run.id}' goes on" if run.status == INTERRUPTED_RUN else ""
        at = f" at {one_line(was_at(last))}" if was_at(last) else ""
        console.say(f"\n{run.status}{at}{resume}", STYLES[run.status])
    return OK


def result_command(options: argparse.Namespace, console: Console) -> int:
    """Print the final output of a run; 1 where there is none."""
    with opened(options) as store:
        run = store.run(options.run)
    if options.json:
        console.result(json_text.line(_result_json(run)))
        return OK if run.output is not None else FAILED
    if run.output is None:
        why = f"\n{run.error}" if run.error else ""
        console.say(
            f"run '{run.id}' produced no final output (status: {run.status}). Only an agent that calls `submit_output` has an "
            f"answer to show; see 'stagehooks log {run.id}' for what it did.{why}"
        )
        return FAILED
    if not options.raw:
        console.say(f"Final output from run '{run.id}', stage '{run.stage}':\n")
    console.result(run.output)
    return OK


def _result_json(run: Stored) -> Json:
    return {
        "run": run.id,
        "agent": run.beginning.agent,
        "status": run.status,
        "stage": run.stage,
        "output": run.output,
        "error": run.error,
        "hit_a_limit": run.hit_a_limit,
    }


# --- resume ---------------------------------------------------------------------------------------------------------------


def resume_command(options: argparse.Namespace, console: Console) -> int:
    """Go on with an interrupted run; one that is over gives its result again. Exit codes as of `run`."""
    with opened(options) as store:
        run = store.run(options.run)
        if run.over:
            return _over(run, options, console)
        with printed(options.json) as observe:
            result = resume_run_sync(store, run.id, **_resume_options(run, options, observe))
    return result.exit_code


def _resume_options(run: Stored, options: argparse.Namespace, observe: Observer) -> ResumeOptions:
    """What the run was given, and what is asked of it now: questions are answered as they were, if nothing else is said."""
    kept = run.beginning.given
    answer = options.answer if options.answer is not None else {"yes": True, "no": False}.get(kept.approvals)
    asked: ResumeOptions = {"agent": options.agent, "by_force": options.take_over, "observe": observe}
    return {**asked, **people(answer), **given_by(options), "unattended": kept.unattended}


def _over(run: Stored, options: argparse.Namespace, console: Console) -> int:
    if options.json:
        console.result(json_text.line(_result_json(run)))
    else:
        console.say(f"run '{run.id}' is over: {run.status}", STYLES[run.status])
        if run.error:
            console.say(indented(run.error), "red")
        if run.output is not None:
            console.result(run.output)
    failed = LIMIT if run.hit_a_limit else FAILED
    return {"complete": OK, "error": failed}.get(run.written_status, INTERRUPTED)
