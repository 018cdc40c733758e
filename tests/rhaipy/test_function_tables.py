"""Tables of native functions: what is made at once is what would be made one by one."""

import typing
from typing import Any, Final

from rhaipy import STANDARD, Caller, FunctionTable, Package, Ref, Value, function

OWN: Final[Package] = []


@function(OWN, "push", mutates=True)
def push_twice(items: Ref[list[Value]], item: Value) -> None:
    items.value += [item, item]


@function(OWN, "trim")
def trim(text: str) -> str:
    return text.strip()


def filled(*sources: typing.Iterable[Any]) -> FunctionTable:
    table = FunctionTable()
    for source in sources:
        for item in source:
            table.add(item)
    return table


def test_a_table_made_at_once_is_the_one_that_is_filled_one_by_one() -> None:
    for together, apart in (
        (STANDARD.copy(), filled(STANDARD)),
        (STANDARD.copy(OWN), filled(STANDARD, OWN)),
        (STANDARD.copy(OWN, frozenset({"sleep", "sort"})), filled([i for i in STANDARD if i.name not in ("sleep", "sort")], OWN)),
    ):
        assert [*together] == [*apart]
        names = {item.name for item in apart} | {"sleep", "sort", "missing"}
        assert [name for name in names if together.mutates(name)] == [name for name in names if apart.mutates(name)]
        assert [name for name in names if together.registers(name)] == [name for name in names if apart.registers(name)]
        for name, kinds in (
            ("push", (list, int)),
            ("sort", (list,)),
            ("trim", (str,)),
            ("+", (int, int)),
            ("contains", (list, str)),
        ):
            mine, other = together.find(name, kinds), apart.find(name, kinds)
            assert mine is other or (mine and other and mine.name == other.name == "+")


def test_a_copy_has_what_is_put_into_it_and_the_original_has_not() -> None:
    copied = STANDARD.copy(OWN, frozenset({"sleep"}))
    assert not copied.registers("sleep")
    assert STANDARD.registers("sleep")
    assert copied.find("push", (list, int)) is OWN[0] is not STANDARD.find("push", (list, int))
    assert STANDARD.mutates("trim")
    assert not copied.mutates("trim")


def test_the_types_of_functions_come_from_what_is_written_with_the_words_of_typing_too() -> None:
    package: Package = []

    @function(package, "anything")
    def anything(caller: Caller, a: Any, b: Value, c: "Ref[Value]", d: list[Value], e: None, f: int | str) -> None: ...

    kinds = (None, None, None, list, type(None))
    assert [item.params[:2] + item.params[3:] for item in package] == [
        (*kinds[:2], *kinds[3:], int),
        (*kinds[:2], *kinds[3:], str),
    ]
    assert all(item.wants_caller for item in package)
