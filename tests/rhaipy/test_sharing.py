"""Scripts that share their values, and those that must not, say what the real engine says; and what keeps runs from sharing."""

from typing import Any

import pytest

from rhaipy import STANDARD, Engine, FnPtr, Lent, Limits, Module, Package, Ref, RhaiError, Value, function
from rhaipy.sharing import CALLS_BY_NAME, CHANGES_NO_CONTAINER, CHANGES_NOTHING, sharing_of
from stagehooks.scripts.functions import HOOK_FUNCTIONS
from tests.rhaipy.spoiling import shown, spoil

SHARING = {
    "a variable that is changed": ("let a = [[1], 2]; let b = a; b.push(3); b[0] = 4; [a, b]", "[[[1], 2], [4, 2, 3]]"),
    "what it is made of": ("let a = [1]; let b = [a, a]; a.push(2); b.push(a); a[0] = 5; [a, b]", "[[5, 2], [[1], [1], [1, 2]]]"),
    "a part that becomes a variable": (
        "let a = [[1]]; let b = a[0]; b.push(2); let m = #{k: b}; b.pop(); [a, b, m]",
        '[[[1]], [1], #{"k": [1, 2]}]',
    ),
    "an argument": ("fn f(v) { let w = v; w.push(1); [v, w] } let a = [0]; let b = f(a); b[0] = 9; [a, b]", "[[0], [9, [0, 1]]]"),
    "what a function returns": ("fn f(v) { v } let a = [0]; let b = f(a); b.push(1); [a, b]", "[[0], [0, 1]]"),
    "a literal in a loop": (
        "let all = []; for i in 0..2 { let a = [[0]]; a.push(i); a[0] = i; all.push(a); } all",
        "[[0, 0], [1, 1]]",
    ),
    "a literal in a function": (
        "fn f() { let a = [[0], 1]; a[1] = 2; a.push(3); a } let x = f(); x.push(4); [f(), x]",
        "[[[0], 2, 3], [[0], 2, 3, 4]]",
    ),
    "what a loop runs over": ("let a = [1, 2]; for x in a { a.push(x); } a", "[1, 2, 1, 2]"),
    "an operator on a part": (
        "let a = [[1], #{k: 1}]; let b = a; b[0] += [2]; b[1] += #{l: 2}; [a, b]",
        '[[[1], #{"k": 1}], [[1, 2], #{"k": 1, "l": 2}]]',
    ),
    "a text of a part": ("let m = #{s: ` t `}; let n = m; n.s.trim(); n.s.make_upper(); [m, n]", '[#{"s": " t "}, #{"s": "T"}]'),
    "what is thrown": (
        "let a = [1]; let r = (); try { throw a; } catch (e) { let b = e; b.push(2); a.push(3); r = [a, b, e]; } r",
        "[[1, 3], [1, 2], [1]]",
    ),
    "a branch": (
        "let a = [1]; let b = if true { a } else { [] }; b.push(2); let c = switch 1 { 1 => a }; c.push(3); [a, b, c]",
        "[[1], [1, 2], [1, 3]]",
    ),
    "a sum": (
        "let a = [[1]]; let b = a + []; b.push(2); b[0] = 3; let m = #{k: a}; let n = #{} + m; n.k = 4; [a, b, m, n]",
        '[[[1]], [3, 2], #{"k": [[1]]}, #{"k": 4}]',
    ),
    "results of functions": (
        "let a = [[1], [2]]; let b = a.map(|v| v); b[0] = 5; let c = a.extract(0..1); c.push(6); [a, b, c, #{k: a}.values()]",
        "[[[1], [2]], [5, [2]], [[1], 6], [[[1], [2]]]]",
    ),
    "a blob": ("let a = blob(1, 7); let b = a; let c = [a, b]; b.push(8); a[0] = 1; [a, b, c]", "[[01], [0708], [[07], [07]]]"),
    "what is taken": ("let a = [1]; let b = [a]; let c = a.take(); c.push(2); [a, b, c]", "[(), [[1]], [1, 2]]"),
    "itself": ("let a = [1]; a.push(a); a.append(a); a[0] = a; a", "[[1, [1], 1, [1]], [1], 1, [1]]"),
    "a curried argument": (
        "let a = [1]; let f = |v, w| { let x = v; x.push(w); x }; let g = f.curry(a); a.push(2); [g.call(3), g.call(4), a]",
        "[[1, 3], [1, 4], [1, 2]]",
    ),
    "a closure that reads": (
        "let a = [[1]]; let f = |v| [a, v]; let b = f.call(2); b.push(3); b[0] = 4; [f.call(5), b]",
        "[[[[1]], 5], [4, 2, 3]]",
    ),
    "a constant": (
        "const A = [[1]]; fn f() { global::A } let b = A; b.push(2); let c = f(); c[0] = 3; [A, b, c]",
        "[[[1]], [[1], 2], [3]]",
    ),
    "a name in two functions": ("fn f(a) { a } fn g() { let a = [1]; let b = f(a); a.push(2); [a, b] } g()", "[[1, 2], [1]]"),
}
NOT_SHARING = {
    "an item of an item": ("let a = [[1]]; let b = a; b[0].push(2); b[0][0] = 3; [a, b]", "[[[1]], [[3, 2]]]"),
    "a property of a property": (
        "let m = #{k: #{l: 1}}; let n = m; n.k.l = 2; n.k.remove(`l`); [m, n]",
        '[#{"k": #{"l": 1}}, #{"k": #{}}]',
    ),
    "a parameter": ("fn f(v) { v.push(1); v } let a = [0]; [f(a), a]", "[[0, 1], [0]]"),
    "what is called on": ("fn f() { this.push(1); this } let a = [0]; let b = [a]; [a.f(), a, b]", "[[0, 1], [0, 1], [[0]]]"),
    "what a loop finds": ("let a = [[1]]; for v in a { v.push(2); } a", "[[1]]"),
    "what is caught": ("let a = [1]; let r = (); try { throw a; } catch (e) { e.push(2); r = [a, e]; } r", "[[1], [1, 2]]"),
    "what a closure captures": ("let a = [1]; let b = a; let f = || { a.push(2); a }; [f.call(), b]", "[[1, 2], [1]]"),
    "a function by name": ('let a = [[1], [2]]; let b = a; [a.map("pop"), a, b]', "[[1, 2], [[], []], [[1], [2]]]"),
    "a pointer to a function": (
        'let a = [[1]]; let b = a; Fn("push").call(a[0], 2); let f = Fn("push"); f.call(b, 3); [a, b]',
        "[[[1]], [[1]]]",
    ),
    "a script function by its name": ("fn f(v) { v.push(1); v } let a = [0]; let g = f; [g.call(a), a]", "[[0, 1], [0]]"),
    "a constant's result": ("fn f() { [1, 2] } f().push(3); f().pop(); f()", "[1, 2]"),
    "a text that is run": ('let a = [1]; let b = [a]; eval("a.push(2); b[0].push(3);"); [a, b]', "[[1, 2], [[1, 3]]]"),
    "a closure in what is taken for JSON": (
        'parse_json(`{"a": [[1]].map(|x| [x, x.push(9), x])}`)',
        '#{"a": [[[1], (), [1, 9]]]}',
    ),
    "a closure in JSON, as a method": ('`{"a": [[1]].map(|x| [x, x.push(9), x])}`.parse_json()', '#{"a": [[[1], (), [1, 9]]]}'),
    "a pointer in what is taken for JSON": (
        'let p = parse_json(`{"a": Fn("push")}`); let x = [1]; let y = x; p.a.call(x, 2); [x, y]',
        "[[1], [1]]",
    ),
}
"""Scripts, and how the real engine shows their values."""

