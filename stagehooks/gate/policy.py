"""What an agent may do without asking. Each layer can tighten what the one below it says, none can loosen it."""

from typing import Final

from stagehooks.agent.blueprint import Blueprint, Policy, Stage
from stagehooks.tools.tool import Tool

STRICTNESS: Final[tuple[Policy, ...]] = ("allow", "ask", "deny")


def policy_for(tool: Tool, stage: Stage, blueprint: Blueprint) -> Policy:
    """The strictest of the tool's own policy, the agent's and the stage's."""
    layers = (tool.policy, blueprint.tool_permissions.policy(tool.name), stage.tool_permissions.policy(tool.name))
    return max((layer for layer in layers if layer), key=STRICTNESS.index)
