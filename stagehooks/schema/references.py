"""What a schema refers to must be in it: nothing is fetched, and a reference into nowhere would refuse every value."""

from collections.abc import Iterator
from urllib.parse import unquote

from stagehooks.schema.keywords import SchemaError
from stagehooks.scripts.json_text import Json


def check_references(schema: Json) -> None:
    """SchemaError for a reference in `schema` that leads out of it, or to nothing. One with names of its own is let be."""
    found = [*_within(schema)]
    if any(keyword == "$id" for keyword, _ in found):
        return
    anchors = {said for keyword, said in found if keyword in ("$anchor", "$dynamicAnchor")}
    for keyword, said in found:
        if keyword in ("$ref", "$dynamicRef") and not _leads_somewhere(schema, said, anchors):
            raise SchemaError(f"'{keyword}' leads to '{said}', which is not in the schema; nothing is fetched")


def refuse_references(schema: Json) -> None:
    """SchemaError for any reference in `schema`: it becomes a part of another one, in which they would lead elsewhere."""
    for keyword, said in _within(schema):
        if keyword in ("$ref", "$dynamicRef"):
            raise SchemaError(f"'{keyword}' leads to '{said}'; the schema of a parameter cannot refer to anything")


def _within(schema: Json) -> Iterator[tuple[str, str]]:
    """Every key with a text, whatever its depth: more than the keywords, which does no harm but in an example."""
    waiting: list[Json] = [schema]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            yield from [(key, said) for key, said in value.items() if isinstance(said, str)]
            waiting += [said for key, said in value.items() if key not in ("enum", "const", "default", "examples")]


def _leads_somewhere(schema: Json, reference: str, anchors: set[str]) -> bool:
    if not reference.startswith("#"):
        return False
    steps = unquote(reference[1:]).split("/")
    if steps[0]:
        return len(steps) == 1 and steps[0] in anchors
    place: Json = schema
    for step in steps[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(place, dict) and name in place:
            place = place[name]
        elif isinstance(place, list) and name.isascii() and name.isdecimal() and int(name) < len(place):
            place = place[int(name)]
        else:
            return False
    return True
