"""The record of one run: everything is written down before anybody acts on it.

A run that is resumed goes the whole way again from its beginning. As far as the record reaches, nothing is done: every effect
gives what it gave before, and events that were told before are not told again. Where the record ends the run is where it was, and
goes on. The way is the same because everything else in a run follows from its effects. Should it not be (the agent was changed
beyond recognition), the run stops with a StoreError that says where.

A tool call is written down twice, before and after it is made. Found begun and not finished, it is made again only if that does
no harm (`Tool.effect`); otherwise the model is told that it was interrupted.
"""

import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from stagehooks.errors import HookError, ModelError, RunFailed, StoreError
from stagehooks.gate.approval import Answer, Ask, Question, digest
from stagehooks.models.protocol import Reply, Request, ToolCall
from stagehooks.run.effects import OUT_OF_TIME, AskModel, Beginning, Made, Make
from stagehooks.run.events import Event, RunEnded, StageEntered
from stagehooks.scripts.json_text import Json
from stagehooks.scripts.stage_hook import HookCall, HookScript, call
from stagehooks.store import coding
from stagehooks.store.database import Bound, Database
from stagehooks.store.fingerprints import fingerprints
from stagehooks.store.owner import this_process
from stagehooks.store.records import RUNNING, StoredEffect, stored_effect, text_of
from stagehooks.tools.tool import Tool

INTERRUPTED: Final = (
    "[interrupted] The run was interrupted while '{name}' was at work. It may have done all, some or nothing of its work, and it "
    "was not called again."
)
NEW_RUN: Final = "INSERT INTO runs VALUES (?, ?, NULL, ?, ?, ?, ?, '{}')"
NEW_EVENT: Final = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)"
NEXT_EVENT: Final = "SELECT ordinal, event FROM events WHERE run = ? AND ordinal > ? AND NOT aside ORDER BY ordinal LIMIT 1"
NEW_EFFECT: Final = "INSERT INTO effects VALUES (?, ?, ?, ?, ?, ?)"
DONE: Final = "UPDATE effects SET outcome = ? WHERE run = ? AND ordinal = ?"
ONE_EFFECT: Final = "SELECT ordinal, kind, name, given, outcome FROM effects WHERE run = ? AND ordinal = ?"
TIMED_OUT: Final = "SELECT ordinal, name FROM effects WHERE run = ? AND kind = ?"
IN_STAGE: Final = "UPDATE runs SET stage = ? WHERE id = ?"
ENDED: Final = "UPDATE runs SET ended = ?, status = ?, outcome = ?, owner = 'null' WHERE id = ?"
LET_GO: Final = "UPDATE runs SET owner = 'null' WHERE id = ?"


@dataclass(frozen=True, slots=True)
class Step:
    """One effect of the run, the `ordinal`-th, with what is recorded of it."""

    ordinal: int
    kind: str
    name: str
    recorded: StoredEffect | None


