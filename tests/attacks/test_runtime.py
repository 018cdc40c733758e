"""Every attack on the runtime ends as it must, within its time and memory, and takes no process down."""

import sys
from typing import Final

import pytest

from tests.attacks import children, runtime_rows
from tests.attacks.children import Outcome

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="makes links and pipes")
ATTACKS: Final = {attack.id: attack for attack in runtime_rows.written()}


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Outcome]:
    return children.run(list(ATTACKS.values()))


def test_no_two_attacks_share_an_id() -> None:
    assert len(ATTACKS) == len(runtime_rows.written())


def test_there_are_attacks_on_every_part_of_the_runtime() -> None:
    assert {attack.what for attack in ATTACKS.values()} == {
        "load", "command", "tool", "race", "server", "hook", "run", "store", "shown",
    }  # fmt: skip


@pytest.mark.parametrize("id", ATTACKS)
def test_attack(id: str, outcomes: dict[str, Outcome]) -> None:
    attack, outcome = ATTACKS[id], outcomes[id]
    assert outcome.kind in attack.kinds, outcome
    for said in attack.says:
        assert said in outcome.text, outcome
    for said in attack.never:
        assert said not in outcome.text, outcome
    assert outcome.seconds <= attack.seconds, outcome
    assert outcome.mebibytes <= attack.mebibytes, outcome
