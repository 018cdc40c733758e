"""Interleaved rounds: each contestant in turn, again and again, so that a machine that changes its speed changes all alike."""

import gc
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from bench.contestant import Contestant, Job, Unable, same
from bench.workloads import Workload


@dataclass(frozen=True)
class Pace:
    """How thoroughly to measure: rounds, and the least CPU seconds of one measurement."""

    rounds: int
    least: float
    slowest: float
    """What takes longer than so many seconds when it is done first, is not done again: that was its time."""


THOROUGH: Final = Pace(9, 0.04, 0.5)
QUICK: Final = Pace(3, 0.01, 0.1)


@dataclass(frozen=True)
class Cell:
    """A ratio: the median of the rounds, and half the distance between their quartiles as a share of it; or why there is none."""

    seconds: float = 0.0
    ratio: float = 0.0
    spread: float = 0.0
    why_not: str = ""


def measure(work: Workload, contestants: Iterable[Contestant], base: str, pace: Pace) -> dict[str, Cell]:
    """Each contestant's time as a multiple of that of `base`, by name. Contestants that give another value are not timed."""
    jobs: dict[str, Job] = {}
    cells: dict[str, Cell] = {}
    expected = work.python()
    for contestant in contestants:
        try:
            job = contestant.prepare(work)
            if work.kind != "compile" and not same(job.value, expected):
                raise Unable("gives another value")
            jobs[contestant.name] = job
        except Unable as error:
            cells[contestant.name] = Cell(why_not=str(error))
    gc.freeze()  # what is prepared is not walked by each collection
    samples = rounds(jobs, pace)
    gc.unfreeze()
    return cells | {name: cell(values, samples[base]) for name, values in samples.items()}


def rounds(jobs: Mapping[str, Job], pace: Pace) -> dict[str, list[float]]:
    """The seconds of doing each job once, round by round."""
    samples: dict[str, list[float]] = {}
    repeats: dict[str, int] = {}
    for name, job in jobs.items():
        repeats[name], took = (0, job.first) if job.first > pace.slowest else _repeat(job, pace)
        samples[name] = [took]
    for _ in range(pace.rounds - 1):
        for name, job in jobs.items():
            repeat = repeats[name]
            samples[name].append(job.seconds(repeat) / repeat if repeat else job.first)
    return samples


def _repeat(job: Job, pace: Pace) -> tuple[int, float]:
    """How often to do the work at a time, and the seconds of doing it once."""
    repeat, took = 1, job.seconds(1)
    while took < pace.least / 2:
        repeat = max(repeat * 2, min(repeat * 20, int(repeat * pace.least / max(took, 1e-7))))
        took = job.seconds(repeat)
    return repeat, took / repeat


def cell(own: list[float], base: list[float]) -> Cell:
    """The ratios of what was measured in the same rounds."""
    ratios = [mine / other for mine, other in zip(own, base, strict=True)]
    median = statistics.median(ratios)
    low, _, high = statistics.quantiles(ratios, n=4) if len(ratios) > 2 else (min(ratios), median, max(ratios))
    return Cell(statistics.median(own), median, (high - low) / 2 / median)
