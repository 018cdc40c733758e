"""A long run costs as much for each of its stages as a short one, and holds no more; `python -m bench --runtime` shows more."""

import pytest

from bench.runtime import HOOKS_IN_A_VISIT, Cost, measure

SHORT, LONG = 20, 60


@pytest.fixture(scope="module")
def costs() -> tuple[Cost, Cost, Cost]:
    """Three runs, each by the same number of visits longer than the one before; the first fills what is filled only once."""
    measure(2)
    short, middle, long = (measure(visits) for visits in (SHORT, (SHORT + LONG) // 2, LONG))
    return short, middle, long


def test_every_visit_fires_its_ten_hooks(costs: tuple[Cost, Cost, Cost]) -> None:
    assert [cost.visits for cost in costs] == [SHORT, 40, LONG]
    assert [cost.hooks for cost in costs] == [cost.visits * HOOKS_IN_A_VISIT for cost in costs]


def test_events_and_operations_grow_with_the_length_of_a_run_and_no_faster(costs: tuple[Cost, Cost, Cost]) -> None:
    short, middle, long = costs
    assert middle.events - short.events == long.events - middle.events
    assert middle.operations - short.operations == long.operations - middle.operations


def test_memory_does_not_grow_with_the_length_of_a_run(costs: tuple[Cost, Cost, Cost]) -> None:
    assert all(cost.kept < 20_000 for cost in costs), costs
