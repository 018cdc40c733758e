"""One turn of tool calls: the hook, then for each call that it left the gate and the tool, then the conversation."""

from typing import Final

from stagehooks.agent.blueprint import Stage
from stagehooks.gate.gate import Gate, Verdict
from stagehooks.models.protocol import AssistantMessage, ToolCall, ToolResult
from stagehooks.run.events import Observer, ToolCalled, Treated
from stagehooks.run.hooks import HookPoints
from stagehooks.run.points import ON_TOOL_CALL
from stagehooks.run.region import Entry, cut
from stagehooks.run.replacements import origins_of
from stagehooks.run.window import FINAL_OUTPUT, Window
from stagehooks.scripts.outcome import Json
from stagehooks.tools.answer import FinalAnswer
from stagehooks.tools.catalogue import run_tool
from stagehooks.tools.levels import Level
from stagehooks.tools.workspace import Workspace

CHANGED: Final = "[denied] The call was changed after it was judged."


class ToolTurns:
    """Takes the tool calls of one run through its hook, its gate and its tools."""

    def __init__(
        self, hooks: HookPoints, gate: Gate, window: Window, answer: FinalAnswer, workspace: Workspace, observe: Observer
    ) -> None:
        self._hooks = hooks
        self._gate = gate
        self._window = window
        self._answer = answer
        self._workspace = workspace
        self._observe = observe

    async def take(self, stage: Stage, text: str, calls: tuple[ToolCall, ...], level: Level) -> None:
        """The whole turn. `level` is how confidential what the model saw was, and so what it says."""
        answer = self._answer.content
        left = self._hooks.tool_calls(stage, calls)
        results = []
        for call, asked, treated in self._treated(stage, calls, left):
            if call is None:
                self._observe(ToolCalled(stage.name, asked.id, asked.name, asked.arguments, asked.arguments, treated))
            else:
                results.append(await self._make(stage, call, asked.arguments, treated))
        said = Entry(AssistantMessage(text, tuple(_with_arguments(call) for call in left)), level)
        self._window.record(said, results)
        if self._answer.content is not None and self._answer.content != answer:
            region = self._window.region(FINAL_OUTPUT.name)
            region.replace(cut(self._answer.content, region.layout.max_tokens), level)

    def _treated(
        self, stage: Stage, calls: tuple[ToolCall, ...], left: tuple[ToolCall, ...]
    ) -> list[tuple[ToolCall | None, ToolCall, Treated]]:
        """Every call with what was asked for and what the hook did to it; dropped ones (None) first."""
        if left is calls:
            treated: Treated = "allowed" if self._hooks.declared(ON_TOOL_CALL, stage) else "none"
            return [(call, call, treated) for call in calls]
        origins = origins_of(left, calls)
        found: list[tuple[ToolCall | None, ToolCall, Treated]] = [
            (None, call, "dropped") for call in calls if not any(origin is call for origin in origins)
        ]
        for call, origin in zip(left, origins, strict=True):
            if origin is None:
                found.append((call, call, "added"))
            else:
                found.append((call, origin, "allowed" if origin.arguments == call.arguments else "rewritten"))
        return found

    async def _make(self, stage: Stage, call: ToolCall, asked: Json, treated: Treated) -> Entry:
        """Judge `call`, make it if the verdict covers it, and tell what came of it."""
        verdict = await self._gate.judge(stage, call)
        level = Level.PUBLIC
        text, worked = verdict.refusal or CHANGED, False
        if verdict.tool is not None and verdict.covers(call):
            self._workspace.will_run(call.name)
            level = verdict.tool.sensitivity
            text, worked = await run_tool(verdict.tool, call)
        self._observe(_called(stage, call, asked, treated, verdict, text, worked))
        return Entry(ToolResult(call.id, call.name, text), level)


def _with_arguments(call: ToolCall) -> ToolCall:
    return ToolCall(call.id, call.name, {}) if call.arguments is None else call


def _called(stage: Stage, call: ToolCall, asked: Json, treated: Treated, verdict: Verdict, result: str, ok: bool) -> ToolCalled:
    return ToolCalled(
        stage=stage.name,
        id=call.id,
        name=call.name,
        arguments=call.arguments,
        asked=asked,
        hook=treated,
        offered=verdict.offered,
        schema=verdict.arguments,
        taint=verdict.taint,
        policy=verdict.policy,
        approval=verdict.approval,
        ok=ok,
        result=result,
    )
