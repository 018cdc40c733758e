"""Every attack ends as it must, within its time and memory, and takes no process down."""

import time
from typing import Final

import pytest

from tests.attacks import children, rows
from tests.attacks.children import Outcome
from tests.attacks.rows import Attack

ATTACKS: Final = {attack.id: attack for attack in rows.every()}
RATE: Final = 0.032
"""Seconds that `_calibrated` took where the ceilings of time were set."""


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Outcome]:
    return children.run(list(ATTACKS.values()))


@pytest.fixture(scope="module")
def slowness() -> float:
    """How much slower this machine is than the one that the ceilings were set on; never less than 1."""
    return max(1.0, min(_calibrated() for _ in range(3)) / RATE)


def _calibrated() -> float:
    started = time.process_time()
    table: dict[int, int] = {}
    for number in range(1_000_000):
        table[number & 255] = number
    return time.process_time() - started


def test_no_two_attacks_share_an_id() -> None:
    assert len(ATTACKS) == len(rows.every())


@pytest.mark.parametrize("id", ATTACKS)
def test_attack(id: str, outcomes: dict[str, Outcome], slowness: float) -> None:
    attack, outcome = ATTACKS[id], outcomes[id]
    assert outcome.kind in attack.kinds, outcome
    assert attack.value is None or outcome.text == attack.value
    assert outcome.seconds <= attack.seconds * slowness, outcome
    assert outcome.mebibytes <= attack.mebibytes, outcome


def test_the_ceilings_are_those_that_are_promised() -> None:
    hooks = [attack for attack in ATTACKS.values() if attack.profile == "hook" and not attack.limits]
    assert all(attack.seconds == rows.SECONDS and attack.mebibytes == rows.MEBIBYTES for attack in hooks)


def test_a_child_that_dies_fails_one_attack_only() -> None:
    fine = Attack("fine", "1", frozenset({"value"}))
    broken = Attack("broken", "1", frozenset({"value"}), limits={"no such limit": 1})
    found = children.run([fine, broken, Attack("fine, too", "2", frozenset({"value"}))])
    assert [item.kind for item in found.values()] == ["value", "died", "value"]
