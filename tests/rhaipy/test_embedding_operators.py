"""Operators of the host: which names they may have, how they bind, and what the parser says of their names elsewhere."""

import pytest

from rhaipy import Engine, EvalError, ParseError, Ref, RhaiError, Scope, Value

# --- names ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "precedence", "message"),
    [
        ("foo", 0, "precedence cannot be zero"),
        ("let", 10, "'let' is a reserved keyword"),
        ("in", 10, "'in' is a reserved keyword"),
        ("true", 10, "'true' is a reserved keyword"),
        ("switch", 10, "'switch' is a reserved symbol"),
        ("!in", 10, "'!in' is a reserved symbol"),
        ("()", 10, "'()' is a reserved symbol"),
        ("_", 10, "'_' is a reserved symbol"),
        ("=>", 10, "'=>' is a reserved symbol"),
        ("+", 10, "'+' is a reserved operator"),
        ("::", 10, "'::' is a reserved operator"),
        ("#{", 10, "'#{' is a reserved operator"),
        ("??", 10, "'??' is a reserved operator"),
        ("?.", 10, "'?.' is a reserved operator"),
        ("**=", 10, "'**=' is a reserved operator"),
        (",", 10, "',' is a reserved operator"),
        ("foo", 256, "a precedence is a number from 1 to 255, not 256"),
        ("foo", -1, "a precedence is a number from 1 to 255, not -1"),
    ],
)
def test_names_that_mean_something_else_are_refused_with_the_engines_text(name: str, precedence: int, message: str) -> None:
    """Asked of the engine, all but the last two: its precedence is a byte."""
    with pytest.raises(ValueError, match=r".") as caught:
        Engine().register_custom_operator(name, precedence)
    assert str(caught.value) == message


@pytest.mark.parametrize("name", ["foo", "===", "@", "#", "is", "print", "this", "->", "(*", "static", "...", "::<", "<=>"])
def test_identifiers_and_what_the_language_does_not_use_can_be_operators(name: str) -> None:
    """Asked of the engine."""
    Engine().register_custom_operator(name, 10)


def test_a_disabled_keyword_or_operator_can_be_a_new_one() -> None:
    engine = operators()
    assert engine.eval("[1 while 2, 1 << 2]") == [12, 12]
    with pytest.raises(ParseError, match="Unexpected 'while'"):
        engine.compile("while true {}")


# --- binding --------------------------------------------------------------------------------------------------------------

PRECEDENCES = {
    "foo": 160, "@": 200, "low": 20, "one": 1, "two": 2, "===": 90, "->": 85, "is": 100, "pw": 190, "noimpl": 100, "$": 100,
    "(*": 100, "#": 100, "call": 100, "print": 100, "type_of": 100, "this": 100,
}  # fmt: skip


def ten(left: int, right: int) -> int:
    return left * 10 + right


def hundred(left: int, right: int) -> int:
    return left * 100 + right


def operators() -> Engine:
    engine = Engine()
    for name, precedence in PRECEDENCES.items():
        engine.register_custom_operator(name, precedence)
    for name in ("while", "<<"):
        engine.disable_symbol(name)
        engine.register_custom_operator(name, 100)
    for name in ("foo", "@", "low", "two", "one", "pw", "$", "while", "(*", "<<"):
        engine.register_fn(name, ten)
    for name in ("===", "->", "is"):
        engine.register_fn(name, hundred)
    return engine


