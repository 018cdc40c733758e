"""python -m conformance: compare rhaipy with the real engine on every case, at both optimisation levels.

Exit code 0 where all agree or are known not to, 1 where not, 2 where the comparison could not be made.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence

from conformance.cases import LEVELS, BadCaseFile, Case, load
from conformance.compare import Difference, compare
from conformance.divergences import read_known
from conformance.oracle_client import Answer, NoOracle, open_oracle
from conformance.recording import record, recorded
from conformance.report import as_json, as_text, judge
from conformance.subject import answer


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    options = _parser().parse_args(arguments)
    try:
        if options.record:
            record(*options.topics)
            return 0
        return _compare(options)
    except (NoOracle, BadCaseFile) as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m conformance", description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("topics", nargs="*", help="ids of cases, or how they begin (all)")
    parser.add_argument("--live", action="store_true", help="ask the real engine itself, built first if need be")
    parser.add_argument("--record", action="store_true", help="write down the real engine's answers instead of comparing")
    parser.add_argument("--tier", choices=("reference", "auto"), default="auto", help="the evaluator to try")
    parser.add_argument("--show", type=int, default=20, metavar="N", help="list up to N differences (20)")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    return parser


def _compare(options: argparse.Namespace) -> int:
    cases = [case for case in load() if _wanted(case, options.topics)]
    expected = _live(cases) if options.live else _from_recording(cases)
    found = [difference for case, answers in expected for difference in _differences(case, answers, options.tier)]
    report = judge(cases, found, read_known(), complete=not options.topics)
    print(as_json(report) if options.json else as_text(report, options.show))
    return 0 if report.passed else 1


def _wanted(case: Case, topics: Sequence[str]) -> bool:
    return not topics or any(case.id.startswith(topic) for topic in topics)


def _live(cases: Sequence[Case]) -> Iterator[tuple[Case, dict[str, Answer]]]:
    with open_oracle() as oracle:
        for case in cases:
            yield case, {level: oracle.ask(case.at(level)) for level in LEVELS}


def _from_recording(cases: Sequence[Case]) -> Iterator[tuple[Case, dict[str, Answer]]]:
    recording = recorded()
    for case in cases:
        yield case, recording.get(case.id, {})


def _differences(case: Case, answers: dict[str, Answer], tier: str) -> Iterator[Difference]:
    for level in LEVELS:
        if level in answers:
            yield from compare(case.id, level, answers[level], answer({**case.at(level), "tier": tier}))
        else:
            yield Difference(case.id, level, "recording", "an answer of the real engine", "none: see --record")


if __name__ == "__main__":
    sys.exit(main())
