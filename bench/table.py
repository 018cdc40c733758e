"""What was measured, as tables in Markdown, which can be read as they are."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from bench.measuring import Cell
from bench.peers.adapters import ADAPTERS
from bench.results import Results
from bench.targets import Target, mean
from bench.workloads import COMPUTING, WORKLOADS

_NUMBERED: Final = re.compile(r"anon\$[0-9a-f]+")
"""How the real engine names a closure; the number is another one each time."""


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, its columns aligned."""
    lines = [list(head), *[list(row) for row in rows]]
    widths = [max(len(line[place]) for line in lines) for place in range(len(head))]
    rule = ["-" * widths[0], *["-" * (width - 1) + ":" for width in widths[1:]]]
    return "\n".join(
        f"| {line[0].ljust(widths[0])} | "
        + " | ".join(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))
        + " |"
        for line in [lines[0], rule, *lines[1:]]
    )


def ratios(results: Results) -> str:
    """A row for each contestant, a column for each workload: multiples of the base's time, with their spread."""
    keys = [work.key for work in WORKLOADS if work.key in results.cells]
    rows = []
    for name in results.names:
        cells = [results.cells[key].get(name, Cell(why_not="-")) for key in keys]
        if any(cell.seconds for cell in cells):
            rows.append([name, *[_ratio(cell) for cell in cells], _mean(results, name)])
    return markdown([f"{results.base} = 1", *keys, "W4-W9"], rows)


def _ratio(cell: Cell) -> str:
    return f"{number(cell.ratio)} ±{cell.spread * 100:.0f}%" if cell.seconds else "-"


def _mean(results: Results, name: str) -> str:
    found = results.ratios(name, results.base)
    value = mean(found)
    return (
        "-" if value is None else number(value) + ("" if len(found) == len(COMPUTING) else f" ({len(found)} of {len(COMPUTING)})")
    )


def number(value: float) -> str:
    """A ratio with two or three digits that mean something."""
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def times(results: Results) -> str:
    """How long the base takes for each workload."""
    rows = [
        [work.key, work.title, _time(results.cells[work.key][results.base].seconds)]
        for work in WORKLOADS
        if work.key in results.cells and results.base in results.cells[work.key]
    ]
    return markdown(["", "work", results.base], rows)


def _time(seconds: float) -> str:
    return f"{seconds * 1e6:.0f} us" if seconds < 1e-3 else f"{seconds * 1e3:.1f} ms"


def targets(found: Iterable[Target]) -> str:
    """Each target beside what was measured."""
    return markdown(["", "target", "measured", ""], [_target(target) for target in found])


def _target(target: Target) -> list[str]:
    bound = f"{'>=' if target.at_least else '<='} {target.bound:g}{target.unit}"
    if target.measured is None:
        return [target.text, bound, "-", ""]
    return [target.text, bound, f"{number(target.measured)}{target.unit}", "holds" if target.met else "missed"]


def starts(results: Results) -> str:
    """What starting costs."""
    return markdown(
        ["CPU time above bare Python", "ms"],
        [[name, f"{cost.milliseconds:.1f} ±{cost.spread:.1f}"] for name, cost in results.starts.items()],
    )


def growths(results: Results) -> str:
    """How cost grows with size."""
    sides = list(next(iter(results.growths.values())))
    rows = [
        [curve, *[f"{side.factor:.2f}" if side.factor else "-" for side in (found[name] for name in sides)]]
        for curve, found in results.growths.items()
    ]
    return markdown(["cost of an item among many, among few = 1", *sides], rows)


def limits(results: Results) -> str:
    """What each kind of limit costs."""
    keys = [*COMPUTING, "W4-W9"]
    rows = [[name, *[number(row[key]) if key in row else "-" for key in keys]] for name, row in results.limits.items()]
    return markdown(["rhaipy compiled, without limits = 1", *keys], rows)


def hook(results: Results) -> str:
    """What a hook call is made of."""
    return markdown(["", "share"], [[name, number(share)] for name, share in results.hook.items()])


def memory(results: Results) -> str:
    """The peak of memory."""
    rows = [[key, f"{found['rhaipy']:.1f}", f"{found['python']:.1f}"] for key, found in results.memory.items()]
    return markdown(["MiB at the peak", "rhaipy compiled", "CPython"], rows)


def reasons(results: Results) -> list[str]:
    """Why there is no number, for peers and for the real engine."""
    found: dict[tuple[str, str], list[str]] = {}
    for key, row in results.cells.items():
        for name, cell in row.items():
            if cell.why_not and cell.why_not != "not measured apart" and (name in ADAPTERS or name.startswith("Rhai")):
                found.setdefault((name, _NUMBERED.sub("anon$", cell.why_not)), []).append(key)
    return [f"{name}, {', '.join(keys)}: {why_not}" for (name, why_not), keys in found.items()]
