"""Judging the host's plain data on its way to a script that may share it, and weighing it in the same walk.

A walk that looks at each part once costs as much as a copy; so nothing else is done with data that is lent.
"""

from rhaipy.convert import ConversionError
from rhaipy.lending import Lent
from rhaipy.limits import Limits
from rhaipy.records import record
from rhaipy.sizes import Weight
from rhaipy.typings import Any, Final
from rhaipy.values import I64_MAX, I64_MIN


@record
class Bounds:
    """What may cross at most, beside the limits on sizes: levels of containers, items and entries in all, bytes of text."""

    depth: int = 128
    items: int = 100_000
    bytes: int = 64 * 2**20


NO_LIMITS: Final = Limits()
BOUNDS: Final = Bounds()


def lend(data: object, limits: Limits = NO_LIMITS, bounds: Bounds = BOUNDS) -> Lent:
    """`data`, lent, if it is plain and within the limits and bounds; ConversionError if not. Where, others find out."""
    judge = _Judge(limits, bounds)
    try:
        judge.weigh([data], -1)
    except _Doubtful:
        raise ConversionError("the data", "is not plain, or more than may be lent") from None
    return Lent(data, judge.weights)


class _Doubtful(Exception):
    """Something is wrong, or unusual."""


_ALWAYS_PLAIN: Final = frozenset({type(None), bool, float})


class _Judge:
    """`items` and `bytes` are what may come still."""

    __slots__ = ("bytes", "depth", "entries", "items", "length", "longest", "weights")

    def __init__(self, limits: Limits, bounds: Bounds) -> None:
        self.depth = bounds.depth
        self.items = bounds.items + 1  # with what the data is handed over in
        self.bytes = bounds.bytes
        self.longest = limits.max_string_size or bounds.bytes
        self.length = limits.max_array_size or bounds.items
        self.entries = limits.max_map_size or bounds.items
        self.weights: dict[int, Weight] = {}

    def weigh(self, container: Any, depth: int) -> Weight:
        """What `container` weighs; _Doubtful if anything in it may not cross."""
        count = len(container)
        self.items -= count
        if type(container) is dict:
            if count > self.entries:
                raise _Doubtful
            for key in container:
                if type(key) is not str or not key.isascii() or len(key) > self.longest:
                    raise _Doubtful
                self.bytes -= len(key)
            items, entries, size, children = 0, count, 0, container.values()
        else:
            if count > self.length:
                raise _Doubtful
            items, entries, size, children = count, 0, 0, container
        if depth >= self.depth or self.items < 0:
            raise _Doubtful
        for item in children:
            kind = type(item)
            if kind is str:
                length = len(item) if item.isascii() else self._bytes_of(item)
                if length > self.longest:
                    raise _Doubtful
                size += length
                self.bytes -= length
            elif kind is dict or kind is list:
                _, more_items, more_entries, more_size = self.weigh(item, depth + 1)
                items += more_items
                entries += more_entries
                size += more_size
            elif kind not in _ALWAYS_PLAIN and not (kind is int and I64_MIN <= item <= I64_MAX):
                raise _Doubtful
        if self.bytes < 0:
            raise _Doubtful
        weight = self.weights[id(container)] = container, items, entries, size
        return weight

    def _bytes_of(self, text: str) -> int:
        try:
            return len(text.encode("utf-8"))
        except UnicodeEncodeError:
            raise _Doubtful from None
