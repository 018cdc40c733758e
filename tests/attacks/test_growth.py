"""Four times the work takes about four times the steps: nothing in it is quadratic that is not in the language.

What is counted are operations, fuel, and the calls of Python functions that are made; `bench/growth.py` measures the time of the
same things.
"""

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any, Final

import pytest

from bench import growth
from rhaipy import Engine, Limits
from stagehooks.scripts.hardened import hardened_engine
from tests.attacks.rows import Attack, written

MOST: Final = 6.0
"""Times as many steps for four times as much, where what is quadratic takes sixteen; a sort takes a little more than four."""
METERED: Final = Limits(max_string_size=10**9, max_array_size=10**9, max_map_size=10**9, fuel=10**9)


def calls(work: Callable[[], object]) -> int:
    """How many calls of functions, Python's and those in C, `work` makes."""
    count = 0

    def tick(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(tick)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("name", growth.RUNS)
def test_running_is_linear(name: str) -> None:
    engine = Engine(METERED)
    used = []
    for size in (500, 2_000):
        ast, meter = engine.compile(growth.run_of(name, size)), engine.meter()
        made = calls(partial(engine.eval, ast, None, meter))
        used.append((meter.operations + 1, meter.fuel + 1, made))
    for small, large in zip(*used, strict=True):
        assert large / small < MOST, used


@pytest.mark.parametrize("name", growth.TEXTS)
def test_compiling_is_linear(name: str) -> None:
    few, many = [calls(partial(growth.compiled, growth.text_of(name, count))) for count in (100, 400)]
    assert many / few < MOST


LEXED: Final = [attack for attack in written() if attack.id.startswith("B13") and len(attack.source) > 100_000]


@pytest.mark.parametrize("attack", LEXED, ids=lambda attack: attack.id)
def test_the_worst_texts_for_the_lexer_are_read_in_linear_time(attack: Attack) -> None:
    source = attack.source
    few, many = [calls(partial(growth.compiled, source[: len(source) // part])) for part in (64, 16)]
    assert many / few < MOST


def test_fuel_is_linear_in_the_size_of_what_a_function_touches() -> None:
    def fuel(size: int) -> int:
        engine = hardened_engine()
        meter = engine.meter()
        engine.eval(f'let s = ""; s.pad({size}, "x"); s.contains("y"); s.to_upper(); s == s; s.split("x").len()', meter=meter)
        return meter.fuel

    assert fuel(8_000) / fuel(2_000) < MOST
