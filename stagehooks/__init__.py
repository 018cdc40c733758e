"""stagehooks: hooks at seven points of an agent's life, written in Rhai, and a runtime that drives agents through them.

One hook, called once:

    script = stagehooks.compile("guard.rhai", source, wanted=["on_tool_call"])
    outcome = stagehooks.run(script, "on_tool_call", {"tool_calls": [...]})   # Allow() | Modify(value) | Cancel(reason) | Retry()

A whole agent, everything of it read, checked and compiled before it runs (or SpawnError):

    agent = stagehooks.load("examples/planner")
    result = stagehooks.run_agent_sync(agent, task="...")                     # or: await stagehooks.run_agent(agent, ...)
    print(result.status, result.output or result.error)

With tools, a model, approvals and an observer of one's own:

    @stagehooks.tool
    def ticket(number: int) -> str:
        "The text of a ticket."
        return TICKETS[number]

    def approve(question: stagehooks.Question) -> bool:
        return question.call.name == "ticket"

    stagehooks.run_agent_sync(agent, tools=[ticket], model=MyModel(), approve=approve, observe=print)

What a script does wrong is a HookError; everything that is raised here is a StageHooksError (`errors` draws the tree).
"""

from stagehooks.agent.spawn import Agent, load
from stagehooks.errors import (
    AnswerError,
    BlueprintError,
    CompilationError,
    ContextError,
    ExecutionError,
    HookError,
    ModelError,
    RunFailed,
    SpawnError,
    StageHooksError,
    TransientError,
    UsageError,
    ValidationError,
    WindowError,
)
from stagehooks.gate.approval import Answer, Approver, Question, approve_all, deny_all
from stagehooks.models.protocol import (
    AssistantMessage,
    Message,
    Model,
    Reply,
    Request,
    ToolCall,
    ToolOffer,
    ToolResult,
    ToolResults,
    UserMessage,
)
from stagehooks.models.scripted import ScriptedModel, ScriptedReply
from stagehooks.run.events import (
    Event,
    HookFired,
    ModelReplied,
    Nudged,
    Observer,
    RunEnded,
    RunFailing,
    RunResult,
    RunStarted,
    StageEntered,
    StageLeft,
    ToolCalled,
    Totals,
)
from stagehooks.run.lifecycle import run_agent, run_agent_sync
from stagehooks.scripts.outcome import HOOK_NAMES, Allow, Cancel, HookOutcome, Json, Modify, Retry
from stagehooks.scripts.stage_hook import HookCall, HookScript, call, compile, run
from stagehooks.tools.levels import Level
from stagehooks.tools.tool import Parameter, Tool, ToolError, tool

__all__ = [
    "HOOK_NAMES", "Agent", "Allow", "Answer", "AnswerError", "Approver", "AssistantMessage", "BlueprintError", "Cancel",
    "CompilationError", "ContextError", "Event", "ExecutionError", "HookCall", "HookError", "HookFired", "HookOutcome",
    "HookScript", "Json", "Level", "Message", "Model", "ModelError", "ModelReplied", "Modify", "Nudged", "Observer",
    "Parameter", "Question", "Reply", "Request", "Retry", "RunEnded", "RunFailed", "RunFailing", "RunResult", "RunStarted",
    "ScriptedModel", "ScriptedReply", "SpawnError", "StageEntered", "StageHooksError", "StageLeft", "Tool", "ToolCall",
    "ToolCalled", "ToolError", "ToolOffer", "ToolResult", "ToolResults", "Totals", "TransientError", "UsageError", "UserMessage",
    "ValidationError", "WindowError", "approve_all", "call", "compile", "deny_all", "load", "run", "run_agent",
    "run_agent_sync", "tool",
]  # fmt: skip
