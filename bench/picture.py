"""The picture of the ratios: a line for each workload, a dot for each contestant, time to the right on a logarithmic scale."""

import math
from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from bench.results import GRAIN, NATIVE, Results
from bench.rhaipys import COMPILED, REFERENCE, Hooks
from bench.targets import mean
from bench.workloads import WORKLOADS

SHOWN: Final = {
    COMPILED.name: "#d9480f",
    REFERENCE.name: "#7048e8",
    GRAIN: "#868e96",
    NATIVE: "#2b8a3e",
    Hooks().name: "#f2a900",
}
"""What is shown beside the base, and in which colour."""
LEFT: Final = 265
WIDTH: Final = 900
RIGHT: Final = 40
TOP: Final = 70
STEP: Final = 34
SMALLEST: Final = 0.03
LARGEST: Final = 100.0

STYLE: Final = """
text { font: 13px system-ui, sans-serif; fill: #343a40 } .faint { fill: #868e96 } line { stroke: #dee2e6 }
.base { stroke: #343a40; stroke-width: 1.5 } svg { background: #ffffff }
@media (prefers-color-scheme: dark) { text { fill: #e9ecef } line { stroke: #495057 } .base { stroke: #e9ecef }
svg { background: #16181b } }
"""


def svg(results: Results) -> str:
    """The picture, as the text of an SVG file."""
    rows = _rows(results)
    height = TOP + STEP * len(rows) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>Time as a multiple of {escape(results.base)}'s</title>",
        f"<style>{STYLE}</style>",
        *_legend(results),
        *_scale(results, height),
    ]
    for number, (label, ratios) in enumerate(rows):
        parts += _row(TOP + STEP * number + 16, label, ratios)
    return "\n".join([*parts, "</svg>", ""])


def _rows(results: Results) -> list[tuple[str, dict[str, float]]]:
    rows = []
    for work in WORKLOADS:
        cells = results.cells.get(work.key, {})
        ratios = {name: cells[name].ratio for name in SHOWN if name in cells and cells[name].ratio}
        rows.append((f"{work.key}  {work.title}", ratios))
    means = {name: mean(results.ratios(name, results.base)) for name in SHOWN}
    rows.append(("geometric mean of W4 to W9", {name: value for name, value in means.items() if value is not None}))
    return rows


def _legend(results: Results) -> Iterator[str]:
    place = LEFT
    yield f'<text x="12" y="24">1 = {escape(results.base)}, less is faster</text>'
    for name, colour in SHOWN.items():
        yield f'<circle cx="{place}" cy="20" r="5" fill="{colour}"/><text x="{place + 10}" y="24">{escape(name)}</text>'
        place += 26 + 7 * len(name)


def _scale(results: Results, height: int) -> Iterator[str]:
    for mark in (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0):
        kind = ' class="base"' if mark == 1 else ""
        yield f'<line x1="{_x(mark):.1f}" y1="{TOP - 16}" x2="{_x(mark):.1f}" y2="{height - 14}"{kind}/>'
        yield f'<text x="{_x(mark):.1f}" y="{TOP - 22}" text-anchor="middle" class="faint">{mark:g}</text>'


def _row(y: int, label: str, ratios: dict[str, float]) -> Iterator[str]:
    yield f'<text x="12" y="{y + 4}">{escape(label)}</text>'
    yield f'<line x1="{LEFT}" y1="{y}" x2="{WIDTH - RIGHT}" y2="{y}"/>'
    for name, ratio in reversed(ratios.items()):  # what is listed first lies on top
        told = f"<title>{escape(name)}: {ratio:.2f}</title>"
        yield f'<circle cx="{_x(ratio):.1f}" cy="{y}" r="6" fill="{SHOWN[name]}" fill-opacity="0.85">{told}</circle>'


def _x(ratio: float) -> float:
    share = math.log(ratio / SMALLEST) / math.log(LARGEST / SMALLEST)
    return LEFT + min(max(share, 0.0), 1.0) * (WIDTH - RIGHT - LEFT)
