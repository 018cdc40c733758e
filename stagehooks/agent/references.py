"""Regions and tools that the tables of an agent name.

A misspelt one would be a gate that never holds, a result that is lost, or a policy that nothing is held to.
"""

from collections.abc import Iterator
from typing import Final

from stagehooks.agent.blueprint import Blueprint, Permissions, Stage, Transition
from stagehooks.agent.document import Document, did_you_mean
from stagehooks.agent.lines import KeyPath
from stagehooks.agent.region import ToolSeed
from stagehooks.tools.catalogue import BUILT_IN

EVERYWHERE: Final = ("conversation", "tool_results", "final_output", "stage_instructions")
"""The regions that every stage has."""


def check_references(document: Document, blueprint: Blueprint) -> None:
    """Report every region and tool that is named and not there, and a checklist that is none."""
    offered = [tool for stage in blueprint.stages for tool in _callable(stage)]
    _check_policies(document, ("tool_permissions",), "tool_permissions", blueprint.tool_permissions, offered, "no stage offers")
    for stage in blueprint.stages:
        _check_tools(document, stage)
        known = [region.name for region in stage.regions] + list(EVERYWHERE)
        for path, what, name in _named(stage):
            if name not in known:
                fix = did_you_mean(name, known) or f"the stage has: {', '.join(known)}"
                text = f"Invalid stage '{stage.name}': {what} names region '{name}', which the stage does not have"
                document.report("error", "unknown-region", ("stages", stage.name, *path), text, fix)
        for edge in stage.transitions:
            _check_checklist(document, stage, edge)


def _named(stage: Stage) -> Iterator[tuple[KeyPath, str, str]]:
    """Every region that `stage` names: where, by what key, its name."""
    for edge in stage.transitions:
        if edge.gate is not None:
            path: KeyPath = ("transitions", edge.target, "gate")
            single = ("require_region_updated", "require_no_open_items", "region")
            values = (edge.gate.require_region_updated, edge.gate.require_no_open_items, edge.gate.region)
            named = [(key, value) for key, value in zip(single, values, strict=True) if value]
            for key, name in [*named, *(("require_regions", name) for name in edge.gate.require_regions)]:
                yield (*path, key), f"the gate to '{edge.target}': {key}", name
    if stage.tool_routing is not None:
        yield ("tool_routing", "default_region"), "tool_routing: default_region", stage.tool_routing.default_region
        for route in stage.tool_routing.overrides:
            if route.region:
                yield ("tool_routing", "overrides", route.tool), f"tool_routing: {route.tool}", route.region
    for place, point in enumerate(stage.interaction_points):
        if point.document_region:
            yield (
                ("interaction_points", place, "document_region"),
                f"interaction point '{point.name}': document_region",
                point.document_region,
            )


def _check_checklist(document: Document, stage: Stage, edge: Transition) -> None:
    named = edge.gate.require_no_open_items if edge.gate is not None else ""
    for region in stage.regions:
        if region.name == named and region.kind != "checklist":
            path = ("stages", stage.name, "transitions", edge.target, "gate", "require_no_open_items")
            text = f"Invalid stage '{stage.name}': require_no_open_items names region '{named}', which is no checklist"
            document.report("error", "no-checklist", path, text, f"write kind = \"checklist\" in region '{named}'")


def _callable(stage: Stage) -> list[str]:
    """The tools that the model of `stage`, or a seed of its regions, may call."""
    seeds = [region.seed for region in stage.regions if isinstance(region.seed, ToolSeed)]
    return [*stage.available_tools, *(call.tool for seed in seeds for call in seed.calls)]


def _check_tools(document: Document, stage: Stage) -> None:
    own = f"stage '{stage.name}': tool_permissions"
    path: KeyPath = ("stages", stage.name)
    _check_policies(
        document, (*path, "tool_permissions"), own, stage.tool_permissions, _callable(stage), "the stage does not offer"
    )
    for edge in stage.transitions:
        for tool in edge.gate.tools if edge.gate is not None else ():
            if tool not in stage.available_tools:
                text = (
                    f"stage '{stage.name}': the gate to '{edge.target}' counts calls of '{tool}', which the stage does not offer"
                )
                fix = did_you_mean(tool, stage.available_tools) or "name a tool of available_tools"
                place = (*path, "transitions", edge.target, "gate", "tools")
                document.report("warning", "unknown-tool", place, text, fix)


def _check_policies(document: Document, path: KeyPath, what: str, permissions: Permissions, tools: list[str], none: str) -> None:
    """Built-in tools may be named without being offered: their policies hold for scripts and seeds, too."""
    for entry in permissions.entries:
        if entry.tool not in tools and entry.tool not in BUILT_IN:
            text = f"{what}: there is a policy for '{entry.tool}', which {none}"
            fix = did_you_mean(entry.tool, [*tools, *BUILT_IN]) or "remove it, or offer the tool"
            document.report("warning", "unknown-tool", (*path, entry.tool), text, fix)
