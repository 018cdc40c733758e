"""Small stacks, deep hosts, several threads: the same answers, and the host's settings as they were."""

import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Final

import pytest

from rhaipy import AST, Engine, RhaiError
from rhaipy.display import debug
from rhaipy.source import NONE
from rhaipy.tiers import Tier
from stagehooks.errors import HookError
from stagehooks.scripts.hardened import hardened_engine
from stagehooks.scripts.outcome import Modify
from stagehooks.scripts.stage_hook import compile, run
from tests.attacks.tiers import TIERS, engine_for

KIB: Final = 1024
FREES_VALUES: Final = 1024 * KIB if sys.version_info[:2] == (3, 13) else 256 * KIB
"""CPython 3.13 frees what is nested by recursion, 10,000 deep whatever the stack; the others look after their stack."""
DEPTH: Final = 128
LEVELS: Final = (63, 62, 61, 60, 40, 31, 30, 20, 15)
"""Calls of a script within each other, the most that there can be first; what calls back takes several levels for each."""

FORMS: Final = {
    "parentheses": ("(1 + ", ")", "f(n - 1)"),
    "arrays": ("[", "]", "f(n - 1)"),
    "blocks": ("{", "}", "f(n - 1)"),
    "calls": ("abs(", ")", "f(n - 1)"),
    "texts": ("`${", "}`", "f(n - 1)"),
    "maps": ("#{a: ", "}", "f(n - 1)"),
    "indexes": ("[0][", "]", "abs(f(n - 1)) * 0"),
    "conditions": ("if true { ", " } else { 0 }", "f(n - 1)"),
    "switches": ("switch 1 { _ => ", " }", "f(n - 1)"),
    "tries": ("try { ", " } catch { 0 }", "return f(n - 1);"),
    "loops": ("for i in 0..1 { ", " }", "return f(n - 1);"),
    "negations": ("-abs(", ")", "f(n - 1)"),
    "methods": ("(0 + ", ").abs()", "f(n - 1)"),
    "functions as methods": ("g(", ")", "f(n - 1)"),
    "operators": ("1 + (2 * (3 - ", "))", "f(n - 1)"),
    "choices": ("(false || ", ")", "f(n - 1) == 7"),
    "assignments": ("{ let a = ", "; a }", "f(n - 1)"),
    "callbacks": ("[n].map(|x| ", ")[0]", "f(x - 1)"),
    "comparers": ("", "", "{ let a = [1, 2]; a.sort(|x, y| f(n - 1)); 0 }"),
    "pointers": ("", "", 'Fn("f").call(n - 1)'),
    "this": ("", "", "n.h()"),
}
"""What nests: what stands before, what behind, and in the middle the call of the function itself."""


def deep(form: str, depth: int) -> str:
    """A function that calls itself `n` times from within `depth` nested expressions of that form."""
    before, after, leaf = FORMS[form]
    if form == "callbacks" and depth > 1:
        leaf = "f(x - 1)"
    rest = "fn g(x) { x } fn h() { f(this - 1) }"
    return f"{rest} fn f(n) {{ if n == 0 {{ return 0; }} {before * depth}{leaf}{after * depth} }}"


@cache
def deepest(form: str) -> str:
    """The same, as deep as the parser lets it be."""
    fits, too_deep = 1, DEPTH
    while too_deep - fits > 1:
        depth = (fits + too_deep) // 2
        try:
            hardened_engine().compile(deep(form, depth))
            fits = depth
        except RhaiError:
            too_deep = depth
    return deep(form, 1 if form == "callbacks" else fits)


@cache
def most_levels(form: str) -> int:
    """How many calls of it within each other there may be."""
    return next(levels for levels in LEVELS if outcome(deepest(form), levels) != "ErrorStackOverflow")


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


NO_ROOM: Final = "no room"
"""Python's own limit was reached: that overflow has no position, where that of the language has one."""


def outcome(source: str, levels: int, tier: Tier = "reference") -> str:
    """The value, as text, or the kind of the error."""
    try:
        return debug(engine_for(tier).eval(f"{source} f({levels})"))[:200]
    except RhaiError as error:
        found = error.innermost
        return NO_ROOM if found.kind == "ErrorStackOverflow" and found.at == NONE else found.kind


