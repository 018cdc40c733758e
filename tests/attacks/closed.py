"""The closed set of what a script can hold, and a walk through everything that can be reached from a value."""

from collections.abc import Iterable
from itertools import islice
from typing import Any, Final

from rhaipy import Char, FnPtr, Instant, Range, Shared, Stream
from rhaipy.values import Byte

CLOSED: Final = frozenset({
    type(None), bool, int, float, Char, str, list, dict, bytearray, Byte, Range, Stream, FnPtr, Instant, Shared,
})  # fmt: skip
MOST: Final = 100_000
LOOKED_AT: Final = 100
"""Items of an iterator that are looked at: some have no end."""


def strangers(values: Iterable[Any]) -> set[str]:
    """The types outside the closed set that can be reached from `values`."""
    found = set()
    pending = list(values)
    seen: set[int] = set()
    while pending and len(seen) < MOST:
        value = pending.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if type(value) not in CLOSED:
            found.add(f"{type(value).__module__}.{type(value).__qualname__}")
        pending.extend(_parts(value))
    return found


def _parts(value: Any) -> list[Any]:
    if type(value) is list:
        return list(value)
    if type(value) is dict:
        return [*value, *value.values()]
    if type(value) is FnPtr:
        return list(value.curried)
    if type(value) is Shared:
        return [value.value]
    return list(islice(value.items, LOOKED_AT)) if type(value) is Stream else []
