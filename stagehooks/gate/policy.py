"""What an agent may do without asking. Each layer of the agent can tighten what the one below it says, none can loosen it.

Only whoever starts a run can turn an "ask" into an "allow", by the tool's name; a "deny" stays one.
"""

from collections.abc import Set as AbstractSet
from typing import Final

from stagehooks.agent.blueprint import Blueprint, Policy, Stage
from stagehooks.tools.tool import Tool

STRICTNESS: Final[tuple[Policy, ...]] = ("allow", "ask", "deny")


def policy_for(tool: Tool, stage: Stage, blueprint: Blueprint, allowed: AbstractSet[str] = frozenset()) -> Policy:
    """The strictest of the tool's own policy, the agent's and the stage's. `allowed` are tools that need not be asked for."""
    layers = (tool.policy, blueprint.tool_permissions.policy(tool.name), stage.tool_permissions.policy(tool.name))
    strictest = max((layer for layer in layers if layer), key=STRICTNESS.index)
    return "allow" if strictest == "ask" and tool.name in allowed else strictest
