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

Kept in a store, so that a run whose process was killed goes on where it was:

    store = stagehooks.Store("runs.db")
    result = stagehooks.run_agent_sync(agent, task="...", store=store)
    stagehooks.resume_run_sync(store, "3f0a")                                 # the id of an interrupted run, or how it begins

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
    StoreError,
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
    ModelTroubled,
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
    Abandoned,
    EdgeHeld,
    Event,
    HookFired,
    ModelAsked,
    ModelReplied,
    Nudged,
    Observer,
    PointAnswered,
    PointAsked,
    RegionChanged,
    RunContinued,
    RunEnded,
    RunFailing,
    RunPaused,
    RunResult,
    RunResumed,
    RunStarted,
    StageEntered,
    StageLeft,
    ToolCalled,
    ToolStarted,
    Totals,
    Warned,
)
from stagehooks.run.interaction import Interaction, Interactor
from stagehooks.run.lifecycle import Run, run_agent, run_agent_sync
from stagehooks.run.options import RunOptions
from stagehooks.scripts.outcome import HOOK_NAMES, Allow, Cancel, HookOutcome, Json, Modify, Retry
from stagehooks.scripts.stage_hook import HookCall, HookScript, call, compile, run
from stagehooks.store.resume import resume_run, resume_run_sync
from stagehooks.store.store import Store
from stagehooks.tools.levels import Level
from stagehooks.tools.tool import Parameter, Tool, ToolError, tool

__all__ = [
    "HOOK_NAMES", "Abandoned", "Agent", "Allow", "Answer", "AnswerError", "Approver", "AssistantMessage", "BlueprintError",
    "Cancel", "CompilationError", "ContextError", "EdgeHeld", "Event", "ExecutionError", "HookCall", "HookError", "HookFired",
    "HookOutcome", "HookScript", "Interaction", "Interactor", "Json", "Level", "Message", "Model", "ModelAsked", "ModelError",
    "ModelReplied", "ModelTroubled", "Modify", "Nudged", "Observer", "Parameter", "PointAnswered", "PointAsked", "Question",
    "RegionChanged", "Reply", "Request", "Retry", "Run", "RunContinued", "RunEnded", "RunFailed", "RunFailing", "RunOptions",
    "RunPaused", "RunResult", "RunResumed", "RunStarted", "ScriptedModel", "ScriptedReply", "SpawnError", "StageEntered",
    "StageHooksError", "StageLeft", "Store", "StoreError", "Tool", "ToolCall", "ToolCalled", "ToolError", "ToolOffer",
    "ToolResult", "ToolResults", "ToolStarted", "Totals", "TransientError", "UsageError", "UserMessage", "ValidationError",
    "Warned", "WindowError", "approve_all", "call", "compile", "deny_all", "load", "resume_run", "resume_run_sync", "run",
    "run_agent", "run_agent_sync", "tool",
]  # fmt: skip