TIERS = ("reference", "compiled")
STAYS = "fn stays() { this } "
"""What keeps a script from sharing."""


def shares(source: str) -> bool:
    """Does the script share?"""
    ast = Engine().compile(source)
    return sharing_of(ast.program.statements, ast.library, STANDARD) is not None


@pytest.mark.parametrize("title", SHARING)
def test_these_scripts_share(title: str) -> None:
    assert shares(SHARING[title][0])


@pytest.mark.parametrize("title", NOT_SHARING)
def test_these_scripts_do_not_share(title: str) -> None:
    assert not shares(NOT_SHARING[title][0])


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("title", [*SHARING, *NOT_SHARING])
def test_the_value_is_that_of_the_real_engine_each_time(title: str, tier: Any) -> None:
    source, expected = {**SHARING, **NOT_SHARING}[title]
    engine = Engine(tier=tier)
    ast = engine.compile(source)
    for _ in range(2):
        value = engine.eval(ast)
        assert shown(value) == expected
        spoil(value)


# --- the names ------------------------------------------------------------------------------------------------------------

CONTAINERS = (list, dict, bytearray, None)
REASONS = {
    "extract": "makes a new array or blob; for changing in the real engine only",
    "filter": "makes a new array; its callback could change items through `this`",
    "for_each": "its callback could change items through `this`",
    "get": "gives an item; for changing in the real engine only",
    "map": "makes a new array; its callback could change items through `this`",
    "order": "makes a new array",
    "order_by": "makes a new array",
    "order_desc": "makes a new array",
}
"""Why functions that get an array, a map or a blob for changing leave it alone."""


