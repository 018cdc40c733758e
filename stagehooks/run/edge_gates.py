"""The gates on edges: is there something to show before a stage is left for another?"""

from typing import Final

from stagehooks.agent.blueprint import EdgeGate, Stage, Transition
from stagehooks.run.visit import EDITING, Visit
from stagehooks.run.window import Window

NO_MODIFICATIONS: Final = (
    "No file modifications were recorded in this stage, and what a shell command changes is not seen. "
    "Make the changes with write_file before moving on."
)


def why_shut(edge: Transition, visit: Visit, window: Window) -> str:
    """What the stage is told when `edge` may not be taken yet; empty where it may."""
    gate = edge.gate
    if gate is None:
        return ""
    lacking = _lacking(gate, visit, window)
    return (gate.message or lacking) if lacking else ""


def _lacking(gate: EdgeGate, visit: Visit, window: Window) -> str:
    updated = gate.require_region_updated
    if updated and not visit.changed(updated, window):
        return f"The region '{updated}' is as it was when this stage began. Revise it before moving on."
    if gate.require_no_open_items:
        region = window.region(gate.require_no_open_items)
        items = [entry for entry in region.entries if not entry.done]
        if items:
            listed = "; ".join(f"{item.key} {item.content.text}" for item in items)
            return f"There are open items in '{gate.require_no_open_items}': {listed}. Finish them before moving on."
    missing = [name for name in gate.require_regions if not window.region(name).entries]
    if missing:
        return f"This stage is not finished: there is nothing yet in {_quoted(missing)}. Later stages read what belongs there."
    if gate.require_modifications and not _modified(gate, visit, window):
        return NO_MODIFICATIONS
    return ""


def _modified(gate: EdgeGate, visit: Visit, window: Window) -> bool:
    """Did the stage change a file, or try to and was not let, or can it not at all? Or does the gate's region stand for that?"""
    tools = _modifying(gate, visit.stage)
    if not tools or any(visit.worked(tool) or visit.was_denied(tool) for tool in tools):
        return True
    return bool(gate.region and window.region(gate.region).entries)


def _modifying(gate: EdgeGate, stage: Stage) -> list[str]:
    return [tool for tool in stage.available_tools if tool in EDITING or tool in gate.tools]


def _quoted(names: list[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
