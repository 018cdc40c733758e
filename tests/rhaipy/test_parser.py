"""The parser builds the real engine's trees, at the real engine's positions, and says what is wrong in its words."""

from dataclasses import fields, is_dataclass

import pytest

from rhaipy.limits import Limits, Options
from rhaipy.parse_errors import ParseError
from rhaipy.source import unpack
from rhaipy.syntax.parser import parse
from rhaipy.syntax.program import Program, start

LIMITS = Limits()
OPTIONS = Options()


def shape(item: object) -> object:
    """A node as nested tuples: its name and its fields, without positions."""
    if is_dataclass(item) and not isinstance(item, type):
        places = ("at", "end")
        parts = [shape(getattr(item, field.name)) for field in fields(item) if field.name.split("_")[-1] not in places]
        return (type(item).__name__, *parts)
    return tuple(shape(part) for part in item) if isinstance(item, tuple) else item


def statement(text: str) -> object:
    """The shape of the last statement of `text`."""
    return shape(parse(text, LIMITS, OPTIONS).statements[-1])


def expression(text: str) -> object:
    """The shape of `text`, which is one expression."""
    (only,) = parse(text, LIMITS, OPTIONS, expression=True).statements
    return shape(only.expr)


def error(text: str, limits: Limits = LIMITS, options: Options = OPTIONS, **known: object) -> str:
    with pytest.raises(ParseError) as caught:
        parse(text, limits, options, **known)
    return caught.value.message


A, B, C = (("Variable", name, 0) for name in "abc")
ONE, TWO = ("Constant", 1), ("Constant", 2)
UNIT = ("Constant", None)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a + b * c", ("Binary", "+", A, ("Binary", "*", B, C))),
        ("a * b + c", ("Binary", "+", ("Binary", "*", A, B), C)),
        ("a - b - c", ("Binary", "-", ("Binary", "-", A, B), C)),
        ("a ** b ** c", ("Binary", "**", A, ("Binary", "**", B, C))),
        ("a << b + c", ("Binary", "+", ("Binary", "<<", A, B), C)),
        ("-a ** b", ("Binary", "**", ("Unary", "-", A), B)),
        ("a && b && c", ("And", (A, B, C))),
        ("a && (b && c)", ("And", (A, B, C))),
        ("a || b && c", ("Or", (A, ("And", (B, C))))),
        ("a ?? b ?? c", ("Coalesce", (A, B, C))),
        ("a in b", ("Call", "contains", (B, A), False, False)),
        ("a !in b", ("Unary", "!", ("Call", "contains", (B, A), False, True))),
        ("- 1", ("Constant", -1)),
        ("-(1)", ("Constant", -1)),
        ("+1.5", ("Constant", 1.5)),
        ("!true", ("Unary", "!", ("Constant", True))),
        ("-(0x8000000000000000)", ("Constant", 9.223372036854775808e18)),
        ("[a..]", ("Array", (("Binary", "..", A, UNIT),))),
        ("..=a", ("Binary", "..=", ("Constant", 0), A)),
        ("[..]", ("Array", (("Binary", "..", ("Constant", 0), UNIT),))),
    ],
)  # fmt: skip
def test_operators_bind_as_in_the_engine(text: str, tree: object):
    assert expression(text) == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("f(a, 1,)", ("Call", "f", (A, ONE), False, False)),
        ("f!(a)", ("Call", "f", (A,), True, False)),
        ("(f)()", ("Call", "f", (), False, False)),
        ("a::b::f()", ("QualifiedCall", ("a", "b"), "f", ())),
        ("a::b", ("QualifiedVariable", ("a",), "b")),
        ("[1, [2]]", ("Array", (ONE, ("Array", (TWO,))))),
        ('#{a: 1, "b c": 2}', ("Map", (("a", ONE), ("b c", TWO)))),
        ("`x${a}${1}`", ("Interpolation", (
            ("Constant", "x"),
            ("BlockExpr", ("Block", (("ExprStmt", A),))),
            ("BlockExpr", ("Block", (("ExprStmt", ONE),))),
        ))),
        ("a.b?.f(1)[2]", ("Chain", A, (
            ("PropertyLink", "b", False), ("MethodLink", "f", (ONE,), True), ("IndexLink", TWO, False),
        ))),
        ("(a.b).c", ("Chain", A, (("PropertyLink", "b", False), ("PropertyLink", "c", False)))),
        ("(a + b).c", ("Chain", ("Binary", "+", A, B), (("PropertyLink", "c", False),))),
    ],
)  # fmt: skip
def test_operands_have_the_shape_of_the_engine(text: str, tree: object):
    assert expression(text) == tree


