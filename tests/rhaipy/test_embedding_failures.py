"""Functions of the host that fail, and what they give that is no value: every error names the function."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from rhaipy import Char, Engine, EvalError, HostFailure, Limits, Ref, RhaiError, Scope, Thrown, Value
from rhaipy.errors import InFunctionCall


class Money:
    """A class of the host's own."""

    def __init__(self, cents: int) -> None:
        self.cents = cents


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
