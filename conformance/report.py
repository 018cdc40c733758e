"""What a run found, sorted by area, by field and by tier: judged against the divergences that are meant, as tables or as JSON."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from conformance.cases import LEVELS, Case
from conformance.compare import FIELDS, Difference
from conformance.divergences import Known, stale

WIDTH = 150
"""Columns that a value in a list of differences may take."""


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of one run over `cases`: what differs and is meant to (`explained`), and what differs and is not.

    `compared` has the number of answers that each field was compared in.
    """

    cases: tuple[Case, ...]
    unexplained: tuple[Difference, ...]
    explained: tuple[Difference, ...]
    stale: tuple[str, ...]
    compared: Mapping[str, int] = field(default_factory=dict)
    tier: str = "auto"

    @property
    def passed(self) -> bool:
        """Does every case agree, but where it is known that it does not?"""
        return not self.unexplained and not self.stale

    def counts(self, area: str | None = None) -> "Counts":
        """How the cases of `area` (or all) fared."""
        ids = {case.id for case in self.cases if area in (None, case.area)}
        differ = ids & {difference.case for difference in self.unexplained}
        meant = (ids & {difference.case for difference in self.explained}) - differ
        return Counts(len(ids), len(ids) - len(meant) - len(differ), len(meant), len(differ))

    def field_counts(self, name: str) -> "Counts":
        """The same for one field, counted in answers: each case has one for each level."""
        differ = sum(_group(difference) == name for difference in self.unexplained)
        meant = sum(_group(difference) == name for difference in self.explained)
        compared = max(self.compared.get(name, 0), differ + meant)
        return Counts(compared, compared - differ - meant, meant, differ)

    @property
    def areas(self) -> list[str]:
        """The areas that the cases are of."""
        return sorted({case.area for case in self.cases})

    @property
    def fields(self) -> list[str]:
        """The fields that were compared, in the order of the protocol."""
        found = {*self.compared, *map(_group, self.unexplained), *map(_group, self.explained)}
        return [name for name in FIELDS if name in found]


@dataclass(frozen=True, slots=True)
class Counts:
    """How many there are, how many of them agree, differ and are meant to, differ and are not."""

    all: int
    agree: int
    meant: int
    differ: int


def _group(difference: Difference) -> str:
    # Whatever differs in a wrapped error counts as its own field.
    return difference.field.partition(".")[0]


def judge(
    cases: Sequence[Case],
    found: Sequence[Difference],
    known: Known,
    complete: bool,
    compared: Mapping[str, int] | None = None,
    tier: str = "auto",
) -> Report:
    """Sort what was `found`. Stale rows are looked for only in a `complete` run, since they may be about cases left out."""
    explained = [difference for difference in found if known.explains(difference)]
    unexplained = [difference for difference in found if not known.explains(difference)]
    rotten = stale(known, found) if complete else []
    return Report(tuple(cases), tuple(unexplained), tuple(explained), tuple(rotten), compared or {}, tier)


# --- as text --------------------------------------------------------------------------------------------------------------


def as_text(reports: Sequence[Report], shown: int) -> str:
    """Tables by area and by field, up to `shown` differences that nothing explains, what is stale; a table by tier at the end."""
    parts = [_one_as_text(report, shown, titled=len(reports) > 1) for report in reports]
    return "\n".join([*parts, *_tiers(reports)])


def _one_as_text(report: Report, shown: int, titled: bool) -> str:
    title = [f"tier {report.tier}\n"] if titled else []
    return "\n".join([*title, *_area_table(report), "", *_field_table(report), *_list(report, shown), *_stale_list(report), ""])


def _area_table(report: Report) -> Iterator[str]:
    yield _columns("area", "cases") + "  fields that differ (cases x levels)"
    for area in report.areas:
        yield f"{_row(area, report.counts(area))}  {_differing_fields(report, area)}".rstrip()
    yield _row("all", report.counts())


def _field_table(report: Report) -> Iterator[str]:
    yield _columns("field", "answers")
    for name in report.fields:
        yield _row(name, report.field_counts(name))


def _tiers(reports: Sequence[Report]) -> Iterator[str]:
    if len(reports) > 1:
        yield _columns("tier", "cases")
        for report in reports:
            yield _row(report.tier, report.counts())
        yield ""
    yield from map(_summary, reports)


def _columns(first: str, second: str) -> str:
    return f"{first:<14}{second:>8}{'agree':>8}{'meant':>8}{'differ':>8}"


def _row(name: str, counts: Counts) -> str:
    return f"{name:<14}{counts.all:>8}{counts.agree:>8}{counts.meant:>8}{counts.differ:>8}"


def _differing_fields(report: Report, area: str) -> str:
    ids = {case.id for case in report.cases if case.area == area}
    counts = Counter(difference.field for difference in report.unexplained if difference.case in ids)
    return ", ".join(f"{name} {counts[name]}" for name in sorted(counts, key=_order))


def _order(name: str) -> tuple[int, str]:
    last = name.rpartition(".")[2]
    return (FIELDS.index(last), name)


def _list(report: Report, shown: int) -> Iterator[str]:
    for difference in report.unexplained[:shown]:
        yield f"\n{difference.case} [{difference.level}] {difference.field}"
        yield f"    expected  {_shown(difference.expected)}"
        yield f"    actual    {_shown(difference.actual)}"
    if len(report.unexplained) > shown:
        yield f"\n.. and {len(report.unexplained) - shown} more (--show N shows more of them)"


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."


def _stale_list(report: Report) -> Iterator[str]:
    for sentence in report.stale:
        yield f"\nlist of divergences: {sentence}"


def _summary(report: Report) -> str:
    counts = report.counts()
    verdict = "ok" if report.passed else "FAILED"
    return (
        f"{verdict}: {counts.all} cases at {len(LEVELS)} levels; {counts.agree} agree, {counts.meant} differ and are meant to,"
        f" {counts.differ} differ, {len(report.stale)} rows are stale"
    )


# --- as JSON --------------------------------------------------------------------------------------------------------------


def as_json(report: Report) -> str:
    """The same as one JSON object: `cases`, `agree`, `divergences` and `unexplained` are numbers of cases, in all and by area;
    by field they are numbers of answers. `differences` lists what nothing explains."""
    return json.dumps(
        {
            "passed": report.passed,
            "tier": report.tier,
            "levels": LEVELS,
            **_numbers("cases", report.counts()),
            "areas": {area: _numbers("cases", report.counts(area)) for area in report.areas},
            "fields": {name: _numbers("answers", report.field_counts(name)) for name in report.fields},
            "differences": [difference._asdict() for difference in report.unexplained],
            "explained": [difference._asdict() for difference in report.explained],
            "stale": report.stale,
        },
        ensure_ascii=False,
    )


def _numbers(first: str, counts: Counts) -> dict[str, int]:
    return {first: counts.all, "agree": counts.agree, "divergences": counts.meant, "unexplained": counts.differ}
