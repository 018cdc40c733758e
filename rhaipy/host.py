"""The border between the host's values and a run: what comes in is judged by exact type, what comes from functions is copied too.

A list or map that the host hands in belongs to the script from then on, one that a function of the host returns stays the host's.
"""

from collections.abc import Iterable, Iterator

from rhaipy.convert import ConversionError
from rhaipy.errors import RhaiError
from rhaipy.host_errors import HostFailure, from_host
from rhaipy.host_types import HostTypes
from rhaipy.integers import fits
from rhaipy.limit_errors import OutOfFuel
from rhaipy.limits import Limits, Meter
from rhaipy.source import At
from rhaipy.typings import Any, Final, cast
from rhaipy.values import I64_MAX, I64_MIN, MUTABLE, Byte, Char, FnPtr, Instant, Range, Shared, Stream, Value, copy

_AS_IT_IS: Final = frozenset({type(None), bool, Byte, float, Range, Stream, Instant})
ITERATOR: Final = "iterator$"
"""What the function of `register_iterator` is called."""
_HOLDERS: Final = MUTABLE | {FnPtr, Shared}


def admit(value: object, types: HostTypes, path: str) -> Value:
    """`value`, if scripts may hold it; ConversionError, which calls it `path`, if not."""
    return admit_all([value], types, [path])[0]


def admit_all(values: Iterable[object], types: HostTypes, paths: Iterable[str]) -> list[Value]:
    """The values, if scripts may hold them. A container that is found twice is copied: no two values share one."""
    done: set[int] = set()
    admitted: list[Value] = []
    for value, path in zip(values, paths, strict=True):
        border = _Border(types, path, done)
        border.check(value)
        admitted.append(_unshared(cast("Value", value), types, path) if border.shares else cast("Value", value))
    return admitted


MOST_COPIED: Final = 1_000_000
"""Units of fuel for what is held twice: each container is one, and each four items. Twice of twice of twice has no end."""


def _unshared(value: Value, types: HostTypes, path: str) -> Value:
    meter = Meter(Limits(fuel=MOST_COPIED))
    meter.types = types
    try:
        return copy(value, meter)
    except OutOfFuel:
        raise ConversionError(path, "holds containers more than once, too many for copies of them all") from None


def free_meter(types: HostTypes) -> Meter:
    """A meter for work that no run pays for."""
    meter = Meter(Limits())
    meter.types = types
    return meter


class _Border:
    """Judges one value and all that is in it, with a stack of its own. `shares`: some container is in it, or others, twice."""

    __slots__ = ("around", "done", "kept", "path", "shares", "types")

    def __init__(self, types: HostTypes, path: str, done: set[int]) -> None:
        self.types = types
        self.path = path
        self.done = done
        self.around: set[int] = set()
        self.shares = False

    def check(self, root: object) -> None:
        """ConversionError where `root` is, or holds, what scripts have no value for."""
        pending: list[tuple[Iterator[Any], int]] = [(iter((root,)), 0)]
        while pending:
            items, identity = pending[-1]
            for item in items:
                kind = type(item)
                if kind in _AS_IT_IS or (kind is str and item.isascii()) or (kind is int and I64_MIN <= item <= I64_MAX):
                    continue  # as most are
                inside = self._enter(item, len(pending) > 1)
                if inside is not None:
                    pending.append((inside, id(item)))
                    break
            else:
                pending.pop()
                self.around.discard(identity)
                self.done.add(identity)

    def _enter(self, item: Any, nested: bool) -> Iterator[Any] | None:
        """Judge one value; what is in it, if it is a container that was not judged before."""
        kind = type(item)
        if kind in _AS_IT_IS or kind in self.types.names:
            return None
        if kind is int:
            self._require(fits(item), nested, "an integer of more than 64 bits")
            return None
        if kind is str or kind is Char:
            self._text(item, nested)
            return None
        if kind not in _HOLDERS:
            self._require(False, nested, f"of type {kind.__qualname__}, which scripts have no value for")
        if id(item) in self.around:
            self._require(kind is FnPtr or kind is Shared, False, "a container that holds itself")
            return None
        if id(item) in self.done:
            self.shares = self.shares or kind in MUTABLE
            return None
        self.around.add(id(item))
        return self._inside(item, kind)

    def _inside(self, item: Any, kind: type) -> Iterator[Any]:
        if kind is dict:
            for key in item:
                if type(key) is str and key.isascii():
                    continue
                self._require(type(key) is str, True, f"a map with a key of type {type(key).__qualname__}; keys are strings")
                self._text(key, True)
            return iter(item.values())
        if kind is FnPtr:
            return iter(item.curried)
        if kind is bytearray:
            return iter(())
        return iter((item.value,)) if kind is Shared else iter(item)

    def _text(self, text: str, nested: bool) -> None:
        if type(text) is Char:
            self._require(len(text) == 1, nested, "a character made of more or less than one")
        if not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError:
                self._require(False, nested, "half of a surrogate pair, which is no character")

    def _require(self, fine: bool, nested: bool, what: str) -> None:
        if not fine:
            where = "holds something that is " if nested else "is "
            raise ConversionError(self.path, where + what)


# --- what the host's code gives while a script runs -----------------------------------------------------------------------


def result_of(name: str, value: object, meter: Meter, at: At) -> Value:
    """What the function `name` of the host gave, as a value of the script's own; HostFailure if scripts have no such values."""
    try:
        return copy(admit(value, meter.types, "its result"), meter, at)
    except ConversionError as error:
        raise HostFailure(at, name, error) from None


def admit_changed(name: str, value: object, meter: Meter, at: At) -> None:
    """HostFailure if the function `name` of the host made of its first argument what scripts have no values of."""
    try:
        admit(value, meter.types, "what it changed")
    except ConversionError as error:
        raise HostFailure(at, name, error) from None


def host_items(value: Value, meter: Meter, at: At) -> Iterator[Value] | None:
    """What `for` runs over for a value of a class of the host's; None if it has no iterator."""
    iterate = meter.types.iterators.get(type(value))
    return None if iterate is None else _items(value, meter, at)


def _items(value: Value, meter: Meter, at: At) -> Iterator[Value]:
    try:
        for item in meter.types.iterators[type(value)](value):
            yield result_of(ITERATOR, item, meter, at)
    except RhaiError as error:
        raise error.filled(at) from None
    except (RecursionError, MemoryError):
        raise
    except Exception as error:
        raise from_host(ITERATOR, error).filled(at) from None
