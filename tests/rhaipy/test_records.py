"""Records behave as dataclasses with slots do."""

import dataclasses
import pickle
from typing import Any

import pytest

from rhaipy import frozen, individual, record, replaced
from rhaipy.records import mutable


@record
class Pair:
    """Two values."""

    left: int
    right: str = "r"

    def swapped(self) -> tuple[str, int]:
        return self.right, self.left


@frozen
class Fixed:
    value: Any
    other: int = 2


@individual
class Own:
    value: int


@mutable
class Open:
    value: int


@record
class Empty:
    """Nothing."""


def test_a_record_is_made_from_its_fields_in_their_order_or_by_name() -> None:
    assert Pair(1, "x").swapped() == ("x", 1)
    assert Pair(left=3).swapped() == ("r", 3)
    assert repr(Pair(1)) == "Pair(left=1, right='r')"
    assert repr(Empty()) == "Empty()"
    assert Pair.__doc__ == "Two values."


def test_what_is_missing_or_too_much_is_refused_by_name() -> None:
    make: Any = Pair
    with pytest.raises(TypeError, match=r"Pair.__init__\(\) missing 1 required positional argument: 'left'"):
        make()
    with pytest.raises(TypeError, match="unexpected keyword argument 'middle'"):
        make(1, middle=2)


def test_records_are_equal_by_value_and_individuals_only_to_themselves() -> None:
    assert Pair(1) == Pair(1) != Pair(2)
    assert Pair(1) != Fixed(1)
    assert len({Pair(1), Pair(1), Pair(2)}) == 2
    assert Empty() == Empty()
    one = Own(1)
    assert one == one != Own(1)


def test_a_record_does_not_build_on_another() -> None:
    class Triple(Pair):
        middle: int

    with pytest.raises(TypeError, match="a record inherits no fields"):
        record(Triple)


def test_a_frozen_record_is_set_once() -> None:
    made: Any = Fixed([1])
    for change in (lambda: setattr(made, "value", 2), lambda: delattr(made, "value")):
        with pytest.raises(AttributeError, match="Fixed is frozen: 'value' cannot be"):
            change()
    assert made.value == [1]


def test_a_record_has_no_other_attributes() -> None:
    made: Any = Open(1)
    made.value = 2
    with pytest.raises(AttributeError):
        made.other = 3
    assert made.value == 2


def test_a_record_can_be_matched_copied_with_changes_and_pickled() -> None:
    match Pair(1, "x"):
        case Pair(left, right):
            assert (left, right) == (1, "x")
    assert replaced(Pair(1), right="y") == Pair(1, "y")
    assert pickle.loads(pickle.dumps(Fixed(1))) == Fixed(1)


def test_the_functions_of_the_module_dataclasses_work_on_records() -> None:
    made: Any = Pair(1, "x")
    assert dataclasses.is_dataclass(made)
    assert [field.name for field in dataclasses.fields(made)] == ["left", "right"]
    assert dataclasses.fields(made)[1].default == "r"
    assert dataclasses.asdict(made) == {"left": 1, "right": "x"}
    assert dataclasses.replace(made, left=2) == Pair(2, "x")
