"""The boundary: the host's values and JSON text to values of Rhai, and back. By exact type, copied, depth and size bounded.

What is let in: None, bool, int, float, str, list, tuple, dict with str keys, bytes, bytearray, and Rhai's own Char, Range, FnPtr.
What is let out as plain data: (), booleans, numbers, strings, characters (as strings), arrays, maps. Everything else is refused
with the path to it; so are subclasses of these types, for they may carry behaviour.
"""

from math import isfinite

from rhaipy.errors import RhaiError
from rhaipy.integers import fits
from rhaipy.typings import Any, Final
from rhaipy.values import Byte, Char, FnPtr, Range, Shared, Value, type_name

MAX_DEPTH: Final = 128
"""Values nested deeper than this do not cross the boundary."""

MAX_SIZE: Final = 64 * 2**20
"""Characters of text, and eight for each item of a container, that may come in at once."""


class ConversionError(RhaiError, TypeError, kind="Conversion"):
    """A value that cannot cross the boundary. `path` says where it is: `ctx.regions.notes[2]`."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__()
        self.path = path
        self.why = why

    def text(self) -> str:
        return f"{self.path} {self.why}"


# --- in -------------------------------------------------------------------------------------------------------------------


def from_host(value: object, path: str = "value", max_size: int = MAX_SIZE) -> Value:
    """The Rhai value that `value` stands for, sharing nothing with it; ConversionError where there is none.

    `path` is how errors call the value. An integer of 64 bits that needs all of them without a sign becomes a float.
    """
    return _Importer(max_size).value(value, path, 0)


class _Importer:
    """Converts one value, and counts how much it holds."""

    __slots__ = ("left", "max_size")

    def __init__(self, max_size: int) -> None:
        self.max_size = max_size
        self.left = max_size

    def value(self, value: Any, path: str, depth: int) -> Value:
        """The Rhai value for `value`, which is inside `depth` containers."""
        kind = type(value)
        result: Value
        if kind in _AS_IT_IS:
            result = value
        elif kind is int:
            result = _integer(value, path)
        elif kind is str or kind is Char:
            result = self.text(value, path)
        elif kind is list or kind is tuple:
            self.enter(len(value), path, depth)
            result = [self.value(item, f"{path}[{index}]", depth + 1) for index, item in enumerate(value)]
        elif kind is dict:
            self.enter(len(value), path, depth)
            result = {self.key(key, path): self.value(item, _member(path, key), depth + 1) for key, item in value.items()}
        elif kind is bytes or kind is bytearray:
            self.count(len(value), path)
            result = bytearray(value)
        else:
            raise ConversionError(path, f"is of type {kind.__name__}, which scripts have no value for")
        return result

    def text(self, text: str, path: str) -> str:
        """`text`, if Rust could hold it."""
        self.count(len(text), path)
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ConversionError(path, "holds half of a surrogate pair, which is no character") from None
        return text

    def key(self, key: object, path: str) -> str:
        """The key of a map."""
        if type(key) is not str:
            raise ConversionError(path, f"has a key of type {type(key).__name__}; keys are strings")
        return self.text(key, path)

    def enter(self, count: int, path: str, depth: int) -> None:
        """Go into a container of `count` items."""
        if depth >= MAX_DEPTH:
            raise ConversionError(path, f"is nested deeper than {MAX_DEPTH}")
        self.count(8 * count, path)

    def count(self, size: int, path: str) -> None:
        """Add `size` to what the value holds."""
        self.left -= size
        if self.left < 0:
            raise ConversionError(path, f"is too large: more than {self.max_size} characters in all")


_AS_IT_IS: Final = frozenset({type(None), bool, float, Range, FnPtr})
_UNSIGNED_END: Final = 2**64


def _integer(value: int, path: str) -> int | float:
    if fits(value):
        return value
    if 0 < value < _UNSIGNED_END:
        return float(value)
    raise ConversionError(path, "is an integer of more than 64 bits")


def _member(path: str, key: object) -> str:
    return f"{path}.{key}" if type(key) is str and key.isidentifier() else f"{path}[..]"


# --- out ------------------------------------------------------------------------------------------------------------------


def to_host(value: Value, path: str = "value") -> Any:
    """`value` as plain data of Python (None, bool, int, float, str, list, dict), sharing nothing with it.

    Maps come in the order of their keys. ConversionError where `value` holds anything else, or is nested too deep.
    """
    return _plain(value, path, 0)


def _plain(value: Value, path: str, depth: int) -> Any:
    if type(value) is Shared:
        value = value.value
    if value is None or type(value) in _PLAIN:
        return value
    if type(value) is Char:
        return str(value)
    if type(value) is Byte:
        return int(value)
    if not isinstance(value, (list, dict)):
        raise ConversionError(path, f"is of type {type_name(value)}, which is no plain data")
    if depth >= MAX_DEPTH:
        raise ConversionError(path, f"is nested deeper than {MAX_DEPTH}")
    if isinstance(value, list):
        return [_plain(item, f"{path}[{index}]", depth + 1) for index, item in enumerate(value)]
    return {key: _plain(value[key], _member(path, key), depth + 1) for key in sorted(value)}


_PLAIN: Final = frozenset({bool, int, float, str})

# --- JSON -----------------------------------------------------------------------------------------------------------------


def from_json(text: str, path: str = "JSON") -> Value:
    """The Rhai value of a JSON text; ConversionError where it is none, or none that Rhai can hold.

    Whole numbers beyond 64 bits become floats. `NaN` and `Infinity` are no JSON, numbers beyond all floats are refused.
    """
    if len(text) > MAX_SIZE:
        raise ConversionError(path, f"is too large: more than {MAX_SIZE} characters in all")
    if _nesting(text) > MAX_DEPTH:
        raise ConversionError(path, f"is nested deeper than {MAX_DEPTH}")
    import json  # takes 1 ms to load, and no script comes here

    try:
        value = json.loads(text, parse_int=_json_integer, parse_float=_json_float, parse_constant=_no_number)
    except ValueError as error:
        raise ConversionError(path, f"is not valid: {error}") from None
    return from_host(value, path)


def to_json(value: Value, path: str = "value") -> str:
    """`value` as JSON text; infinities and NaN are null. ConversionError where it is no plain data."""
    import json  # see `from_json`

    return json.dumps(_finite(to_host(value, path)), ensure_ascii=False, separators=(",", ":"))


def _finite(value: Any) -> Any:
    if type(value) is float:
        return value if isfinite(value) else None
    if type(value) is list:
        return [_finite(item) for item in value]
    return {key: _finite(item) for key, item in value.items()} if type(value) is dict else value


_LONGEST_INTEGER: Final = 20
"""Digits and sign of the longest 64-bit integer."""


def _json_integer(digits: str) -> int | float:
    if len(digits) <= _LONGEST_INTEGER and fits(int(digits)):
        return int(digits)
    return _json_float(digits)


def _json_float(digits: str) -> float:
    number = float(digits)
    return number if isfinite(number) else _no_number("number out of range")


def _no_number(word: str) -> float:
    raise ValueError(word)


def _nesting(text: str) -> int:
    # How deep brackets are nested, so that the recursion of the JSON parser is known to end. Escaped quotes end no string.
    deepest = depth = 0
    in_string = False
    for piece in text.split('"'):
        if in_string:
            in_string = (len(piece) - len(piece.rstrip("\\"))) % 2 == 1
            continue
        in_string = True
        for char in piece:
            if char in "[{":
                depth += 1
                deepest = max(deepest, depth)
            elif char in "]}":
                depth -= 1
    return deepest