@pytest.mark.parametrize(
    ("text", "optional"),
    [
        ("a?[0]", [True]), ("a?[0][1]", [False, False]), ("a[0]?[1]", [True, True]), ("a[0]?[1][2]", [True, False, False]),
        ("(a?[0])[1]", [True, False]), ("a?[0].b", [False, False]), ("a?.b[0]", [True, False]),
    ],
)  # fmt: skip
def test_the_question_mark_of_an_index_moves_as_in_the_engine(text: str, optional: list[bool]):
    (only,) = parse(text, LIMITS, OPTIONS).statements
    assert [link.optional for link in only.expr.links] == optional


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("let a;", ("Let", "a", UNIT, False, False, 0)),
        ("let a = 1; let a = 2;", ("Let", "a", TWO, False, False, 1)),
        ("let a = 1; let b = 1; let a = 2;", ("Let", "a", TWO, False, False, 2)),
        ("export const a = 1", ("Let", "a", ONE, True, True, 0)),
        ("export let a = 1; let a = 2;", ("Let", "a", TWO, False, False, 0)),
        ("a += 1", ("Assign", "+", A, ONE)),
        ("a.b = 1", ("Assign", "", ("Chain", A, (("PropertyLink", "b", False),)), ONE)),
        ("a; 1", ("ExprStmt", ONE)),
        ("while a { break 1 }", ("While", A, ("Block", (("Break", ONE),)))),
        ("loop { continue }", ("While", None, ("Block", (("Continue",),)))),
        ("do {} until a", ("Do", ("Block", ()), A, True)),
        ("for (a, b) in c { a }", ("For", "a", "b", C, ("Block", (("ExprStmt", ("Variable", "a", 1)),)))),
        ("for a in c { let d = 1; a }", ("For", "a", None, C, ("Block", (
            ("Let", "d", ONE, False, False, 0), ("ExprStmt", ("Variable", "a", 2)),
        )))),
        ("try {} catch (a) { a }", ("Try", ("Block", ()), "a", ("Block", (("ExprStmt", ("Variable", "a", 1)),)))),
        ("try {} catch {}", ("Try", ("Block", ()), None, ("Block", ()))),
        ("if a {} else if b {} else {}", ("If", A, ("Block", ()), ("Block", (("If", B, ("Block", ()), ("Block", ())),)))),
        ("return", ("Return", None)),
        ("throw a", ("Throw", A)),
        ('import "m" as n', ("Import", ("Constant", "m"), "n")),
        ("export a as b", ("Export", "a", "b")),
        ("{ let a = 1; { a } }", ("Block", (
            ("Let", "a", ONE, False, False, 0), ("Block", (("ExprStmt", ("Variable", "a", 1)),)),
        ))),
        ("a ?? return", ("ExprStmt", ("Coalesce", (A, ("BlockExpr", ("Block", (("Return", None),))))))),
    ],
)  # fmt: skip
def test_statements_have_the_shape_of_the_engine(text: str, tree: object):
    assert statement(text) == tree


def test_empty_statements_and_functions_leave_nothing():
    tree = parse(";; fn f() {} ; { ; }", LIMITS, OPTIONS)
    assert shape(tree.statements) == (("Block", ()),)
    assert [function.name for function in tree.functions] == ["f"]


def test_a_switch_keeps_its_cases_by_key_and_its_ranges_in_order():
    switch = parse('switch a { 1 | "1" => 1, 1 => 2, 3..5 if b => 3, 5..5 => 4, _ => 5 }', LIMITS, OPTIONS).statements[0]
    assert list(switch.cases.values())[:2] == [(0, 1), (0,)]
    assert [(case.first, case.last, case.inclusive, case.arm) for case in switch.ranges] == [(3, 5, False, 2)]
    assert switch.default == 4
    assert [shape(arm.condition) for arm in switch.arms] == [("Constant", True)] * 2 + [B] + [("Constant", True)] * 2


# --- functions and closures -----------------------------------------------------------------------------------------------


def test_functions_are_listed_with_what_is_said_of_them():
    text = "/// does things\n/// to a\nprivate fn f(a, b) { a }\nfn int.g() { this }\nfn g() { 1 }"
    f, typed, g = parse(text, LIMITS, OPTIONS).functions
    assert (f.name, f.params, f.private, f.this_type) == ("f", ("a", "b"), True, None)
    assert "\n".join(f.doc) == "/// does things\n/// to a"
    assert shape(f.body) == ("Block", (("ExprStmt", ("Variable", "a", 2)),))
    assert (typed.name, typed.this_type, g.this_type) == ("g", "i64", None)
    assert unpack(f.at) == (3, 9)


