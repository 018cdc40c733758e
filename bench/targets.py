"""Where speed must stand, and where it stands."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bench.results import BOUNDED_PEERS, GRAIN, HARDENED, NATIVE, TREE, Results
from bench.rhaipys import COMPILED, COMPILED_HOOK, REFERENCE, Hooks
from bench.scaling import CURVES

LINEAR = 1.15


@dataclass(frozen=True)
class Target:
    """One target: `measured` is None where what it needs was not there. At least `bound` where `at_least`, else at most."""

    text: str
    bound: float
    measured: float | None
    unit: str = ""
    at_least: bool = False

    @property
    def met(self) -> bool | None:
        """Does it hold?"""
        if self.measured is None:
            return None
        return self.measured >= self.bound if self.at_least else self.measured <= self.bound


def mean(ratios: Sequence[float]) -> float | None:
    """The geometric mean."""
    return math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios)) if ratios else None


def targets(results: Results) -> list[Target]:
    """All of them."""
    plain = results.ratios(COMPILED.name, TREE)
    hook = results.ratios(COMPILED_HOOK.name, HARDENED)
    call = Hooks().name
    start = results.starts.get("python -m stagehooks call")
    peers = [ratio for peer in BOUNDED_PEERS for ratio in results.ratios(peer, COMPILED.name, ("W4", "W5", "W6"))]
    return [
        Target("compiled, against Rhai's tree walker, W4-W9: geometric mean", 0.6, mean(plain)),
        Target("the same, the slowest of them", 1.0, max(plain, default=None)),
        Target("compiled, against the grain VM where it runs: geometric mean", 1.1, mean(results.ratios(COMPILED.name, GRAIN))),
        Target("compiled in the hook profile, against Rhai hardened: geometric mean", 0.8, mean(hook)),
        Target("the same, the slowest of them", 1.2, max(hook, default=None)),
        Target("a hook call (W1), against Rhai hardened", 0.2, mean(results.ratios(call, HARDENED, ("W1",)))),
        Target("a hook call (W1), against plain Python and a copy", 1.4, mean(results.ratios(call, NATIVE, ("W1",)))),
        Target("python -m stagehooks call, above bare Python (W2)", 25.0, start.milliseconds if start else None, " ms"),
        Target(
            "compiling for the reference tier (W3), against ast.parse, the slower of both lengths",
            3.0,
            max(results.ratios(REFERENCE.name, NATIVE, ("W3a", "W3b")), default=None),
        ),
        Target("reference tier, against Rhai's tree walker: geometric mean", 12.0, mean(results.ratios(REFERENCE.name, TREE))),
        Target(
            "the fastest pure-Python peer that bounds a script, against compiled, W4-W6 where it runs",
            10.0,
            min(peers, default=None),
            "",
            True,
        ),
        Target("growth of the cost of an item over three decades, the worst", LINEAR, _worst_growth(results)),
    ]


def _worst_growth(results: Results) -> float | None:
    """Of the curves that are linear for the real engine; for sorting and maps, its logarithm is ours too."""
    worst: list[float] = []
    for curve in CURVES:
        sides = results.growths.get(curve.name, {})
        real = sides[TREE].factor if TREE in sides else 1.0
        if real <= LINEAR or curve.logarithmic:
            worst += [side.factor / max(real, 1.0) for name, side in sides.items() if name != TREE and side.factor]
    return max(worst, default=None)