def test_the_forms_nest_as_deep_as_the_limits_allow() -> None:
    nested = {form: deepest(form).count(FORMS[form][0]) for form in FORMS if FORMS[form][0]}
    assert nested["parentheses"] > 50
    assert nested["blocks"] > 50
    assert sum(levels == LEVELS[0] for levels in map(most_levels, FORMS)) > len(FORMS) / 2


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("form", FORMS)
def test_the_deepest_scripts_run_on_the_main_thread_and_on_a_stack_of_256_kibibytes(form: str, tier: Tier) -> None:
    source, levels = deepest(form), most_levels(form)
    here = outcome(source, levels, tier)
    assert here not in ("ErrorStackOverflow", "ErrorSystem", NO_ROOM), here
    assert in_a_thread(lambda: outcome(source, levels, tier), 256 * KIB) == here


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("form", FORMS)
def test_calls_without_end_overflow_the_language_not_the_stack(form: str, tier: Tier) -> None:
    if form in ("tries", "comparers"):
        return  # they catch it
    ends = ("ErrorStackOverflow", "ErrorOutOfFuel", "ErrorDataTooLarge")
    assert in_a_thread(lambda: outcome(deepest(form), 1000, tier), 256 * KIB) in ends


@pytest.mark.parametrize("tier", TIERS)
def test_deep_values_are_made_shown_and_freed_on_a_small_stack(tier: Tier) -> None:
    source = "let a = []; for i in 0..9000 { let b = [1]; b.push(take(a)); a = take(b); } let b = a; `${a}`.len() > 9000"
    pointers = 'let f = Fn("x"); for i in 0..9000 { f = Fn("x").curry(f); } f = (); 1'
    assert in_a_thread(lambda: Engine(tier=tier).eval(source), FREES_VALUES) is True
    assert in_a_thread(lambda: Engine(tier=tier).eval(pointers), FREES_VALUES) == 1


@pytest.mark.parametrize("tier", TIERS)
def test_a_host_that_is_deep_already(tier: Tier) -> None:
    def at_depth(depth: int, work: Callable[[], object]) -> object:
        return work() if depth == 0 else at_depth(depth - 1, work)

    limit = sys.getrecursionlimit()
    there = outcome(deepest("parentheses"), 60)
    assert at_depth(limit - 200, lambda: outcome(deepest("parentheses"), 60, tier)) == there
    assert sys.getrecursionlimit() == limit


@pytest.mark.parametrize("tier", TIERS)
def test_a_host_that_is_too_deep_gets_an_error_of_ours(tier: Tier) -> None:
    def down(depth: int) -> str:
        try:
            return down(depth + 1)
        except RecursionError:
            return "deepest" if depth % 2 else outcome("fn f(n) { n }", 1, tier)

    assert isinstance(down(0), str)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("source", ["1 +", "loop {}", "fn f() { f() } f()", "throw 1", "1"])
def test_the_recursion_limit_is_restored_after_every_end(source: str, tier: Tier) -> None:
    before = sys.getrecursionlimit()
    with suppress(RhaiError):
        engine_for(tier).eval(source)
    assert sys.getrecursionlimit() == before


@pytest.mark.parametrize("tier", TIERS)
def test_one_script_in_several_threads_gives_the_same_each_time(tier: Tier) -> None:
    engine = engine_for(tier)
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


def test_two_hooks_in_two_threads_know_nothing_of_each_other() -> None:
    counting = compile("a.rhai", 'fn on_error(ctx) { let n = 0; for i in 0..ctx.n { n += i; } #{ action: "modify", value: n } }')
    failing = compile("b.rhai", "fn on_completion(ctx) { let a = []; loop { a.push(ctx.n); } }")
    limit = sys.getrecursionlimit()
    wrong: list[object] = []

    def count() -> None:
        wrong.extend([n for n in range(300) if run(counting, "on_error", {"n": n}) != Modify(n * (n - 1) // 2)])

    def fail() -> None:
        for n in range(10):
            try:
                wrong.append(run(failing, "on_completion", {"n": n}))
            except HookError as error:
                if not error.hit_a_limit:
                    wrong.append(error)

    threads = [threading.Thread(target=work) for work in (count, fail, count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert sys.getrecursionlimit() == limit


def _operations(engine: Engine, ast: AST, n: int) -> int:
    meter = engine.meter()
    engine.call_fn(ast, "f", n, meter=meter)
    return meter.operations
