"""Tool routing: [stages.NAME.tool_routing], the regions that tool results go to and how much of them is kept."""

from typing import Final

from stagehooks.agent.blueprint import Route, ToolRouting
from stagehooks.agent.document import Table

ROUTING: Final = ("default_region", "persist", "max_result_tokens", "max_result_tokens_per_tool", "overrides")
ROUTE: Final = ("region", "max_result_tokens")
OTHER_NAMES: Final = {"bash": "shell"}
"""Tools that are known by another name as well."""


def read_tool_routing(stage: Table) -> ToolRouting | None:
    """What the stage says of its tool results; None where it says nothing: they stay in the conversation."""
    if "tool_routing" not in stage:
        return None
    table = stage.table("tool_routing")
    table.allow(ROUTING)
    usual = ToolRouting()
    return ToolRouting(
        default_region=table.text("default_region", usual.default_region),
        persist=table.flag("persist", usual.persist),
        max_result_tokens=table.optional_whole("max_result_tokens", at_least=1),
        overrides=_read_overrides(table),
    )


def _read_overrides(table: Table) -> tuple[Route, ...]:
    overrides = table.table("overrides")
    ceilings = table.table("max_result_tokens_per_tool")
    most = {OTHER_NAMES.get(tool, tool): ceilings.optional_whole(tool, at_least=1) for tool in ceilings}
    routes = {tool: Route(tool, max_result_tokens=ceiling) for tool, ceiling in most.items()}
    for name in overrides:
        tool = OTHER_NAMES.get(name, name)
        routes[tool] = _read_route(overrides, name, tool, most.get(tool))
    return tuple(routes.values())


def _read_route(overrides: Table, name: str, tool: str, ceiling: int | None) -> Route:
    if overrides.holds(name, str):
        return Route(tool, overrides.text(name), ceiling)
    if not overrides.holds(name, dict):
        text = f"{overrides.subject}: '{name}' must be a region, or a table, got: {overrides.shown(name)}"
        overrides.error(name, text, 'write { region = "...", max_result_tokens = 2000 }')
        return Route(tool)
    table = overrides.table(name)
    table.allow(ROUTE)
    own = table.optional_whole("max_result_tokens", at_least=1)
    return Route(tool, table.text("region"), ceiling if own is None else own)
