"""The generated pages are up to date; every function of the real engine's library is there and is tried by a case."""

from collections.abc import Iterator

import pytest

from conformance import page, stdlib
from conformance.cases import load
from conformance.stdlib import ABSENT, DIFFERENT, MISSING, Row, read_rows, signatures, state
from conformance.subject import answer
from rhaipy import FunctionTable
from rhaipy.functions import Function

ROWS = read_rows()
AREAS = ("library/", "time/", "blobs/bytes", "functions/calls", "operators/")
"""The cases that call each function between them."""


def test_the_page_of_the_library_is_up_to_date():
    assert stdlib.PAGE.read_text(encoding="utf-8") == stdlib.page(ROWS), "run python -m conformance.stdlib"


def test_the_page_of_the_conformance_is_up_to_date():
    assert page.PAGE.read_text(encoding="utf-8") == page.page().rstrip() + "\n", "run python -m conformance.page"


def test_no_function_of_the_library_is_missing():
    assert [row for row in ROWS if state(row) == MISSING] == []


def test_only_the_functions_of_types_without_values_are_absent():
    absent = {name for row in ROWS if state(row) == ABSENT for name in row.parameters} - {"int", "float"}
    assert absent == {
        name + kind for kind in ("i8", "i16", "i32", "i128", "u16", "u32", "u64", "u128") for name in ("", "range of ")
    } | {
        "f32",
        "range of float",
    }


def test_what_differs_is_told_function_by_function():
    assert {row.function for row in ROWS if state(row) not in (ABSENT, "exact")} == set(DIFFERENT)


def test_a_missing_function_is_noticed():
    assert state(Row("Core", "no_such_function", "function", ("int",), "int")) == MISSING
    assert state(Row("Core", "len", "getter", ("int",), "int")) == MISSING


@pytest.fixture(scope="module")
def called() -> Iterator[set[tuple[str, tuple[type, ...]]]]:
    """Every function that the cases of the library find, by name and types of arguments."""
    found: set[tuple[str, tuple[type, ...]]] = set()
    find = FunctionTable.find

    def traced(table: FunctionTable, name: str, types: tuple[type, ...]) -> Function | None:
        found.add((name, types))
        return find(table, name, types)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FunctionTable, "find", traced)
        for case in load():
            if case.id.startswith(AREAS):
                answer(case.at("none"))
        yield found


def test_each_function_of_the_library_is_called_by_a_case(called: set[tuple[str, tuple[type, ...]]]):
    untried = [
        f"{row.function} ({', '.join(row.parameters)})"
        for row in ROWS
        if state(row) != ABSENT and not any((row.function, types) in called for types in signatures(row))
    ]
    assert untried == []
