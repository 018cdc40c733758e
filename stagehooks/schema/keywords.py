"""The keywords of JSON Schema that are understood without any package, and whether a schema uses them as they are meant."""

import re
from typing import Final

from stagehooks.scripts.json_text import Json, show

SILENT: Final = frozenset({
    "$schema", "$id", "$comment", "title", "description", "default", "examples", "format", "deprecated", "readOnly", "writeOnly",
    "contentEncoding", "contentMediaType",
})  # fmt: skip
"""Keywords that tell people something and refuse nothing."""

TYPES: Final = ("null", "boolean", "integer", "number", "string", "array", "object")
DEPTH: Final = 64

WANTED: Final = {
    "type": f"one of {', '.join(TYPES)}, or a list of them",
    "enum": "a list",
    "const": "any value",
    "required": "a list of texts",
    "properties": "a table of schemas",
    "additionalProperties": "a schema",
    "items": "a schema",
    "not": "a schema",
    "allOf": "a list of schemas",
    "anyOf": "a list of schemas",
    "oneOf": "a list of schemas",
    "minimum": "a number",
    "maximum": "a number",
    "exclusiveMinimum": "a number",
    "exclusiveMaximum": "a number",
    "multipleOf": "a number above 0",
    "minLength": "a whole number",
    "maxLength": "a whole number",
    "minItems": "a whole number",
    "maxItems": "a whole number",
    "minProperties": "a whole number",
    "maxProperties": "a whole number",
    "uniqueItems": "true or false",
    "pattern": "a regular expression",
}
PART: Final = frozenset(WANTED)
"""The keywords that are understood here."""


class SchemaError(Exception):
    """The schema is none, or needs what is not installed; the text says where and why."""


def beyond(schema: Json) -> list[str]:
    """The keywords in `schema` that are not of the part, sorted."""
    found: set[str] = set()
    _collect(schema, found, 0)
    return sorted(found)


def _collect(schema: Json, found: set[str], depth: int) -> None:
    if not isinstance(schema, dict) or depth > DEPTH:
        return
    for keyword, said in schema.items():
        if keyword not in PART and keyword not in SILENT:
            found.add(keyword)
        for inner in _schemas_in(keyword, said):
            _collect(inner, found, depth + 1)


def _schemas_in(keyword: str, said: Json) -> list[Json]:
    """The schemas that the keyword holds."""
    if keyword in ("items", "additionalProperties", "not"):
        return [said]
    if keyword == "properties" and isinstance(said, dict):
        return [*said.values()]
    if keyword in ("allOf", "anyOf", "oneOf") and isinstance(said, list):
        return said
    return []


def check(schema: Json, path: str = "", depth: int = 0) -> None:
    """SchemaError if a keyword of the part does not hold what it should."""
    if isinstance(schema, bool):
        return
    if not isinstance(schema, dict):
        raise SchemaError(f"at {path or '/'}: a schema is a table, not {show(schema)}")
    if depth > DEPTH:
        raise SchemaError(f"nested deeper than {DEPTH}")
    for keyword, said in schema.items():
        if keyword in PART and not _fits(keyword, said):
            raise SchemaError(f"at {path}/{keyword}: must be {WANTED[keyword]}, not {show(said)}")
        for inner in _schemas_in(keyword, said):
            check(inner, f"{path}/{keyword}", depth + 1)


def _fits(keyword: str, said: Json) -> bool:
    match WANTED[keyword]:
        case "a list" | "a list of schemas":
            return isinstance(said, list)
        case "a list of texts":
            return isinstance(said, list) and all(type(item) is str for item in said)
        case "a table of schemas":
            return isinstance(said, dict)
        case "a number":
            return type(said) is int or type(said) is float
        case "a number above 0":
            return isinstance(said, int | float) and type(said) is not bool and said > 0
        case "a whole number":
            return isinstance(said, int) and type(said) is int and said >= 0
        case "true or false":
            return type(said) is bool
        case "a regular expression":
            return isinstance(said, str) and _compiles(said)
        case "any value" | "a schema":
            return True
    return all(type(item) is str and item in TYPES for item in (said if isinstance(said, list) else [said]))


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return False
    return True
