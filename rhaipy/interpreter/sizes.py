"""The limits on the size of data, judged at the engine's moments without walking a container each time.

The engine walks the whole container after each native call on it, so that filling an array of n items takes n * n steps. Here the
sizes found by a walk are kept, and all that is put into any container since is added up. As long as a container's last known
sizes and that sum together are within the limits, so is the container; only when they are not, it is walked again.
"""

from collections.abc import Sequence
from sys import maxsize

from rhaipy.costs import paid_utf8_length
from rhaipy.functions import Function
from rhaipy.limits import Meter
from rhaipy.sizes import Sizes, check_size, throw_on_size, weigh, weigh_part
from rhaipy.source import NONE, At
from rhaipy.typings import Final
from rhaipy.values import MUTABLE, Value

ADDS_ITS_ARGUMENTS: Final = frozenset((
    "push", "append", "insert", "set", "splice", "mixin", "fill_with", "+=", "pop", "shift", "remove", "clear", "truncate",
    "chop", "crop", "reverse", "sort", "retain", "drain", "dedup",
))  # fmt: skip
"""The functions of the library that put at most their arguments into the container that they change, once."""

MOST_KNOWN: Final = 16
"""Containers whose sizes are kept. Each is kept alive by that, and few are in use at a time."""


class SizeKeeper:
    """Judges the sizes of values for one run."""

    __slots__ = ("_bytes", "_entries", "_items", "_known", "_max_bytes", "_max_entries", "_max_items", "_meter", "limited")

    def __init__(self, meter: Meter) -> None:
        limits = meter.limits
        self.limited = limits.sizes_limited
        self._meter = meter
        self._max_items = limits.max_array_size or maxsize
        self._max_entries = limits.max_map_size or maxsize
        self._max_bytes = limits.max_string_size or maxsize
        self._items = self._entries = self._bytes = 0  # at least what was put into any container so far
        # By identity: the container, and up to which of those sums it is certainly within the limits.
        self._known: dict[int, tuple[Value, int, int, int]] = {}

    def check(self, value: Value, at: At) -> None:
        """DataTooLarge at `at` when a value that will be seen again holds too much."""
        if not self.limited:
            return
        kind = type(value)
        if kind is list or kind is dict:
            known = self._known.get(id(value))
            if known is not None:
                container, items, entries, size = known
                if container is value and self._items <= items and self._entries <= entries and self._bytes <= size:
                    return
            self._walk(value, at)
        elif kind is str or kind is bytearray:
            self.check_result(value, at)

    def check_grown(self, container: Value, added: Value) -> None:
        """DataTooLarge when a container into which `added` was put holds too much."""
        self.add(added)
        self.check(container, NONE)

    def pushed(self, items: list[Value], item: Value, at: At) -> None:
        """DataTooLarge at `at` when an array to which `item` was added holds too much."""
        if not self.limited:
            return
        if type(item) in MUTABLE:
            self.add(item)
        else:
            self._items += 1
            self._entries += 1
            if type(item) is str:
                self._bytes += len(item) if item.isascii() else 4 * len(item)
        known = self._known.get(id(items))
        if known is None or known[0] is not items or self._items > known[1] or self._entries > known[2] or self._bytes > known[3]:
            self._walk(items, at)

    def check_result(self, value: Value, at: At) -> None:
        """DataTooLarge at `at` when a new value holds too much."""
        if type(value) is str:
            if len(value) * 4 > self._max_bytes:
                self._meter.string(paid_utf8_length(self._meter, value), at)
        elif self.limited and type(value) in SIZED:
            check_size(value, self._meter, at)

    def check_argument(self, function: Function, value: Value, more: Sequence[Value], at: At) -> None:
        """DataTooLarge at `at` when the value that `function` may have changed, given `more` arguments, holds too much."""
        if not self.limited or type(value) not in SIZED:
            return
        if function.mutates:
            self._note_change(function, value, more)
        self.check(value, at)

    def add(self, value: Value) -> None:
        """Tell of a value that was put into some container."""
        if not self.limited:
            return
        self._items += 1
        self._entries += 1
        if type(value) is str:
            self._bytes += len(value) if value.isascii() else 4 * len(value)
        elif type(value) in MUTABLE:
            self._add_all(weigh_part(value, self._meter))

    def _add_all(self, more: Sizes) -> None:
        self._items += more.items + 1
        self._entries += more.entries
        self._bytes += more.bytes

    def _note_change(self, function: Function, value: Value, more: Sequence[Value]) -> None:
        if type(value) is str:
            self.add(value)
        elif function.name in ADDS_ITS_ARGUMENTS:
            for arg in more:
                self.add(arg)
        else:
            self._known.pop(id(value), None)
            self._add_all(weigh(value, self._meter))  # all that is in it may be new

    def _walk(self, container: Value, at: At) -> None:
        measured = weigh(container, self._meter)
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[id(container)] = (
            container,
            self._max_items - measured.items + self._items,
            self._max_entries - measured.entries + self._entries,
            self._max_bytes - measured.bytes + self._bytes,
        )
        throw_on_size(measured, self._meter, at)


SIZED: Final = MUTABLE | {str}
"""The types of values that have sizes."""
