"""Every attack ends as it must, within its time and memory, and takes no process down; on each tier of the engine."""

from concurrent.futures import ThreadPoolExecutor
from typing import Final

import pytest

from tests.attacks import children, rows
from tests.attacks.children import Outcome
from tests.attacks.rows import Attack
from tests.attacks.tiers import TIERS

ATTACKS: Final = {attack.id: attack for tier in TIERS for attack in rows.every(tier)}


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Outcome]:
    """One child for each tier, side by side: what is measured is processor time."""
    with ThreadPoolExecutor(len(TIERS)) as pool:
        found = list(pool.map(children.run, [rows.every(tier) for tier in TIERS]))
    return {id: outcome for outcomes in found for id, outcome in outcomes.items()}


def test_no_two_attacks_share_an_id() -> None:
    assert len(ATTACKS) == len(TIERS) * len(rows.every())


@pytest.mark.parametrize("id", ATTACKS)
def test_attack(id: str, outcomes: dict[str, Outcome]) -> None:
    attack, outcome = ATTACKS[id], outcomes[id]
    assert outcome.kind in attack.kinds, outcome
    assert attack.value is None or outcome.text == attack.value
    assert outcome.seconds <= attack.seconds, outcome
    assert outcome.mebibytes <= attack.mebibytes, outcome


def test_the_ceilings_are_those_that_are_promised() -> None:
    hooks = [attack for attack in ATTACKS.values() if attack.profile == "hook" and not attack.limits]
    assert len(hooks) > 100
    assert all(attack.seconds == rows.SECONDS and attack.mebibytes == rows.MEBIBYTES for attack in hooks)


def test_what_ends_by_half_of_the_limits_has_half_of_the_time() -> None:
    halved = [attack for attack in ATTACKS.values() if attack.limits.get("fuel") == 500_000]
    assert halved
    assert all(attack.seconds == rows.SECONDS / 2 for attack in halved)


def test_a_child_that_dies_fails_one_attack_only() -> None:
    fine = Attack("fine", "1", frozenset({"value"}))
    broken = Attack("broken", "1", frozenset({"value"}), limits={"no such limit": 1})
    found = children.run([fine, broken, Attack("fine, too", "2", frozenset({"value"}))])
    assert [item.kind for item in found.values()] == ["value", "died", "value"]
