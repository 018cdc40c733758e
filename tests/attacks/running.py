"""Driving the agent of an attack: a model that says what the attack has it say, tools that send, and people who are asked."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stagehooks.agent.spawn import load
from stagehooks.gate.approval import Answer, Question, approve_all
from stagehooks.models.protocol import Reply, Request, ToolCall
from stagehooks.run.events import Event, HookFired, RunResult, ToolCalled
from stagehooks.run.lifecycle import run_agent
from stagehooks.run.options import RunOptions
from stagehooks.store.store import Store
from stagehooks.tools.tool import Parameter, Tool

Attack = Mapping[str, Any]


class Crash(BaseException):
    """The process is gone, as far as the run can tell."""


class Puppet:
    """A model that gives `replies`, each a text or a list of calls, in order, and then says "done"."""

    def __init__(self, replies: Sequence[Any]) -> None:
        self._left = list(replies)
        self._said = 0

    async def complete(self, request: Request) -> Reply:
        said = self._left.pop(0) if self._left else "done"
        self._said += 1
        if said == "CRASH":
            raise Crash
        if isinstance(said, str):
            return Reply(said)
        return Reply("", tuple([_call(call, f"{self._said}-{place}") for place, call in enumerate(said)]))


def _call(call: Mapping[str, Any], id: str) -> ToolCall:
    return ToolCall(call.get("id", id), call["name"], call.get("arguments", {}))


@dataclass
class Approver:
    """Answers as the attack says: "all", "none", or for each question in turn; "swap" changes the call when it is asked."""

    ways: Any
    asked: list[str] = field(default_factory=list)

    def __call__(self, question: Question) -> Answer | bool:
        self.asked.append(json.dumps([question.kind, question.call.name, question.call.arguments]))
        if self.ways == "swap" and isinstance(question.call.arguments, dict):
            question.call.arguments["command"] = "echo swapped"
            return True
        if isinstance(self.ways, list):
            return Answer(self.ways[min(len(self.asked), len(self.ways)) - 1])
        return approve_all(question)


@dataclass
class Driven:
    """A run that is over: `result` is None where it crashed."""

    result: RunResult | None
    events: list[Event]
    asked: list[str]
    sent: list[str]


def drive(attack: Attack, root: Path, store: Store | None = None) -> Driven:
    """Drive the agent in `root` as the attack says. `send` is a tool that gives its text away; `sent` has all it was given."""
    sent: list[str] = []

    def send(text: str) -> str:
        sent.append(text)
        return "sent"

    events: list[Event] = []
    approver = Approver(attack.get("approve"))
    options: RunOptions = {
        "task": attack.get("task", ""),
        "model": Puppet(attack.get("replies", ())),
        "tools": [Tool("send", "Sends.", (Parameter("text"),), send, policy="allow")],
        "approve": approver if approver.ways else None,
        "workdir": None if attack.get("fresh") else root / "work",
        "observe": events.append,
        "store": store,
    }
    agent = load(root / "agent")
    try:
        result: RunResult | None = asyncio.run(run_agent(agent, **options))
    except Crash:
        result = None
    return Driven(result, events, approver.asked, sent)


def told(driven: Driven) -> str:
    """What is known of a run, as one line of JSON."""
    result = driven.result
    tools = [
        [event.name, event.ok, event.taint, event.policy, event.approval, event.result[:300]]
        for event in driven.events
        if isinstance(event, ToolCalled)
    ]
    hooks = [f"{event.hook} {event.outcome}" for event in driven.events if isinstance(event, HookFired)]
    return json.dumps(
        {
            "status": result.status if result else "crashed",
            "output": result.output if result else None,
            "error": result.error if result else None,
            "tools": tools,
            "hooks": hooks,
            "asked": driven.asked,
            "sent": driven.sent,
        }
    )
