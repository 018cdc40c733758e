"""The optimiser on its own: what is left of a program. That this is what the real engine leaves is shown by the cases."""

import pytest

from rhaipy import Engine, Limits, Meter, Options, Scope
from rhaipy.optimize import optimize
from rhaipy.optimize.purity import Purity
from rhaipy.optimize.rewriter import Rewriter
from rhaipy.source import NONE
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Constant, ExprStmt, Stmt
from rhaipy.syntax.parser import parse


def left(source: str, limits: Limits | None = None) -> tuple[Stmt, ...]:
    limits = limits or Limits()
    return optimize(parse(source, limits, Options()), limits=limits).statements


def kinds(source: str) -> list[str]:
    return [type(stmt).__name__ for stmt in left(source)]


def value(source: str) -> object:
    """What the last statement was folded to."""
    last = left(source)[-1]
    assert isinstance(last, ExprStmt)
    assert isinstance(last.expr, Constant)
    return last.expr.value


@pytest.mark.parametrize(
    ("source", "folded"),
    [
        ("1 + 2 * 3", 7),
        ("[1, [2, 3]]", [1, [2, 3]]),
        ("#{a: 1, b: `x${1 + 1}`}", {"a": 1, "b": "x2"}),
        ("const X = 5; X + 1", 6),
        ("const X = #{a: 5}; X.a", 5),
        ("[1, 2][-1]", 2),
        ("if 1 < 2 { 3 } else { 4 }", 3),
        ("true && false || true", True),
        ("() ?? 5", 5),
        ("type_of(1.5)", "f64"),
        ("let x = 1; { const Y = 2; Y }", 2),
    ],
)
def test_constants_are_folded(source: str, folded: object):
    assert value(source) == folded


@pytest.mark.parametrize(
    "source", ["1 / 0", "9223372036854775807 + 1", "[1][5]", 'Fn("if")', "abs(-1)", "[1] == [1]", "1 in [1]"]
)
def test_what_fails_or_is_no_operator_of_the_engines_own_is_left_for_the_run(source: str):
    (only,) = left(source)
    assert isinstance(only, nodes.CallStmt) or (isinstance(only, ExprStmt) and isinstance(only.expr, nodes.Chain))


@pytest.mark.parametrize(
    ("source", "statements"),
    [
        ("1; 2; 3", ["ExprStmt"]),
        ("let a = 1; a; a + 1;", ["Let", "CallStmt"]),
        ("return 1; print(2);", ["ExprStmt"]),
        ("{ { print(1); } }", ["CallStmt"]),
        ("{ let a = 1; print(a); }", ["Block"]),
        ("while false { print(1); } for i in 0..3 {}", []),
        ("while true { print(1); }", ["While"]),
        ("try { 1 } catch { 2 } 3", ["ExprStmt"]),
        ("let x = 1; x = x + 2;", ["Let", "Assign"]),
        ("let a = true; if a { if a { print(1); } }", ["Let", "If"]),
        ("", []),
    ],
)
def test_statements_that_nobody_could_notice_are_dropped(source: str, statements: list[str]):
    assert kinds(source) == statements


def test_an_assignment_of_an_operation_on_itself_is_shortened():
    _, assign = left("let x = 1; x = x + 2;")
    assert isinstance(assign, nodes.Assign)
    assert (assign.operator, assign.at & 0xFFFF) == ("+", 18)


def test_what_does_not_change_is_not_built_again():
    program = parse("let a = f(1); while a < 3 { a += 1; } print(a); fn f(x) { x + 1 }", Limits(), Options())
    once = optimize(program)
    twice = optimize(once)
    assert all(one is other for one, other in zip(once.statements, twice.statements, strict=True))
    assert once.functions[0].body is not program.functions[0].body
    assert twice.functions[0].body.statements is once.functions[0].body.statements


@pytest.mark.parametrize(
    ("source", "propagated"),
    [
        ("const K = 42; let a = []; f(K)", True),
        ('const K = 42; let a = []; eval("1"); f(K)', False),  # in the second pass, which the array asks for, as in the first
        ("let K = 1; const X = [1 + 1]; if a { const K = 2; f(K) }; f(K)", False),
        ("const X = [1 + 1]; f(X)", True),  # known in the second pass only
    ],
)
def test_what_changes_nothing_is_passed_over_only_while_the_same_is_known(source: str, propagated: bool):
    last = left(source)[-1]
    assert isinstance(last, nodes.CallStmt)
    assert isinstance(last.call, nodes.Call)
    assert isinstance(last.call.args[0], Constant) == propagated


def test_the_tree_that_is_handed_in_stays_as_it_is():
    program = parse("1 + 2", Limits(), Options())
    optimize(program)
    (stmt,) = program.statements
    assert isinstance(stmt, ExprStmt)
    assert isinstance(stmt.expr, nodes.Binary)


def test_constants_of_the_scope_are_known_everywhere_and_variables_hide_them():
    scope = Scope()
    scope.push_constant("X", 5)
    scope.push_constant("Y", 5)
    scope.push("Y", 6)
    program = optimize(parse("fn f() { X } [X, Y]", Limits(), Options()), scope)
    (body,) = program.functions[0].body.statements
    assert isinstance(body, ExprStmt)
    assert isinstance(body.expr, Constant)
    (array,) = program.statements
    assert isinstance(array, ExprStmt)
    assert isinstance(array.expr, nodes.Array)
    assert [type(item) for item in array.expr.items] == [Constant, nodes.Variable]


