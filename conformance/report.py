"""What a run found, sorted by area: judged against the divergences that are meant, printed as a table or as JSON."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from conformance.cases import Case
from conformance.compare import FIELDS, Difference
from conformance.divergences import Known, stale

WIDTH = 150
"""Columns that a value in a list of differences may take."""


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of one run over `cases`, which were all cases if `complete`."""

    cases: tuple[Case, ...]
    unexplained: tuple[Difference, ...]
    explained: tuple[Difference, ...]
    waiting: tuple[str, ...]
    stale: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Does every case agree, but where it is known that it does not?"""
        return not self.unexplained and not self.stale

    def differing(self, differences: Sequence[Difference]) -> set[str]:
        """The ids of the cases among `differences`."""
        return {difference.case for difference in differences}


def judge(cases: Sequence[Case], found: Sequence[Difference], known: Known, complete: bool) -> Report:
    """Sort what was `found`. Stale rows are looked for only in a `complete` run, since they may be about cases left out."""
    judged = [difference for difference in found if difference.case not in known.not_yet]
    explained = [difference for difference in judged if known.explains(difference)]
    unexplained = [difference for difference in judged if not known.explains(difference)]
    waiting = [case.id for case in cases if case.id in known.not_yet]
    rotten = stale(known, found, {case.id for case in cases}) if complete else []
    return Report(tuple(cases), tuple(unexplained), tuple(explained), tuple(waiting), tuple(rotten))


# --- as text --------------------------------------------------------------------------------------------------------------


def as_text(report: Report, shown: int) -> str:
    """A table by area, then up to `shown` differences that nothing explains, then what is stale."""
    return "\n".join([*_table(report), *_list(report, shown), *_stale_list(report), "", _summary(report)])


def _table(report: Report) -> Iterator[str]:
    yield f"{'area':<14}{'cases':>7}{'agree':>7}{'meant':>7}{'not yet':>9}{'differ':>8}  fields that differ (cases x levels)"
    for area in sorted({case.area for case in report.cases}):
        yield _row(report, area)


def _row(report: Report, area: str) -> str:
    ids = {case.id for case in report.cases if case.area == area}
    waiting = ids & set(report.waiting)
    differ = ids & report.differing(report.unexplained)
    meant = (ids & report.differing(report.explained)) - differ
    agree = len(ids) - len(waiting) - len(differ) - len(meant)
    counts = Counter(difference.field for difference in report.unexplained if difference.case in ids)
    fields = ", ".join(f"{field} {counts[field]}" for field in sorted(counts, key=_order))
    return f"{area:<14}{len(ids):>7}{agree:>7}{len(meant):>7}{len(waiting):>9}{len(differ):>8}  {fields}".rstrip()


def _order(field: str) -> tuple[int, str]:
    last = field.rpartition(".")[2]
    return (FIELDS.index(last), field)


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
        yield f"\ndivergences.toml: {sentence}"


def _summary(report: Report) -> str:
    differ = len(report.differing(report.unexplained))
    meant = len(report.differing(report.explained))
    verdict = "ok" if report.passed else "FAILED"
    return (
        f"{verdict}: {len(report.cases)} cases at both levels; {differ} differ, {meant} are meant to,"
        f" {len(report.waiting)} wait for what is not built yet, {len(report.stale)} rows are stale"
    )


# --- as JSON --------------------------------------------------------------------------------------------------------------


def as_json(report: Report) -> str:
    """The same as one JSON object."""
    return json.dumps(
        {
            "passed": report.passed,
            "cases": len(report.cases),
            "unexplained": [difference._asdict() for difference in report.unexplained],
            "explained": [difference._asdict() for difference in report.explained],
            "waiting": report.waiting,
            "stale": report.stale,
        },
        ensure_ascii=False,
    )
