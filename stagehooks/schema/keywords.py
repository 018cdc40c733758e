"""The keywords of JSON Schema that are understood without any package, and whether a schema uses them as they are meant."""

import re
from difflib import get_close_matches
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
    "type": f"one of {', '.join(TYPES)}, or a list of some of them",
    "enum": "a list",
    "const": "any value",
    "required": "a list of texts",
    "properties": "a table of schemas",
    "additionalProperties": "a schema",
    "items": "a schema",
    "not": "a schema",
    "allOf": "a list of schemas, at least one",
    "anyOf": "a list of schemas, at least one",
    "oneOf": "a list of schemas, at least one",
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

ONE: Final = (
    "contains", "propertyNames", "if", "then", "else", "unevaluatedItems", "unevaluatedProperties", "additionalItems",
    "contentSchema",
)  # fmt: skip
TABLES: Final = ("$defs", "definitions", "patternProperties", "dependentSchemas")
WITH_PACKAGE: Final = frozenset({
    *ONE, *TABLES, "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary", "prefixItems", "minContains",
    "maxContains", "dependentRequired", "dependencies",
})  # fmt: skip
"""The other keywords there are. What is none of all these is a mistake: the package would pass it over without a word."""
OWN: Final = "x-"
"""What begins so is an author's own, and says nothing."""


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
        if keyword not in PART and keyword not in SILENT and not keyword.startswith(OWN):
            found.add(keyword)
        for inner in _schemas_in(keyword, said):
            _collect(inner, found, depth + 1)


def _schemas_in(keyword: str, said: Json) -> list[Json]:
    """The schemas that the keyword holds."""
    if keyword in ("items", "additionalProperties", "not", *ONE):
        return [said]
    if keyword in ("properties", *TABLES) and isinstance(said, dict):
        return [*said.values()]
    if keyword in ("allOf", "anyOf", "oneOf", "prefixItems") and isinstance(said, list):
        return said
    return []


def refuse_unknown(schema: Json, path: str = "", depth: int = 0) -> None:
    """SchemaError if there is a keyword in `schema` that no JSON Schema has, or more depth than is looked at."""
    if not isinstance(schema, dict):
        return
    if depth > DEPTH:
        raise SchemaError(f"nested deeper than {DEPTH}")
    known = PART | SILENT | WITH_PACKAGE
    for keyword, said in schema.items():
        if keyword not in known and not keyword.startswith(OWN):
            near = get_close_matches(keyword, sorted(known), n=1)
            hint = f", did you mean '{near[0]}'?" if near else ""
            raise SchemaError(f"at {path or '/'}: '{keyword}' is no keyword of JSON Schema{hint}")
        for inner in _schemas_in(keyword, said):
            refuse_unknown(inner, f"{path}/{keyword}", depth + 1)


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
        case "a list":
            return isinstance(said, list)
        case "a list of schemas, at least one":
            return isinstance(said, list) and len(said) > 0
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
    types = said if isinstance(said, list) else [said]
    return len(types) > 0 and all(type(item) is str and item in TYPES for item in types)


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return False
    return True
