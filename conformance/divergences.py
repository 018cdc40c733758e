"""The differences that are meant: read from `divergences.toml`, each with its reason. One that is no difference is an error.

[[divergence]]                           a difference for good
cases = ["limits/fuel:*", "numbers/..:.."]     ids; a `*` at the end stands for any rest
fields = ["ok", "ops"]                   fields as in the report
levels = ["simple"]                      both, if absent
reason = "why"
"""

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.cases import LEVELS
from conformance.compare import Difference

DIVERGENCES = Path(__file__).parent / "divergences.toml"


@dataclass(frozen=True, slots=True)
class Divergence:
    """Fields of cases that may differ, and why."""

    cases: tuple[str, ...]
    fields: tuple[str, ...]
    levels: tuple[str, ...]
    reason: str

    def explains(self, difference: Difference) -> bool:
        """Is this difference meant?"""
        known = difference.field in self.fields and difference.level in self.levels
        return known and any(matches(pattern, difference.case) for pattern in self.cases)


@dataclass(frozen=True, slots=True)
class Known:
    """All that is expected to differ."""

    divergences: tuple[Divergence, ...] = ()

    def explains(self, difference: Difference) -> bool:
        """Is this difference meant?"""
        return any(row.explains(difference) for row in self.divergences)


def matches(pattern: str, case: str) -> bool:
    """Does `pattern`, an id or how ids begin, mean the case of this id?"""
    return case.startswith(pattern[:-1]) if pattern.endswith("*") else case == pattern


def read_known(path: Path = DIVERGENCES) -> Known:
    """What `path` lists. Raises KeyError for a row without its fields, tomllib.TOMLDecodeError for a text that is no TOML."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    rows = [
        Divergence(tuple(row["cases"]), tuple(row["fields"]), tuple(row.get("levels", LEVELS)), row["reason"])
        for row in table.get("divergence", [])
    ]
    return Known(tuple(rows))


def stale(known: Known, found: Sequence[Difference]) -> list[str]:
    """What is listed and no longer differs, or speaks of cases that are not there; a sentence for each."""
    return [sentence for row in known.divergences for sentence in _stale_parts(row, found)]


def _stale_parts(row: Divergence, found: Sequence[Difference]) -> Iterable[str]:
    explained = [difference for difference in found if row.explains(difference)]
    for pattern in row.cases:
        if not any(matches(pattern, difference.case) for difference in explained):
            yield f"{pattern} does not differ any more in {', '.join(row.fields)}"
    for field in row.fields:
        if explained and not any(difference.field == field for difference in explained):
            yield f"{', '.join(row.cases)}: {field} does not differ any more"
