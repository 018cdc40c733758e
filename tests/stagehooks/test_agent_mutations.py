"""Whatever stands in the place of a value of a whole agent file: it is read, or refused with a line. Nothing else happens."""

import copy
import json
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest

from stagehooks.agent.reader import read_blueprint
from stagehooks.errors import BlueprintError
from tests.docs.documents import blocks

DOCUMENT: Final = Path(__file__).parent.parent.parent / "docs" / "agent-file.md"
(TEXT,) = [block.text for block in blocks(DOCUMENT) if block.marks.get("file") == "full/agent.toml"]
WHOLE: Final[dict[str, Any]] = tomllib.loads(TEXT)
JUNK: Final[tuple[Any, ...]] = ("", -1, float("nan"), date(2020, 1, 1), [1], {"x": 1})
"""A value of each type of TOML, none of them worth anything."""


def toml(value: Any) -> str:
    match value:
        case bool() | str():
            return json.dumps(value)
        case date():
            return value.isoformat()
        case list():
            return f"[{', '.join(map(toml, value))}]"
        case dict():
            return f"{{{', '.join(f'{json.dumps(key)} = {toml(item)}' for key, item in value.items())}}}"
    return repr(value)


def document(tables: dict[str, Any]) -> bytes:
    return "\n".join(f"{json.dumps(key)} = {toml(value)}" for key, value in tables.items()).encode()


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    for step in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from places(value[step], (*path, step))


def mutated(path: tuple[Any, ...], junk: Any) -> dict[str, Any]:
    """The whole file with `junk` at `path`; without what stands there where that is None."""
    found = copy.deepcopy(WHOLE)
    inner: Any = found
    for step in path[:-1]:
        inner = inner[step]
    if junk is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = junk
    return found


@pytest.mark.parametrize("table", WHOLE)
def test_a_value_that_is_none_is_read_or_refused_with_its_line(table: str) -> None:
    for path in places(WHOLE[table], (table,)):
        for junk in (None, *JUNK):
            try:
                _, findings = read_blueprint("agent.toml", document(mutated(path, junk)))
            except BlueprintError:
                continue
            for finding in findings:
                assert finding.severity != "error" or finding.line or path == ("agent",), (path, junk, finding)


def test_the_whole_file_is_read_without_an_error() -> None:
    assert [finding for finding in read_blueprint("agent.toml", document(WHOLE))[1] if finding.severity == "error"] == []