def test_what_gets_a_container_for_changing_is_known_to_leave_it_alone_or_taken_to_change_it() -> None:
    on_containers = {item.name for item in STANDARD if item.mutates and item.params[0] in CONTAINERS}
    assert CHANGES_NOTHING - {"contains"} == REASONS.keys(), "`contains` gets ranges for changing"
    assert on_containers & CHANGES_NOTHING == REASONS.keys()
    assert not on_containers & CHANGES_NO_CONTAINER
    assert not [item.name for item in HOOK_FUNCTIONS if item.mutates]


def test_what_changes_no_container_takes_none_for_changing() -> None:
    for item in STANDARD:
        if item.name in CHANGES_NO_CONTAINER and item.mutates:
            assert item.params[0] in (str, int) or item.params[0] not in CONTAINERS, item


def test_what_calls_functions_by_name_is_known() -> None:
    signatures = {(item.name, item.params) for item in [*STANDARD, *HOOK_FUNCTIONS]}
    found = set()
    for name, params in signatures:
        for place, kind in enumerate(params):
            if kind is FnPtr and (name, (*params[:place], str, *params[place + 1 :])) in signatures:
                found.add((name, place))
    by_name = {(name, place) for name, place in found if name not in ("debug", "to_debug")}  # which show pointers and texts
    assert by_name == {(name, 1) for name in CALLS_BY_NAME}


@pytest.mark.parametrize("name", sorted(CHANGES_NOTHING - {"contains", "for_each"}))
def test_they_leave_arrays_alone(name: str) -> None:
    calls: dict[str, list[Value]] = {"extract": [0], "get": [0], "filter": [], "map": [], "order_by": []}
    items: list[Value] = [[3], [1], [2]]
    engine = Engine()
    closure = {"filter": "|v| true", "map": "|v| v", "order_by": "|v, w| v[0] - w[0]"}.get(name, "")
    given = ", ".join([closure, *[str(arg) for arg in calls.get(name, [])]]).strip(", ")
    source = f"fn f(a) {{ try {{ a.{name}({given}); }} catch {{ }} a }}"
    assert shares(source)
    assert engine.call_fn(engine.compile(source), "f", Lent(items)) == [[3], [1], [2]]


# --- what keeps a run from sharing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("tier", TIERS)
def test_nothing_is_shared_beside_a_static_module_whose_functions_may_change_items(tier: Any) -> None:
    def grow(array: Ref[list[Value]]) -> None:
        array.value.append(9)

    engine = Engine(tier=tier)
    engine.register_static_module("tools", Module("tools").set_fn("grow", grow, visible=True).set_var("PUSH", FnPtr("push")))
    assert engine.eval("let x = [[1]]; let y = x[0]; x[0].grow(); [x, y]") == [[[1, 9]], [1]]
    pushes = "let x = [[1]]; let y = [x[0]]; tools::PUSH.call(x[0], 2); call(tools::PUSH, y[0], 2); [x, y]"
    assert engine.eval(pushes) == [[[1]], [[1]]]


@pytest.mark.parametrize("tier", TIERS)
def test_nothing_is_shared_with_a_function_that_sees_the_variables_of_the_script(tier: Any) -> None:
    engine = Engine(tier=tier)
    ast = engine.compile("let a = [1]; let x = a; fn f() { x.push(2); [a, x] }")
    assert engine.call_fn(ast, "f", rewind_scope=False) == [[1], [1, 2]]


