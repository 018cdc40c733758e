"""Everything that one run of the benchmarks found out, and how it is measured in order."""

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import Any, Final

from bench import ablation, hook_call, machine, processes
from bench.contestant import Contestant, Server
from bench.measuring import QUICK, THOROUGH, Cell, measure
from bench.peer_rows import peers
from bench.rhai import BINARY, HOOK, PLAIN, Rhai
from bench.rhaipys import COMPILED, COMPILED_HOOK, REFERENCE, REFERENCE_HOOK, Hooks, Native
from bench.scaling import CURVES, Growth, growth
from bench.workloads import COMPUTING, WORKLOADS

TREE: Final = "Rhai"
GRAIN: Final = "Rhai, grain VM"
HARDENED: Final = "Rhai, hardened"
NATIVE: Final = Native().name
MEMORY: Final = ("W7", "W8")
BOUNDED_PEERS: Final = ("starlark",)
"""The peers in pure Python that can bound what a script does: by steps."""


@dataclass(frozen=True)
class Results:
    """`cells` by workload and contestant, as multiples of `base`; `growths` by curve and side; `memory` in MiB by workload.

    `limits` is what each kind of limit costs, by kind and workload; `hook` is what a hook call is made of, as shares of it.
    """

    machine: dict[str, str]
    base: str
    names: tuple[str, ...]
    cells: dict[str, dict[str, Cell]]
    starts: dict[str, processes.Started]
    growths: dict[str, dict[str, Growth]]
    memory: dict[str, dict[str, float]]
    limits: dict[str, dict[str, float]]
    hook: dict[str, float]

    def ratios(self, name: str, other: str, keys: tuple[str, ...] = COMPUTING) -> list[float]:
        """The times of `name` as multiples of those of `other`, for those workloads that both did."""
        rows = [self.cells[key] for key in keys if key in self.cells]
        pairs = [(row[name].seconds, row[other].seconds) for row in rows if name in row and other in row]
        return [mine / theirs for mine, theirs in pairs if mine and theirs]

    def as_data(self) -> dict[str, Any]:
        """All of it as JSON data."""
        return asdict(self)


def run(quick: bool, only: tuple[str, ...] = (), say: Callable[[str], None] = lambda text: None) -> Results:
    """Measure everything, or the workloads `only`. What is not built or not installed has a reason in place of numbers."""
    with ExitStack() as servers:
        return _run(quick, only, say, _real(servers), peers(servers))


def _run(
    quick: bool, only: tuple[str, ...], say: Callable[[str], None], real: Sequence[Contestant], others: Sequence[Contestant]
) -> Results:
    pace = QUICK if quick else THOROUGH
    rows: list[Contestant] = [*real, COMPILED, COMPILED_HOOK, REFERENCE, REFERENCE_HOOK, Hooks(), Native(), *others]
    base = TREE if real else NATIVE
    cells: dict[str, dict[str, Cell]] = {}
    for work in WORKLOADS:
        if not only or work.key in only:
            say(f"{work.key}: {work.title}")
            cells[work.key] = measure(work, rows, base, pace)
    names = tuple(row.name for row in rows)
    if only:
        return Results(machine.described(), base, names, cells, {}, {}, {}, {}, {})
    say("processes")
    starts = processes.started(5 if quick else 15)
    say("growth")
    sides = [*real[:1], COMPILED, REFERENCE]
    growths = {curve.name: {side.name: growth(curve, side, quick) for side in sides} for curve in CURVES}
    memory = {key: {side: processes.peak(side, key) for side in ("rhaipy", "python")} for key in MEMORY}
    say("limits")
    limits = ablation.costs(pace)
    return Results(machine.described(), base, names, cells, starts, growths, memory, limits, hook_call.shares(pace))


def _real(servers: ExitStack) -> list[Contestant]:
    if not BINARY.exists():
        print("the real engine is not built: see `make bench`", file=sys.stderr)
        return []
    server = Server([str(BINARY)])
    servers.callback(server.close)
    return [Rhai(TREE, server, "tree", PLAIN), Rhai(GRAIN, server, "grain", PLAIN), Rhai(HARDENED, server, "tree", HOOK)]
