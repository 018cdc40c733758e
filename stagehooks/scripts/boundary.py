"""Plain data in, plain data out: what a hook is given and what it returns, checked by exact type, size and depth.

A subclass of `str` or a date is refused, not converted: an object of the host must never reach a script, nor a function
pointer of a script the host.
"""

from rhaipy import Bounds, Char, ConversionError, Lent, Limits, Value, lend, type_name
from rhaipy.typings import Final
from stagehooks.scripts.json_text import I64_MAX, I64_MIN, Json

MAX_DEPTH: Final = 128
MAX_ITEMS: Final = 100_000
MAX_BYTES: Final = 64 * 1024 * 1024
PATH_SHOWN: Final = 200
BOUNDS: Final = Bounds(MAX_DEPTH, MAX_ITEMS, MAX_BYTES)


class NotPlain(Exception):
    """A value that may not cross. `what` says why, `path` where it stands in the data: ".regions.x[0]"."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what
        self.path = ""

    def below(self, step: str) -> "NotPlain":
        """This, seen from one container further out."""
        self.path = f"{step}{self.path}"[:PATH_SHOWN]
        return self


def lent(data: object, limits: Limits) -> Lent:
    """`data`, lent to a script for one call. NotPlain if it may not cross; what is wrong is found out only where something is."""
    try:
        return lend(data, limits, BOUNDS)
    except ConversionError:
        return Lent(to_value(data, limits))


def to_value(data: object, limits: Limits) -> Value:
    """`data` as a script sees it, in copies of its own. NotPlain if it may not cross."""
    return _Intake(limits).value(data, 0)


class _Intake:
    """One value on its way in: what of the whole there was so far."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._longest = limits.max_string_size or MAX_BYTES
        self._items = 0
        self._bytes = 0

    def value(self, data: object, depth: int) -> Value:
        if data is None or type(data) is bool or type(data) is float:
            return data
        if type(data) is str:
            return self._text(data)
        if type(data) is int:
            if I64_MIN <= data <= I64_MAX:
                return data
            raise NotPlain("an integer of more than 64 bits")
        if type(data) is list:
            return self._list(data, depth)
        if type(data) is dict:
            return self._map(data, depth)
        raise NotPlain(f"{type(data).__name__} is not plain data")

    def _list(self, data: list[object], depth: int) -> list[Value]:
        self._count(len(data), self._limits.max_array_size, depth)
        items: list[Value] = []
        for item in data:
            try:
                items.append(self.value(item, depth + 1))
            except NotPlain as error:
                raise error.below(f"[{len(items)}]") from None
        return items

    def _map(self, data: dict[object, object], depth: int) -> dict[str, Value]:
        self._count(len(data), self._limits.max_map_size, depth)
        entries: dict[str, Value] = {}
        for key, item in data.items():
            if type(key) is not str:
                raise NotPlain(f"a key is {type(key).__name__}, not str")
            try:
                entries[self._text(key)] = self.value(item, depth + 1)
            except NotPlain as error:
                raise error.below(f".{key[:PATH_SHOWN]}") from None
        return entries

    def _text(self, text: str) -> str:
        try:
            size = len(text) if text.isascii() else len(text.encode("utf-8"))
        except UnicodeEncodeError:
            raise NotPlain("a text with a lone surrogate") from None
        self._bytes += size
        if size > self._longest or self._bytes > MAX_BYTES:
            _at_most(self._longest, size, "bytes")
            _at_most(MAX_BYTES, self._bytes, "bytes in all")
        return text

    def _count(self, count: int, most: int, depth: int) -> None:
        if depth >= MAX_DEPTH:
            raise NotPlain(f"nested deeper than {MAX_DEPTH}")
        self._items += count
        _at_most(most or count, count, "items")
        _at_most(MAX_ITEMS, self._items, "items in all")


def _at_most(most: int, count: int, unit: str) -> None:
    if count > most:
        raise NotPlain(f"{count} {unit}, more than {most}")


def to_json(value: Value, depth: int = 0) -> Json:
    """`value` as the host sees it: characters become texts, floats that are no numbers null. NotPlain if it may not cross."""
    if value is None or type(value) is bool or type(value) is int:
        return value
    if type(value) is float:
        return value if value - value == 0 else None
    if type(value) is str or type(value) is Char:
        return str(value)
    if depth >= MAX_DEPTH:
        raise NotPlain(f"nested deeper than {MAX_DEPTH}")
    if type(value) is list:
        return [item if type(item) is str or type(item) is int else to_json(item, depth + 1) for item in value]
    if type(value) is not dict:
        raise NotPlain(f"{type_name(value)} has no form in JSON")
    entries: dict[str, Json] = {}
    for key in sorted(value):
        item = value[key]
        entries[key] = item if type(item) is str or type(item) is int else to_json(item, depth + 1)
    return entries