class Journal:
    """The effects of the run `run`, which is written to `database`. `workdir` is given for a run that had a fresh one."""

    def __init__(self, database: Database, run: str, workdir: Path | None = None) -> None:
        self.run = run
        self.workdir = workdir
        self._database = database
        self._open = True
        self._resumed = bool(database.rows("SELECT 1 FROM runs WHERE id = ?", run))
        self._event = self._effect = 0
        self._events_written = self._last("events")
        self._last_told = self._last("events", "AND NOT aside")
        self._last_effect = self._last("effects")
        self._time_is_up = dict(database.rows(TIMED_OUT, run, OUT_OF_TIME))

    @property
    def live(self) -> bool:
        """Is what happens new? Not while the way of a resumed run is gone again."""
        return self._event >= self._last_told and self._effect >= self._last_effect

    # --- the run ----------------------------------------------------------------------------------------------------------

    def begin(self, beginning: Beginning) -> None:
        """Write the run down; one that is resumed was."""
        if not self._resumed:
            data = text_of(_beginning_data(beginning))
            owner = text_of(this_process().data())
            self._database.write((NEW_RUN, self.run, time.time(), RUNNING, "", owner, data))

    def event(self, event: Event) -> bool:
        """Write `event` down; False where it was."""
        if self._was_told(event):
            return False
        statements = [self._new_event(event, aside=False)]
        match event:
            case StageEntered(stage):
                statements.append((IN_STAGE, stage, self.run))
            case RunEnded():
                outcome = {"output": event.output, "error": event.error, "hit_a_limit": event.hit_a_limit}
                statements.append((ENDED, time.time(), event.status, text_of({**outcome}), self.run))
            case _:
                pass
        self._database.write(*statements, durable=isinstance(event, RunEnded))
        return True

    def aside(self, event: Event) -> None:
        """Write down an event that is none of the run's own: it will not happen again on the way there."""
        self._database.write(self._new_event(event, aside=True))

    def close(self) -> None:
        """Let go of the run, so that another process may resume it, and of the store."""
        if self._open:
            self._open = False
            # Where it cannot be written, the run is let go of when this process ends; what came of it is told all the same.
            with suppress(StoreError):
                self._database.write((LET_GO, self.run))
            self._database.close()

    # --- effects ----------------------------------------------------------------------------------------------------------

    def hook(self, script: HookScript, hook: str, stage: str, ctx: Json) -> HookCall:
        """Call a hook, or tell what it said."""
        step = self._step("hook", f"{stage}/{hook}")
        if step.recorded is not None:
            return coding.read_hook(step.recorded.outcome, script.path, hook)
        try:
            answer = call(script, hook, ctx)
        except HookError as error:
            self._write(step, coding.hook_error_data(error), ctx)
            raise
        self._write(step, coding.hook_data(answer), ctx)
        return answer

    def unhooked(self, hook: str, stage: str, ctx: Json) -> None:
        """Write down what a hook would have seen, so that a new one can be tried on it; all the regions would be too much."""
        if isinstance(ctx, dict) and "regions" not in ctx:
            step = self._step("unhooked", f"{stage}/{hook}")
            if step.recorded is None:
                self._write(step, {"outcome": "none"}, ctx)

    async def reply(self, request: Request, ask: AskModel) -> Reply:
        """Ask the model, or tell what it said."""
        step = self._step("reply", f"{request.stage}/{request.purpose}/{request.turn}")
        if step.recorded is not None:
            return coding.read_reply(step.recorded.outcome)
        try:
            reply = await ask(request)
        except ModelError as error:
            self._write(step, coding.model_error_data(error))
            raise
        self._write(step, coding.reply_data(reply))
        return reply

    async def approval(self, question: Question, ask: Ask) -> Answer | None:
        """Ask the person, or tell what the answer was."""
        step = self._step("approval", f"{question.kind}/{question.call.name}/{digest(question.call)}")
        if step.recorded is not None:
            return Answer(step.recorded.outcome) if step.recorded.outcome is not None else None
        answer = await ask(question)
        self._write(step, answer.value if answer is not None else None, {"text": question.text})
        return answer

    async def tool(self, tool: Tool, call: ToolCall, make: Make) -> Made:
        """Make the call, or tell what came of it."""
        step = self._step("tool", f"{call.name}/{digest(call)}")
        if step.recorded is None:
            self._begin(step, {"id": call.id, "arguments": call.arguments}, durable=tool.effect == "outside")
        elif step.recorded.done:
            if tool.effect == "run":
                await make(tool, call)
            return _made(step.recorded.outcome)
        interrupted = step.recorded is not None and tool.effect == "outside"
        made = (INTERRUPTED.replace("{name}", call.name), False) if interrupted else await make(tool, call)
        self._database.write((DONE, text_of([*made]), self.run, step.ordinal))
        return made

    async def told(self, kind: str, name: str, ask: Callable[[], Awaitable[Json]]) -> Json:
        """Ask for anything else that comes from outside, or tell what the answer was."""
        step = self._step(kind, name)
        if step.recorded is not None:
            return step.recorded.outcome
        answer = await ask()
        self._write(step, answer)
        return answer

    def noted(self, kind: str, name: str, find: Callable[[], Json]) -> Json:
        """Find out something that will not be the same again, or tell what it was."""
        step = self._step(kind, name)
        if step.recorded is not None:
            return step.recorded.outcome
        found = find()
        self._write(step, found)
        return found

    # --- reading and writing ----------------------------------------------------------------------------------------------

    def _was_told(self, event: Event) -> bool:
        if self._event >= self._last_told:
            return False
        self._event, name = self._database.rows(NEXT_EVENT, self.run, self._event)[0]
        if name != event.event:
            self._stop_in_time(self._effect + 1)
            raise self._lost(f"event {self._event} was '{name}', and now it is '{event.event}'")
        return True

    def _new_event(self, event: Event, aside: bool) -> tuple[str, *tuple[Bound, ...]]:
        self._events_written += 1
        data = text_of(coding.event_data(event))
        return NEW_EVENT, self.run, self._events_written, time.time(), int(aside), event.event, data

    def _step(self, kind: str, name: str) -> Step:
        """The next effect of the run, with what the record says of it.

        Steps are numbered as they begin: where two are under way at once, the second may be in the record without the first.
        """
        self._effect += 1
        found = self._database.rows(ONE_EFFECT, self.run, self._effect) if self._effect <= self._last_effect else []
        recorded = stored_effect(found[0]) if found else None
        if recorded is None or not recorded.done or recorded.kind == OUT_OF_TIME:
            self._stop_in_time(self._effect)
        if recorded is not None and (recorded.kind, recorded.name) != (kind, name):
            was, now = f"{recorded.kind} {recorded.name}", f"{kind} {name}"
            raise self._lost(f"step {self._effect} was '{was}', and now it is '{now}'")
        return Step(self._effect, kind, name, recorded)

    def _stop_in_time(self, ordinal: int) -> None:
        """The run took too long while the `ordinal`-th step was made, or was about to be: so it does now."""
        for place, text in self._time_is_up.items():
            if place in (ordinal, ordinal + 1):
                self._effect = place
                raise RunFailed(text)

    def _begin(self, step: Step, given: Json, durable: bool) -> None:
        self._database.write((NEW_EFFECT, self.run, step.ordinal, step.kind, step.name, text_of(given), None), durable=durable)

    def _write(self, step: Step, outcome: Json, given: Json = None) -> None:
        values = (step.ordinal, step.kind, step.name, text_of(given), text_of(outcome))
        self._database.write((NEW_EFFECT, self.run, *values))

    def _last(self, table: str, which: str = "") -> int:
        query = f"SELECT coalesce(max(ordinal), 0) FROM {table} WHERE run = ? {which}"
        number: int = self._database.rows(query, self.run)[0][0]
        return number

    def _lost(self, what: str) -> StoreError:
        return StoreError(
            f"run '{self.run}' cannot go the way it went: {what}", hint="put the agent back as it was, or run it anew"
        )


def _made(outcome: Json) -> Made:
    match outcome:
        case [str(text), bool(worked)]:
            return text, worked
    raise coding.Unreadable("no result of a tool")


def _beginning_data(beginning: Beginning) -> Json:
    agent = beginning.agent
    return {
        "agent": agent.blueprint.name,
        "version": agent.blueprint.version,
        "directory": str(agent.directory.absolute()),
        "file": str(agent.file.absolute()),
        "source": agent.source.decode("utf-8", "replace"),
        "scripts": {**fingerprints(agent)},
        "task": beginning.task,
        "inputs": {**beginning.inputs},
        "workdir": str(beginning.workdir),
        "fresh": beginning.fresh,
        "given": beginning.given.data(),
    }
