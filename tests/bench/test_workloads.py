"""The benchmarks measure the same work on every side, and can show what they found. Nothing is timed here."""

from xml.etree import ElementTree

import pytest

from bench import page, picture, table
from bench.contestant import Unable, same
from bench.measuring import Cell, cell
from bench.peer_rows import PeerRow, without_annotations
from bench.processes import Started
from bench.results import GRAIN, HARDENED, NATIVE, TREE, Results
from bench.rhaipys import COMPILED, COMPILED_HOOK, REFERENCE, Hooks
from bench.scaling import CURVES, Growth
from bench.targets import mean, targets
from bench.workloads import COMPUTING, WORKLOADS, Workload

SIDES = (TREE, GRAIN, HARDENED, COMPILED.name, COMPILED_HOOK.name, REFERENCE.name, Hooks().name, NATIVE)


@pytest.mark.parametrize("work", [work for work in WORKLOADS if work.kind != "compile"], ids=lambda work: work.key)
def test_every_side_gives_the_same_value(work: Workload) -> None:
    expected = work.python()
    for side in (COMPILED, COMPILED_HOOK):
        assert same(side.prepare(work).value, expected), side.name


def test_a_hook_call_gives_what_the_python_function_gives() -> None:
    assert same(Hooks().prepare(WORKLOADS[0]).value, WORKLOADS[0].python())


def test_peers_get_functions_without_annotations() -> None:
    text = without_annotations(WORKLOADS[-1].functions[0])
    assert text.startswith("def filled(size, factor):")


def test_a_peer_that_is_not_there_says_so() -> None:
    with pytest.raises(Unable, match="not installed"):
        PeerRow("starlark", None).prepare(WORKLOADS[0])


def test_a_cell_is_the_median_of_the_ratios_of_the_rounds() -> None:
    found = cell([2.0, 4.0, 9.0], [1.0, 2.0, 3.0])
    assert found.ratio == 2.0
    assert cell([3.0], [2.0]) == Cell(3.0, 1.5, 0.0)


def results(seconds: float) -> Results:
    """As if every side but the base had taken so many seconds."""
    rows = {name: Cell(1.0 if name == TREE else seconds, 1.0 if name == TREE else seconds, 0.01) for name in SIDES}
    cells = {work.key: {**rows, "starlark": Cell(why_not="not installed")} for work in WORKLOADS}
    about = dict.fromkeys(("processor", "system", "Python", "rhaipy", "Rhai", "peers"), "x")
    growths = {curve.name: {TREE: Growth(1.0), COMPILED.name: Growth(1.1)} for curve in CURVES}
    memory = {"W7": {"rhaipy": 1.0, "python": 2.0}}
    starts = {"python -m stagehooks call": Started(20.0, 1.0)}
    limits = {"no limit": {**dict.fromkeys(COMPUTING, 1.0), "W4-W9": 1.0}}
    return Results(about, TREE, (*SIDES, "starlark"), cells, starts, growths, memory, limits, {"the whole call": 1.0})


def test_targets_say_whether_they_are_met() -> None:
    met = {target.text: target.met for target in targets(results(0.5))}
    assert met["compiled, against Rhai's tree walker, W4-W9: geometric mean"] is True
    assert met["a hook call (W1), against Rhai hardened"] is False
    assert met["growth of the cost of an item over three decades, the worst"] is True
    assert met["the fastest pure-Python peer that bounds a script, against compiled, W4-W6 where it runs"] is None
    assert mean([4.0, 9.0]) == pytest.approx(6.0)
    assert mean([]) is None


def test_the_page_and_the_picture_can_be_made() -> None:
    found = results(2.0)
    text = page.text(found)
    assert "{" not in text
    assert "starlark, W1, W1x" in text
    assert "2.00 ±1%" in table.ratios(found)
    assert ElementTree.fromstring(picture.svg(found)).tag.endswith("svg")
