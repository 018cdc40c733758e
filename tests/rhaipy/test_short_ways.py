"""The reference evaluator's short ways (chains without places, slots, several operations counted at once) change nothing.

An engine that tells of each operation and of each variable takes none of them.
"""

import pytest

from rhaipy import Engine, Limits, RhaiError

PROGRAMS = {
    "items": "let a = [1, [2, 3]]; a[1][0] + a[-2]",
    "a copy": "let a = [[1]]; let b = a[0]; b.push(2); a[0].len() * 10 + b.len()",
    "properties": "let m = #{a: #{b: [1, 2]}}; m.a.b[1] += 5; m.a.c = 4; m.a.b[1] * 10 + m.a.c",
    "properties by index": 'let m = #{a: 1}; m["b"] = 2; m["b"] += 3; m["a"] + m["b"]',
    "a property that is not there": "let m = #{}; m.a.b",
    "an optional property": "let m = #{}; m.a?.b == ()",
    "beyond the end": "let a = [1]; a[0] += 1; a[1]",
    "beyond the start": "let a = [1]; a[-2] = 3",
    "a wrong index": 'let a = [1]; a["x"]',
    "a wrong key": "let m = #{a: 1}; m[0] = 2",
    "a constant": "const A = [1]; A[0] = 2",
    "an item of a constant": "const A = [[1]]; A[0][0] + A[0][0]",
    "captured": "let a = [1, 2]; let f = || { a[0] += 1; a[0] }; f.call() * 10 + f.call() + a[1]",
    "this": "fn f() { this.a += 1; this.b[0] = this.a; this.b[0] } let m = #{a: 1, b: [0]}; m.f() * 10 + m.b[0]",
    "a constant this": "fn f() { this.a = 2 } const M = #{a: 1}; M.f()",
    "bits and characters": "let n = 5; n[1] = true; let s = \"abc\"; s[0] = 'x'; `${n} ${s[-1]} ${s}`",
    "methods in between": "let m = #{a: [3, 1]}; m.a.sort(); m.a.push(7); m.a[0] * 100 + m.a[2] + m.a.len()",
    "an index that defines": 'let a = [1, 2]; let i = 0; a[{ let i = 1; i }] + a[eval("let z = 1; z")] + a[i]',
    "a sum too large": "let x = 9223372036854775807; x += 1",
    "a product too large": "let x = 9223372036854775807; (x - 1) * 2",
    "nothing to divide by": "let x = 0; 7 / x",
    "an item too large": "let a = [9223372036854775807]; a[0] += 1",
    "comparisons": "let x = 3; [x < 4, x <= 3, x == 3, x != 3, x > 2.5, x == 'x', true == true, x % 2 == 1, -7 / 2, -7 % 3]",
    "booleans are no integers": "let x = true; x + 1",
    "loops": "let t = 0; for (i, n) in [5, 6] { let f = || i; t += i * n + f.call(); while t > 10 { t -= 4; } } t",
    "closures": "[3, 1, 2].map(|x| x * 2).filter(|x| x > 2).reduce(|s, x| s + x, 0)",
    "a wrong operand": 'let a = [1]; a[0] -= "x"',
    "shadowed": "let a = [1]; { let a = [2]; a[0] = 3; } a[0]",
    "by name": 'eval("let q = [1, 2]"); q[1] += 3; q[0] + q[1]',
}


def run(program: str, limits: Limits, *, tells: bool) -> tuple[str, object, int]:
    """What a program gives, or its error and where it is; and the operations it took."""
    engine = Engine(limits, tier="reference")
    if tells:
        engine.on_progress(lambda operations: None)
        engine.on_var(lambda name, context: None)
    meter = engine.meter()
    try:
        return "value", engine.eval(program, meter=meter), meter.operations
    except RhaiError as error:
        return str(error), error.position, meter.operations


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_short_way_leads_where_the_long_one_does(program: str) -> None:
    for limits in (Limits(), Limits(max_array_size=50, max_map_size=50, max_string_size=500, memory=100_000)):
        assert run(program, limits, tells=False) == run(program, limits, tells=True)


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_the_operation_that_is_one_too_many_is_the_same(program: str) -> None:
    operations = run(program, Limits(), tells=False)[2]
    for budget in range(1, operations + 1):
        limits = Limits(max_operations=budget)
        assert run(program, limits, tells=False) == run(program, limits, tells=True)
