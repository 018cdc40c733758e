"""The gate: what each layer says of a tool call, asked in order until one refuses.

Offered by the stage, arguments, taint, policy, approval. Everything a hook or a model produced comes through here; a verdict is
for one exact call and covers no other.
"""

from dataclasses import dataclass, replace

from stagehooks.agent.blueprint import Blueprint, Policy, Stage
from stagehooks.gate.approval import Answer, Approvals, Question, digest
from stagehooks.gate.policy import policy_for
from stagehooks.gate.taint import leak_of
from stagehooks.models.protocol import ToolCall
from stagehooks.run.window import Window
from stagehooks.tools.catalogue import Catalogue
from stagehooks.tools.tool import Tool


@dataclass(frozen=True, slots=True)
class Verdict:
    """What each layer said of the call with this fingerprint; None where it was not asked.

    `refusal` is what the model is told instead of a result, None where the call may be made.
    """

    fingerprint: str
    tool: Tool | None = None
    offered: bool = False
    arguments: str | None = None
    taint: str | None = None
    policy: Policy | None = None
    approval: str | None = None
    refusal: str | None = None

    def covers(self, call: ToolCall) -> bool:
        """May exactly this call be made?"""
        return self.refusal is None and self.tool is not None and self.fingerprint == digest(call)


class Gate:
    """The gate of one run."""

    def __init__(self, blueprint: Blueprint, catalogue: Catalogue, window: Window, approvals: Approvals) -> None:
        self._blueprint = blueprint
        self._catalogue = catalogue
        self._window = window
        self._approvals = approvals

    async def judge(self, stage: Stage, call: ToolCall) -> Verdict:
        """What is to become of `call`."""
        tools = {tool.name: tool for tool in self._catalogue.offered(stage)}
        verdict = Verdict(digest(call), tools.get(call.name), call.name in tools)
        if verdict.tool is None:
            return replace(verdict, refusal=_unavailable(call.name, tuple(tools)))
        violations = verdict.tool.violations(call.arguments)
        if violations:
            text = f"[error] invalid arguments for '{call.name}': {'; '.join(violations)}"
            return replace(verdict, arguments="invalid", refusal=text)
        verdict = await self._taint(stage, call, verdict.tool, replace(verdict, arguments="valid"))
        if verdict.refusal is not None:
            return verdict
        return await self._policy(stage, call, verdict.tool or tools[call.name], verdict)

    async def _taint(self, stage: Stage, call: ToolCall, tool: Tool, verdict: Verdict) -> Verdict:
        if not stage.taint_tracking:
            return replace(verdict, taint="off")
        leak = leak_of(tool, self._window)
        if leak is None:
            return replace(verdict, taint="clear")
        choices = (Answer.ONCE, Answer.RUN, Answer.DENY)
        answer = await self._approvals.ask(Question("taint", stage.name, call, leak.question(), choices))
        if answer is None:
            return replace(verdict, taint="blocked", refusal=leak.blocked())
        if answer is Answer.DENY:
            return replace(verdict, taint="blocked", refusal=leak.denied())
        return replace(verdict, taint="waived")

    async def _policy(self, stage: Stage, call: ToolCall, tool: Tool, verdict: Verdict) -> Verdict:
        verdict = replace(verdict, policy=policy_for(tool, stage, self._blueprint))
        if verdict.policy == "deny":
            return replace(verdict, refusal=f"[denied] Tool '{call.name}' is not permitted.")
        if verdict.policy == "allow":
            return verdict
        text = f"Stage '{stage.name}' wants to call '{call.name}'. Allow it?"
        answer = await self._approvals.ask(Question("policy", stage.name, call, text, tuple(Answer)))
        if answer is None:
            refusal = f"[denied] Tool '{call.name}' needs approval, and nobody was there to give it."
            return replace(verdict, approval="nobody", refusal=refusal)
        if answer is Answer.DENY:
            return replace(verdict, approval="deny", refusal=f"[denied] User declined tool call '{call.name}'.")
        return replace(verdict, approval=answer.value)


def _unavailable(name: str, offered: tuple[str, ...]) -> str:
    text = f"[unavailable] '{name}' is not available in this stage"
    if offered:
        return f"{text}. You may call: {', '.join(offered)}."
    return f"{text}, which has no tools at all. Answer directly instead of calling a tool."
