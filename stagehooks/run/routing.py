"""Where the result of a tool call goes: into the conversation, or into a region, with a pointer in the conversation."""

from dataclasses import replace
from typing import Final

from stagehooks.agent.blueprint import Stage
from stagehooks.errors import WindowError
from stagehooks.models.protocol import ToolResult
from stagehooks.run.region import Entry, Text, cut
from stagehooks.run.window import CONVERSATION, Window

SCRATCH: Final = "scratch"
"""The region for results that are not to persist, where there is one."""


def route(stage: Stage, window: Window, entry: Entry) -> Entry:
    """What the conversation keeps of the tool result `entry`, after the rest of it has gone where it belongs."""
    routing, result = stage.tool_routing, entry.content
    if routing is None or not isinstance(result, ToolResult):
        return entry
    to = routing.route(result.tool)
    text = result.text if to.max_result_tokens is None else cut(result.text, to.max_result_tokens)
    names = [region.layout.name for region in window.regions if not region.hidden]
    name = SCRATCH if not routing.persist and SCRATCH in names else to.region
    if name == CONVERSATION.name or name not in names:
        return replace(entry, content=replace(result, text=text))
    return replace(entry, content=replace(result, text=_moved(window, name, result.tool, text, entry)))


def _moved(window: Window, name: str, tool: str, text: str, entry: Entry) -> str:
    """Put `text` into the region `name`: the pointer to it, which says what became of it."""
    region = window.region(name)
    kept = cut(text, region.layout.max_tokens)
    try:
        region.add((Entry(Text(kept), entry.level),))
    except WindowError:
        return f"[the result of {tool} does not fit into region '{name}', which is full]"
    what = "the result" if kept == text else "the beginning of the result"
    return f"[{what} of {tool} is in your context under '{name}']"
