"""What a host lends to a call stays as it is, and what it is given shares nothing with scripts and their data."""

from copy import deepcopy
from typing import Any, cast

import pytest

from rhaipy import Bounds, ConversionError, Engine, EvalError, FnPtr, Lent, Limits, RhaiError, Thrown, Value, lend
from tests.rhaipy.spoiling import shown, spoil

TIERS = ("reference", "compiled")


DATA = {"k": [1, [2], {"z": [3]}], "s": " t ", "m": {"a": {"b": [1]}}, "l": [[3], [1], [2]], "e": []}
BODIES = (
    "ctx", "[ctx, ctx]", "let c = ctx; c.k = 1; c", "let c = ctx.k; c.push(1); c[1] = 4; c", "let c = ctx; c.k += [1]; c",
    "let c = ctx; c.s.trim(); [c, ctx]", "ctx.k.push(1); ctx", "ctx.k[1].push(1); ctx", "ctx.k = 1; ctx", "ctx.l[0] += 1; ctx",
    "let c = ctx; c.m.a.b.push(3); c", "let c = ctx; c.remove(`m`); throw [c, ctx]", "let c = ctx; c.clear(); throw c",
    "throw ctx.k",
    "for x in ctx.l { x.push(1); } ctx", "for x in ctx.l { let y = x; y.push(1); } ctx", "ctx.l.map(|x| { x.push(1); x })",
    "let l = ctx.l; l.sort(|a, b| a[0] - b[0]); l.reverse(); [l, ctx.l]", "ctx.l.sort(|a, b| a[0] - b[0]); ctx",
    "let c = ctx.k; let f = |x| { c.push(x); c }; f.call(1); f.call(2)", "let c = ctx; c.drain(|k| true)", "ctx.drain(|k| true)",
    "let c = ctx; c.fill_with(#{q: ctx}); c.mixin(#{k: ctx.l}); c", "let c = ctx.l; c.splice(0, 1, ctx.k); c.append(ctx.l); c",
    "let c = ctx; let d = c.take(); d.k = 1; [c, d]", "take(ctx)", "let c = ctx; loop { c.k.push(1); }",
    "let c = ctx; loop { c = #{x: c, n: 1}; c.x = 1; }", "try { throw ctx; } catch (e) { e.k = 1; } ctx",
    "try { throw ctx; } catch (e) { let f = e; f.k = 1; } ctx", "let c = ctx.l.map(|x| x); c.push(1); c[0] += [1]; c",
    "let c = ctx.values(); c[0] = 1; c.push(1); c", "let c = ctx.l; c[0] += 1; c", "ctx.k.own(); ctx", "let c = ctx; c.own(); c",
    'Fn("push").call(ctx.k, 1); ctx', "spoilt(ctx)", "let f = spoilt; f.call(ctx)", "changed(ctx)",
    "ctx.l.for_each(|| this.push(1)); ctx",
    'ctx.l.map("pop")', "ctx.l.map(Fn(`pop`))", "let c = ctx.l; c.pop().push(1); c", "let c = ctx ?? 1; c.k = 1; c",
    "let c = if true { ctx } else { 1 }; c.k = 1; c", "let c = switch 1 { 1 => ctx }; c.k = 1; c", "let c = [ctx][0]; c.k = 1; c",
    "let c = 1; c = ctx; c.k = 1; c", "let c = ctx + #{k: 1}; c.s = 2; [c, ctx]", "let c = ctx.l + []; c[0] = 4; c.push(1); c",
    "let c = ctx.l; let d = c.split(1); d.push(1); d[0] = 1; [c, d]", "let c = ctx; c.k = 5; nope(c)", "nope(ctx)",
)  # fmt: skip
FUNCTIONS = {
    "spoilt": "fn spoilt(v) { v.k = 1; v }",
    "changed": "fn changed(v) { let w = v; w.k = 1; w.l += 1; w }",
    "own": "fn own() { this.k = 7; this }",
}
LONG = "let i = 0; while i < 9000 { i += 1; if i == 1 { } } "
"""More work than `auto` leaves to the reference evaluator."""


def outcome(engine: Engine, ast: Any, data: object) -> str:
    """What the function `f` gives or throws, as a text."""
    try:
        return shown(engine.call_fn(ast, "f", data))
    except RhaiError as error:
        thrown = error.innermost if isinstance(error, EvalError) else error
        return f"{error} {shown(cast(Value, thrown.value)) if isinstance(thrown, Thrown) else ''}"


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize(("tier", "before"), [("reference", ""), ("compiled", ""), ("auto", ""), ("auto", LONG)])
def test_no_script_changes_what_is_lent_to_it(body: str, tier: Any, before: str) -> None:
    functions = " ".join([text for name, text in FUNCTIONS.items() if name in body])
    engine = Engine(Limits(max_operations=60_000), tier=tier)
    ast = engine.compile(f"fn f(ctx) {{ {before}{body} }} {functions}")
    data = deepcopy(DATA)
    outcomes = []
    for _ in range(3):
        outcomes.append(outcome(engine, ast, Lent(data)))
        assert data == DATA
    assert outcomes == [outcome(engine, ast, deepcopy(DATA))] * 3


@pytest.mark.parametrize("tier", TIERS)
def test_a_closure_of_a_run_that_shared_has_values_of_its_own(tier: Any) -> None:
    engine = Engine(tier=tier)
    ast = engine.compile("fn f(ctx) { let k = ctx.k; |n| { let c = k; c.push(n); c[0] = n; [c, k] } }")
    data = {"k": [[1], [2]]}
    pointer = engine.call_fn(ast, "f", Lent(data))
    assert isinstance(pointer, FnPtr)
    for _ in range(2):
        value = engine.call_fn_ptr(ast, pointer, 5)
        assert value == [[5, [2], 5], [[1], [2]]]
        spoil(value)
    assert data == {"k": [[1], [2]]}


@pytest.mark.parametrize("tier", TIERS)
def test_values_that_are_handed_out_have_no_parts_in_common(tier: Any) -> None:
    engine = Engine(tier=tier)
    functions = "fn f() { let x = [[0], #{k: [1]}]; [x, x, x[0]] }"
    ast = engine.compile(f"{functions} let x = [[1]]; if true {{ throw #{{a: x, b: x, c: [[2]]}}; }}")
    for _ in range(2):
        with pytest.raises(Thrown) as caught:
            engine.eval(ast)
        assert caught.value.value == {"a": [[1]], "b": [[1]], "c": [[2]]}
        value: Any = engine.call_fn(ast, "f", eval_ast=False)
        assert value == [[[0], {"k": [1]}], [[0], {"k": [1]}], [0]]
        for part in (caught.value.value, value):
            spoil(part)


@pytest.mark.parametrize("data", [{"a": (1,)}, {"a": {1: 2}}, 2**70, "\ud800", [[0] * 9], {"k": "long" * 9}])
def test_what_may_not_be_lent_is_refused(data: object) -> None:
    with pytest.raises(ConversionError, match="the data is not plain, or more than may be lent"):
        lend(data, Limits(max_string_size=20), Bounds(items=8))
