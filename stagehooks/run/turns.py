"""One turn of tool calls: the hook, then for each call that it left the gate and the tool, then the conversation."""

from dataclasses import replace
from typing import Final

from stagehooks.agent.blueprint import Stage
from stagehooks.gate.gate import Gate, Verdict
from stagehooks.models.protocol import AssistantMessage, ToolCall, ToolResult
from stagehooks.run.batch import Treatment
from stagehooks.run.control import Control
from stagehooks.run.effects import Effects
from stagehooks.run.events import ToolCalled, ToolStarted
from stagehooks.run.hooks import HookPoints
from stagehooks.run.region import Entry, cut
from stagehooks.run.routing import route
from stagehooks.run.tally import Tally
from stagehooks.run.visit import Visit
from stagehooks.run.window import FINAL_OUTPUT, Window
from stagehooks.tools.answer import FinalAnswer
from stagehooks.tools.catalogue import run_tool
from stagehooks.tools.levels import Level
from stagehooks.tools.workspace import Workspace

CHANGED: Final = "[denied] The call was changed after it was judged."


class ToolTurns:
    """Takes the tool calls of one run through its hook, its gate and its tools."""

    def __init__(
        self,
        hooks: HookPoints,
        gate: Gate,
        window: Window,
        answer: FinalAnswer,
        workspace: Workspace,
        tally: Tally,
        effects: Effects,
        control: Control,
    ) -> None:
        self._hooks = hooks
        self._gate = gate
        self._window = window
        self._answer = answer
        self._workspace = workspace
        self._tally = tally
        self._effects = effects
        self._control = control

    async def take(self, visit: Visit, text: str, calls: tuple[ToolCall, ...], level: Level) -> None:
        """The whole turn, in this visit of a stage. `level` is how confidential what the model saw was, and so what it says."""
        stage, answer = visit.stage, self._answer.content
        batch = self._hooks.tool_calls(stage, calls)
        judged = [item.left for item in batch if item.left is not None and item.denial is None]
        verdicts = dict(zip(map(id, judged), await self._gate.judge(stage, judged), strict=True))
        results = []
        for item in batch:
            if item.left is None or item.denial is not None:
                self._tally.take(_unjudged(stage, item))
            if item.left is not None:
                result = await self._result(visit, item, item.left, verdicts.get(id(item.left)))
                # A result may repeat its arguments, which the model made of all that it saw.
                results.append(replace(result, level=max(result.level, level)))
        left = tuple([_with_arguments(item.left) for item in batch if item.left is not None])
        said = Entry(AssistantMessage(text, left), level)
        self._window.record(said, [route(stage, self._window, result) for result in results])
        if self._answer.content != answer:
            mirror(self._answer, self._window, level)

    async def _result(self, visit: Visit, item: Treatment, call: ToolCall, verdict: Verdict | None) -> Entry:
        """Make `call` if the verdict covers it, and tell what came of it. Without a verdict the hook refused it."""
        if verdict is None:
            return Entry(ToolResult(call.id, call.name, _denial(item)), Level.PUBLIC)
        await self._control.checkpoint()
        stage = visit.stage
        level = Level.PUBLIC
        text, worked = verdict.refusal or CHANGED, False
        if verdict.tool is not None and verdict.covers(call):
            self._tally.tell(ToolStarted(stage.name, call.id, call.name))
            self._workspace.will_run(verdict.tool)
            level = self._window.level if verdict.tool.reads_context else verdict.tool.sensitivity
            text, worked = await self._effects.tool(verdict.tool, call, run_tool)
        called = _called(stage, call, item, verdict, text, worked)
        visit.made(called)
        self._tally.take(called)
        return Entry(ToolResult(call.id, call.name, text), level)


def mirror(answer: FinalAnswer, window: Window, level: Level) -> None:
    """Put the final answer into its region, cut where it is too long."""
    if answer.content is not None:
        region = window.region(FINAL_OUTPUT.name)
        region.replace(cut(answer.content, region.layout.max_tokens), level)


def _with_arguments(call: ToolCall) -> ToolCall:
    return ToolCall(call.id, call.name, {}) if call.arguments is None else call


def _denial(item: Treatment) -> str:
    return f"[denied] {item.denial}"


def _unjudged(stage: Stage, item: Treatment) -> ToolCalled:
    """A call that the hook dropped or refused."""
    call = item.left or item.asked
    said = "" if item.denial is None else _denial(item)
    return ToolCalled(stage.name, call.id, call.name, call.arguments, item.asked.arguments, item.treated, result=said)


def _called(stage: Stage, call: ToolCall, item: Treatment, verdict: Verdict, result: str, ok: bool) -> ToolCalled:
    return ToolCalled(
        stage=stage.name,
        id=call.id,
        name=call.name,
        arguments=call.arguments,
        asked=item.asked.arguments,
        hook=item.treated,
        offered=verdict.offered,
        schema=verdict.arguments,
        taint=verdict.taint,
        policy=verdict.policy,
        approval=verdict.approval,
        ok=ok,
        result=result,
    )