def test_a_script_used_by_engines_with_different_functions_is_judged_for_each() -> None:
    def grow(array: Ref[list[Value]]) -> None:
        array.value.append(9)

    plain, extended = Engine(), Engine()
    extended.register_fn("grow", grow)
    ast = plain.compile("let x = [[1]]; let y = x; try { x[0].grow(); } catch { } [x, y]")
    for _ in range(2):
        assert plain.eval(ast) == [[[1]], [[1]]]
        assert extended.eval(ast) == [[[1, 9]], [[1]]]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("most", [1_000, 10_000, 10**15])
@pytest.mark.parametrize(
    "source",
    [
        "let x = [1]; for i in 0..60 { x = [x, x]; } x",
        "let x = #{}; for i in 0..60 { x = #{a: x, b: x}; } x",
        "let x = [1]; for i in 0..1000 { x.push(x); } x",
        "let x = []; x.pad(1000, 1); let y = []; y.pad(1000, x); let z = []; z.pad(1000, y); z",
        "let x = []; x.pad(900, 1); let g = x; let y = g.map(|v| x); y.map(|v| y)",
        "let x = [1]; let f = |v, w| v; for i in 0..60 { x = [x, x]; f = f.curry(x); } f",
        "let x = [1]; for i in 0..60 { x = [x, x]; try { throw x; } catch (e) { } } x == x",
    ],
)
def test_what_counts_more_than_the_memory_it_takes_is_paid_for(source: str, most: int, tier: Any) -> None:
    limits = Limits(fuel=300_000, memory=10_000_000, max_string_size=most, max_array_size=most, max_map_size=most)
    engine = Engine(limits, tier=tier)
    meter = engine.meter()
    with pytest.raises(RhaiError):
        engine.eval(source, meter=meter)
    assert meter.fuel < 600_000


def test_two_engines_may_run_one_script_at_once() -> None:
    """Another thread may judge the script for its own functions at any time."""
    engine, other = Engine(), Engine()
    other.register_fn("more", lambda: 1)
    ast = engine.compile("let x = [[1]]; let y = x; y.push(2); [x, y]")
    engine.on_print(lambda _: other.run(ast))
    assert engine.eval(ast) == [[[1]], [[1], 2]]
    printing = engine.compile('let x = [[1]]; let y = x; print("."); y.push(2); [x, y]')
    assert engine.eval(printing) == [[[1]], [[1], 2]]
    assert engine.eval(ast) == [[[1]], [[1], 2]]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("inside", ["", "[0]"])
@pytest.mark.parametrize("deep", ["", "[0]"])
def test_a_run_in_the_middle_of_another_with_the_same_meter(tier: Any, inside: str, deep: str) -> None:
    engine, inner = Engine(tier=tier), f"let a = [[1]]; let b = a; b{inside}.push(1); [a, b]"
    meter = engine.meter()
    expected = engine.eval(inner)
    found: list[Value] = []
    engine.on_print(lambda _: found.append(engine.eval(inner, meter=meter)))
    source = f"let x = [[1], [2]]; let y = x; y{deep}.push(5); print(`.`); let z = [y, y]; y{deep}.push(6); [x, y, z]"
    silent = source.replace("print(`.`);", "")
    assert engine.eval(source, meter=meter) == engine.eval(STAYS + silent)
    assert found == [expected]


@pytest.mark.parametrize("tier", TIERS)
def test_an_operator_of_the_host_may_give_its_operand(tier: Any) -> None:
    package: Package = []

    @function(package, "+")
    def plus(a: list[Value], b: int) -> list[Value]:
        return a

    engine = Engine(functions=STANDARD.copy(package), tier=tier)
    assert engine.eval("let x = [1]; let y = x + 1; y.push(2); [x, y]") == [[1], [1, 2]]


@pytest.mark.parametrize("tier", TIERS)
def test_what_a_visible_function_of_a_module_changes_is_changed(tier: Any) -> None:
    def bump(number: Ref[int]) -> None:
        number.value += 1

    engine = Engine(tier=tier)
    engine.register_static_module("m", Module("m").set_fn("bump", bump, visible=True))
    assert engine.eval("let x = [1]; x[0].bump(); let y = 4; y.bump(); [x, y]") == [[2], 5]
