"""The tools with which a model reads and writes its own regions: `context_*` for all of them, `todo_*` for checklists.

What a model writes may hold anything that it has seen, so it is as confidential as the whole window. The conversation, the
instructions of the stage, and summaries are not for a model to write.
"""

from typing import Final

from stagehooks.errors import WindowError
from stagehooks.run.kinds import Checklist, HashMap
from stagehooks.run.region import Entry, Region, Text
from stagehooks.run.window import CONVERSATION, FINAL_OUTPUT, INSTRUCTIONS, TOOL_RESULTS, Window
from stagehooks.tools.tool import Parameter, Tool, ToolError, ToolFunction

NOT_FOR_WRITING: Final = frozenset({CONVERSATION.name, FINAL_OUTPUT.name, INSTRUCTIONS, TOOL_RESULTS.name})
REGION: Final = Parameter("region", description="The name of a region of your context.")
CONTENT: Final = Parameter("content", description="The whole text.")
KEY: Final = Parameter("key", description="In a hashmap region: the key of the entry.", required=False)
NUMBER: Final = Parameter("id", description="The number of an item.")


def context_tools(window: Window) -> tuple[Tool, ...]:
    """`context_write`, `_append`, `_read`, `_delete`, `_list`, and `todo_add`, `_done`, `_note`, for the regions of `window`."""
    tools = _ContextTools(window)
    item = Parameter("item", description="What is to be done, in one line.")
    note = Parameter("note", description="What is to be remembered of the item, in one line.")
    return (
        _tool("context_write", "Replace what a region holds, or one entry of a hashmap.", tools.write, REGION, CONTENT, KEY),
        _tool("context_append", "Add to what a region holds, or to one entry of a hashmap.", tools.append, REGION, CONTENT, KEY),
        _tool("context_read", "Read a region, or one entry of a hashmap.", tools.read, REGION, KEY, reads=True),
        _tool("context_delete", "Remove one entry of a hashmap.", tools.delete, REGION, Parameter("key")),
        _tool("context_list", "List your regions and how full they are.", tools.list_regions),
        _tool("todo_add", "Add an open item to a checklist.", tools.add_item, REGION, item),
        _tool("todo_done", "Tick an item of a checklist off.", tools.finish_item, REGION, NUMBER),
        _tool("todo_note", "Add a note to an item of a checklist, which stays open.", tools.note_item, REGION, NUMBER, note),
    )


def _tool(name: str, description: str, function: ToolFunction, *parameters: Parameter, reads: bool = False) -> Tool:
    return Tool(name, description, parameters, function, policy="allow", direction="internal", effect="run", reads_context=reads)


class _ContextTools:
    """The functions of the tools. ToolError where nothing was done."""

    def __init__(self, window: Window) -> None:
        self._window = window

    def write(self, region: str, content: str, key: str = "") -> str:
        held = self._writable(region)
        if isinstance(held, HashMap):
            self._put(held, key, content)
            return f"Stored in '{region}' under '{key}'."
        try:
            self._window.write({region: content}, self._window.level)
        except WindowError as error:
            raise ToolError(error.message) from None
        return f"Stored in '{region}'."

    def append(self, region: str, content: str, key: str = "") -> str:
        held = self._writable(region)
        if isinstance(held, HashMap):
            before = held.find(key)
            self._put(held, key, content if before is None else f"{before.content.text}\n{content}")
            return f"Added to '{region}' under '{key}'."
        self._add(held, Entry(Text(content), self._window.level))
        return f"Added to '{region}'."

    def read(self, region: str, key: str = "") -> str:
        held = self._region(region)
        if not key:
            return held.text or f"'{region}' is empty."
        entry = held.find(key) if isinstance(held, HashMap) else None
        if entry is None:
            raise ToolError(f"there is no entry '{key}' in '{region}'")
        return entry.content.text

    def delete(self, region: str, key: str) -> str:
        held = self._writable(region)
        if not isinstance(held, HashMap) or not held.remove(key):
            raise ToolError(f"there is no entry '{key}' in '{region}'")
        return f"Removed '{key}' from '{region}'."

    def list_regions(self) -> str:
        lines = []
        for region in self._window.shown:
            layout = region.layout
            keys = f", keys: {', '.join(entry.key for entry in region.entries)}" if isinstance(region, HashMap) else ""
            lines.append(f"{layout.name} ({layout.kind}): {region.tokens} of {layout.max_tokens} tokens{keys}")
        return "\n".join(lines)

    def add_item(self, region: str, item: str) -> str:
        checklist = self._checklist(region)
        if not item.strip():
            raise ToolError("an item needs a text")
        try:
            number = checklist.put(item, self._window.level)
        except WindowError as error:
            raise ToolError(error.message) from None
        return f"Added to '{region}' as item {number}."

    def finish_item(self, region: str, id: str) -> str:
        if not self._checklist(region).finish(id):
            raise ToolError(f"there is no item {id} in '{region}'")
        return f"Item {id} is done."

    def note_item(self, region: str, id: str, note: str) -> str:
        try:
            found = self._checklist(region).note(id, note, self._window.level)
        except WindowError as error:
            raise ToolError(error.message) from None
        if not found:
            raise ToolError(f"there is no item {id} in '{region}'")
        return f"Noted on item {id}."

    def _put(self, region: HashMap, key: str, content: str) -> None:
        if not key:
            raise ToolError(f"'{region.layout.name}' is a hashmap: give a 'key'")
        self._add(region, Entry(Text(content), self._window.level, key))

    def _add(self, region: Region, entry: Entry) -> None:
        try:
            region.add((entry,))
        except WindowError as error:
            raise ToolError(error.message) from None

    def _region(self, name: str) -> Region:
        shown = {region.layout.name: region for region in self._window.shown}
        if name not in shown:
            raise ToolError(f"there is no region '{name}' (there are: {', '.join(shown)})")
        return shown[name]

    def _writable(self, name: str) -> Region:
        region = self._region(name)
        if name in NOT_FOR_WRITING or region.layout.kind == "compact_history":
            raise ToolError(f"'{name}' is not written by hand")
        return region

    def _checklist(self, name: str) -> Checklist:
        region = self._region(name)
        if not isinstance(region, Checklist):
            raise ToolError(f"'{name}' is no checklist")
        return region
