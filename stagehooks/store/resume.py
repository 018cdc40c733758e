"""Resuming a run that was interrupted: the agent is loaded again, and the run goes on where it was.

The agent file is the one that the run began with, whatever its directory holds now. Scripts are read and compiled anew: what was
decided stays decided, what is still to come is decided by the scripts as they are. Whatever changed is said.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Unpack

from stagehooks.agent.requested import with_output
from stagehooks.agent.spawn import Agent, agent_source, find_agent_file, load
from stagehooks.errors import SpawnError, UsageError
from stagehooks.run.events import Observer, RunResult, RunResumed
from stagehooks.run.given import Given, GivenOptions, approver_of, ensure_known, given_of
from stagehooks.run.interaction import Interactor
from stagehooks.run.lifecycle import Run, RunOptions, drive_sync
from stagehooks.store.fingerprints import fingerprints
from stagehooks.store.records import Beginning, Stored
from stagehooks.store.store import Store, is_over
from stagehooks.tools.tool import Tool


class ResumeOptions(GivenOptions, total=False):
    """What a run that is resumed may be given.

    What it was given at first and is plain data it has again. Of that it may be given less, never more: of `allow`,
    `allow_variables`, `allow_local_network`, `unattended`, `patience` and `seconds`, which count from now on, and a stricter
    `approve`. What is no plain data is given again: `tools`, a `model` of the program's own, who is asked.

    `agent` is where the agent is now, if it was moved. `by_force` takes the run from a process on a machine that cannot be seen.
    The others are as in `RunOptions`.
    """

    tools: Iterable[Tool]
    interact: Interactor | None
    observe: Observer | None
    agent: str | Path | None
    by_force: bool


async def resume_run(store: Store, run: str, **options: Unpack[ResumeOptions]) -> RunResult:
    """Take up the run whose id begins with `run`, and drive it to its end.

    UsageError where it is over or another process drives it, SpawnError where its agent cannot be loaded any more.
    """
    return await _taken_up(store, run, options).drive()


def resume_run_sync(store: Store, run: str, **options: Unpack[ResumeOptions]) -> RunResult:
    """As `resume_run`, for callers without an event loop. Ctrl-C gives a result with the status "cancelled"."""
    return drive_sync(lambda: _taken_up(store, run, options))


def _taken_up(store: Store, run: str, options: ResumeOptions) -> Run:
    ensure_known(options, ResumeOptions.__optional_keys__)
    stored = store.run(run)
    if stored.over:
        raise is_over(stored)
    given = _given_again(stored, options)
    if not Path(stored.beginning.workdir).is_dir():
        raise SpawnError(
            f"the work directory of run '{stored.id}' is gone: '{stored.beginning.workdir}'",
            hint="what its tools had written there is lost: begin a new run",
        )
    agent = with_output(present_agent(stored, options.get("agent"), as_it_was=True), given.output)
    journal, given = store.take(stored.id, lambda run: _given_again(run, options), by_force=options.get("by_force", False))
    try:
        resumed = Run(agent, _options(stored, given, options), journal)
        event = RunResumed(stored.id, store.count_events(stored.id), changes(stored.beginning, agent), stored.stage)
        journal.aside(event)
        observe = options.get("observe")
        if observe is not None:
            observe(event)
    except BaseException:
        journal.close()
        raise
    return resumed


def present_agent(stored: Stored, place: str | Path | None, *, as_it_was: bool) -> Agent:
    """The agent of a stored run as its directory (or `place`) holds it now; `as_it_was`: with the agent file of then."""
    source = stored.beginning.source.encode() if as_it_was and stored.beginning.source else None
    try:
        return load(place if place is not None else stored.beginning.file, source)
    except SpawnError as error:
        if place is None and not Path(stored.beginning.file).exists():
            raise SpawnError(
                f"the agent of run '{stored.id}' is gone: {error}", hint="say where it is with --agent DIR"
            ) from None
        raise


def changes(beginning: Beginning, agent: Agent) -> tuple[str, ...]:
    """What of `agent` is not as it was when the run began, each in words."""
    then, now = beginning.scripts, fingerprints(agent)
    found = [f"'{path}' has changed" for path in then if now.get(path, then[path]) != then[path]]
    found += [f"'{path}' is gone" for path in then if path not in now] + [f"'{path}' is new" for path in now if path not in then]
    try:
        source = agent_source(find_agent_file(agent.directory))
    except SpawnError:
        return tuple(found)
    if beginning.source and source != beginning.source.encode():
        found.append(f"'{agent.file.name}' has changed; the run keeps to the one that it began with")
    return tuple(found)


def _given_again(stored: Stored, options: ResumeOptions) -> Given:
    """What the run was given, less where `options` say so; UsageError where they say more, or lack what only they can bring."""
    kept = stored.beginning.given
    if kept.own_model and options.get("model") is None:
        raise UsageError(
            f"run '{stored.id}' was begun by a program with a model of its own", hint="resume it from there, with model=..."
        )
    wanted = given_of(options, kept)
    kept.check(stored.id, wanted)
    return wanted


def _options(stored: Stored, kept: Given, given: ResumeOptions) -> RunOptions:
    beginning = stored.beginning
    return {
        "task": beginning.task,
        "inputs": beginning.inputs,
        "output": kept.output,
        "workdir": None if beginning.fresh else beginning.workdir,
        "model": given.get("model"),
        "tools": given.get("tools", ()),
        "approve": approver_of(kept.approvals, given.get("approve")),
        "interact": given.get("interact"),
        "unattended": kept.unattended,
        "patience": kept.patience,
        "seconds": kept.seconds,
        "observe": given.get("observe"),
        "allow": kept.allow,
        "allow_variables": kept.allow_variables,
        "allow_local_network": kept.allow_local_network,
    }
