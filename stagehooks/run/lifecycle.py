"""The driver: takes an agent from its entry stage to its end, through every hook point on the way.

    enter a stage -> on_stage_enter -> assemble -> before_inference -> ask the model -> after_inference
      -> tool calls: on_tool_call -> gate -> tools -> assemble again
      -> only text: the stage is finished -> on_stage_exit -> choose the next stage, or complete
    complete -> on_completion;  error -> on_error;  cancelled -> neither

Everything that happens is told to an observer. A refusing or failing hook ends the run in error, always.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final, Unpack

from stagehooks.agent.blueprint import CallerSeed, Stage
from stagehooks.agent.requested import with_output
from stagehooks.agent.spawn import Agent
from stagehooks.errors import RunFailed, StageHooksError, StoreError, UsageError, WindowError
from stagehooks.models.protocol import UserMessage
from stagehooks.run.control import Aborted, Control
from stagehooks.run.effects import OUT_OF_TIME, Beginning, Effects
from stagehooks.run.events import (
    RunContinued,
    RunEnded,
    RunFailing,
    RunPaused,
    RunResult,
    RunStarted,
    StageEntered,
    Status,
    Warned,
)
from stagehooks.run.given import ensure_known, given_of
from stagehooks.run.leaving import Go
from stagehooks.run.options import TASK
from stagehooks.run.options import RunOptions as RunOptions
from stagehooks.run.parts import Parts
from stagehooks.run.points import ON_STAGE_ENTER
from stagehooks.run.region import Entry, Text, cut
from stagehooks.run.turns import mirror
from stagehooks.run.visit import Visit
from stagehooks.tools.levels import Level

STUCK_REPORT: Final = "stuck_report"
ERROR_REPORT: Final = "error_report"
OUTPUT_MISSING: Final = (
    "the run finished without the final output it requires; the stage that owes one never called submit_output"
)


class Run:
    """One run of an agent. SpawnError from the constructor when it cannot start; `drive` is called once.

    `effects` are those of a run that is resumed.
    """

    def __init__(self, agent: Agent, options: RunOptions, effects: Effects | None = None) -> None:
        ensure_known(options, RunOptions.__optional_keys__)
        agent = with_output(agent, options.get("output"))
        self._agent = agent
        self._blueprint = agent.blueprint
        inputs = {**options.get("inputs", {}), TASK: options.get("task", "")}
        self._inputs = {key: _encodable(text) for key, text in inputs.items()}
        self._given = replace(given_of(options), output=options.get("output"))
        self._stage = self._blueprint.entry
        self._control = Control(self._tell_pause, lambda: self._effects.live)
        parts = Parts(agent, self._inputs, options, self._given, effects, self._control, self._warn)
        self._effects = parts.effects
        self._tally = parts.tally
        self._clock = parts.clock
        self._window = parts.window
        self._answer = parts.answer
        self._workspace = parts.workspace
        self._approvals = parts.approvals
        self._hooks = parts.hooks
        self._visits = parts.visits
        self._seeding = parts.seeding
        self._upkeep = parts.upkeep
        self._work = parts.work
        self._leaving = parts.leaving
        self.result: RunResult | None = None

    def pause(self) -> None:
        """Hold the run at its next step, from whatever thread. What is in flight is finished; no hook fires meanwhile."""
        self._control.hold()

    def resume(self) -> None:
        """Let a held run go on, from whatever thread."""
        self._control.release()

    def cancel(self) -> None:
        """Stop the run, from whatever thread: `drive` gives a result with the status "cancelled", and no terminal hook fires."""
        self._control.cancel()

    async def drive(self) -> RunResult:
        """From the entry stage to the end. Whoever cancels this gets the cancellation back, and `result` says "cancelled"."""
        self._control.start()
        try:
            self._begin()
            try:
                await self._run_in_time()
            except StoreError:
                raise
            except StageHooksError as failure:
                await self._control.checkpoint()
                return self._fail(failure)
            await self._control.checkpoint()
            return self._complete()
        except StoreError:  # the run stays in the store as it is, to be resumed
            self.result = None
            raise
        except Aborted:
            return self._end("cancelled")
        except (asyncio.CancelledError, KeyboardInterrupt) as stopped:
            result = self.result or self._end("cancelled")
            if isinstance(stopped, asyncio.CancelledError) and self._control.swallow_cancellation():
                return result
            raise
        finally:
            self._control.stop()
            if self.result is not None or not self._effects.run:
                self._workspace.close()
            self._effects.close()

    async def _run_in_time(self) -> None:
        deadline = asyncio.timeout(None)
        try:
            async with deadline:
                with self._control.limited(deadline, self._given.seconds):
                    await self._run_stages()
        except TimeoutError:
            if not deadline.expired():
                raise
            text = f"the run took longer than {self._given.seconds:g} seconds"
            self._effects.noted(OUT_OF_TIME, text, lambda: None)
            raise RunFailed(text) from None

    def _warn(self, text: str) -> None:
        self._tally.take(Warned(self._stage.name, text))

    def _tell_pause(self, held: bool) -> None:
        self._tally.tell(RunPaused(self._stage.name) if held else RunContinued(self._stage.name))

    def _begin(self) -> None:
        root, task = self._workspace.directory.root, self._inputs[TASK]
        self._effects.begin(Beginning(self._agent, task, self._inputs, root, self._workspace.fresh, self._given))
        self._tally.take(RunStarted(self._blueprint.name, self._blueprint.version, task, str(root), self._effects.run))

    # --- stages -----------------------------------------------------------------------------------------------------------

    async def _run_stages(self) -> None:
        stage: Stage | None = self._blueprint.entry
        note, level = "", Level.PUBLIC
        while stage is not None:
            await self._enter(stage, note, level)
            left = await self._stay(stage)
            level = self._window.level  # of what the note is about, whatever becomes of it on the way
            if left.edge is not None:
                await self._upkeep.on_the_way(stage, left.edge)
            stage = self._blueprint.stage(left.edge.target) if left.edge is not None else None
            note = left.note
        owing = [stage for stage in self._blueprint.stages if stage.require_output and self._visits.has_been(stage)]
        if owing and self._answer.content is None:
            raise RunFailed(OUTPUT_MISSING)

    async def _stay(self, stage: Stage) -> Go:
        """In `stage` until it is left."""
        visit = Visit(stage, self._window, self._clock)
        while True:
            ending = await self._work.until_over(visit)
            await self._control.checkpoint()
            left = await self._leaving.leave(visit, ending)
            if isinstance(left, Go):
                return left
            self._work.nudge(stage, left.text)

    async def _enter(self, stage: Stage, note: str, level: Level) -> None:
        self._stage = stage
        self._tally.take(StageEntered(stage.name, stage.index, self._visits.enter(stage)))
        self._approvals.start_stage()
        await self._seeding.fill(stage, self._window.lay_out(stage.regions))
        if self._tally.totals.stages == 1 and self._inputs[TASK] and not self._has_task_region():
            self._window.say(UserMessage(self._inputs[TASK]))
        self._window.instruct(stage.prompt)
        if note:
            self._note(note, max(level, self._window.level))
        self._hooks.regions(ON_STAGE_ENTER, stage, self._window)

    def _has_task_region(self) -> bool:
        seeds = [region.seed for stage in self._blueprint.stages for region in stage.regions]
        return CallerSeed(TASK) in seeds

    def _note(self, text: str, level: Level) -> None:
        """Tell a stage what went wrong in the one before, in the region it has for that, or else in the conversation."""
        said = f"[System] {text}"
        name = STUCK_REPORT if "was stuck" in text else ERROR_REPORT
        for region in self._window.shown:
            if region.layout.name == name:
                with suppress(WindowError):
                    region.add((Entry(Text(cut(said, region.layout.max_tokens)), level),))
                    return
        self._window.say(UserMessage(said), level)

    # --- the end ----------------------------------------------------------------------------------------------------------

    def _complete(self) -> RunResult:
        try:
            self._hooks.completion(self._stage, self._answer)
            with suppress(WindowError):  # a region of the agent's own may refuse it; nobody reads it any more
                mirror(self._answer, self._window, self._window.level)
        except RunFailed as failure:
            return self._end("error", failure.message, failure.hit_a_limit)
        return self._end("complete")

    def _fail(self, failure: StageHooksError) -> RunResult:
        self._tally.take(RunFailing(self._stage.name, failure.message))
        message, hit_a_limit = failure.message, failure.hit_a_limit
        try:
            message = self._hooks.error(self._stage, message)
        except RunFailed as second:
            message, hit_a_limit = second.message, hit_a_limit or second.hit_a_limit
        return self._end("error", message, hit_a_limit)

    def _end(self, status: Status, error: str | None = None, hit_a_limit: bool = False) -> RunResult:
        output = self._answer.content if status == "complete" else None
        self.result = RunResult(
            status, output, error, tuple(self._tally.stages), self._tally.totals, hit_a_limit, self._effects.run
        )
        self._tally.take(RunEnded(status, output, error, self._tally.totals, hit_a_limit))
        return self.result


async def run_agent(agent: Agent, **options: Unpack[RunOptions]) -> RunResult:
    """Drive `agent` to its end. SpawnError before anything ran; a cancellation passes through."""
    return await Run(agent, options).drive()


def run_agent_sync(agent: Agent, **options: Unpack[RunOptions]) -> RunResult:
    """As `run_agent`, for callers without an event loop. Ctrl-C gives a result with the status "cancelled"."""
    return drive_sync(lambda: Run(agent, options))


def drive_sync(make: Callable[[], Run]) -> RunResult:
    """Drive the run that `make` makes in an event loop of its own; UsageError, and no run, where one runs already.

    Ctrl-C gives a result with the status "cancelled".
    """
    if _has_a_loop():
        hint = "await the function whose name lacks '_sync'"
        raise UsageError("an event loop runs here already, as in a notebook or a browser", hint=hint)
    run = make()
    try:
        return asyncio.run(run.drive())
    except KeyboardInterrupt:
        if run.result is None:
            raise
        return run.result


def _has_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
