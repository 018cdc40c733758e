"""Functions of the host: overloads from annotations, arguments by reference, callbacks, and what happens when they fail."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

from rhaipy import Caller, Char, Engine, EvalError, FnPtr, HostFailure, Limits, Range, Ref, RhaiError, Scope, Thrown, Value
from rhaipy.errors import FunctionNotFound, InFunctionCall
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


def money(cents: int) -> Money:
    return Money(cents)


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


# --- failing --------------------------------------------------------------------------------------------------------------


def broken(number: int) -> int:
    raise LookupError("nothing there")


def test_an_exception_becomes_an_error_that_names_the_function() -> None:
    engine = Engine()
    engine.register_fn("broken", broken)
    with pytest.raises(HostFailure) as caught:
        engine.eval("let x = 1;\nbroken(x)")
    error = caught.value
    assert (error.kind, error.message) == (
        "ErrorRuntime",
        "Runtime error: function 'broken' failed: LookupError: nothing there (line 2, position 1)",
    )
    assert isinstance(error.host_error, LookupError)
    assert error.__cause__ is None
    assert error.__context__ is None


def test_the_exception_of_the_host_is_found_under_the_calls_it_passed_through() -> None:
    engine = Engine()
    engine.register_fn("broken", broken)
    with pytest.raises(InFunctionCall) as caught:
        engine.eval("fn f() { broken(1) } f()")
    assert isinstance(caught.value.host_error, LookupError)
    trace = caught.value.host_error.__traceback__
    assert trace is not None
    assert trace.tb_frame.f_code.co_name == "broken"


def test_a_script_can_catch_what_a_function_of_the_host_raised_as_a_text() -> None:
    engine = Engine()
    engine.register_fn("broken", broken)
    script = "let said = (); try { broken(1) } catch (e) { said = e; } said"
    assert engine.eval(script) == "function 'broken' failed: LookupError: nothing there"


def test_getters_setters_and_indexers_are_named_as_what_they_are() -> None:
    engine = Engine()

    def fail(value: Value) -> None:
        raise ValueError

    def fail_with(value: Value, other: Value) -> None:
        raise ValueError

    def fail_to_write(value: Ref[Money], other: int) -> None:
        raise ValueError

    engine.register_get("odd", fail)
    engine.register_set("odd", fail_to_write)
    engine.register_indexer_get(fail_with)
    scope = Scope(m=Money(1))
    for script, words in [
        ("m.odd", "getter of 'odd' failed: ValueError"),
        ("m.odd = 1", "setter of 'odd' failed: ValueError"),
        ("m[0]", "indexer failed: ValueError"),
    ]:
        with pytest.raises(HostFailure) as caught:
            engine.eval(script, scope)
        assert caught.value.text() == f"Runtime error: {words}"


def test_texts_of_exceptions_are_kept_harmless() -> None:
    class Nasty(Exception):
        def __str__(self) -> str:
            raise ZeroDivisionError

    engine = Engine()

    @engine.fn
    def nasty(which: int) -> None:
        raise (Nasty(), ValueError("x" * 10_000), ValueError("a\n\ud800 b"))[which]

    texts = []
    for which in range(3):
        with pytest.raises(HostFailure) as caught:
            engine.eval(f"nasty({which})")
        texts.append(caught.value.text())
    assert texts[0].endswith("failed: Nasty")
    assert len(texts[1]) < 1200
    assert texts[2].endswith("ValueError: a ? b")


def test_an_error_of_rhai_passes_as_it_is() -> None:
    """Asked of the engine: a function that returns an error without a position gets that of the call."""
    engine = Engine()

    def show(value: object) -> str:
        return "kaboom"

    @engine.fn
    def throwing(number: int) -> int:
        raise Thrown(0, {"code": 7}, show)

    @engine.fn
    def inner() -> Value:
        return Engine().eval("1 / 0")

    assert engine.eval("let c = (); try { throwing(1) } catch (e) { c = e.code; } c") == 7
    with pytest.raises(Thrown, match=r"Runtime error: kaboom \(line 1, position 1\)"):
        engine.eval("throwing(1)")
    with pytest.raises(EvalError, match="Division by zero"):
        engine.eval("inner()")


def test_an_interrupt_passes_through() -> None:
    engine = Engine()

    @engine.fn
    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.eval("try { interrupt() } catch { }")


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (date(2024, 1, 1), "its result is of type date, which scripts have no value for"),
        ((1, 2), "its result is of type tuple, which scripts have no value for"),
        ([1, {"a": b""}], "its result holds something that is of type bytes, which scripts have no value for"),
        (2**63, "its result is an integer of more than 64 bits"),
        ({1: 2}, "its result holds something that is a map with a key of type int; keys are strings"),
        ("\ud800", "its result is half of a surrogate pair, which is no character"),
        (Char("ab"), "its result is a character made of more or less than one"),
        (object(), "its result is of type object, which scripts have no value for"),
    ],
)
def test_a_result_that_is_no_value_is_refused(result: Any, words: str) -> None:
    engine = Engine()
    engine.register_fn("give", lambda: result)
    with pytest.raises(HostFailure) as caught:
        engine.eval("give()")
    assert caught.value.text() == f"Runtime error: function 'give' failed: {words}"


def test_a_result_that_holds_itself_is_refused() -> None:
    engine = Engine()
    endless: list[Value] = []
    endless.append(endless)
    engine.register_fn("give", lambda: endless)
    with pytest.raises(HostFailure, match="its result is a container that holds itself"):
        engine.eval("give()")


def test_a_container_that_is_found_twice_becomes_two() -> None:
    engine = Engine()
    shared: list[Value] = [1]
    engine.register_fn("give", lambda: [shared, shared])
    assert engine.eval("let a = give(); a[0].push(2); a") == [[1, 2], [1]]
    ast = engine.compile("fn f(a, b) { a.push(2); [a, b] }")
    assert engine.call_fn(ast, "f", shared, shared) == [[1, 2], [1]]


def test_what_a_function_makes_of_its_first_argument_is_judged_too() -> None:
    engine = Engine()

    @engine.fn
    def spoil(value: Ref[Value]) -> None:
        foreign: Any = date(2024, 1, 1)
        value.value = foreign

    with pytest.raises(HostFailure, match="what it changed is of type date"):
        engine.eval("let x = 1; spoil(x); x")


def test_a_result_counts_against_the_limits() -> None:
    engine = Engine(Limits(max_string_size=10))
    engine.register_fn("long", lambda: "x" * 100)
    with pytest.raises(RhaiError, match="Length of string too large"):
        engine.eval("long()")
