"""Four times the work takes about four times the time: nothing in it is quadratic that is not in the language."""

import time
from collections.abc import Callable
from typing import Final

import pytest

from rhaipy import Engine, Limits, RhaiError
from stagehooks.scripts.hardened import LIMITS, hardened_engine
from tests.attacks.rows import Attack, written

MOST: Final = 9.0
"""Times as long for four times as much, where what is quadratic takes sixteen. The best of several runs is taken, and the
bound is far from both, since other work on the machine disturbs."""

SIZED: Final = Limits(max_string_size=LIMITS.max_string_size, max_array_size=40_000, max_map_size=40_000)
RUNS: Final = {
    "pushes": "let a = []; for i in 0..N { a.push(i); }",
    "pushes of arrays": "let a = []; for i in 0..N { a.push([i]); }",
    "pushes of texts": "let a = []; for i in 0..N { a.push(`k${i}`); }",
    "insertions into a map": "let m = #{}; for i in 0..N { m[`k${i}`] = i; }",
    "set of a map": "let m = #{}; for i in 0..N { m.set(`k${i}`, i); }",
    "appends to a text": 'let s = ""; for i in 0..N { s += "x"; }',
    "appends to an array": "let a = []; for i in 0..N { a += [i]; }",
    "writes to an array": "let a = []; a.pad(9000, 0); for i in 0..N { a[i % 9000] = i; }",
    "writes to an array of arrays": "let a = []; a.pad(90, []); for i in 0..N { a[i % 90].push(i); }",
    "writes to a map of maps": "let m = #{a: #{b: []}}; for i in 0..N { m.a.b.push(i); }",
    "pops": "let a = []; a.pad(30000, 0); for i in 0..N { a.pop(); }",
    "variables in loops": "for i in 0..N { let a = i; let b = a; { let c = b; } }",
    "closures": "let x = 1; for i in 0..N { let f = |y| x + y; f.call(1); }",
    "sorting": "let a = []; for i in 0..N { a.push((i * 7919) % 10007); } a.sort();",
    "sorting by a comparer": "let a = []; for i in 0..N { a.push((i * 7919) % 10007); } a.sort(|x, y| x - y);",
    "mapping": "let a = []; a.pad(N, 1); a.map(|x| x + 1);",
    "mapping to arrays": "let a = []; a.pad(N, 1); a.map(|x| [x]);",
    "filtering": "let a = []; a.pad(N, 1); a.filter(|x| x > 0);",
    "comparing": "let a = []; a.pad(N, 1); let b = a; a == b",
    "display": "let a = []; a.pad(N, 1); a.to_string()",
}


def ratio(small: Callable[[], object], large: Callable[[], object], runs: int = 3) -> float:
    """How many times as long the second of two pieces of work takes."""
    best = [min(_seconds(work) for _ in range(runs)) for work in (small, large)]
    return best[1] / best[0]


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


@pytest.mark.parametrize("name", RUNS)
def test_running_is_linear(name: str) -> None:
    engine = Engine(SIZED)
    small, large = (engine.compile(RUNS[name].replace("N", str(n))) for n in (2_000, 8_000))
    assert ratio(lambda: engine.eval(small), lambda: engine.eval(large)) < MOST


TEXTS: Final = {
    "statements": "x(1);",
    "variables": "let x = 1;",
    "functions": "fn f#() {}",
    "constants": "const C# = 1; x(C#);",
    "closures": "let f = |a| a + 1;",
    "captures": "let x = 1; let f = |a| a + x;",
    "strings": '"text";',
    "texts with code": "`a${1}b`;",
    "comments": "/* a */",
    "nested comments": "/*",
    "line comments": "// a\n",
    "arms": "switch x { 1 => 2, _ => 3 }",
    "branches": "if a { b } else { c }",
    "maps": "#{a: 1, b: [2]};",
    "chains": "a.b[0].c();",
    "sums": "a + 1 + 2 * 3;",
}


@pytest.mark.parametrize("name", TEXTS)
def test_compiling_is_linear(name: str) -> None:
    small, large = ("".join(TEXTS[name].replace("#", str(i)) for i in range(n)) for n in (500, 2_000))
    assert ratio(lambda: _compiled(small), lambda: _compiled(large)) < MOST


LEXED: Final = [attack for attack in written() if attack.id.startswith("B13") and len(attack.source) > 100_000]


@pytest.mark.parametrize("attack", LEXED, ids=lambda attack: attack.id)
def test_the_worst_texts_for_the_lexer_are_read_in_linear_time(attack: Attack) -> None:
    source = attack.source
    small, large = source[: len(source) // 16], source[: len(source) // 4]
    assert ratio(lambda: _compiled(small), lambda: _compiled(large)) < MOST


def _compiled(source: str) -> None:
    try:
        hardened_engine().compile(source)
    except RhaiError:
        return
