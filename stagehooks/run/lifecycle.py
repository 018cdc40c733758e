"""The driver: takes an agent from its entry stage to its end, through every hook point on the way.

    enter a stage -> on_stage_enter -> assemble -> before_inference -> ask the model -> after_inference
      -> tool calls: on_tool_call -> gate -> tools -> assemble again
      -> only text: the stage is finished -> on_stage_exit -> choose the next stage, or complete
    complete -> on_completion;  error -> on_error;  cancelled -> neither

Everything that happens is told to an observer. A refusing or failing hook ends the run in error, always.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import count
from pathlib import Path
from typing import Final, TypedDict, Unpack

from stagehooks.agent.blueprint import CallerSeed, LiteralSeed, Stage, Transition
from stagehooks.agent.spawn import Agent
from stagehooks.errors import ModelError, RunFailed, StageHooksError
from stagehooks.gate.approval import Approvals, Approver
from stagehooks.gate.gate import Gate
from stagehooks.models.choice import models_of
from stagehooks.models.protocol import AssistantMessage, Model, UserMessage
from stagehooks.run.events import (
    Ended,
    Nudged,
    Observer,
    RunEnded,
    RunFailing,
    RunResult,
    RunStarted,
    StageEntered,
    StageLeft,
    Status,
)
from stagehooks.run.hooks import HookPoints
from stagehooks.run.inference import Inference
from stagehooks.run.points import ON_STAGE_ENTER, ON_STAGE_EXIT
from stagehooks.run.region import Region, cut
from stagehooks.run.stages import dead_end, edges_after
from stagehooks.run.tally import Tally
from stagehooks.run.turns import ToolTurns
from stagehooks.run.window import Window
from stagehooks.tools.answer import FinalAnswer
from stagehooks.tools.catalogue import Catalogue, check_tools
from stagehooks.tools.levels import Level
from stagehooks.tools.tool import Tool
from stagehooks.tools.workspace import Workspace

TASK: Final = "task"
SEED_CUT: Final = "\n[...truncated: seed exceeded this region's budget]"
OUTPUT_NUDGES: Final = 3
OUTPUT_NUDGE: Final = "This stage is not finished: you have not called `submit_output` with the final output of this run."
OUTPUT_MISSING: Final = (
    "the run finished without the final output it requires; the stage that owes one never called submit_output"
)


class RunOptions(TypedDict, total=False):
    """What a run may be given.

    `task` and `inputs` fill the regions that are seeded by the caller. `model` answers for every stage; without it each stage has
    the one that the agent file names, by default the offline one. `tools` are offered beside the built-in ones to the stages that
    name them. `approve` is asked where a policy says so; without it such calls are denied. `workdir` is what tools are confined
    to; without it a fresh directory is made. `observe` gets every event.
    """

    task: str
    inputs: Mapping[str, str]
    model: Model | None
    tools: Iterable[Tool]
    approve: Approver | None
    workdir: str | Path | None
    observe: Observer | None


class Run:
    """One run of an agent. SpawnError from the constructor when it cannot start; `drive` is called once."""

    def __init__(self, agent: Agent, options: RunOptions) -> None:
        self._blueprint = agent.blueprint
        stages = self._blueprint.stages
        models = models_of(agent, options.get("model"))
        tools = tuple(options.get("tools", ()))
        check_tools(stages, tools)
        self._tally = Tally(options.get("observe"))
        self._observe: Observer = self._tally.take
        inputs = {**options.get("inputs", {}), TASK: options.get("task", "")}
        self._inputs = {key: _encodable(text) for key, text in inputs.items()}
        self._window = Window(stage.system_prompt for stage in stages)
        self._answer = FinalAnswer(stage.name for stage in stages)
        self._approvals = Approvals(options.get("approve"))
        self._workspace = Workspace(agent.directory, options.get("workdir"))
        self._catalogue = Catalogue(self._workspace.directory, self._answer, tools)
        self._hooks = HookPoints(agent, self._observe)
        self._inference = Inference(models, self._hooks, self._window, self._catalogue, self._observe)
        gate = Gate(self._blueprint, self._catalogue, self._window, self._approvals)
        self._turns = ToolTurns(self._hooks, gate, self._window, self._answer, self._workspace, self._observe)
        self._visits: Counter[str] = Counter()
        self._stage = self._blueprint.entry
        self.result: RunResult | None = None

    async def drive(self) -> RunResult:
        """From the entry stage to the end. Whoever cancels this gets the cancellation back, and `result` says "cancelled"."""
        started = RunStarted(
            self._blueprint.name, self._blueprint.version, self._inputs[TASK], str(self._workspace.directory.root)
        )
        try:
            self._observe(started)
            try:
                await self._run_stages()
            except StageHooksError as failure:
                await _let_a_cancellation_through()
                return self._fail(failure)
            await _let_a_cancellation_through()
            return self._complete()
        except (asyncio.CancelledError, KeyboardInterrupt):
            if self.result is None:
                self._end("cancelled")
            raise
        finally:
            self._workspace.close()

    # --- stages -----------------------------------------------------------------------------------------------------------

    async def _run_stages(self) -> None:
        stage: Stage | None = self._blueprint.entry
        while stage is not None:
            self._enter(stage)
            ended, why = await self._work(stage)
            edge = await self._leave(stage, ended, why)
            stage = self._blueprint.stage(edge.target) if edge is not None else None
        owing = [stage for stage in self._blueprint.stages if stage.require_output and self._visits[stage.name]]
        if owing and self._answer.content is None:
            raise RunFailed(OUTPUT_MISSING)

    def _enter(self, stage: Stage) -> None:
        self._stage = stage
        self._visits[stage.name] += 1
        self._observe(StageEntered(stage.name, stage.index, self._visits[stage.name]))
        self._approvals.start_stage()
        for region in self._window.lay_out(stage.regions):
            self._seed(region)
        if self._tally.totals.stages == 1 and self._inputs[TASK] and not self._has_task_region():
            self._window.say(UserMessage(self._inputs[TASK]))
        self._window.instruct(stage.system_prompt)
        self._hooks.regions(ON_STAGE_ENTER, stage, self._window)

    def _seed(self, region: Region) -> None:
        match region.layout.seed:
            case LiteralSeed(text):
                region.replace(cut(text, region.layout.max_tokens, SEED_CUT), Level.PUBLIC)
            case CallerSeed(key):
                region.replace(cut(self._inputs.get(key, ""), region.layout.max_tokens, SEED_CUT), Level.PUBLIC)
            case None:
                pass

    def _has_task_region(self) -> bool:
        seeds = [region.seed for stage in self._blueprint.stages for region in stage.regions]
        return CallerSeed(TASK) in seeds

    async def _work(self, stage: Stage) -> tuple[Ended, str]:
        """Turn after turn until the stage is over: how it ended, and why where that was an error."""
        nudges_left = stage.nudge.max if stage.nudge.enabled and stage.available_tools else 0
        output_nudges_left = OUTPUT_NUDGES if stage.require_output else 0
        for turn in count(1):
            if stage.max_iterations and turn > stage.max_iterations:
                return "max_iterations", ""
            await _let_a_cancellation_through()
            level = self._window.level
            try:
                reply = await self._inference.next_turn(stage)
            except ModelError as error:
                return "error", error.message
            if reply.tool_calls:
                nudges_left = 0
                await self._turns.take(stage, reply.text, reply.tool_calls, level)
                continue
            self._window.say(AssistantMessage(reply.text), level)
            if nudges_left:
                nudges_left -= 1
                self._nudge(stage, stage.nudge.text)
            elif output_nudges_left and self._answer.content is None:
                output_nudges_left -= 1
                self._nudge(stage, OUTPUT_NUDGE)
            else:
                break
        return "finished", ""

    def _nudge(self, stage: Stage, text: str) -> None:
        regions = ", ".join(region.name for region in stage.regions)
        said = text.replace("{stage}", stage.name).replace("{regions}", regions)
        self._window.say(UserMessage(f"[System] {said}"))
        self._observe(Nudged(stage.name, said))

    async def _leave(self, stage: Stage, ended: Ended, why: str) -> Transition | None:
        """The edge out of `stage`; None where the run is complete."""
        edges = edges_after(stage, ended, self._blueprint, self._visits)
        if ended == "error" and not edges:
            raise RunFailed(why)
        self._hooks.regions(ON_STAGE_EXIT, stage, self._window)
        if not edges and dead_end(stage):
            raise RunFailed(
                f"stage '{stage.name}' dead-ended: every declared transition's target has spent its max_revisits budget before "
                "an output or terminal stage was reached"
            )
        edge = await self._choose(stage, edges)
        self._observe(StageLeft(stage.name, ended, edge.target if edge is not None else None))
        if edge is not None and edge.transform == "clear":
            self._window.clear_stage_specific()
        return edge

    async def _choose(self, stage: Stage, edges: tuple[Transition, ...]) -> Transition | None:
        if len(edges) > 1 or (edges and stage.allow_complete):
            return await self._inference.choice(stage, edges)
        return edges[0] if edges else None

    # --- the end ----------------------------------------------------------------------------------------------------------

    def _complete(self) -> RunResult:
        try:
            self._answer.content = self._hooks.completion(self._stage, self._answer.content)
        except StageHooksError as failure:
            return self._end("error", failure.message, failure.hit_a_limit)
        return self._end("complete")

    def _fail(self, failure: StageHooksError) -> RunResult:
        self._observe(RunFailing(self._stage.name, failure.message))
        message, hit_a_limit = failure.message, failure.hit_a_limit
        try:
            message = self._hooks.error(self._stage, message)
        except StageHooksError as second:
            message, hit_a_limit = second.message, hit_a_limit or second.hit_a_limit
        return self._end("error", message, hit_a_limit)

    def _end(self, status: Status, error: str | None = None, hit_a_limit: bool = False) -> RunResult:
        output = self._answer.content if status == "complete" else None
        self.result = RunResult(status, output, error, self._tally.stages, self._tally.totals, hit_a_limit)
        self._observe(RunEnded(status, output, error, self._tally.totals))
        return self.result


async def run_agent(agent: Agent, **options: Unpack[RunOptions]) -> RunResult:
    """Drive `agent` to its end. SpawnError before anything ran; a cancellation passes through."""
    return await Run(agent, options).drive()


def run_agent_sync(agent: Agent, **options: Unpack[RunOptions]) -> RunResult:
    """As `run_agent`, for callers without an event loop. Ctrl-C gives a result with the status "cancelled"."""
    run = Run(agent, options)
    try:
        return asyncio.run(run.drive())
    except KeyboardInterrupt:
        if run.result is None:
            raise
        return run.result


async def _let_a_cancellation_through() -> None:
    # Models, hooks and tools need not wait for anything; here Ctrl-C always ends the run, and before a terminal hook fires.
    await asyncio.sleep(0)


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
