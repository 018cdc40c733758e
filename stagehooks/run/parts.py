"""What a run is made of: every part of it, made once and handed to the others that need it."""

from collections.abc import Callable, Mapping

from stagehooks.agent.blueprint import Policy, Stage
from stagehooks.agent.spawn import Agent
from stagehooks.gate.approval import Answer, Approvals, Ask, Question
from stagehooks.gate.gate import Gate
from stagehooks.gate.passes import Passes
from stagehooks.gate.policy import policy_for
from stagehooks.models.choice import models_of
from stagehooks.run.context_tools import context_tools
from stagehooks.run.control import Clock, Control, patient
from stagehooks.run.effects import Direct, Effects
from stagehooks.run.given import Given
from stagehooks.run.hooks import HookPoints
from stagehooks.run.inference import Inference
from stagehooks.run.interaction import InteractionPoints
from stagehooks.run.leave import Leave
from stagehooks.run.leaving import Leaving
from stagehooks.run.options import RunOptions
from stagehooks.run.seeding import Seeding
from stagehooks.run.stages import Visits
from stagehooks.run.tally import Tally
from stagehooks.run.turns import ToolTurns
from stagehooks.run.upkeep import Upkeep
from stagehooks.run.window import Window
from stagehooks.run.work import Work
from stagehooks.tools.answer import FinalAnswer
from stagehooks.tools.catalogue import Catalogue, check_tools
from stagehooks.tools.host import Access
from stagehooks.tools.output_check import OutputCheck
from stagehooks.tools.script_tools import ScriptTools
from stagehooks.tools.tool import Tool
from stagehooks.tools.workspace import Workspace

Warn = Callable[[str], None]


class Parts:
    """The parts of one run of `agent`. SpawnError where one cannot be had; nothing has run by then."""

    def __init__(
        self,
        agent: Agent,
        inputs: Mapping[str, str],
        options: RunOptions,
        given: Given,
        effects: Effects | None,
        control: Control,
        warn: Warn,
    ) -> None:
        blueprint = agent.blueprint
        models = models_of(agent, options.get("model"), tell=lambda trouble: self.tally.tell(trouble))
        tools = tuple(options.get("tools", ()))
        check_tools(blueprint.stages, tools, [script.name for script in agent.beside.tools])
        store = options.get("store")
        self.effects: Effects = effects or (store.new_run() if store is not None else Direct())
        self.tally = Tally(options.get("observe"), self.effects)
        self.clock = Clock()
        self.visits = Visits(blueprint)
        self.window = _window(agent, warn, self.tally)
        self.answer = _answer(agent, warn)
        self.workspace = Workspace(agent.directory, options.get("workdir"), self.effects.workdir)
        allowed = Leave(given.allow, self.effects)
        self.catalogue = self._catalogue(agent, tools, given, allowed)
        self.approvals = self._approvals(options, given)
        self.hooks = HookPoints(agent, self.tally, self.effects)
        inference = Inference(models, self.hooks, self.window, self.catalogue, self.tally, self.effects, control)
        gate = Gate(blueprint, self.catalogue, self.window, self.approvals, Passes(agent.beside, warn), allowed)
        turns = ToolTurns(self.hooks, gate, self.window, self.answer, self.workspace, self.tally, self.effects, control)
        self.upkeep = Upkeep(self.window, inference, blueprint.compaction, self.tally)
        self.work = Work(inference, turns, self.upkeep, self.window, self.answer, self.visits, self.tally, self.effects)
        workdir = self.workspace.directory
        self.seeding = Seeding(blueprint, inputs, workdir, self.catalogue, self.window, self.effects, self.tally, allowed)
        points = self._points(options, given)
        self.leaving = Leaving(self.hooks, inference, points, self.window, self.visits, self.tally)

    def _catalogue(self, agent: Agent, tools: tuple[Tool, ...], given: Given, allowed: Leave) -> Catalogue:
        def policy(tool: Tool, stage: Stage) -> Policy:
            return policy_for(tool, stage, agent.blueprint, allowed)

        access = Access(frozenset(given.allow_variables), given.allow_local_network)
        scripts = ScriptTools(agent.beside.tools, agent.blueprint.script_permissions, access, policy)
        return Catalogue(self.workspace.directory, self.answer, (*context_tools(self.window), *tools), scripts)

    def _approvals(self, options: RunOptions, given: Given) -> Approvals:
        async def through(question: Question, ask: Ask) -> Answer | None:
            return await self.effects.approval(question, patient(ask, self.clock, given.patience, None))

        return Approvals(options.get("approve"), through)

    def _points(self, options: RunOptions, given: Given) -> InteractionPoints:
        interact = options.get("interact")
        person = patient(interact, self.clock, given.patience, None) if interact is not None else None
        return InteractionPoints(person, given.unattended, self.window, self.tally, self.effects)


def _window(agent: Agent, warn: Warn, tally: Tally) -> Window:
    scripts = {entry.path: entry.script for entry in agent.region_scripts}
    return Window((stage.prompt for stage in agent.blueprint.stages), scripts, warn, tally.spend)


def _answer(agent: Agent, warn: Warn) -> FinalAnswer:
    stages = agent.blueprint.stages
    checks = {stage.name: OutputCheck(stage.output, agent.validator_for(stage), warn) for stage in stages}
    return FinalAnswer((stage.name for stage in stages), checks)
