"""One region of text with a token budget, and what it is made of.

A region never holds more than its budget. A turn (what the assistant said, with the results of its tool calls) comes and goes
as one. Every entry remembers how confidential it is; a region is as confidential as the most confidential of its entries. Here
is what all kinds of region share, and all there is to the plain ones; `kinds` and `custom` have the others.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from stagehooks.agent import blueprint
from stagehooks.errors import WindowError
from stagehooks.models.protocol import AssistantMessage, ToolCall, ToolResult, UserMessage
from stagehooks.scripts.functions import estimate_tokens
from stagehooks.scripts.json_text import dump
from stagehooks.tools.levels import Level

EVICTING: Final = frozenset({"temporary", "clearable", "sliding_window", "compacting"})
"""The kinds that drop their oldest turns when something is written to them."""
CUT: Final = "\n[...truncated]"


@dataclass(frozen=True, slots=True)
class Text:
    """Plain text, from nobody in particular."""

    text: str


Content: TypeAlias = Text | UserMessage | AssistantMessage | ToolResult


@dataclass(frozen=True, slots=True)
class Entry:
    """One piece of a region: what it says and how confidential that is.

    `key` is its name in a hashmap or its number in a checklist, where `done` says that it is ticked off. `tokens` is the estimate
    for its text and for the tool calls that came with it: made once, since it is asked for at every turn.
    """

    content: Content
    level: Level = Level.PUBLIC
    key: str = ""
    done: bool = False
    tokens: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        calls = self.content.tool_calls if isinstance(self.content, AssistantMessage) else ()
        tokens = estimate_tokens(self.content.text) + sum(tokens_of(call) for call in calls)
        object.__setattr__(self, "tokens", tokens)


Turn: TypeAlias = tuple[Entry, ...]
"""Entries that come and go as one: an assistant's message and the results of its tool calls, or a single entry."""


def size_of(turns: Iterable[Turn]) -> int:
    """What `turns` take of a budget."""
    return sum(entry.tokens for turn in turns for entry in turn)


class Region:
    """One region and its turns, oldest first. `hidden` when the current stage does not declare it."""

    def __init__(self, layout: blueprint.Region) -> None:
        self.layout = layout
        self.hidden = False
        self._turns: list[Turn] = []

    # --- what it holds ----------------------------------------------------------------------------------------------------

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
        return size_of(self._turns)

    @property
    def level(self) -> Level:
        """The level of the most confidential entry."""
        return max((entry.level for entry in self.entries), default=Level.PUBLIC)

    @property
    def text(self) -> str:
        """The texts of all entries, one below the other."""
        return "\n".join(entry.content.text for entry in self.entries)

    @property
    def stale(self) -> tuple[Turn, ...]:
        """The oldest turns, if it is time to put a summary in their place."""
        if self.layout.kind == "compacting" and self.tokens >= self.layout.threshold:
            return self.turns
        return ()

    # --- writing ----------------------------------------------------------------------------------------------------------

    def add(self, turn: Turn) -> None:
        """Put `turn` at the end, dropping the oldest ones where the kind of region does that; else WindowError."""
        admitted = self._admitted(turn)
        if admitted:
            self._take(admitted)

    def restore(self, turn: Turn) -> None:
        """Put a turn at the end that was admitted before: it comes from another layout, or from a stored run."""
        self._take(turn)

    def prepared(self, text: str, level: Level) -> tuple[Turn, ...]:
        """The turns that hold `text` and nothing else; none for an empty text. WindowError where that is over the budget."""
        admitted = self._admitted((Entry(Text(text), level),)) if text else ()
        turns = (admitted,) if admitted else ()
        self._fit(size_of(turns))
        return turns

    def hold(self, turns: Iterable[Turn]) -> None:
        """Hold what `prepared` made, and nothing else."""
        self._turns = list(turns)

    def replace(self, text: str, level: Level) -> None:
        """Hold `text` and nothing else; an empty text leaves no entry at all. WindowError before anything is dropped."""
        self.hold(self.prepared(text, level))

    def clear(self) -> None:
        """Drop everything."""
        self._turns.clear()

    def drop_oldest(self) -> None:
        """Drop the oldest turn."""
        del self._turns[0]

    def summarise(self, count: int, summary: Turn) -> None:
        """Put `summary` (an empty one: nothing) in the place of the `count` oldest turns."""
        turns = [*([summary] if summary else []), *self._turns[count:]]
        self._fit(size_of(turns))
        self._turns = turns

    def reshaped(self, region: "Region") -> "Region":
        """`region`, which is of another layout and empty, with what of this one still fits."""
        for turn in self._turns:
            try:
                region.restore(turn)
            except WindowError:
                continue
        return region

    # --- what kinds do differently ----------------------------------------------------------------------------------------

    def _admitted(self, turn: Turn) -> Turn:
        """What of `turn` is to be held."""
        return turn

    def _take(self, turn: Turn) -> None:
        size = size_of((turn,))
        if self.tokens + size > self.layout.max_tokens:
            self._make_room(size)
        self._fit(self.tokens + size)
        self._turns.append(turn)

    def _make_room(self, size: int) -> None:
        self._refuse_when_full()
        if self.layout.kind in EVICTING and size <= self.layout.max_tokens:
            while self.tokens + size > self.layout.max_tokens:
                self.drop_oldest()

    def _refuse_when_full(self) -> None:
        if self.layout.admission == "reject" and self._turns:
            raise WindowError(
                f"Region '{self.layout.name}' is full ({self.tokens}/{self.layout.max_tokens} tokens) and does not evict "
                "automatically - release an entry before adding another"
            )

    def _fit(self, size: int) -> None:
        if size > self.layout.max_tokens:
            raise WindowError(f"Content exceeds token budget: {size} > {self.layout.max_tokens}")


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