def test_a_closure_without_captures_is_a_constant():
    tree = parse("|a| a", LIMITS, OPTIONS)
    (function,) = tree.functions
    pointer = tree.statements[0].expr.value
    assert pointer.name == function.name
    assert pointer.params == 1
    assert pointer.name.startswith("anon$")
    assert len(pointer.name) == len("anon$") + 16


def test_a_closure_shares_and_curries_what_it_captures_in_order_of_use():
    tree = parse("let x = 1; let y = 2; |a| y + x + a + y", LIMITS, OPTIONS)
    (function,) = tree.functions
    assert function.params == ("y", "x", "a")
    block = tree.statements[-1].expr.body
    share, curry = block.statements
    assert shape(share) == ("Share", (("Variable", "y", 1), ("Variable", "x", 2)))
    assert shape(curry.expr.args[1:]) == share_shapes(share)
    assert curry.expr.name == "curry"
    assert [unpack(variable.at).column for variable in share.variables] == [27, 31]


def share_shapes(share: object) -> object:
    return shape(share.variables)


def test_what_an_inner_closure_captures_the_outer_one_captures_too():
    tree = parse("let x = 1; |a| |b| a + x + b", LIMITS, OPTIONS)
    inner, outer = tree.functions
    assert inner.params == ("a", "x", "b")
    assert outer.params == ("x", "a")


def test_names_of_functions_are_not_captured():
    tree = parse("fn f() {} |a| f", LIMITS, OPTIONS)
    assert tree.functions[1].params == ("a",)


def test_the_same_text_gives_the_same_names_of_closures():
    names = [function.name for _ in range(2) for function in parse("[|a| a, |a| a]", LIMITS, OPTIONS).functions]
    assert names[:2] == names[2:]
    assert len(set(names)) == 2
    assert parse("[|b| b]", LIMITS, OPTIONS).functions[0].name not in names


# --- positions ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "at", "first"),
    [
        ("ab + cd", 4, 4), ("ab && cd", 4, 1), ("ab.cd", 3, 1), ("ab[0]", 3, 1), ("f(a)", 1, 1), ("x::y", 4, 1), ("- ab", 1, 1),
        ("a && b && c", 3, 1), ("[a]", 1, 1), ("|a| b", 1, 1), ("ab in cd", 4, 4), ("if a {1}", 1, 1), ("(ab)", 2, 2),
    ],
)  # fmt: skip
def test_nodes_are_where_the_engine_reports_them(text: str, at: int, first: int):
    (only,) = parse(text, LIMITS, OPTIONS, expression=True).statements
    assert (unpack(only.expr.at).column, unpack(start(only.expr)).column, unpack(only.at).column) == (at, first, first)


# --- errors, options, limits ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("let", "Expecting name of a variable (line 1, position 4)"),
        ("x y", "Expecting ';' to terminate this statement (line 1, position 3)"),
        ("if x = 1 {}", "Possibly a typo of '=='? (line 1, position 6)"),
        ("fn f(a", "Expecting ',' to separate the parameters of function 'f' (line 1, position 7)"),
        ("(1)(2)", "Expecting ';' to terminate this statement (line 1, position 4)"),
        ("switch 1 { 1 | x y => 2 }", "Expecting '=>' in this switch case (line 1, position 18)"),
        ("switch 1 { (1 | 2) => 2 }", "Expecting literal expression (line 1, position 15)"),
        ("switch a {1 => {} é}", "Unexpected 'é' (line 1, position 19)"),
        ("a::b!()", "Unexpected '!' (line 1, position 5)"),
        ("x @ y", "Unknown operator: '@' (line 1, position 3)"),
        ("|x| x @", "Unknown operator: '@' (line 1, position 7)"),
        ("#{a: 1, a: 2}", "Duplicated property for object map literal: a (line 1, position 9)"),
        ("const A = 1; A = 2", "Cannot assign to constant A (line 1, position 14)"),
        ("this", "'this' can only be used in functions (line 1, position 1)"),
        ("{ export a }", "Export statement can only appear at global level (line 1, position 3)"),
        ("let a = |x| break;", "Break statement should only be used inside a loop (line 1, position 13)"),
        ("f(1, 'ab')", "Invalid character: 'ab' (line 1, position 6)"),
        ("`a${1 2}`", "Expecting ';' to terminate this statement (line 1, position 7)"),
        ("", None),
    ],
)  # fmt: skip
def test_errors_are_those_of_the_engine(text: str, message: str | None):
    if message is None:
        assert parse(text, LIMITS, OPTIONS) is not None
    else:
        assert error(text) == message


