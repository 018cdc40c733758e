"""What `stagehooks` exports, for type checkers; `__init__` has the same names, each loaded when it is first used."""

from stagehooks.agent.output import OutputSpec
from stagehooks.agent.spawn import Agent, load
from stagehooks.errors import (
    AnswerError,
    BlueprintError,
    CompilationError,
    ContextError,
    ExecutionError,
    HookError,
    IsolationError,
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
from stagehooks.scripts.isolated import call_isolated, run_isolated
from stagehooks.scripts.outcome import HOOK_NAMES, Allow, Cancel, HookOutcome, Json, Modify, Retry
from stagehooks.scripts.stage_hook import HookCall, HookScript, call, compile, run
from stagehooks.store.resume import resume_run, resume_run_sync
from stagehooks.store.store import Store
from stagehooks.tools.levels import Level
from stagehooks.tools.tool import Parameter, Tool, ToolError, tool

__all__ = [
    "HOOK_NAMES", "Abandoned", "Agent", "Allow", "Answer", "AnswerError", "Approver", "AssistantMessage", "BlueprintError",
    "Cancel", "CompilationError", "ContextError", "EdgeHeld", "Event", "ExecutionError", "HookCall", "HookError",
    "HookFired", "HookOutcome", "HookScript", "Interaction", "Interactor", "IsolationError", "Json", "Level", "Message",
    "Model", "ModelAsked", "ModelError", "ModelReplied", "ModelTroubled", "Modify", "Nudged", "Observer", "OutputSpec",
    "Parameter", "PointAnswered", "PointAsked", "Question", "RegionChanged", "Reply", "Request", "Retry", "Run",
    "RunContinued", "RunEnded", "RunFailed", "RunFailing", "RunOptions", "RunPaused", "RunResult", "RunResumed",
    "RunStarted", "ScriptedModel", "ScriptedReply", "SpawnError", "StageEntered", "StageHooksError", "StageLeft", "Store",
    "StoreError", "Tool", "ToolCall", "ToolCalled", "ToolError", "ToolOffer", "ToolResult", "ToolResults", "ToolStarted",
    "Totals", "TransientError", "UsageError", "UserMessage", "ValidationError", "Warned", "WindowError", "approve_all",
    "call", "call_isolated", "compile", "deny_all", "load", "resume_run", "resume_run_sync", "run", "run_agent",
    "run_agent_sync", "run_isolated", "tool",
]  # fmt: skip
