"""What each kind of limit costs on the compiled tier: the same work with one more of them on, as a multiple of none."""

import math
from dataclasses import dataclass, replace
from typing import Final

from bench.contestant import Job, Unable, here
from bench.measuring import Pace, measure
from bench.workloads import COMPUTING, WORKLOADS, Workload
from rhaipy import Engine, Limits, RhaiError

NONE: Final = Limits()
OPERATIONS: Final = replace(NONE, max_operations=100_000_000)
SIZES: Final = replace(OPERATIONS, max_string_size=10_000_000, max_array_size=1_000_000, max_map_size=1_000_000)
FUEL: Final = replace(SIZES, fuel=10**9)
MEMORY: Final = replace(FUEL, memory=10**9)


@dataclass(frozen=True)
class Limited:
    """rhaipy, compiled, with some limits."""

    name: str
    limits: Limits

    def prepare(self, work: Workload) -> Job:
        """See `Contestant`."""
        engine = Engine(self.limits, tier="compiled")
        try:
            ast = engine.compile(work.rhai(False))
            return here(lambda: engine.eval(ast))
        except RhaiError as error:
            raise Unable(str(error)) from None


STEPS: Final = (
    Limited("no limit", NONE),
    Limited("operations", OPERATIONS),
    Limited("and sizes", SIZES),
    Limited("and fuel", FUEL),
    Limited("and memory", MEMORY),
)


def costs(pace: Pace) -> dict[str, dict[str, float]]:
    """By step and workload, and as a geometric mean."""
    found: dict[str, dict[str, float]] = {step.name: {} for step in STEPS}
    for work in WORKLOADS:
        if work.key in COMPUTING:
            for name, cell in measure(work, STEPS, STEPS[0].name, pace).items():
                if cell.ratio:
                    found[name][work.key] = cell.ratio
    for row in found.values():
        if row:
            row["W4-W9"] = math.exp(sum(math.log(ratio) for ratio in row.values()) / len(row))
    return found
