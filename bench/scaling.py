"""How cost grows with size: the time for each item at a thousand times the size, as a multiple of that at the smallest.

1.0 is linear. What costs nothing for each item is taken off first: the time of the same program without items.
"""

import statistics
from dataclasses import dataclass
from typing import Final

from bench.contestant import Contestant, Job, Unable
from bench.workloads import Workload

SMALLEST: Final = 100
DECADES: Final = 3


@dataclass(frozen=True)
class Curve:
    """One thing that is done `n` times, or to `n` items. `logarithmic`: real Rhai itself needs n log n for it."""

    name: str
    rhai: str
    logarithmic: bool = False


CURVES: Final = (
    Curve("push to an array", "let a = []; for i in 0..N { a.push(i); } a.len()"),
    Curve("read an array", "let a = []; a.pad(N, 1); let s = 0; for i in 0..N { s += a[i]; } s"),
    Curve("sort an array", "let a = []; for i in 0..N { a.push((i * 7919) % N); } a.sort(); a.len()", logarithmic=True),
    Curve("filter and map", "let a = []; a.pad(N, 1); a.filter(|x| x > 0).map(|x| x + 1).len()"),
    Curve("insert into a map", "let m = #{}; for i in 0..N { m[i.to_string()] = i; } m.len()", logarithmic=True),
    Curve("append to a string", 'let s = ""; for i in 0..N { s += "x"; } s.len()'),
    Curve("split a string", 'let s = ""; s.pad(N, "a,"); s.split(",").len()'),
    Curve("join strings", 'let a = []; a.pad(N, "ab"); let s = ""; for x in a { s += x; } s.len()'),
    Curve("call a function", "fn f(x) { x + 1 } let s = 0; for i in 0..N { s = f(s); } s"),
    Curve("pass an array on", "fn f(x) { x.len() } let a = [1, 2, 3]; let s = 0; for i in 0..N { s += f(a); } s"),
    Curve("capture in closures", "let s = 0; let f = |x| { s += x; s }; for i in 0..N { f.call(1); } s"),
    Curve("throw and catch", "let s = 0; for i in 0..N { try { throw i; } catch (e) { s += 1; } } s"),
)


@dataclass(frozen=True)
class Growth:
    """The growth of one side's cost, and why there is none."""

    factor: float = 0.0
    why_not: str = ""


def growth(curve: Curve, side: Contestant, quick: bool) -> Growth:
    """How much more an item costs among many than among few: the median of rounds that measure all sizes in turn."""
    few, many = SMALLEST * (10 if quick else 1), SMALLEST * 10**DECADES // (10 if quick else 1)
    try:
        jobs = [_job(curve, side, size) for size in (0, few, many)]
    except Unable as error:
        return Growth(why_not=str(error))
    repeats = [max(1, int(LEAST / max(job.seconds(1), 1e-7))) for job in jobs]
    factors: list[float] = []
    for _ in range(3 if quick else ROUNDS):
        nothing, first, last = [job.seconds(repeat) / repeat for job, repeat in zip(jobs, repeats, strict=True)]
        factors.append((last - nothing) / many / max((first - nothing) / few, 1e-12))
    return Growth(statistics.median(factors))


LEAST: Final = 0.02
"""CPU seconds of one measurement, at least: what is done to few items is over in microseconds."""
ROUNDS: Final = 7


def _job(curve: Curve, side: Contestant, size: int) -> Job:
    return side.prepare(Workload("", curve.name, "text", curve.rhai.replace("N", str(size)), lambda: None))
