"""How slow the machine is that the tests run on: their ceilings of time were set on a known one."""

import time
from statistics import median
from typing import Final

RATE: Final = 0.032
"""Seconds that `_calibrated` took where the ceilings of time were set."""


def slowness_now() -> float:
    """How much slower this machine is just now than the one that the ceilings were set on; never less than 1."""
    return max(1.0, median([_calibrated() for _ in range(5)]) / RATE)


def _calibrated() -> float:
    started = time.process_time()
    table: dict[int, int] = {}
    for number in range(1_000_000):
        table[number & 255] = number
    return time.process_time() - started
