"""The limits on the size of data, judged at the engine's moments without walking a container each time.

The engine walks the whole container after each native call on it, so that filling an array of n items takes n * n steps. Here the
sizes found by a walk are kept, and all that is put into any container since is added up. As long as a container's last known
sizes and that sum together are within the limits, so is the container; only when they are not, it is walked again.
"""

from typing import Final

from rhaipy.functions import Function
from rhaipy.limits import Meter
from rhaipy.source import NONE, At
from rhaipy.values import MUTABLE, Sizes, Value, check_size, throw_on_size, weigh

ADDS_ITS_ARGUMENTS: Final = frozenset((
    "push", "append", "insert", "set", "splice", "mixin", "fill_with", "+=", "pop", "shift", "remove", "clear", "truncate",
    "chop", "crop", "reverse", "sort", "retain", "drain", "dedup",
))  # fmt: skip
"""The functions of the library that put at most their arguments into the container that they change, once."""

MOST_KNOWN: Final = 16
"""Containers whose sizes are kept. Each is kept alive by that, and few are in use at a time."""


class SizeKeeper:
    """Judges the sizes of values for one run."""

    __slots__ = ("_bytes", "_entries", "_items", "_known", "_meter", "limited")

    def __init__(self, meter: Meter) -> None:
        self.limited = meter.limits.sizes_limited
        self._meter = meter
        self._items = self._entries = self._bytes = 0  # at least what was put into any container so far
        self._known: dict[int, tuple[Value, Sizes]] = {}  # by identity: the container, its sizes less what was added before

    def check(self, value: Value, at: At) -> None:
        """DataTooLarge at `at` when a value that will be seen again holds too much."""
        if not self.limited or type(value) not in SIZED:
            return
        if type(value) is not list and type(value) is not dict:
            check_size(value, self._meter, at)
            return
        container, less = self._known.get(id(value), (None, Sizes(0, 0, 0)))
        if container is not value or self._may_exceed(less):
            throw_on_size(self._walk(value), self._meter, at)

    def check_grown(self, container: Value, added: Value) -> None:
        """DataTooLarge when a container into which `added` was put holds too much."""
        self.add(added)
        self.check(container, NONE)

    def check_result(self, value: Value, at: At) -> None:
        """DataTooLarge at `at` when a new value holds too much."""
        if self.limited and type(value) in SIZED:
            check_size(value, self._meter, at)

    def check_argument(self, function: Function, value: Value, args: list[Value], at: At) -> None:
        """DataTooLarge at `at` when the value that `function` may have changed, called with `args`, holds too much."""
        if not self.limited or type(value) not in SIZED:
            return
        if function.mutates:
            self._note_change(function, value, args)
        self.check(value, at)

    def add(self, value: Value) -> None:
        """Tell of a value that was put into some container."""
        if not self.limited:
            return
        self._items += 1
        self._entries += 1
        if type(value) is str:
            self._bytes += len(value) if value.isascii() else 4 * len(value)
        elif type(value) in SIZED:
            items, entries, size = weigh(value, self._meter)
            self._items += items + 1
            self._entries += entries
            self._bytes += size

    def _note_change(self, function: Function, value: Value, args: list[Value]) -> None:
        if type(value) is str:
            self.add(value)
        elif function.name in ADDS_ITS_ARGUMENTS:
            for arg in args[1:]:
                self.add(arg)
        else:
            self._known.pop(id(value), None)
            self.add(value)

    def _may_exceed(self, less: Sizes) -> bool:
        limits = self._meter.limits
        return (
            0 < limits.max_array_size < less.items + self._items
            or 0 < limits.max_map_size < less.entries + self._entries
            or 0 < limits.max_string_size < less.bytes + self._bytes
        )

    def _walk(self, container: Value) -> Sizes:
        items, entries, size = measured = weigh(container, self._meter)
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[id(container)] = container, Sizes(items - self._items, entries - self._entries, size - self._bytes)
        return measured


SIZED: Final = MUTABLE | {str}
"""The types of values that have sizes."""
