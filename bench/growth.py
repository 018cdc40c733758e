"""Does twice the work take twice the time? `python -m bench.growth` runs and compiles things of two sizes, the larger fourfold.

What is linear takes about four times as long, what is quadratic sixteen times. The tests count the same things
(`tests/attacks/test_growth.py`), but work that is done in C, such as copying a text again and again, only shows in the time.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Final

from rhaipy import Engine, Limits, RhaiError
from stagehooks.scripts.hardened import LIMITS, hardened_engine

ROUNDS: Final = 3
SIZED: Final = Limits(max_string_size=LIMITS.max_string_size, max_array_size=40_000, max_map_size=40_000)
SIZES: Final = (2_000, 8_000)
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
"""Scripts of a size N."""

COUNTS: Final = (500, 2_000)
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
    "open strings": '"\\',
    "open texts": "`${",
    "digits": "1",
    "signs": "<",
    "points": ".",
    "letters": "a",
}
"""Pieces of scripts, which are written one behind the other; # stands for the number of each."""


def run_of(name: str, size: int) -> str:
    """The script of that size."""
    return RUNS[name].replace("N", str(size))


def text_of(name: str, count: int) -> str:
    """So many pieces."""
    return "".join([TEXTS[name].replace("#", str(number)) for number in range(count)])


def compiled(source: str) -> None:
    """Compile, whatever comes of it."""
    try:
        hardened_engine().compile(source)
    except RhaiError:
        return


def ratio(small: Callable[[], object], large: Callable[[], object]) -> float:
    """How many times as long the second of two pieces of work takes; the best of several rounds each."""
    best = [min(_seconds(work) for _ in range(ROUNDS)) for work in (small, large)]
    return best[1] / best[0]


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def main() -> None:
    """Print the ratio for each."""
    engine = Engine(SIZED)
    print("times as long for four times as much:")
    for name in RUNS:
        small, large = [partial(engine.eval, engine.compile(run_of(name, size))) for size in SIZES]
        print(f"  {ratio(small, large):5.1f}  {name}")
    for name in TEXTS:
        few, many = [partial(compiled, text_of(name, count)) for count in COUNTS]
        print(f"  {ratio(few, many):5.1f}  compiling {name}")


if __name__ == "__main__":
    main()
