"""A tool and a blueprint for the tests of the gate."""

from stagehooks.agent.blueprint import Blueprint, Permission, Permissions, Stage
from stagehooks.tools.tool import Parameter, Tool


def a_tool(name: str = "send", policy: str = "allow", **more: object) -> Tool:
    return Tool(name, "Sends.", (Parameter("text"),), lambda text: f"sent {text}", policy=policy, **more)


def blueprint_with(agent: str | None, stage_says: str | None) -> tuple[Blueprint, Stage]:
    def table(policy: str | None) -> Permissions:
        return Permissions((Permission("send", policy),) if policy else ())

    one = Stage("main", 0, tool_permissions=table(stage_says))
    return Blueprint("test", "1", "", (one,), "main", True, tool_permissions=table(agent)), one