@pytest.mark.parametrize(
    ("script", "value", "count"),
    [
        ("1 foo 2", 12, 4),
        ("1 foo 2 foo 3", 123, 7),
        ("1 + 2 foo 3", 24, 6),
        ("1 foo 2 + 3", 15, 6),
        ("1 foo 2 * 3", 16, 4),
        ("1 @ 2 foo 3", 123, 7),
        ("1 low 2 + 3", 15, 4),
        ("1 two 2", 12, 4),
        ("1 === 2", 102, 4),
        ("1 -> 2", 102, 4),
        ("1 is 2", 102, 4),
        ("2 pw 3 ** 2", 529, 6),
        ("2 ** 3 pw 2", 82, 4),
        ("1 foo -2", 8, 4),
        ("1 foo - 2", 8, 4),
        ("1 @-2", 8, 4),
        ("1 $ 2", 12, 4),
        ("1 (* 2", 12, 4),
        ("[1, 2 foo 3]", [1, 23], 7),
        ("`${1 foo 2}`", "12", 7),
        ("1 foo { 2 }", 12, 4),
        ("1 foo(2)", 12, 4),
        ("1\nfoo 2", 12, 4),
        ("if 1 foo 2 == 12 { 3 }", 3, 9),
        ('eval("1 foo 2")', 12, 8),
        ("-1 foo 2", -8, 4),
        ("true && 1 foo 2", 12, 4),
        ("1 foo 2 ?? 3", 12, 6),
        ("1 foo 2 is 3", 1203, 7),
        ("1 is 2 foo 3", 123, 7),
        ("return 1 foo 2", 12, 4),
        ("fn foo(a, b) { a - b } 1 foo 2", -1, 7),
    ],
)
def test_an_operator_binds_as_its_precedence_says(script: str, value: Value, count: int) -> None:
    """Asked of the engine. Of equal precedence, only `**` binds to the right; an identifier may be a function of the script."""
    engine = operators()
    meter = engine.meter()
    assert engine.eval(script, meter=meter) == value
    assert meter.last_operation == count


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("1 noimpl 2", "Function not found: noimpl (i64, i64) (line 1, position 3)"),
        ('"a" @ 2', "Function not found: @ (&str | ImmutableString | String, i64) (line 1, position 5)"),
        ("1 # 2", "Function not found: # (i64, i64) (line 1, position 3)"),
        ("1 call 2", "Data type incorrect: i64 (expecting Fn) (line 1, position 1)"),
        ("1 type_of 2", "Function not found: type_of (i64, i64) (line 1, position 3)"),
        ("!1 foo 2", "Function not found: ! (i64) (line 1, position 1)"),
        ("1 in 2 foo [3]", "Function not found: foo (i64, array) (line 1, position 8)"),
    ],
)
def test_an_operator_that_does_not_fit_is_a_function_that_is_not_found(script: str, message: str) -> None:
    """Asked of the engine."""
    with pytest.raises(EvalError) as caught:
        operators().eval(script)
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("1 low 2 || true", "Expecting a boolean expression, not a number (line 1, position 7)"),
        ("1 one 2", "Expecting ';' to terminate this statement (line 1, position 3)"),
        ("(1 one 2)", "Expecting ')' for a matching ( in this expression (line 1, position 4)"),
        ("foo(1, 2)", "Unexpected 'foo' (line 1, position 1)"),
        ("foo", "Unexpected 'foo' (line 1, position 1)"),
        ("foo 1", "Unexpected 'foo' (line 1, position 1)"),
        ("1 foo foo 2", "Unexpected 'foo' (line 1, position 7)"),
        ("1 foo", "Script is incomplete (line 1, position 6)"),
        ("1 foo;", "Unexpected ';' (line 1, position 6)"),
        ("1 foo 2 3", "Expecting ';' to terminate this statement (line 1, position 9)"),
        ("let foo = 1", "Expecting name of a variable (line 1, position 5)"),
        ("let @ = 1", "Expecting name of a variable (line 1, position 5)"),
        ("fn f(foo) { }", "Expecting ')' to close the parameters list of function 'f' (line 1, position 6)"),
        ("|foo| 1", "Expecting '|' to close the parameters list of anonymous function or closure (line 1, position 2)"),
        ("#{foo: 1}", "Expecting '}' to end this object map literal (line 1, position 3)"),
        ("a.foo", "Expecting name of a property (line 1, position 3)"),
        ("a?.foo", "Expecting name of a property (line 1, position 4)"),
        ("fn is(a) {}", "Expecting function name in function declaration (line 1, position 4)"),
        ("fn @(a) {}", "Expecting function name in function declaration (line 1, position 4)"),
        ("fn foo.bar() {}", "Expecting parameters for function foo (line 1, position 7)"),
        ("fn int.foo.bar() {}", "Expecting parameters for function foo (line 1, position 11)"),
        ("for foo in 1..2 {}", "Expecting name of a variable (line 1, position 5)"),
        ("try {} catch (foo) {}", "Expecting name of a variable (line 1, position 15)"),
        ('import "a" as foo', "Expecting name of a variable (line 1, position 15)"),
        ("foo::bar", "Unexpected 'foo' (line 1, position 1)"),
        ("switch 1 { foo => 1 }", "Expecting literal expression (line 1, position 12)"),
        ("print(1)", "Unexpected 'print' (line 1, position 1)"),
        ("this", "Unexpected 'this' (line 1, position 1)"),
        ("export foo", "Expecting name of a variable (line 1, position 8)"),
    ],
)
def test_the_name_of_an_operator_means_nothing_else(script: str, message: str) -> None:
    """Asked of the engine. One of precedence 1 never binds."""
    with pytest.raises(ParseError) as caught:
        operators().compile(script)
    assert caught.value.message == message


def test_an_operator_may_change_its_left_operand_where_its_name_is_an_identifier() -> None:
    engine = Engine()
    engine.register_custom_operator("takes", 50)

    @engine.fn
    def takes(items: Ref[list[Value]], item: Value) -> int:
        items.value.append(item)
        return len(items.value)

    assert engine.eval("let a = [1]; let n = a takes 2 + 3; [a, n]") == [[1, 5], 2]


def test_operators_belong_to_one_engine_and_can_be_registered_anew() -> None:
    engine = operators()
    with pytest.raises(ParseError):
        Engine().compile("1 foo 2")
    assert engine.eval("1 + 2 foo 3") == 24
    engine.register_custom_operator("foo", 140)
    assert engine.eval("1 + 2 foo 3") == 33


def test_a_compiled_script_keeps_its_operators() -> None:
    ast = operators().compile("x foo 2")
    engine = Engine()
    engine.register_fn("foo", ten)
    assert engine.eval(ast, Scope(x=1)) == 12
    with pytest.raises(RhaiError, match="Function not found: foo"):
        Engine().eval(ast, Scope(x=1))
