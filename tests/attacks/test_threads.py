"""Small stacks, deep hosts, several threads: the same answers, and the host's settings as they were."""

import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import pytest

from rhaipy import AST, Engine, RhaiError
from rhaipy.display import debug
from stagehooks.scripts.hardened import hardened_engine

KIB: Final = 1024


def deep(before: str, after: str, depth: int, leaf: str = "f(n - 1)") -> str:
    """A function that calls itself `n` times from within `depth` nested expressions."""
    return f"fn f(n) {{ if n == 0 {{ return 0; }} {before * depth}{leaf}{after * depth} }}"


DEEPEST: Final = {
    "parentheses": deep("(1 + ", ")", 55),
    "arrays": deep("[", "]", 38) + " ",
    "blocks": deep("{", "}", 55),
    "calls": deep("abs(", ")", 50),
    "texts": deep("`${", "}`", 30),
    "maps": deep("#{a: ", "}", 38),
    "indexes": deep("[0][", "]", 30, "abs(f(n - 1)) * 0"),
    "conditions": deep("if true { ", " } else { 0 }", 40),
    "switches": deep("switch 1 { _ => ", " }", 40),
    "tries": deep("try { ", " } catch { 0 }", 40, "return f(n - 1);"),
    "loops": deep("for i in 0..1 { ", " }", 40, "return f(n - 1);"),
    "negations": deep("-abs(", ")", 40),
    "methods": deep("(0 + ", ").abs()", 25),
    "callbacks": "fn f(n) { if n == 0 { return 0; } [n].map(|x| f(x - 1))[0] }",
    "comparers": "fn f(n) { if n == 0 { return 0; } let a = [1, 2]; a.sort(|x, y| f(n - 1)); 0 }",
    "pointers": 'fn f(n) { if n == 0 { return 0; } Fn("f").call(n - 1) }',
    "this": "fn f(n) { if n == 0 { return 0; } n.g() } fn g() { f(this - 1) }",
}


def in_a_thread(work: Callable[[], object], stack: int) -> object:
    """What `work` gives in a thread with a stack of this many bytes."""
    found: list[object] = []
    before = threading.stack_size(stack)
    try:
        thread = threading.Thread(target=lambda: found.append(work()))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    return found[0]


def outcome(source: str, levels: int) -> str:
    """The value, as text, or the kind of the error."""
    try:
        return debug(hardened_engine().eval(f"{source} f({levels})"))[:200]
    except RhaiError as error:
        return error.innermost.kind


@pytest.mark.parametrize("form", DEEPEST)
def test_the_deepest_scripts_run_on_a_stack_of_256_kibibytes(form: str) -> None:
    source = DEEPEST[form]
    levels = 60 if "map(|" not in source and "sort(|" not in source and "this" not in source else 18
    here = outcome(source, levels)
    assert here not in ("ErrorStackOverflow", "ErrorSystem"), here
    assert in_a_thread(lambda: outcome(source, levels), 256 * KIB) == here


@pytest.mark.parametrize("form", DEEPEST)
def test_calls_without_end_overflow_the_language_not_the_stack(form: str) -> None:
    if form in ("texts", "tries", "comparers"):
        return
    assert in_a_thread(lambda: outcome(DEEPEST[form], 1000), 256 * KIB) in ("ErrorStackOverflow", "ErrorOutOfFuel")


def test_deep_values_are_made_shown_and_freed_on_a_small_stack() -> None:
    source = "let a = []; for i in 0..9000 { let b = [1]; b.push(take(a)); a = take(b); } let b = a; `${a}`.len() > 9000"
    pointers = 'let f = Fn("x"); for i in 0..9000 { f = Fn("x").curry(f); } f = (); 1'
    assert in_a_thread(lambda: Engine().eval(source), 256 * KIB) is True
    assert in_a_thread(lambda: Engine().eval(pointers), 256 * KIB) == 1


def test_a_host_that_is_deep_already() -> None:
    def at_depth(depth: int, work: Callable[[], object]) -> object:
        return work() if depth == 0 else at_depth(depth - 1, work)

    limit = sys.getrecursionlimit()
    assert at_depth(limit - 200, lambda: outcome(DEEPEST["parentheses"], 60)) == "3300"
    assert sys.getrecursionlimit() == limit


def test_a_host_that_is_too_deep_gets_an_error_of_ours() -> None:
    def down(depth: int) -> str:
        try:
            return down(depth + 1)
        except RecursionError:
            return "deepest" if depth % 2 else outcome("fn f(n) { n }", 1)

    assert isinstance(down(0), str)


@pytest.mark.parametrize("source", ["1 +", "loop {}", "fn f() { f() } f()", "throw 1", "1"])
def test_the_recursion_limit_is_restored_after_every_end(source: str) -> None:
    before = sys.getrecursionlimit()
    with suppress(RhaiError):
        hardened_engine().eval(source)
    assert sys.getrecursionlimit() == before


def test_one_script_in_several_threads_gives_the_same_each_time() -> None:
    engine = hardened_engine()
    ast = engine.compile(
        "fn f(n) { let m = #{}; for i in 0..n { m[`k${i % 7}`] = [i, m.len()]; } let c = 0; let add = |x| c += x;"
        " for k in m.keys() { add.call(m[k][0]); } [m, c].to_string() }"
    )
    expected = {n: (engine.call_fn(ast, "f", n), _operations(engine, ast, n)) for n in range(20)}
    wrong: list[int] = []

    def work() -> None:
        for turn in range(300):
            n = turn % 20
            if (engine.call_fn(ast, "f", n), _operations(engine, ast, n)) != expected[n]:
                wrong.append(n)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def _operations(engine: Engine, ast: AST, n: int) -> int:
    meter = engine.meter()
    engine.call_fn(ast, "f", n, meter=meter)
    return meter.operations
