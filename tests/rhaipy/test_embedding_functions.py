"""Functions of the host: overloads from annotations, arguments by reference, and callbacks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

from rhaipy import Caller, Engine, EvalError, FnPtr, Limits, Range, Ref, RhaiError, Value
from rhaipy.errors import FunctionNotFound
from rhaipy.limit_errors import StackOverflow


class Money:
    """A class of the host's own."""

    def __init__(self, cents: int) -> None:
        self.cents = cents


Wide = int | str | float


class Level(int):
    """Carries the behaviour of int."""


def cents_of(money: Money) -> int:
    return money.cents


# --- overloads ------------------------------------------------------------------------------------------------------------


def test_a_function_is_found_by_the_exact_types_of_its_arguments() -> None:
    engine = Engine()

    def describe_int(value: int) -> str:
        return "int"

    def describe_float(value: float) -> str:
        return "float"

    def describe_any(value: Value) -> str:
        return "anything"

    for call in (describe_any, describe_int, describe_float):
        engine.register_fn("describe", call)
    assert engine.eval("[describe(1), describe(1.0), describe('c'), describe(true)]") == ["int", "float", "anything", "anything"]


def test_a_later_function_of_the_same_types_takes_the_place_of_the_earlier_one() -> None:
    engine = Engine()
    engine.register_fn("who", lambda: "first")
    engine.register_fn("who", lambda: "second")
    assert engine.eval("who()") == "second"


def test_a_union_is_one_overload_for_each_member() -> None:
    engine = Engine()

    @engine.fn
    def shown(value: int | str | None, other: bool | None) -> str:
        return f"{value} {other}"

    assert engine.eval('[shown(1, true), shown("a", ()), shown((), false)]') == ["1 True", "a None", "None False"]
    with pytest.raises(FunctionNotFound, match=r"shown \(f64, bool\)"):
        engine.eval("shown(1.5, true)")


def test_object_any_and_no_annotation_take_every_type() -> None:
    engine = Engine()

    def one(value: object) -> bool:
        return isinstance(value, Range)

    def two(value: Any) -> bool:
        return isinstance(value, Range)

    engine.register_fn("one", one)
    engine.register_fn("two", two)
    engine.register_fn("three", lambda value: isinstance(value, Range))
    assert engine.eval("[one(1..2), two(1..2), three(1..2), one(1)]") == [True, True, True, False]


def test_annotations_may_be_texts_that_name_what_is_around_the_function() -> None:
    engine = Engine()

    class Local:
        """Known here only."""

    def take(local: Ref[Local], value: Value, pointer: FnPtr) -> int:
        assert type(local.value) is Local
        return 3

    engine.register_fn("take", take)
    assert engine.call_fn(engine.compile("fn f(x) { take(x, 1, |y| y) }"), "f", Local()) == 3


def test_a_parameter_with_a_default_value_may_be_left_out() -> None:
    engine = Engine()

    @engine.fn("greet")
    def greeting(name: str, words: str = "Hello", *, end: str = "!") -> str:
        return f"{words}, {name}{end}"

    assert engine.eval('[greet("Ada"), greet("Ada", "Hi")]') == ["Hello, Ada!", "Hi, Ada!"]
    with pytest.raises(FunctionNotFound):
        engine.eval("greet()")


def test_classes_methods_and_builtins_can_be_functions() -> None:
    engine = Engine()
    engine.register_fn("Money", Money)
    engine.register_fn("cents", cents_of)
    engine.register_fn("upper", "abc".upper)
    engine.register_fn("gcd", lambda a, b: math.gcd(a, b))
    assert engine.eval("[Money(5).cents(), upper(), gcd(12, 18)]") == [5, "ABC", 6]


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda *args: 1, "fixed number of arguments"),
        (lambda **options: 1, "fixed number of arguments"),
        (lambda a, *, b: 1, "fixed number of arguments"),
        (print, "fixed number of arguments"),
        (3, "cannot be told"),
    ],
)
def test_what_cannot_be_called_by_position_is_no_function(call: Any, why: str) -> None:
    with pytest.raises(TypeError, match=why):
        Engine().register_fn("f", call)


def test_types_that_scripts_have_no_values_of_are_refused_when_a_function_is_registered() -> None:
    def takes_tuple(value: tuple[int, ...]) -> None: ...
    def takes_bytes(value: bytes) -> None: ...
    def takes_sequence(value: Sequence[int]) -> None: ...
    def takes_nothing_known(value: object) -> None: ...
    def second_by_reference(value: int, other: Ref[int]) -> None: ...

    takes_nothing_known.__annotations__["value"] = "Unknown"
    for call in (takes_tuple, takes_bytes, takes_sequence, takes_nothing_known, second_by_reference):
        with pytest.raises(TypeError, match=r"no type that scripts|has no meaning here|only the first parameter"):
            Engine().register_fn("f", call)


