"""stagehooks: hooks at seven points of an agent's life, written in Rhai, and a runtime that drives agents through them.

One hook, called once:

    script = stagehooks.compile("guard.rhai", source, wanted=["on_tool_call"])
    outcome = stagehooks.run(script, "on_tool_call", {"tool_calls": [...]})   # Allow() | Modify(value) | Cancel(reason) | Retry()
    outcome = stagehooks.run_isolated(script, "on_tool_call", {...})          # the same, in a process of its own

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

from importlib import import_module

_HOMES = {
    "agent.output": ("OutputSpec",),
    "agent.spawn": ("Agent", "load"),
    "errors": (
        "AnswerError", "BlueprintError", "CompilationError", "ContextError", "ExecutionError", "HookError",
        "IsolationError", "ModelError", "RunFailed", "SpawnError", "StageHooksError", "StoreError", "TransientError",
        "UsageError", "ValidationError", "WindowError",
    ),
    "gate.approval": ("Answer", "Approver", "Question", "approve_all", "deny_all"),
    "models.protocol": (
        "AssistantMessage", "Message", "Model", "ModelTroubled", "Reply", "Request", "ToolCall", "ToolOffer",
        "ToolResult", "ToolResults", "UserMessage",
    ),
    "models.scripted": ("ScriptedModel", "ScriptedReply"),
    "run.events": (
        "Abandoned", "EdgeHeld", "Event", "HookFired", "ModelAsked", "ModelReplied", "Nudged", "Observer",
        "PointAnswered", "PointAsked", "RegionChanged", "RunContinued", "RunEnded", "RunFailing", "RunPaused",
        "RunResult", "RunResumed", "RunStarted", "StageEntered", "StageLeft", "ToolCalled", "ToolStarted", "Totals",
        "Warned",
    ),
    "run.interaction": ("Interaction", "Interactor"),
    "run.lifecycle": ("Run", "run_agent", "run_agent_sync"),
    "run.options": ("RunOptions",),
    "scripts.isolated": ("call_isolated", "run_isolated"),
    "scripts.outcome": ("HOOK_NAMES", "Allow", "Cancel", "HookOutcome", "Json", "Modify", "Retry"),
    "scripts.stage_hook": ("HookCall", "HookScript", "call", "compile", "run"),
    "store.resume": ("resume_run", "resume_run_sync"),
    "store.store": ("Store",),
    "tools.levels": ("Level",),
    "tools.tool": ("Parameter", "Tool", "ToolError", "tool"),
}  # fmt: skip
"""Where the names are. Each is loaded when it is first used: who calls one hook does not load the runtime of agents."""

_HOME = {name: f"stagehooks.{module}" for module, names in _HOMES.items() for name in names}

import_module("stagehooks.run")
del globals()["run"]  # the package of that name; the function `run` is what the name stands for

__all__ = [*_HOME]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'stagehooks' has no attribute '{name}'")
    found = globals()[name] = getattr(import_module(_HOME[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
