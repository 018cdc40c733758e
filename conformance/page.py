"""python -m conformance.page: write docs/conformance.md, the numbers of the cases and every divergence with its reason.

Nothing is run: which cases differ is what `divergences.toml` says, and the tests hold it to that.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from conformance.cases import LEVELS, Case, load
from conformance.compare import FIELDS, compared_fields
from conformance.divergences import DIVERGENCES, Divergence, matches, read_known
from conformance.oracle_client import Answer
from conformance.recording import recorded

PAGE: Final = Path(__file__).parent.parent / "docs" / "conformance.md"

_HEAD: Final = """\
# Conformance

Written by `python -m conformance.page`; do not edit.

rhaipy is compared with the real engine, the crate rhai 1.27.0, program by program: the value with its type and its texts, or the
error with its kind, text and position, everything printed, and the operation counter, at both optimisation levels. {cases} own
cases make {answers} answers of the real engine. In {agreeing} cases every field of both answers is equal; {meant} differ and are
meant to, for the {reasons} reasons below. There is no third kind: a difference without a reason fails the tests, and so does a
reason without a difference.

    python -m conformance                      # compare with the recorded answers
    python -m conformance strings maps/basics  # some of the cases
    python -m conformance --live               # ask the real engine itself, built with cargo first if need be
    python -m conformance --json               # one object: cases, agree, divergences, unexplained; by area and by field
    python -m conformance --subject COMMAND    # judge another Rhai: any program that speaks conformance/protocol.md

What the library has is in [the table of its functions](stdlib.md).
"""


def page() -> str:
    """The whole text of docs/conformance.md."""
    cases, rows, answers = load(), read_known().divergences, recorded()
    differing = {case.id for case in cases if any(_means(row, case.id) for row in rows)}
    head = _HEAD.format(
        cases=_number(len(cases)),
        answers=_number(sum(len(entry) for entry in answers.values())),
        agreeing=_number(len(cases) - len(differing)),
        meant=len(differing),
        reasons=len(rows),
    )
    return "\n".join([head, *_area_table(cases, differing), *_field_table(answers), *_divergences(cases, rows), *_rules()])


def _means(row: Divergence, case: str) -> bool:
    return any(matches(pattern, case) for pattern in row.cases)


def _number(value: int) -> str:
    return f"{value:,}"


def _area_table(cases: Sequence[Case], differing: set[str]) -> Iterator[str]:
    yield "## By area\n"
    yield "| area | cases | agree | meant to differ |"
    yield "|---|---|---|---|"
    totals = Counter(case.area for case in cases)
    meant = Counter(case.area for case in cases if case.id in differing)
    for area in sorted(totals):
        yield f"| {area} | {_number(totals[area])} | {_number(totals[area] - meant[area])} | {meant[area]} |"


def _field_table(recording: Mapping[str, Mapping[str, Answer]]) -> Iterator[str]:
    yield "\n## By field\n"
    yield "Values are compared in the first ones, errors in those from `stage` on; `inner` is the error that an error wraps, with"
    yield "all its fields.\n"
    yield "| field | answers compared |"
    yield "|---|---|"
    answers = [answer for entry in recording.values() for answer in entry.values()]
    compared = Counter(field for answer in answers for field in compared_fields(answer))
    for field in FIELDS:
        if field in compared:
            yield f"| `{field}` | {_number(compared[field])} |"


def _divergences(cases: Sequence[Case], rows: Sequence[Divergence]) -> Iterator[str]:
    yield "\n## Meant to differ\n"
    for row in rows:
        levels = "" if len(row.levels) == len(LEVELS) else f", at level `{'`, `'.join(row.levels)}` only"
        yield f"* **{row.reason[0].upper()}{row.reason[1:]}.** In {', '.join(f'`{field}`' for field in row.fields)}{levels}:"
        yield "".join(f"\n    * {case.id}" for case in cases if _means(row, case.id)) + "\n"


def _rules() -> Iterator[str]:
    rules = tomllib.loads(DIVERGENCES.read_text(encoding="utf-8")).get("rule", [])
    if rules:
        yield "## Meant to differ in random programs\n"
        yield from (f"* {rule['reason'][0].upper()}{rule['reason'][1:]}." for rule in rules)


def main() -> None:
    """Write the page."""
    PAGE.write_text(page().rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
