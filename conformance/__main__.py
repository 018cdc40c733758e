"""python -m conformance: compare rhaipy with the real engine on every case, at both optimisation levels.

Exit code 0 where all agree or are known not to, 1 where not, 2 where the comparison could not be made.
"""

import argparse
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from conformance.cases import LEVELS, BadCaseFile, Case, load
from conformance.compare import Difference, compare, compared_fields
from conformance.divergences import DIVERGENCES, Known, read_known
from conformance.judged import Judged, Program, Rhaipy
from conformance.oracle_client import Answer, NoOracle, open_oracle
from conformance.recording import record, recorded
from conformance.report import Report, as_json, as_text, judge

TIERS = ("reference", "compiled", "auto")
"""The evaluators of rhaipy that can be asked for."""

Expected = list[tuple[Case, dict[str, Answer]]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    options = _parser().parse_args(arguments)
    try:
        if options.record:
            record(*options.topics)
            return 0
        reports = _reports(options)
    except (NoOracle, BadCaseFile, OSError) as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 2
    print("\n".join(map(as_json, reports)) if options.json else as_text(reports, options.show))
    return 0 if all(report.passed for report in reports) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m conformance", description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("topics", nargs="*", help="ids of cases, or how they begin (all)")
    parser.add_argument("--live", action="store_true", help="ask the real engine itself, built first if need be")
    parser.add_argument("--record", action="store_true", help="write down the real engine's answers instead of comparing")
    parser.add_argument("--tier", choices=(*TIERS, "all"), default="auto", help="the evaluator to try, or all, one after another")
    parser.add_argument("--subject", metavar="COMMAND", help="judge this program, which speaks the protocol, instead of rhaipy")
    parser.add_argument(
        "--divergences", type=Path, metavar="FILE", help="what is meant to differ (rhaipy's own list, for rhaipy)"
    )
    parser.add_argument("--show", type=int, default=20, metavar="N", help="list up to N differences (20)")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output, for each tier")
    return parser


def _reports(options: argparse.Namespace) -> list[Report]:
    cases = [case for case in load() if _wanted(case, options.topics)]
    expected = _live(cases) if options.live else _from_recording(cases)
    known = _known(options)
    complete = not options.topics
    if options.subject:
        with Program(shlex.split(options.subject)) as program:
            return [_report(expected, program, known, complete, options.subject)]
    tiers = TIERS if options.tier == "all" else [options.tier]
    return [_report(expected, Rhaipy(tier), known, complete, tier) for tier in tiers]


def _wanted(case: Case, topics: Sequence[str]) -> bool:
    return not topics or any(case.id.startswith(topic) for topic in topics)


def _known(options: argparse.Namespace) -> Known:
    if options.subject and not options.divergences:
        return Known()
    return read_known(options.divergences or DIVERGENCES)


def _live(cases: Sequence[Case]) -> Expected:
    with open_oracle() as oracle:
        return [(case, {level: oracle.ask(case.at(level)) for level in LEVELS}) for case in cases]


def _from_recording(cases: Sequence[Case]) -> Expected:
    recording = recorded()
    return [(case, recording.get(case.id, {})) for case in cases]


def _report(expected: Expected, judged: Judged, known: Known, complete: bool, name: str) -> Report:
    found = [difference for case, answers in expected for difference in _differences(case, answers, judged)]
    compared = Counter(field for _, answers in expected for answer in answers.values() for field in compared_fields(answer))
    return judge([case for case, _ in expected], found, known, complete, compared, name)


def _differences(case: Case, answers: dict[str, Answer], judged: Judged) -> Iterator[Difference]:
    for level in LEVELS:
        if level in answers:
            yield from compare(case.id, level, answers[level], judged.ask(case.at(level)))
        else:
            yield Difference(case.id, level, "recording", "an answer of the real engine", "none: see --record")


if __name__ == "__main__":
    sys.exit(main())
