"""Pieces of a JSON Schema, each with what an editor shows for it."""

from collections.abc import Iterable
from typing import Final, TypeAlias

from stagehooks.scripts.json_text import Json

SCRIPT: Final = r"\.rhai$"
NO_EFFECT: Final = "Known to the original system; it has no effect here."

Schema: TypeAlias = dict[str, Json]


def _described(schema: Schema, description: str, default: Json = None) -> Schema:
    said: Schema = {"description": description} if description else {}
    return {**said, **schema} if default is None else {**said, **schema, "default": default}


def text(description: str, default: str | None = None) -> Schema:
    """A text."""
    return _described({"type": "string"}, description, default)


def path(description: str) -> Schema:
    """The path of a script."""
    return _described({"type": "string", "pattern": SCRIPT}, description)


def flag(description: str, default: bool) -> Schema:
    """true or false."""
    return _described({"type": "boolean"}, description, default)


def whole(description: str, default: int | None = None, least: int = 0) -> Schema:
    """A whole number, `least` or more."""
    return _described({"type": "integer", "minimum": least}, description, default)


def number(description: str) -> Schema:
    """A number, 0 or more."""
    return _described({"type": "number", "minimum": 0}, description)


def one_of(words: Iterable[str], description: str, default: str | None = None, folded: bool = False) -> Schema:
    """One of `words`; `folded`: in whatever case."""
    if folded:
        letters = ["".join(f"[{letter}{letter.upper()}]" for letter in word) for word in words]
        return _described({"type": "string", "pattern": f"^({'|'.join(letters)})$"}, description, default)
    return _described({"enum": [*words]}, description, default)


def texts(description: str) -> Schema:
    """A list of texts."""
    return list_of(description, {"type": "string"})


def list_of(description: str, items: Schema) -> Schema:
    """A list of `items`."""
    return _described({"type": "array", "items": items}, description)


def map_of(description: str, values: Schema) -> Schema:
    """A table whose keys are names of the author's own."""
    return _described({"type": "object", "additionalProperties": values}, description)


def ref(name: str) -> Schema:
    """The definition called `name`."""
    return {"$ref": f"#/$defs/{name}"}


def _later(keys: Iterable[str]) -> Schema:
    return {key: {"description": NO_EFFECT, "deprecated": True} for key in keys}


def table(description: str, keys: Schema, later: Iterable[str] = (), required: Iterable[str] = ()) -> Schema:
    """A table with these keys and no others; those of `later` have no effect."""
    schema: Schema = {"type": "object", "properties": {**keys, **_later(later)}, "additionalProperties": False}
    return _described({**schema, "required": [*required]} if [*required] else schema, description)