def test_a_text_that_would_be_too_long_is_left_for_the_run():
    (stmt,) = left('"12345" + "67890"', Limits(max_string_size=8))
    assert isinstance(stmt, nodes.CallStmt)


@pytest.mark.parametrize("doubled", ["[@, @]", "`${[@, @]}`", "#{a: @, b: @}", "`${@}` + `${@}`"])
def test_constants_that_double_and_double_cost_no_more_than_the_fuel(doubled: str, monkeypatch: pytest.MonkeyPatch):
    source = 'const A0 = "ab";' + "".join(f"const A{i} = {doubled.replace('@', f'A{i - 1}')};" for i in range(1, 60)) + "A59"
    limits = Limits(max_string_size=100_000, max_array_size=1000, max_map_size=1000, fuel=100_000, memory=1 << 24)
    charged: list[int] = []
    charge = Meter.charge

    def counting(meter: Meter, units: int, at: int = NONE) -> None:
        charge(meter, units, at)
        charged.append(units)

    monkeypatch.setattr(Meter, "charge", counting)
    Engine(limits).compile(source)
    assert sum(charged) <= 2 * limits.fuel  # one for reading, one for folding


NESTS = [
    "switch x { 1 => @ }", "switch @ { 1 => 2 }", "switch x { 1 => { @ } 2 if x => y }", "switch x { 1 if @ == 1 => 2 }",
    "try { @ } catch { 1 }", "try { x } catch (e) { @ }", "if x == 1 { @ }", "if @ == 1 { 2 }", "if x == 1 { } else { @ }",
    "if if x { true } else { false } { @ }", "while x == 2 { @ }", "for i in [1] { @ }", "loop { @; break; }",
    "do { @ } while x == 2", "x[@]", "x.y[@]", "(@).y", "(@)[0]", "[@]", "#{a: @}", "f(@)", "x.f(@)", "!(@)", "{ @ }",
    "{ let y = 1; @; y }", "{ const K = [1]; @; K }", "|y| @", "|| { @ }", "x.f(|| @)", "`a${@}`", "1 + (@)", "x && (@)",
    "x && (y || (@))", "x ?? (@)", "{ let y = @; }", "{ x = @; }", "{ return @; }", "{ throw @; }", "true && { @ }",
    "{ if x { @ } else if y { 2 } }", "{ import (@) as z; 1 }", "switch x { 1 => if x == 1 { @ } }", "if x == 1 { 1 + (@) }",
    "try { switch (for i in [1] { @ }) { 1 => 2 } } catch { }", "if x && [`${{ @ }}`] == y { { const K = 1; K } }",
]  # fmt: skip


@pytest.mark.parametrize("nest", NESTS)
def test_steps_grow_linearly_with_the_depth_of_a_nest(nest: str, monkeypatch: pytest.MonkeyPatch):
    counts = [steps(nested(nest, depth), monkeypatch) for depth in (6, 12, 24)]
    assert counts[1] - counts[0] < 80 * 6
    assert counts[2] - counts[1] <= 2 * (counts[1] - counts[0]) + 20


def nested(nest: str, depth: int) -> str:
    """`nest` in itself that many times, at its first hole."""
    before, _, after = nest.partition("@")
    return before * depth + "x" + after.replace("@", "x") * depth


def steps(source: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Nodes that were rewritten, or asked whether they are pure or constant."""
    visited: list[object] = []

    def counted(kind: type, name: str) -> None:
        method = getattr(kind, name)

        def counting(self: object, *args: object) -> object:
            visited.append(args[0])
            return method(self, *args)

        patch.setattr(kind, name, counting)

    with monkeypatch.context() as patch:
        for kind, name in [(Rewriter, "expression"), (Rewriter, "statement"), (Rewriter, "is_constant")]:
            counted(kind, name)
        for name in ("of_expression", "of_statement", "inside"):
            counted(Purity, name)
        Engine(Limits(max_expr_depth=0, max_function_expr_depth=0)).compile(source)
    return len(visited)


@pytest.mark.parametrize("summand", ["1 + ", '"a" + ', "2 ** "])
def test_steps_grow_linearly_with_the_length_of_a_sum(summand: str, monkeypatch: pytest.MonkeyPatch):
    counts = [steps(summand * length + "1", monkeypatch) for length in (300, 600, 1200)]
    assert counts[2] - counts[1] <= 2.2 * (counts[1] - counts[0])


@pytest.mark.parametrize(
    ("source", "none", "simple"),
    [("1 + 2", 4, 2), ("if true { 1 } else { 2 }", 4, 2), ("let a = 1; a = a + 2;", 7, 5), ("f(); fn f() {}", 2, 1)],
)
def test_operations_are_counted_in_the_tree_that_is_left(source: str, none: int, simple: int):
    counted = []
    for level in ("none", "simple"):
        engine = Engine(optimize=level)
        meter = engine.meter()
        engine.eval(source, meter=meter)
        counted.append(meter.last_operation)
    assert counted == [none, simple]
