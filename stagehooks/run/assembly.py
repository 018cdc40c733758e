"""What a model gets to see of a window: blocks of the system prompt, and messages. Hidden and empty regions are left out.

Blocks that change least stand first: what a provider has cached of a prompt stays good up to the first change.
"""

from collections.abc import Iterable
from typing import Final

from stagehooks.models.protocol import AssistantMessage, Message, ToolCall, ToolResult, ToolResults, UserMessage
from stagehooks.run.custom import CustomRegion, Scene
from stagehooks.run.region import Entry, Region, Text, Turn
from stagehooks.run.window import Window

NOWHERE: Final = Scene()
VOLATILITY: Final = ("stable", "grows", "rewritten")
CHUNK: Final = 2048
"""The most tokens in one block of a region that grows: all of its blocks but the last stay as they are."""


def assemble(window: Window, scene: Scene = NOWHERE) -> tuple[tuple[str, ...], tuple[Message, ...]]:
    """The system blocks and the messages; the messages are never none, and the last is never the assistant's."""
    system: list[str] = []
    made: list[Message] = []
    for region in sorted(window.shown, key=lambda region: VOLATILITY.index(region.layout.volatility)):
        if isinstance(region, CustomRegion):
            blocks, said = region.render(scene)
            system += blocks
            made += said
        elif region.entries and region.layout.kind != "sliding_window":
            system += _blocks(region)
    spoken = [region for region in window.shown if region.layout.kind == "sliding_window"]
    messages = [*_paired(made), *(message for region in spoken for turn in region.turns for message in _messages(turn))]
    if all(isinstance(message, AssistantMessage) for message in messages):
        messages.append(UserMessage("Begin."))
    if isinstance(messages[-1], AssistantMessage):
        messages.append(UserMessage("Continue."))
    return tuple(system), tuple(messages)


def _blocks(region: Region) -> list[str]:
    layout = region.layout
    pinned = layout.kind in ("pinned", "compact_history", "checklist")
    described = [layout.description] if layout.describe_in_prompt and layout.description else []
    texts = _checklist(region) if layout.kind == "checklist" else [_text(entry) for entry in region.entries]
    chunks = _chunks(region, texts) if layout.volatility == "grows" else [texts]
    blocks: list[str] = []
    for chunk in chunks:
        continued = " (continued)" if blocks else ""
        title = f"## {layout.name}{continued}\n" if pinned else f"[{layout.name}]{continued}:\n"
        blocks.append(title + ("\n\n" if pinned else "\n").join(chunk if blocks else described + chunk))
    return blocks


def _chunks(region: Region, texts: list[str]) -> list[list[str]]:
    if len(texts) != len(region.entries):
        return [texts]
    chunks: list[list[str]] = [[]]
    size = 0
    for text, entry in zip(texts, region.entries, strict=True):
        if chunks[-1] and size + entry.tokens > CHUNK:
            chunks.append([])
            size = 0
        chunks[-1].append(text)
        size += entry.tokens
    return chunks


def _text(entry: Entry) -> str:
    return f"### [{entry.key}]\n{entry.content.text}" if entry.key else entry.content.text


def _checklist(region: Region) -> list[str]:
    items = sorted(region.entries, key=lambda item: item.done)
    done = sum(item.done for item in items)
    lines = [f"- [{'x' if item.done else ' '}] {item.key}: {item.content.text}" for item in items]
    return ["\n".join([f"Checklist ({len(items) - done} open, {done} done):", *lines])]


def _messages(turn: Turn) -> list[Message]:
    """The messages of one turn of a sliding window; a blank one says nothing."""
    content = turn[0].content
    results = tuple(entry.content for entry in turn if isinstance(entry.content, ToolResult))
    messages: list[Message] = []
    if isinstance(content, Text):
        content = _spoken(content.text)
    if not isinstance(content, ToolResult) and (content.text.strip() or results):
        messages.append(content)
    if results:
        messages.append(ToolResults(results))
    return messages


def _spoken(text: str) -> UserMessage | AssistantMessage:
    """A plain text may say who speaks; who does not is the user."""
    speaker, colon, said = text.partition(": ")
    if colon and speaker == "Assistant":
        return AssistantMessage(said)
    return UserMessage(said if colon and speaker == "User" else text)


def _paired(messages: list[Message]) -> Iterable[Message]:
    """`messages` of a script, without tool calls that have no result right behind them and results that have no call."""
    for place, message in enumerate(messages):
        before = messages[place - 1] if place else None
        behind = messages[place + 1] if place + 1 < len(messages) else None
        match message:
            case AssistantMessage(text, calls) if calls:
                kept = _with_results(calls, behind)
                if text.strip() or kept:
                    yield AssistantMessage(text, kept)
            case ToolResults(results):
                calls = before.tool_calls if isinstance(before, AssistantMessage) else ()
                names = {call.id: call.name for call in calls}
                known = [result for result in results if result.call_id in names]
                told = tuple(ToolResult(result.call_id, names[result.call_id], result.text) for result in known)
                if told:
                    yield ToolResults(told)
            case _:
                yield message


def _with_results(calls: tuple[ToolCall, ...], behind: Message | None) -> tuple[ToolCall, ...]:
    answered = {result.call_id for result in behind.results} if isinstance(behind, ToolResults) else set()
    return tuple(call for call in calls if call.id in answered)
