"""stagehooks: hooks at seven points of an agent's life, written in Rhai.

script = stagehooks.compile("guard.rhai", source, wanted=["on_tool_call"])
outcome = stagehooks.run(script, "on_tool_call", {"tool_calls": [...]})   # Allow() | Modify(value) | Cancel(reason) | Retry()

agent = stagehooks.load("examples/planner")   # everything read, checked and compiled, or SpawnError
result = stagehooks.run_agent_sync(agent, task="...")
"""

from stagehooks.agent.spawn import Agent, load
from stagehooks.errors import (
    AnswerError,
    BlueprintError,
    CompilationError,
    ContextError,
    ExecutionError,
    HookError,
    SpawnError,
    StageHooksError,
    ValidationError,
)
from stagehooks.run.lifecycle import run_agent, run_agent_sync
from stagehooks.scripts.outcome import HOOK_NAMES, Allow, Cancel, HookOutcome, Modify, Retry
from stagehooks.scripts.stage_hook import HookCall, HookScript, call, compile, run

__all__ = [
    "HOOK_NAMES", "Agent", "Allow", "AnswerError", "BlueprintError", "Cancel", "CompilationError", "ContextError",
    "ExecutionError", "HookCall", "HookError", "HookOutcome", "HookScript", "Modify", "Retry", "SpawnError", "StageHooksError",
    "ValidationError", "call", "compile", "load", "run", "run_agent", "run_agent_sync",
]  # fmt: skip
