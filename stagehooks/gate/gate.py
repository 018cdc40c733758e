"""The gate: what each layer says of a tool call, asked in order until one refuses.

Offered by the stage, arguments, taint, policy, approval. Everything a hook or a model produced comes through here; a verdict is
for one exact call and covers no other. All calls of a batch are judged, and asked about, before any of them is made.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from stagehooks.agent.blueprint import Blueprint, Policy, Stage
from stagehooks.gate.approval import Answer, Approvals, Question, digest
from stagehooks.gate.passes import Passes
from stagehooks.gate.policy import policy_for
from stagehooks.gate.taint import Leak, leak_of
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


@dataclass(frozen=True, slots=True)
class _Examined:
    """What is known of a call before anybody is asked: the questions are what is left open, with the leak of the first kind."""

    verdict: Verdict
    leak: Leak | None = None
    questions: tuple[Question, ...] = ()


class Gate:
    """The gate of one run. `allowed` are tools that whoever started the run need not be asked about."""

    def __init__(
        self,
        blueprint: Blueprint,
        catalogue: Catalogue,
        window: Window,
        approvals: Approvals,
        passes: Passes,
        allowed: AbstractSet[str] = frozenset(),
    ) -> None:
        self._blueprint = blueprint
        self._catalogue = catalogue
        self._window = window
        self._approvals = approvals
        self._passes = passes
        self._allowed = allowed

    async def judge(self, stage: Stage, calls: Sequence[ToolCall]) -> list[Verdict]:
        """What is to become of each of `calls`."""
        tools = {tool.name: tool for tool in self._catalogue.offered(stage)}
        examined = [self._examine(stage, tools, call) for call in calls]
        self._approvals.expect(question for item in examined for question in item.questions)
        return [await self._settle(item) for item in examined]

    def _examine(self, stage: Stage, tools: dict[str, Tool], call: ToolCall) -> _Examined:
        tool = tools.get(call.name)
        verdict = Verdict(digest(call), tool, tool is not None)
        if tool is None:
            return _Examined(replace(verdict, refusal=_unavailable(call.name, tuple(tools))))
        violations = tool.violations(call.arguments)
        if violations:
            text = f"[error] invalid arguments for '{call.name}': {'; '.join(violations)}"
            return _Examined(replace(verdict, arguments="invalid", refusal=text))
        policy = policy_for(tool, stage, self._blueprint, self._allowed)
        verdict = replace(verdict, arguments="valid")
        if policy == "deny":
            # Before the taint gate: nobody is asked about a call that cannot be made, and no rule lets it pass.
            return _Examined(replace(verdict, policy=policy, refusal=f"[denied] Tool '{call.name}' is not permitted."))
        taint, leak = self._taint(stage, tool, call)
        questions = (*self._about_leak(stage, call, leak), *_about_policy(stage, call, policy))
        return _Examined(replace(verdict, taint=taint, policy=policy), leak, questions)

    def _taint(self, stage: Stage, tool: Tool, call: ToolCall) -> tuple[str, Leak | None]:
        if not stage.taint_tracking:
            return "off", None
        leak = leak_of(tool, self._window)
        if leak is None:
            return "clear", None
        passed = self._passes.permit(tool, call, leak.level)
        return ("blocked", leak) if passed is None else (passed, None)

    def _about_leak(self, stage: Stage, call: ToolCall, leak: Leak | None) -> tuple[Question, ...]:
        choices = (Answer.ONCE, Answer.RUN, Answer.DENY)
        return () if leak is None else (Question("taint", stage.name, call, leak.question(), choices),)

    async def _settle(self, item: _Examined) -> Verdict:
        verdict = item.verdict
        for question in item.questions:
            answer = await self._approvals.ask(question)
            if question.kind == "taint" and item.leak is not None:
                verdict = _after_leak(verdict, item.leak, answer)
            else:
                verdict = _after_policy(verdict, question.call.name, answer)
            if verdict.refusal is not None:
                break
        return verdict


def _about_policy(stage: Stage, call: ToolCall, policy: Policy) -> tuple[Question, ...]:
    text = f"Stage '{stage.name}' wants to call '{call.name}'. Allow it?"
    return (Question("policy", stage.name, call, text, tuple(Answer)),) if policy == "ask" else ()


def _after_leak(verdict: Verdict, leak: Leak, answer: Answer | None) -> Verdict:
    if answer is None:
        return replace(verdict, policy=None, refusal=leak.blocked())
    if answer is Answer.DENY:
        return replace(verdict, policy=None, refusal=leak.denied())
    return replace(verdict, taint="waived")


def _after_policy(verdict: Verdict, name: str, answer: Answer | None) -> Verdict:
    if answer is None:
        refusal = f"[denied] Tool '{name}' needs approval, and nobody was there to give it."
        return replace(verdict, approval="nobody", refusal=refusal)
    if answer is Answer.DENY:
        return replace(verdict, approval="deny", refusal=f"[denied] User declined tool call '{name}'.")
    return replace(verdict, approval=answer.value)


def _unavailable(name: str, offered: tuple[str, ...]) -> str:
    text = f"[unavailable] '{name}' is not available in this stage"
    if offered:
        return f"{text}. You may call: {', '.join(offered)}."
    return f"{text}, which has no tools at all. Answer directly instead of calling a tool."
