"""One region of text with a token budget, and what it is made of.

A region never holds more than its budget. A turn (what the assistant said, with the results of its tool calls) comes and goes
as one. Every entry remembers how confidential it is; a region is as confidential as the most confidential of its entries.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from stagehooks.agent import blueprint
from stagehooks.errors import WindowError
from stagehooks.models.protocol import AssistantMessage, ToolCall, ToolResult, UserMessage
from stagehooks.scripts.functions import estimate_tokens
from stagehooks.scripts.json_text import dump
from stagehooks.tools.levels import Level

EVICTING: Final = frozenset({"temporary", "clearable", "sliding_window"})
CUT: Final = "\n[...truncated]"


@dataclass(frozen=True, slots=True)
class Text:
    """Plain text, from nobody in particular."""

    text: str


Content: TypeAlias = Text | UserMessage | AssistantMessage | ToolResult


@dataclass(frozen=True, slots=True)
class Entry:
    """One piece of a region: what it says and how confidential that is."""

    content: Content
    level: Level = Level.PUBLIC

    @property
    def tokens(self) -> int:
        """The estimate for its text, and for the tool calls that came with it."""
        calls = self.content.tool_calls if isinstance(self.content, AssistantMessage) else ()
        return estimate_tokens(self.content.text) + sum(tokens_of(call) for call in calls)


Turn: TypeAlias = tuple[Entry, ...]
"""Entries that come and go as one: an assistant's message and the results of its tool calls, or a single entry."""


class Region:
    """One region and its turns, oldest first. `hidden` when the current stage does not declare it."""

    def __init__(self, layout: blueprint.Region) -> None:
        self.layout = layout
        self.hidden = False
        self._turns: list[Turn] = []

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns, oldest first."""
        return tuple(self._turns)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries, oldest first."""
        return tuple(entry for turn in self._turns for entry in turn)

    @property
    def tokens(self) -> int:
        """What the entries take of the budget."""
        return sum(entry.tokens for entry in self.entries)

    @property
    def level(self) -> Level:
        """The level of the most confidential entry."""
        return max((entry.level for entry in self.entries), default=Level.PUBLIC)

    @property
    def text(self) -> str:
        """The texts of all entries, one below the other."""
        return "\n".join(entry.content.text for entry in self.entries)

    def add(self, turn: Turn) -> None:
        """Put `turn` at the end, dropping the oldest ones where the kind of region does that; else WindowError."""
        size = sum(entry.tokens for entry in turn)
        budget = self.layout.max_tokens
        if self.tokens + size > budget:
            self._make_room(size)
        if self.tokens + size > budget:
            raise WindowError(f"Content exceeds token budget: {self.tokens + size} > {budget}")
        self._turns.append(turn)
        if self.layout.kind == "sliding_window":
            while len(self._turns) > 1 and len(self.entries) > self.layout.max_items:
                del self._turns[0]

    def _make_room(self, size: int) -> None:
        if self.layout.admission == "reject" and self._turns:
            raise WindowError(
                f"Region '{self.layout.name}' is full ({self.tokens}/{self.layout.max_tokens} tokens) and does not evict "
                "automatically - release an entry before adding another"
            )
        if self.layout.kind in EVICTING and size <= self.layout.max_tokens:
            while self.tokens + size > self.layout.max_tokens:
                del self._turns[0]

    def clear(self) -> None:
        """Drop everything."""
        self._turns.clear()

    def check(self, text: str) -> None:
        """WindowError when `text` alone is more than the budget."""
        if estimate_tokens(text) > self.layout.max_tokens:
            raise WindowError(f"Content exceeds token budget: {estimate_tokens(text)} > {self.layout.max_tokens}")

    def replace(self, text: str, level: Level) -> None:
        """Hold `text` and nothing else; an empty text leaves no entry at all. WindowError before anything is dropped."""
        self.check(text)
        self._turns = [(Entry(Text(text), level),)] if text else []

    def reshaped(self, layout: blueprint.Region) -> "Region":
        """A region of another layout with what of this one still fits."""
        region = Region(layout)
        for turn in self._turns:
            try:
                region.add(turn)
            except WindowError:
                continue
        return region


def tokens_of(call: ToolCall) -> int:
    """The estimate for one tool call as it stands in the conversation."""
    return estimate_tokens(call.name + dump(call.arguments))


def cut(text: str, room: int, mark: str = CUT) -> str:
    """`text`, or as much of its beginning as fits into `room` tokens, with `mark` at the end where there is room for it."""
    if estimate_tokens(text) <= room:
        return text
    if estimate_tokens(mark) > room:
        mark = ""
    return text.encode()[: room * 4 - len(mark)].decode(errors="ignore") + mark
