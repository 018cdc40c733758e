"""The reference evaluator beyond what the conformance cases see: room on the stack, fuel, memory, and what things cost."""

import sys
from collections.abc import Callable
from threading import Thread, stack_size

import pytest

from rhaipy import Engine, LimitError, Limits, Meter, RhaiError, Value
from rhaipy.interpreter import HANDLERS
from rhaipy.interpreter.headroom import leave_room, make_room
from rhaipy.limit_errors import OutOfFuel, OutOfMemory, StackOverflow
from rhaipy.syntax import nodes

HOOK = Limits(
    max_operations=100_000,
    max_string_size=1_000_000,
    max_array_size=10_000,
    max_map_size=10_000,
    max_expr_depth=128,
    max_function_expr_depth=128,
    fuel=1_000_000,
    memory=128 << 20,
)
DEEP = f"fn f(n) {{ n == 0 || {'!' * 100}f(n - 1) }} f(63)"
FILLED = "let a = []; for i in 0..9000 { a.push(i); } "
LONG = 'let s = "x"; for i in 0..19 { s += s; } '


def test_every_node_has_a_handler() -> None:
    kinds = {kind for union in (nodes.Expr, nodes.Stmt) for kind in union.__args__}
    assert kinds == HANDLERS.keys()


# --- room on the stack ----------------------------------------------------------------------------------------------------


def test_the_deepest_legal_program_runs_on_a_small_stack() -> None:
    answers: list[object] = []

    def run() -> None:
        answers.append(Engine(HOOK).eval(DEEP))

    before = stack_size(256 * 1024)
    try:
        thread = Thread(target=run)
        thread.start()
        thread.join()
    finally:
        stack_size(before)
    assert answers == [True]


def test_the_recursion_limit_is_put_back() -> None:
    before = sys.getrecursionlimit()
    make_room()
    make_room()
    assert sys.getrecursionlimit() > before
    leave_room()
    assert sys.getrecursionlimit() > before
    leave_room()
    assert sys.getrecursionlimit() == before
    with pytest.raises(RhaiError):
        Engine().eval("throw 1")
    assert sys.getrecursionlimit() == before


def test_running_out_of_the_stack_of_the_host_is_a_stack_overflow() -> None:
    with pytest.raises(StackOverflow):
        Engine(Limits(max_call_levels=10**9)).eval("fn f(n) { f(n + 1) } f(0)")


@pytest.mark.parametrize("call", ["f(n + 1)", "[1].map(|x| f(n + 1))", "`${f(n + 1)}`", "(|| f(n + 1)).call()", 'eval("f(1)")'])
def test_recursion_without_end_is_a_stack_overflow(call: str) -> None:
    with pytest.raises(RhaiError) as caught:
        Engine(HOOK).eval(f"fn f(n) {{ {call} }} f(0)")
    assert isinstance(caught.value.innermost, StackOverflow)


# --- fuel -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "attack",
    [
        "loop { let b = a; }",
        "fn f(x) { 0 } loop { f(a); }",
        "let f = || a; loop { f.call(); }",
        "let b = a; loop { a == b; }",
        "loop { -1 in a; }",
        "loop { switch a { 1 => 2, _ => 3 }; }",
        "loop { a.to_string(); }",
        "loop { `${a}`; }",
        "loop { try { throw a } catch (e) {} }",
        "a.filter(|x| { let i = 0; while i < 500 { i += 1; } true })",
        "a.sort(|x, y| { let i = 0; while i < 500 { i += 1; } x - y }); a",
        "loop { try { a.map(|x| a.len()); throw a } catch { a.map(|x| x); } }",
    ],
)
def test_work_without_end_runs_out_of_fuel(attack: str) -> None:
    with pytest.raises(OutOfFuel):
        Engine(HOOK).eval(FILLED + attack)


def test_without_fuel_operations_count_as_in_rhai() -> None:
    meter = Meter(Limits(max_operations=8_000))
    Engine().eval("[1, 2, 3].map(|x| { let i = 0; while i < 1000 { i += 1; } x })", meter=meter)
    assert meter.operations < 20


def test_fuel_remembers_what_operations_forget() -> None:
    meter = Meter(HOOK)
    Engine(HOOK).eval("[1, 2, 3].map(|x| { let i = 0; while i < 1000 { i += 1; } x })", meter=meter)
    assert meter.operations < 20
    assert meter.fuel > 15_000


# --- memory ---------------------------------------------------------------------------------------------------------------


def test_more_live_data_than_allowed_is_out_of_memory() -> None:
    hoard = LONG + "".join(f"let v{number} = s + {number}; " for number in range(400))
    with pytest.raises(OutOfMemory):
        Engine(HOOK).eval(hoard)


def test_data_that_is_gone_does_not_count() -> None:
    Engine(HOOK).eval(LONG + "for i in 0..600 { let t = s + i; }")


@pytest.mark.parametrize(
    "honest",
    [
        'let out = ""; for i in 0..2000 { out = out + "a line of text that is about fifty characters long."; } out',
        LONG + 'for i in 0..200 { s += "x"; }',
        FILLED + "let n = 0; for i in 0..9000 { n += a.len(); } n",
        "let m = #{}; for i in 0..5000 { m[`key ${i}`] = i; } m.len()",
    ],
)
def test_honest_work_stays_within_the_limits(honest: str) -> None:
    Engine(HOOK).eval(honest)


# --- cost -----------------------------------------------------------------------------------------------------------------


def steps(run: Callable[[], Value]) -> int:
    """How many calls of Python functions `run` makes."""
    count = 0

    def tracer(_frame: object, event: str, _arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(tracer)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    "script",
    [
        "let a = []; for i in 0..{n} {{ a.push(i); }}",
        "let a = []; for i in 0..{n} {{ a.push(#{{id: i}}); }} for i in 0..{n} {{ a[i].id = 0; }}",
        "let m = #{{}}; for i in 0..{n} {{ m[`k${{i}}`] = i; }}",
        "let a = []; for i in 0..{n} {{ a.push(i); a.len(); }}",
    ],
)
def test_filling_containers_under_limits_takes_linear_time(script: str) -> None:
    engine = Engine(Limits(max_string_size=100_000, max_array_size=100_000, max_map_size=100_000))
    few, many = engine.compile(script.format(n=200)), engine.compile(script.format(n=800))
    assert steps(lambda: engine.eval(many)) < 5 * steps(lambda: engine.eval(few))


def test_limits_on_sizes_hold_after_many_changes() -> None:
    engine = Engine(Limits(max_array_size=1000))
    engine.eval("let a = []; for i in 0..1000 { a.push(i); }")
    for excess in ("a.push(1)", "a.insert(0, 1)", "a.append([1])", "a.pad(2000, 0)", "a[0] = [1]; a.len()"):
        with pytest.raises(LimitError, match="Size of array/BLOB too large"):
            engine.eval("let a = []; for i in 0..1000 { a.push(i); } " + excess)
