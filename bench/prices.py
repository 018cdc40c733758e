"""Is a unit of fuel worth its microsecond? `python -m bench.prices` times every function, operator and form of expression.

Each is called on each evaluator with arguments as large as can be, and what took longest for its fuel is printed. A budget of a
million units is a promise of two seconds, so a unit may take two microseconds; what takes more is marked.
"""

import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from typing import Final

from bench.charges import functions
from rhaipy import Char, FnPtr, Function, Range, RhaiError, Scope, Value
from rhaipy.tiers import Tier
from stagehooks.scripts.hardened import hardened_engine

TURNS: Final = 4
MOST: Final = 2.0
"""Microseconds that a unit of fuel may take."""
NOTICED: Final = 0.003
"""Seconds below which nothing is said: too short to measure."""
SHOWN: Final = 15
TIERS: Final[tuple[Tier, ...]] = ("reference", "compiled")
"""The second includes the time it takes to compile."""

SMALL: Final[dict[type | None, Value]] = {
    None: 1, str: "x", list: [1], dict: {"k0": 1}, int: 1, float: 1.5, bool: True, bytearray: bytearray(b"a"), type(None): None,
    Char: Char("x"), FnPtr: FnPtr("type_of"), Range: Range(0, 120_000, False),
}  # fmt: skip
LARGE: Final[dict[type | None, list[Value]]] = {
    str: [
        "x" * 120_000,
        "\U0001f600" + "x" * 120_000,
        " " * 120_000,
        "\n" * 120_000,
        "é" * 60_000,
        "1" * 120_000,
        "0" * 120_000,
        "Σ" * 60_000,
        "x_" * 60_000,
    ],
    list: [[1] * 3_000, [0] * 3_000, ["text"] * 3_000, [1.5] * 3_000, [[1]] * 2_000, [Range(1, 9, False)] * 3_000],
    dict: [{f"k{number}": number for number in range(3_000)}],
    bytearray: [bytearray(b"x") * 3_000],
    None: ["\U0001f600" + "x" * 120_000, [1.5] * 3_000, {f"k{number}": [number] for number in range(2_000)}],
    int: [3_000],
}
OPERANDS: Final[list[Value]] = [value for values in LARGE.values() for value in values] + [Char("x"), 7, Range(1, 100_000, False)]
OPERATORS: Final = ("+", "-", "==", "!=", "<", ">=", "in", "+=", "-=", "=", "??")
FORMS: Final = (
    "a0[7]", "a0[-1]", "a0[1..5000]", "a0[1..=50000]", "a0[7] = 'x'", "a0[1..9] = 'x'", "a0.x", "a0.x = 1", "`${a0}`", "[a0]",
    "#{x: a0}", "switch a0 { 1 => 2 }", "throw a0", "for x in a0 { break; }", "f(a0)", "let b = || a0; b.call()", "a0.f()",
    "Fn(a0)", "Fn(a0).call()", "type_of(a0)", "is_def_var(a0)", "is_def_fn(a0, 1)", "a0?.x", "[[a0]] == [[a0]]", "{ a0 }",
    "a0.call()", "call(a0)", "curry(a0, 1)", "print(a0)", "debug(a0)", "[1].map(a0)", "[2, 1].sort(a0)",
    "Fn(`f`).curry(a0).call()", "[a0].contains(a0)", "#{x: a0}.to_json()", "[a0].to_string()", "parse_json(a0)", "!a0", "-a0",
    "a0.dedup(|| 1)", "a0.sort(|| 1)", "a0.dedup(Fn(`range`).curry(1))", "a0.dedup(Fn(`get_bit`))",
    "a0.for_each(|| { try { this.a = 1 } catch { } })", "a0.for_each(|| { try { this.a } catch (e) { } })",
    "a0.for_each(|| { try { parse_int(`x`) } catch { } })",
)  # fmt: skip


def arguments(item: Function) -> Iterator[list[Value]]:
    """Arguments for a function: one of them large, and all of them large."""
    if any(kind not in SMALL for kind in item.params):
        return
    for place, kind in enumerate(item.params):
        for large in LARGE.get(kind, []):
            yield [large if number == place else SMALL[other] for number, other in enumerate(item.params)]
    if len(item.params) > 1 and any(kind in LARGE for kind in item.params):
        yield [LARGE[kind][-1] if kind in LARGE else SMALL[kind] for kind in item.params]


def work() -> Iterator[tuple[str, list[Value]]]:
    """All that is timed: code, and the values of a0, a1, .. in it."""
    for item in functions():
        for values in arguments(item):
            yield f"{item.name}({', '.join(f'a{number}' for number in range(len(values)))})", values
    for left in OPERANDS:
        for right in OPERANDS[::3]:
            for operator in OPERATORS:
                yield f"a0 {operator} a1", [left, right]
        for form in FORMS:
            yield form, [left]


def rate(code: str, values: list[Value], tier: Tier) -> float:
    """The microseconds that a unit of fuel takes in `code`; 0 where all is over at once."""
    engine, scope = hardened_engine(), Scope()
    engine.tier = tier
    for number, value in enumerate(values):
        scope.push(f"v{number}", value.copy() if isinstance(value, (list, dict, bytearray)) else value)
    copies = "".join([f"let a{number} = v{number};" for number in range(len(values))])
    try:
        ast = engine.compile(f"fn f(x) {{ x }} for i in 0..{TURNS} {{ {copies} try {{ {code}; }} catch {{ }} }}")
    except RhaiError:
        return 0.0
    meter = engine.meter()
    started = time.process_time()
    with suppress(RhaiError):
        engine.eval(ast, scope, meter=meter)
    taken = time.process_time() - started
    return taken * 1e6 / meter.fuel if taken > NOTICED else 0.0


def main() -> None:
    """Print the dearest."""
    timed: list[tuple[float, str]] = []
    for tier, (code, values) in product(TIERS, work()):
        found = rate(code, values, tier)
        if found > MOST / 2:
            found = min(found, rate(code, values, tier), rate(code, values, tier))  # something else may have been running
        shown = ", ".join([f"{type(value).__name__} {str(value)[:8]!r}" for value in values])
        timed.append((found, f"{tier:10} {code:30} {shown}"))
    timed.sort(reverse=True)
    print(f"{len(timed)} calls; the longest microseconds for a unit of fuel ({MOST:g} may be):")
    for found, what in timed[:SHOWN]:
        print(f"  {found:5.2f} {'!' if found > MOST else ' '} {what}")


if __name__ == "__main__":
    main()
