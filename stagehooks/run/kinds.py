"""The kinds of region that keep their entries in a way of their own: sliding windows, hashmaps, checklists."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from stagehooks.agent import blueprint
from stagehooks.run.region import Entry, Region, Text, Turn, size_of
from stagehooks.tools.levels import Level

MARK: Final = re.compile(r"\s*(?:- )?\[([ xX])\] ")


class SlidingWindow(Region):
    """The newest `max_items` entries; the strategy says when older ones go, one by one or many at once, or into a summary."""

    @property
    def stale(self) -> tuple[Turn, ...]:
        """With the strategy `compact`: everything but the newest items, once `compact_count` more have come together."""
        layout = self.layout
        if layout.strategy == "compact" and len(self.entries) >= layout.max_items + layout.compact_count:
            return self.turns[: self._surplus()]
        return ()

    def _take(self, turn: Turn) -> None:
        super()._take(turn)
        tolerated = {"per_item": 0, "bulk": self.layout.overflow, "compact": 2 * self.layout.compact_count}
        if len(self.entries) > self.layout.max_items + tolerated[self.layout.strategy]:
            del self._turns[: self._surplus()]

    def _surplus(self) -> int:
        """How many of the oldest turns to drop until no more than `max_items` entries are left; the newest turn always stays."""
        count, left = 0, len(self.entries)
        while left > self.layout.max_items and count < len(self._turns) - 1:
            left -= len(self._turns[count])
            count += 1
        return count


class HashMap(Region):
    """Entries under keys, in the order in which they came. A write to a key replaces what it holds; the key that was used least
    recently goes when there are too many."""

    def __init__(self, layout: blueprint.Region) -> None:
        super().__init__(layout)
        self._used: dict[str, int] = {}

    def find(self, key: str) -> Entry | None:
        """The entry under `key`, which counts as a use of it."""
        found = next((turn[0] for turn in self._turns if turn[0].key == key), None)
        if found is not None:
            self._use(key)
        return found

    def remove(self, key: str) -> bool:
        """Drop the entry under `key`; was there one?"""
        left = [turn for turn in self._turns if turn[0].key != key]
        removed = len(left) < len(self._turns)
        self._turns = left
        return removed

    def _use(self, key: str) -> None:
        self._used[key] = max(self._used.values(), default=0) + 1

    def _take(self, turn: Turn) -> None:
        key = turn[0].key
        if not key:
            super()._take(turn)
            return
        self._fit(size_of((turn,)))
        old = next((place for place, held in enumerate(self._turns) if held[0].key == key), len(self._turns))
        turns = [*self._turns[:old], turn, *self._turns[old + 1 :]]
        while len(turns) > 1 and self._is_too_much(turns):
            self._refuse_when_full()
            turns.remove(min((held for held in turns if held is not turn), key=self._last_use))
        self._turns = turns
        self._use(key)
        self._used = {held[0].key: self._used[held[0].key] for held in turns if held[0].key in self._used}

    def _last_use(self, turn: Turn) -> int:
        return self._used.get(turn[0].key, 0)

    def _is_too_much(self, turns: list[Turn]) -> bool:
        most = self.layout.max_entries
        return size_of(turns) > self.layout.max_tokens or (most is not None and len(turns) > most)


class Checklist(Region):
    """Items with a number, open or done. Numbers are never used again, and nothing is dropped to make room."""

    def __init__(self, layout: blueprint.Region) -> None:
        super().__init__(layout)
        self._last = 0

    @property
    def open(self) -> tuple[Entry, ...]:
        """The items that are not done."""
        return tuple(entry for entry in self.entries if not entry.done)

    def put(self, text: str, level: Level) -> str:
        """Add an open item and return its number; WindowError where there is no room for it."""
        self.add((Entry(Text(_line(text)), level),))
        return self._turns[-1][0].key

    def finish(self, number: str) -> bool:
        """Tick an item off; is there one of that number?"""
        return self._change(number, lambda entry: replace(entry, done=True))

    def note(self, number: str, text: str, level: Level) -> bool:
        """Add a note to an item, which stays as it is otherwise; is there one of that number?"""
        return self._change(
            number,
            lambda entry: replace(entry, content=Text(f"{entry.content.text} ({_line(text)})"), level=max(entry.level, level)),
        )

    def prepared(self, text: str, level: Level) -> tuple[Turn, ...]:
        """One item for each line. A line that is the text of an item keeps its number, and its state where no mark says else."""
        held = list(self.entries)
        turns: list[Turn] = []
        for line in text.splitlines():
            mark = MARK.match(line)
            said = _line(line[mark.end() :] if mark else line)
            if said:
                known = next((entry for entry in held if entry.content.text == said), None)
                if known is not None:
                    held.remove(known)
                item = Entry(Text(said), level, known.key, known.done) if known else self._numbered(Entry(Text(said), level))
                turns.append((replace(item, done=mark[1] != " ") if mark else item,))
        self._fit(size_of(turns))
        return tuple(turns)

    def reshaped(self, region: Region) -> Region:
        """As for any region; numbers go on where they were."""
        if isinstance(region, Checklist):
            region._last = self._last
        return super().reshaped(region)

    def _admitted(self, turn: Turn) -> Turn:
        return tuple(self._numbered(entry) for entry in turn)

    def _numbered(self, entry: Entry) -> Entry:
        self._last += 1
        return replace(entry, key=str(self._last), done=False)

    def _change(self, number: str, change: Callable[[Entry], Entry]) -> bool:
        turns = [tuple(change(entry) if entry.key == number else entry for entry in turn) for turn in self._turns]
        self._fit(size_of(turns))
        found = any(entry.key == number for entry in self.entries)
        self._turns = turns
        return found


def _line(text: str) -> str:
    return " ".join(text.split())
