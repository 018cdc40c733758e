"""The attacks on the runtime as data: those of runtime.toml, and what is expected of each."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.attacks.places import SECRET
from tests.attacks.rows import MEBIBYTES, SECONDS

MADE: Final = "py: "
PLACE: Final = "<each>"
BYTES: Final = ("sends", "overwrites")


@dataclass(frozen=True, slots=True)
class RuntimeAttack:
    """An attack against one part of the runtime, `what`, with what it is given, and what may become of it.

    `kinds` are the errors allowed ("value" for none), `says` what the text of the outcome must hold, `never` what it may not.
    """

    id: str
    what: str
    kinds: frozenset[str]
    says: tuple[str, ...]
    never: tuple[str, ...]
    given: dict[str, Any]
    seconds: float
    mebibytes: float

    def request(self) -> dict[str, Any]:
        """What the child is given."""
        return {"what": self.what, **self.given}


def written() -> list[RuntimeAttack]:
    """The rows of runtime.toml, one for each of their `each`."""
    table = tomllib.loads((Path(__file__).parent / "runtime.toml").read_text(encoding="utf-8"))
    return [attack for what, rows in table.items() for row in rows for attack in _attacks(what, row)]


def _attacks(what: str, row: dict[str, Any]) -> Iterator[RuntimeAttack]:
    ids = row.pop("id")
    each = row.pop("each", None)
    if each is None:
        yield _attack(ids, what, row)
        return
    for number, item in enumerate(each, 1):
        yield _attack(f"{ids} {number}", what, _put(row, _made(item)))


def _put(value: Any, item: Any) -> Any:
    """`value` with `item` in the place of each <each>."""
    if isinstance(value, str):
        if value == PLACE or PLACE not in value:
            return item if value == PLACE else value
        return value.replace(PLACE, repr(item) if value.startswith(MADE) and f"'{PLACE}" not in value else str(item))
    if isinstance(value, list):
        return [_put(part, item) for part in value]
    if isinstance(value, dict):
        return {_put(key, item): _put(part, item) for key, part in value.items()}
    return value


def _made(value: Any) -> Any:
    """Large values are made, not stored: what the Python expression in `value` gives."""
    if isinstance(value, str) and value.startswith(MADE):
        return eval(value.removeprefix(MADE), {"SECRET": SECRET})  # our own data
    if isinstance(value, list):
        return [_made(part) for part in value]
    if isinstance(value, dict):
        return {key: _made(part) for key, part in value.items()}
    return value


def _attack(id: str, what: str, row: dict[str, Any]) -> RuntimeAttack:
    given = _made(row)
    expected, says, never = [
        _list(given.pop(key, default)) for key, default in (("expect", "value"), ("says", []), ("never", []))
    ]
    seconds, mebibytes = given.pop("seconds", SECONDS), given.pop("mebibytes", MEBIBYTES)
    if "files" in given:
        given["files"] = {path: _bytes(content).hex() for path, content in given["files"].items()}
    for key in BYTES:
        if key in given:
            given[key] = _bytes(given[key]).hex()
    return RuntimeAttack(id, what, frozenset(expected), tuple(says), tuple(never), given, seconds, mebibytes)


def _list(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]


def _bytes(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode()
