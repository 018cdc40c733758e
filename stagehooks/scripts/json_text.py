"""JSON as serde writes and reads it: what a script means by `is_json`, what messages show, what commands take as `ctx`.

Python's own reader takes more (NaN, lone surrogates, numbers without bounds) and recurses; here both is refused.
"""

import json

from rhaipy.typings import Final, TypeAlias

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
"""Plain data: what crosses the boundary between host and script, both ways."""

MAX_DEPTH: Final = 127
SHOWN: Final = 200
I64_MIN: Final = -(2**63)
I64_MAX: Final = 2**63 - 1


def parse(text: str) -> Json:
    """The value of the JSON document `text`; integers beyond 64 bits become floats. ValueError for anything else."""
    _scalar_values_only(text)
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(text) > MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH}")
    value: Json = json.loads(text, parse_int=_integer, parse_float=_float, parse_constant=_constant)
    if "\\u" in text:
        _scalar_values_only(json.dumps(value, ensure_ascii=False))
    return value


def show(value: Json) -> str:
    """`value` as compact JSON with sorted keys, shortened where it is long."""
    text = dump(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def dump(value: Json) -> str:
    """`value` as compact JSON with sorted keys; floats that are no numbers become null."""
    return json.dumps(_finite(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def line(value: Json) -> str:
    """`value` as one line of ASCII JSON, keys in their own order: what commands print."""
    return json.dumps(_finite(value))


def as_plain(value: object, depth: int = 0) -> Json:
    """`value`, if it is plain data by exact type and not too deep; ValueError if it is not."""
    if value is None or type(value) is bool or type(value) is str:
        return value
    if isinstance(value, int) and type(value) is int and I64_MIN <= value <= I64_MAX:
        return value
    if isinstance(value, float) and type(value) is float and value - value == 0:
        return value
    if depth < MAX_DEPTH:
        if isinstance(value, list) and type(value) is list:
            return [as_plain(item, depth + 1) for item in value]
        if isinstance(value, dict) and type(value) is dict and all(type(key) is str for key in value):
            return {key: as_plain(item, depth + 1) for key, item in value.items()}
    raise ValueError("not plain data")


def _finite(value: Json) -> Json:
    if isinstance(value, float) and value - value != 0:
        return None
    if isinstance(value, list):
        return [_finite(item) for item in value]
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return value


def _depth(text: str) -> int:
    deepest = depth = 0
    in_string = escaped = False
    for char in text:
        if in_string:
            in_string = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            in_string = True
        elif char in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest


def _integer(digits: str) -> int | float:
    if len(digits) <= 20:
        number = int(digits)
        if I64_MIN <= number <= I64_MAX:
            return number
    return _float(digits)


def _float(digits: str) -> float:
    number = float(digits)
    if number - number != 0:
        raise ValueError("number out of range")
    return number


def _constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _scalar_values_only(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("lone surrogate") from None