def test_expression_mode_takes_one_expression():
    assert error("1;", expression=True) == "Unexpected ';' (line 1, position 2)"
    assert error("{1}", expression=True) == "Unexpected '{' (line 1, position 1)"
    assert error("if true {1;2}", expression=True) == "Expecting '{' to start a statement block (line 1, position 11)"
    assert expression("if a {1} else {2}")[0] == "BlockExpr"


def test_json_is_taken_as_the_engine_takes_it():
    (only,) = parse('{"a": null, "b": [{}]}', LIMITS, OPTIONS, json=True).statements
    assert shape(only.expr) == ("Map", (("a", UNIT), ("b", ("Array", (("Map", ()),)))))
    assert error("{a: 1}", json=True) == "Expecting name of a property (line 1, position 2)"
    assert error("()", json=True) == "Invalid symbol encountered: '()' (line 1, position 1)"


def test_options_rule_out_what_they_name():
    assert error("let a = {1};", options=Options(allow_statement_expression=False)) == "Unexpected '{' (line 1, position 9)"
    assert error("let a = if b {1};", options=Options(allow_if_expression=False)) == "Unexpected 'if' (line 1, position 9)"
    assert error("x = switch a {};", options=Options(allow_switch_expression=False)) == "Unexpected 'switch' (line 1, position 5)"
    assert error("let a = loop {};", options=Options(allow_loop_expressions=False)) == "Unexpected 'loop' (line 1, position 9)"
    assert error("loop {}", options=Options(allow_looping=False)) == "Unexpected 'loop' (line 1, position 1)"
    assert error("|a| a", options=Options(allow_anonymous_fn=False)) == "Unexpected '|' (line 1, position 1)"
    assert error("let a; let a;", options=Options(allow_shadowing=False)) == "Variable already defined: a (line 1, position 12)"
    assert (
        error("if a {}", options=Options(disabled_symbols=frozenset({"if"}))) == "'if' is a reserved keyword (line 1, position 1)"
    )
    assert parse("loop {} if a {} {1} switch a {}", LIMITS, Options(
        allow_if_expression=False, allow_switch_expression=False, allow_loop_expressions=False, allow_statement_expression=False,
    ))  # fmt: skip


def test_strict_variables_must_be_known():
    strict = Options(strict_variables=True)
    assert error("x", options=strict) == "Undefined variable: x (line 1, position 1)"
    assert error("let f = |a| { |b| q };", options=strict) == "Undefined variable: q (line 1, position 19)"
    assert error("m::x", options=strict) == "Undefined module: m (line 1, position 1)"
    known = parse("x + y + global::z; f", LIMITS, strict, variables=[("x", False), ("f", True)], constants=["y"])
    assert isinstance(known, Program)


def test_sizes_of_literals_and_numbers_of_functions_are_limited():
    assert error("[1, 2]", Limits(max_array_size=2)) == "Size of array literal exceeds the maximum limit (2) (line 1, position 6)"
    assert error("[1, 2, 3]", Limits(max_array_size=2)).endswith("(line 1, position 8)")
    assert error("#{a: 1, b: 2}", Limits(max_map_size=1)).endswith("exceeds the maximum limit (1) (line 1, position 12)")
    assert error("fn a() {} fn b() {}", Limits(max_functions=1)).endswith("exceeds maximum limit (line 1, position 11)")
    assert error("let a = |x| x; |y| y", Limits(max_functions=1)).endswith("exceeds maximum limit (line 1, position 16)")


@pytest.mark.parametrize(
    ("text", "deepest"),
    [
        ("((((1))))", 10), ("[[[]]]", 9), ("{{{}}}", 6), ("a.b.c.d", 5), ("a[0][0]", 6), ("1 + 1 + 1", 4), ("2 ** 2 ** 2", 4),
        ("- - -x", 5), ("f(f(1))", 6), ("if a {} else if b {}", 4), ("fn f() { 1 }", 1),
    ],
)  # fmt: skip
def test_depth_is_counted_as_in_the_engine(text: str, deepest: int):
    limit = next(limit for limit in range(1, 20) if _fits(text, limit))
    assert limit == deepest


def _fits(text: str, limit: int) -> bool:
    try:
        parse(text, Limits(max_expr_depth=limit, max_function_expr_depth=20), OPTIONS)
    except ParseError as caught:
        return caught.parse_kind != "ExprTooDeep"
    return True


def test_a_return_that_cannot_go_deeper_has_no_value():
    assert error("return x", Limits(max_expr_depth=1)) == "Expecting ';' to terminate this statement (line 1, position 8)"
