"""The words that stand for those of the module `typing`: type checkers see its own, programs the ones that cost nothing."""

import ast
import pickle
import typing
from pathlib import Path
from types import GenericAlias
from typing import Any

from rhaipy import Engine, ModuleResolver, Position, Ref, Value, typings

OWN = {"Word", "Callable", "GenericAlias"}


def test_type_checkers_see_the_words_of_typing_and_programs_have_one_for_each() -> None:
    stub = Path(typings.__file__).with_suffix(".pyi")
    seen: set[str] = set()
    for item in ast.parse(stub.read_text(encoding="utf-8")).body:
        assert isinstance(item, ast.ImportFrom)
        assert item.module == "typing"
        assert [alias.name for alias in item.names] == [alias.asname for alias in item.names]
        seen |= {alias.name for alias in item.names}
    assert seen == {name for name in vars(typings) if not name.startswith("_")} - OWN
    assert all(hasattr(typing, name) for name in seen)


def test_a_word_takes_brackets_and_stands_in_unions_and_containers() -> None:
    words: Any = typings
    for word in (words.Any, words.Final, words.ClassVar, words.Literal, words.TypeVar("T", bound=int)):
        assert word[int] is word[int, str] is (word | None) is (None | word) is (int | word) is word
        assert list[word] | None
    assert repr(words.Any) == "Any"
    assert words.cast("int", 3) == 3


def test_a_generic_class_takes_types() -> None:
    reference: Any = Ref[Value]
    assert isinstance(reference, GenericAlias)
    assert (typing.get_origin(reference), typing.get_args(reference)) == (Ref, (Value,))


def test_a_protocol_that_can_be_checked_is_told_by_its_methods() -> None:
    class Finder:
        def resolve(self, importer: object, path: str) -> None:
            """None."""

    class Declared(ModuleResolver):
        def resolve(self, importer: object, path: str) -> None:
            """None."""

    assert isinstance(Finder(), ModuleResolver)
    assert isinstance(Declared(), ModuleResolver)
    assert isinstance(Declared(), Declared)
    assert not isinstance(Finder(), Declared)
    assert not isinstance(Engine(), ModuleResolver)


def test_a_position_is_a_pair_with_names() -> None:
    position = Position(3, column=4)
    line, column = position
    assert (line, column) == (position.line, position.column) == position == (3, 4)
    assert (str(position), repr(position)) == ("line 3, position 4", "Position(line=3, column=4)")
    assert pickle.loads(pickle.dumps(position)) == position
    match position:
        case Position(first, second):
            assert (first, second) == (3, 4)
