"""python -m conformance.fuzz: random programs for rhaipy and for the real engine, at both levels, until the time is over.

Every program follows from its kind, the seed and its number, so what is found is found again. Differences are shrunk and printed
as cases for `conformance/cases`; of those that look alike only the first are.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count, islice
from time import monotonic
from typing import Any, TypeAlias

from conformance.__main__ import TIERS
from conformance.fuzz.judging import Finding, Judge, as_case
from conformance.fuzz.kinds import KINDS, made
from conformance.fuzz.shrinking import shrunk
from conformance.fuzz.tiers import Reference, tightened
from conformance.fuzz.watching import Tell, watched
from conformance.oracle_client import NoOracle, open_oracle

TURNS = ("reference", "compiled")
"""The evaluators of rhaipy, which programs of even and of odd numbers are given to."""

ALIKE = 2
"""Findings of one likeness that are printed."""

SHRINKING = 20.0
"""Seconds that one finding is worth: where the real engine crashes, each try takes it a second or two."""


Tighten: TypeAlias = Callable[[Mapping[str, Any], int], Mapping[str, Any]]
"""What becomes of a request before it is made."""


class Fuzzing:
    """One run: what was tried and found so far, by kind."""

    def __init__(
        self, judge: Judge, seed: int, tell: Tell = str, tiers: Sequence[str] = ("auto",), tighten: Tighten | None = None
    ) -> None:
        self.tried: Counter[str] = Counter()
        self.found: Counter[str] = Counter()
        self._judge = judge
        self._seed = seed
        self._tell = tell
        self._tiers = tiers
        self._tighten = tighten
        self._likenesses: Counter[str] = Counter()

    def run(self, kinds: Sequence[str], first: int, programs: int | None, seconds: float | None) -> Iterator[str]:
        """Fuzz the kinds in turn; the cases to print as they come up."""
        end = None if seconds is None else monotonic() + seconds
        for kind, index in islice(_turns(kinds, first), programs):
            if end is not None and monotonic() > end:
                return
            self.tried[kind] += 1
            self._judge.tier = self._tiers[index % len(self._tiers)]
            title = f"{kind} {self._seed} {index} ({self._judge.tier})"
            self._tell(title)
            found = self._judge.finding(self._made(kind, index))
            if found is not None:
                self.found[kind] += 1
                yield from self._printed(found, title)

    def _made(self, kind: str, index: int) -> Mapping[str, Any]:
        request = made(kind, self._seed, index)
        return request if self._tighten is None else self._tighten(request, index)

    def _printed(self, found: Finding, title: str) -> Iterator[str]:
        self._likenesses[found.likeness] += 1
        if self._likenesses[found.likeness] <= ALIKE:
            yield as_case(self.smallest(found), title)

    def smallest(self, found: Finding) -> Finding:
        """The finding with as small a program as shows the like of it."""

        end = monotonic() + SHRINKING

        def fails(request: Mapping[str, Any]) -> bool:
            if monotonic() > end:
                return False
            again = self._judge.finding(request)
            return again is not None and again.likeness == found.likeness

        return self._judge.finding(shrunk(found.request, fails)) or found

    def summary(self, known: Mapping[str, int], seconds: float) -> str:
        """A table of the kinds, and the reasons of the known differences."""
        rows = [f"{kind:12} {self.tried[kind]:9} {self.found[kind]:12}" for kind in self.tried]
        tried, found = self.tried.total(), self.found.total()
        reasons = [f"{times} known: {reason}" for reason, times in known.items()]
        return "\n".join(
            [
                f"{'kind':12} {'programs':>9} {'differences':>12}",
                *rows,
                f"{'all':12} {tried:9} {found:12}",
                *reasons,
                f"{tried / seconds:.0f} programs a second, each at two levels" if seconds else "",
            ]
        )


def _turns(kinds: Sequence[str], first: int) -> Iterator[tuple[str, int]]:
    return ((kind, index) for index in count(first) for kind in kinds)


def main(arguments: Sequence[str] | None = None, tell: Tell = str) -> int:
    """Exit code 0: no difference that is not known; 1: some; 2: no real engine. `tell` is told each program that is tried."""
    parser = argparse.ArgumentParser(prog="python -m conformance.fuzz", description="Random programs for both engines.")
    parser.add_argument("--seconds", type=float, help="when to stop (60, unless --count is given)")
    parser.add_argument("--count", type=int, help="programs to try")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="may be repeated (all kinds in turn)")
    parser.add_argument("--tier", choices=TIERS, help="the evaluator of rhaipy (the reference and the compiled one in turn)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the number of the first program of each kind (0)")
    parser.add_argument("--against-reference", action="store_true", help="compare rhaipy's own two evaluators, fuel included")
    options = parser.parse_args(arguments)
    seconds = 60.0 if options.seconds is None and options.count is None else options.seconds
    start = monotonic()
    try:
        with Reference() if options.against_reference else open_oracle() as oracle:
            judge = Judge(oracle, [] if options.against_reference else None)
            tiers = ["compiled"] if options.against_reference else [options.tier] if options.tier else TURNS
            fuzzing = Fuzzing(judge, options.seed, tell, tiers, tightened if options.against_reference else None)
            with suppress(KeyboardInterrupt):  # what was found until then is summed up
                for case in fuzzing.run(options.kind or list(KINDS), options.first, options.count, seconds):
                    print(case, end="\n\n", flush=True)
    except NoOracle as reason:
        print(reason, file=sys.stderr)
        return 2
    print(fuzzing.summary(judge.known, monotonic() - start), flush=True)
    return 1 if fuzzing.found else 0


if __name__ == "__main__":
    sys.exit(watched(lambda tell: main(tell=tell)))