def test_a_subclass_of_a_value_type_is_no_type_of_values() -> None:
    def takes_level(level: Level) -> None: ...

    with pytest.raises(TypeError, match="being related to int"):
        Engine().register_fn("f", takes_level)


def test_too_many_overloads_are_refused() -> None:
    def wide(a: Wide, b: Wide, c: Wide, d: Wide, e: Wide, f: Wide) -> None: ...

    with pytest.raises(TypeError, match="overloads"):
        Engine().register_fn("wide", wide)


def test_engines_do_not_share_what_is_registered() -> None:
    engine = Engine()
    engine.register_fn("mine", lambda: 1)
    with pytest.raises(FunctionNotFound):
        Engine().eval("mine()")


def test_what_is_registered_is_listed() -> None:
    engine = Engine()
    engine.register_type(Money, "Money")
    engine.register_fn("cents", cents_of)
    engine.register_fn("any", lambda value: value)
    assert engine.gen_fn_signatures() == ["any(?)", "cents(Money)"]


def test_a_registered_operator_comes_before_the_engines_own_without_fast_operators() -> None:
    """Asked of the engine: with fast operators 1 + 2 is 3 whatever is registered; without them a registered `+` counts, and the
    optimiser leaves it alone."""
    engine = Engine()

    def plus(left: int, right: int) -> int:
        return 99

    engine.register_fn("+", plus)
    assert engine.eval("let a = 1; [1 + 2, a + 2]") == [3, 3]
    engine.set_fast_operators(False)
    assert engine.eval("let a = 1; [1 + 2, a + 2]") == [99, 99]


# --- by reference, and calling back ---------------------------------------------------------------------------------------


def test_a_first_parameter_by_reference_may_be_changed() -> None:
    engine = Engine()

    @engine.fn
    def double(items: Ref[list[Value]]) -> None:
        items.value.extend(list(items.value))

    @engine.fn
    def replace_with(number: Ref[int], other: int) -> None:
        number.value = other

    assert engine.eval("let a = [1]; a.double(); double(a); let n = 1; n.replace_with(7); [a, n]") == [[1, 1, 1, 1], 7]
    with pytest.raises(EvalError, match="Non-pure method 'double' cannot be called on constant"):
        engine.eval("const A = [1]; A.double()")


def test_an_argument_by_value_is_a_copy() -> None:
    engine = Engine()

    @engine.fn
    def spoil(items: list[Value]) -> int:
        items.append(1)
        return len(items)

    assert engine.eval("let a = []; let n = spoil(a); let m = a.spoil(); [n, m, a]") == [1, 1, []]


def test_what_a_function_returns_stays_its_own() -> None:
    engine = Engine()
    kept: list[Value] = [1]
    engine.register_fn("kept", lambda: kept)
    assert engine.eval("let a = kept(); a.push(2); [a, kept()]") == [[1, 2], [1]]
    assert kept == [1]


def test_a_function_can_call_back() -> None:
    engine = Engine()

    @engine.fn
    def twice(caller: Caller, pointer: FnPtr, value: Value) -> Value:
        return caller.call_pointer(pointer, [caller.call_pointer(pointer, [value])])

    assert engine.eval("let by = 10; twice(|x| x * by, 7)") == 700
    with pytest.raises(EvalError, match="Division by zero"):
        engine.eval("twice(|x| 1 / 0, 7)")


def test_a_callback_gets_no_values_that_scripts_cannot_hold() -> None:
    engine = Engine()

    @engine.fn
    def smuggle(caller: Caller, pointer: FnPtr) -> Value:
        foreign: Any = date(2024, 1, 1)
        return caller.call_pointer(pointer, [foreign])

    with pytest.raises(RhaiError, match="argument 1 of the callback is of type date, which scripts have no value for"):
        engine.eval("smuggle(|x| x)")


def test_callbacks_nest_as_deep_as_the_limits_allow() -> None:
    engine = Engine(Limits(max_call_levels=64))

    @engine.fn
    def through(caller: Caller, pointer: FnPtr, value: int) -> Value:
        return caller.call_pointer(pointer, [value])

    script = "fn down(n) { if n == 0 { 0 } else { through(|m| down(m), n - 1) } }"
    assert engine.eval(f"{script} down(10)") == 0
    with pytest.raises(RhaiError) as caught:
        engine.eval(f"{script} down(1000)")
    assert isinstance(caught.value.innermost, StackOverflow)
