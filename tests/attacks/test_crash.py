"""Anything at all is given to everything that reads: nothing but our own errors comes out. `make fuzz-crash` does more of it."""

import json
import sys
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

if sys.platform == "win32":
    pytest.skip("limits the memory of the process", allow_module_level=True)

from tests.attacks.crash import mutator
from tests.attacks.crash.targets import TARGETS, Fault, give, text_of

INPUTS: Final = 150
TEXTS: Final = st.one_of(
    st.text(max_size=60), st.text(alphabet='()[]{}#$`"\'\\/|!?.;:,=+-*&<>@ \n\t0123456789aex_', max_size=80), st.lists(
        st.sampled_from(mutator.WORDS).map(text_of), max_size=25
    ).map("".join)
)  # fmt: skip
TREES: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=30,
)


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_made_of_known_inputs(target: str) -> None:
    for number in range(INPUTS):
        give(target, mutator.made(target, 4711, number))


@pytest.mark.parametrize("target", TARGETS)
def test_any_text_any_bytes_any_tree(target: str) -> None:
    @settings(max_examples=40, deadline=None, database=None, derandomize=True)
    @given(st.one_of(TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")), st.binary(max_size=80), TREES.map(_json)))
    def check(data: bytes) -> None:
        give(target, data)

    check()


def _json(tree: object) -> bytes:
    return json.dumps(tree).encode()


def test_each_input_follows_from_its_number() -> None:
    assert mutator.made("compile", 1, 5) == mutator.made("compile", 1, 5)
    assert len({mutator.made("compile", 1, number) for number in range(50)}) > 40


def test_a_fault_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(data: bytes) -> None:
        raise KeyError("x")

    monkeypatch.setitem(TARGETS, "compile", broken)
    with pytest.raises(Fault, match="KeyError"):
        give("compile", b"1")
