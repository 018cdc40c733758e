"""Values made of bytes: each byte says what comes next. Plain ones, odd ones, and what only a host can make.

A host can hold a container in two places, put it into itself, nest without end, and hand in objects of its own classes.
"""

from typing import Any, Final

from rhaipy import Char, FnPtr, Range, Shared
from rhaipy.values import Byte

MOST: Final = 1500
"""Values in one tree."""
DEEPEST: Final = 150
"""Containers around a value, but for chains of lists: more than what may cross."""
FEW: Final = 6
"""Values in a container that may be held twice, and such containers: what is in all places is copied for each."""


class OddText(str):
    """A string with behaviour."""

    __slots__ = ()


class OddNumber(int):
    """An integer with behaviour."""

    __slots__ = ()


class OddList(list[Any]):
    """A list with behaviour."""


ODD: Final[tuple[Any, ...]] = (
    None, True, False, 0, -1, 2**63 - 1, -(2**63), 2**63, 2**200, 0.0, -0.0, 1e308, 1e-320, float("nan"), float("inf"), "",
    "text", "é" * 40, "\x00", "\ud800", "\U0001f600", "x" * 5000, b"bytes", (1, 2), {1, 2}, object(), "allow", "modify", 3.5,
    10**400, "\x1b[2J", type,
)  # fmt: skip
KEYS: Final[tuple[Any, ...]] = ("a", "b", "action", "value", "", "__class__", "\u202e", "\ud800", 5, None)
NAMES: Final = ("f", "g", "swap", "len", "type_of", "nothing", "anon$1", "", "eval", "+")


class Tree:
    """Plain and odd values."""

    def __init__(self, data: bytes) -> None:
        self.bytes = iter(data)
        self._left = MOST

    def value(self, depth: int) -> Any:
        """The next one, inside `depth` containers."""
        kind = next(self.bytes, 0)
        self._left -= 1
        if kind % 16 < 3 and self._left > 0 and depth < DEEPEST:
            return [self.value(depth + 1) for _ in range(kind // 16 + 1)]
        if kind % 16 < 6 and self._left > 0 and depth < DEEPEST:
            return {self._key(): self.value(depth + 1) for _ in range(kind // 16 + 1)}
        return self.odd(kind, depth)

    def odd(self, kind: int, depth: int) -> Any:
        """One that is no container."""
        return ODD[kind % len(ODD)]

    def _key(self) -> Any:
        kind = next(self.bytes, 0)
        return KEYS[kind % len(KEYS)] if kind > 200 else chr(kind)


class HostTree(Tree):
    """What a host can hand in. Most trees are `fair`: all in them are values that scripts may hold."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.fair = next(self.bytes, 0) % 4 > 0
        self._small: list[Any] = [[1, 2], {"a": 1}]

    def _key(self) -> Any:
        return chr(97 + next(self.bytes, 0) % 26) if self.fair else super()._key()

    def odd(self, kind: int, depth: int) -> Any:
        """A value of Rhai's own, something that is held twice or holds itself, or something that is no value."""
        if kind % 4 < 2 or depth > DEEPEST:
            return (1, 2.5, "text", True, None, Char("é"), Range(0, 3, True), -7)[kind // 4 % 8]
        number = next(self.bytes, 0)
        match kind // 4 % (9 if self.fair else 14):
            case 0 | 1:
                return self._small[number % len(self._small)]
            case 2:
                return self._held(depth)
            case 3:
                return Shared(self.value(depth + 1))
            case 4:
                return FnPtr(NAMES[number % len(NAMES)], (self.value(depth + 1),))
            case 5:
                return self._chain(20 * number)
            case 6:
                return (bytearray(b"bytes"), Range(-(2**63), 2**63 - 1, True), Byte(65))[number % 3]
            case 7:
                return {"a": (cell := Shared(2)), "b": cell, "f": FnPtr("f", (cell,))}
            case 8:
                return FnPtr(NAMES[number % len(NAMES)])
            case 9:
                return _cycle(number, self.value(depth + 1))
            case 10:
                return (OddText("x"), OddNumber(1), OddList((1,)))[number % 3]
        return ODD[number % len(ODD)]

    def _held(self, depth: int) -> Any:
        """A container that will be held by others, too."""
        before = self._left
        held = [self.value(depth + 1)]
        if before - self._left < FEW and len(self._small) < FEW:
            self._small.append(held)
        return held

    def _chain(self, length: int) -> Any:
        """A list in a list in a list."""
        deep: Any = 1
        for _ in range(min(length, self._left)):
            deep = [deep]
        self._left -= length
        return deep


def _cycle(number: int, value: Any) -> Any:
    """Something that holds itself: a list, a map, or a cell."""
    items, cell = [value], Shared(1)
    entries = {"a": value, "b": items}
    items.append((items, entries, cell)[number % 3])
    cell.value = [cell, items]
    return (items, entries, cell)[number // 3 % 3]
