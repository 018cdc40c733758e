"""The behaviours that the original's tests assert, and its weak points: for each there is a test here, by its name."""

import ast
import tomllib
from pathlib import Path
from typing import Final

import pytest

HERE: Final = Path(__file__).parent
BEHAVIOURS: Final[dict[str, dict[str, list[str]]]] = tomllib.loads((HERE / "behaviours.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def tests() -> set[str]:
    """The names of all tests of stagehooks."""
    trees = [ast.parse(path.read_text("utf-8")) for path in HERE.glob("test_*.py")]
    return {item.name.removeprefix("test_") for tree in trees for item in tree.body if isinstance(item, ast.FunctionDef)}


def test_there_are_as_many_as_the_original_has() -> None:
    counts = {part: len(rows) for part, rows in BEHAVIOURS.items()}
    assert counts.pop("improved") == 13
    assert sum(counts.values()) == 105, counts


@pytest.mark.parametrize("part", BEHAVIOURS)
def test_each_has_a_test(part: str, tests: set[str]) -> None:
    assert {
        says: set(named) - tests for says, named in BEHAVIOURS[part].items() if not named or not tests.issuperset(named)
    } == {}
