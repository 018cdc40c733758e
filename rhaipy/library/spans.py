"""Positions in strings and arrays as the library counts them: negative ones from the end, and never an error."""

from rhaipy.values import I64_MAX, Range


def offset(length: int, start: int) -> int:
    """`start` as an index from 0 to `length`."""
    return max(length + start, 0) if start < 0 else min(start, length)


def span(length: int, start: int, count: int) -> tuple[int, int]:
    """The first index and the one after the last of `count` items from `start` on, as far as there are so many."""
    first = offset(length, start)
    return first, min(first + max(count, 0), length)


def index_of(length: int, index: int) -> int | None:
    """`index` counted from 0, or None where there is no such item."""
    counted = index + length if index < 0 else index
    return counted if 0 <= counted < length else None


def start_and_count(range: Range) -> tuple[int, int]:
    """`range` as a start, not below 0, and a count. An inclusive range is never empty."""
    start = max(range.start, 0)
    end = max(range.end, start)
    return start, min(end, I64_MAX - 1) - start + 1 if range.inclusive else end - start
