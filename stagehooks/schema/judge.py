"""Does a value fit a schema of the part? Each violation reads `at /path: what`."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from stagehooks.scripts.json_text import Json, dump, show

Report = Callable[[str], None]


def judge(schema: Json, value: Json, path: str = "") -> list[str]:
    """What is wrong with `value`; empty where nothing is. `schema` has passed `keywords.check`."""
    found: list[str] = []
    _judge(schema, value, path, found)
    return found


def _judge(schema: Json, value: Json, path: str, found: list[str]) -> None:
    if schema is False:
        found.append(f"at {path or '/'}: nothing is allowed here")
    if not isinstance(schema, dict):
        return
    wrong: list[str] = []
    if "type" in schema and not _is_of(value, schema["type"]):
        found.append(f"at {path or '/'}: {show(value)} is not of type {_types(schema['type'])}")
        return
    for keyword, said in schema.items():
        if keyword in GENERAL:
            GENERAL[keyword](said, value, wrong.append)
        elif isinstance(value, str) and keyword in TEXTS:
            TEXTS[keyword](said, value, wrong.append)
        elif keyword in NUMBERS and isinstance(value, int | float) and type(value) is not bool:
            NUMBERS[keyword](said, value, wrong.append)
    found += [f"at {path or '/'}: {what}" for what in wrong]
    if isinstance(value, list):
        _judge_list(schema, value, path, found)
    if isinstance(value, dict):
        _judge_object(schema, value, path, found)


def _judge_list(schema: Mapping[str, Json], items: list[Json], path: str, found: list[str]) -> None:
    _judge_count(schema, "Items", len(items), path, found)
    if schema.get("uniqueItems") and len({_key(item) for item in items}) < len(items):
        found.append(f"at {path or '/'}: an item stands there twice")
    for place, item in enumerate(items):
        _judge(schema.get("items", True), item, f"{path}/{place}", found)


def _judge_object(schema: Mapping[str, Json], value: Mapping[str, Json], path: str, found: list[str]) -> None:
    _judge_count(schema, "Properties", len(value), path, found)
    required, properties = schema.get("required"), schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    needed = required if isinstance(required, list) else []
    found += [f"at {path or '/'}: {show(name)} is a required property" for name in needed if name not in value]
    others = schema.get("additionalProperties", True)
    for name, item in value.items():
        if name not in known and others is False:
            found.append(f"at {path or '/'}: {show(name)} is not a known property")
        else:
            _judge(known.get(name, others), item, f"{path}/{step(name)}", found)


def _judge_count(schema: Mapping[str, Json], noun: str, count: int, path: str, found: list[str]) -> None:
    least, most = schema.get(f"min{noun}"), schema.get(f"max{noun}")
    if isinstance(least, int) and count < least:
        found.append(f"at {path or '/'}: {count} {noun.lower()} are fewer than {least}")
    if isinstance(most, int) and count > most:
        found.append(f"at {path or '/'}: {count} {noun.lower()} are more than {most}")


def _enum(said: Json, value: Json, report: Report) -> None:
    if isinstance(said, list) and _key(value) not in [_key(item) for item in said]:
        report(f"{show(value)} is not one of {show(said)}")


def _const(said: Json, value: Json, report: Report) -> None:
    if _key(said) != _key(value):
        report(f"{show(value)} is not {show(said)}")


def _all_of(said: Json, value: Json, report: Report) -> None:
    for inner in said if isinstance(said, list) else []:
        for what in judge(inner, value):
            report(what.partition(": ")[2] if what.startswith("at /: ") else what)


def _any_of(said: Json, value: Json, report: Report) -> None:
    if isinstance(said, list) and all(judge(inner, value) for inner in said):
        report(f"{show(value)} fits none of the {len(said)} alternatives")


def _one_of(said: Json, value: Json, report: Report) -> None:
    if isinstance(said, list):
        fitting = sum(not judge(inner, value) for inner in said)
        if fitting != 1:
            report(f"{show(value)} fits {fitting or 'none'} of the {len(said)} alternatives, not one")


def _not(said: Json, value: Json, report: Report) -> None:
    if not judge(said, value):
        report(f"{show(value)} is what it must not be")


def _least_length(said: Any, value: str, report: Report) -> None:
    if len(value) < said:
        report(f"{show(value)} is shorter than {said} characters")


def _most_length(said: Any, value: str, report: Report) -> None:
    if len(value) > said:
        report(f"{show(value)} is longer than {said} characters")


def _pattern(said: Any, value: str, report: Report) -> None:
    if re.search(said, value) is None:
        report(f"{show(value)} does not match {show(said)}")


def _minimum(said: Any, value: float, report: Report) -> None:
    if value < said:
        report(f"{show(value)} is less than {show(said)}")


def _maximum(said: Any, value: float, report: Report) -> None:
    if value > said:
        report(f"{show(value)} is more than {show(said)}")


def _above(said: Any, value: float, report: Report) -> None:
    if value <= said:
        report(f"{show(value)} is not more than {show(said)}")


def _below(said: Any, value: float, report: Report) -> None:
    if value >= said:
        report(f"{show(value)} is not less than {show(said)}")


def _multiple(said: Any, value: float, report: Report) -> None:
    if (Fraction(repr(value)) / Fraction(repr(said))).denominator != 1:
        report(f"{show(value)} is no multiple of {show(said)}")


GENERAL: Final[dict[str, Callable[[Json, Json, Report], None]]] = {
    "enum": _enum, "const": _const, "allOf": _all_of, "anyOf": _any_of, "oneOf": _one_of, "not": _not,
}  # fmt: skip
TEXTS: Final[dict[str, Callable[[Any, str, Report], None]]] = {
    "minLength": _least_length, "maxLength": _most_length, "pattern": _pattern,
}  # fmt: skip
NUMBERS: Final[dict[str, Callable[[Any, float, Report], None]]] = {
    "minimum": _minimum, "maximum": _maximum, "exclusiveMinimum": _above, "exclusiveMaximum": _below, "multipleOf": _multiple,
}  # fmt: skip


def _is_of(value: Json, types: Json) -> bool:
    return any(_is_one(value, kind) for kind in (types if isinstance(types, list) else [types]))


def _is_one(value: Json, kind: Json) -> bool:
    match kind:
        case "null":
            return value is None
        case "boolean":
            return type(value) is bool
        case "integer":
            return type(value) is int or (isinstance(value, float) and value.is_integer())
        case "number":
            return _is_number(value)
        case "string":
            return type(value) is str
        case "array":
            return type(value) is list
    return type(value) is dict


def _is_number(value: Json) -> bool:
    return type(value) is int or type(value) is float


def _types(said: Json) -> str:
    return " or ".join(show(kind) for kind in (said if isinstance(said, list) else [said]))


def _key(value: Json) -> str:
    """A text that is the same for equal values: 1 and 1.0 are equal, 1 and true are not."""
    return dump(_with_whole_numbers(value))


def _with_whole_numbers(value: Json) -> Json:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_with_whole_numbers(item) for item in value]
    if isinstance(value, dict):
        return {key: _with_whole_numbers(item) for key, item in value.items()}
    return value


def step(name: object) -> str:
    """`name` as one step of a path."""
    return str(name).replace("~", "~0").replace("/", "~1")
