"""Scopes, calls of functions and closures, compiled scripts as data, settings, JSON, and threads."""

from threading import Thread
from typing import Any

import pytest

from rhaipy import (
    AST,
    Char,
    ConversionError,
    Engine,
    EvalError,
    FnPtr,
    LimitError,
    ParseError,
    Ref,
    RhaiError,
    Scope,
    Value,
)
from rhaipy.errors import FunctionNotFound, MismatchOutputType

# --- scopes ---------------------------------------------------------------------------------------------------------------


def test_a_scope_is_a_stack_of_variables_and_constants() -> None:
    scope = Scope(a=1).push("b", 2).push_constant("C", 3).push("a", 4)
    assert [*scope] == [("a", False, 1), ("b", False, 2), ("C", True, 3), ("a", False, 4)]
    assert (len(scope), "b" in scope, "z" in scope) == (4, True, False)
    assert (scope.get("a"), scope.is_constant("C"), scope.is_constant("b")) == (4, True, False)
    assert scope.pop() == ("a", False, 4)
    assert (scope.drop("b"), [name for name, _, _ in scope]) == (2, ["a", "C"])
    scope.set("a", 5)
    scope.set("new", 6)
    scope.rewind(2)
    assert [*scope] == [("a", False, 5), ("C", True, 3)]
    scope.clear()
    assert len(scope) == 0


def test_what_a_scope_lacks_is_an_error_of_pythons_own() -> None:
    scope = Scope().push_constant("C", 1)
    for missing in (scope.get, scope.is_constant, scope.drop):
        with pytest.raises(KeyError):
            missing("x")
    with pytest.raises(ValueError, match="C is a constant"):
        scope.set("C", 2)
    with pytest.raises(IndexError):
        Scope().pop()


def test_a_clone_is_a_scope_of_its_own_but_for_captured_variables() -> None:
    engine = Engine()
    scope = Scope(a=[1])
    engine.run("let c = 0; let inc = || c += 1;", scope)
    clone = scope.clone()
    engine.run("a.push(2); c = 5;", clone)
    assert (scope.get("a"), clone.get("a")) == ([1], [1, 2])
    assert (scope.get("c"), clone.get("c")) == (5, 5)


# --- functions ------------------------------------------------------------------------------------------------------------

NO_VALUE: Any = ()
SCRIPT = "let g = 1; const K = 2; fn f(x) { let local = x + 1; local } fn h() { g } private fn p() { 5 } fn k() { global::K }"


def test_variables_of_a_call_can_be_kept() -> None:
    """Asked of the engine: without the rewind, variables of the script and of the function stay, but for its parameters."""
    engine = Engine()
    ast = engine.compile(SCRIPT)
    scope = Scope()
    assert engine.call_fn(ast, "f", 1, scope=scope, rewind_scope=False) == 2
    assert [*scope] == [("g", False, 1), ("K", True, 2), ("local", False, 2)]
    scope = Scope()
    with pytest.raises(EvalError, match="Variable not found: g"):
        engine.call_fn(ast, "h", scope=scope)
    assert len(scope) == 0
    assert engine.call_fn(ast, "h", scope=scope, rewind_scope=False) == 1


def test_private_functions_can_be_called_and_unknown_ones_not() -> None:
    """Asked of the engine."""
    engine = Engine()
    ast = engine.compile(SCRIPT)
    assert engine.call_fn(ast, "p") == 5
    assert engine.call_fn(ast, "k") == 2
    for name in ("nope", "f"):
        with pytest.raises(FunctionNotFound, match=rf"Function not found: {name}$"):
            engine.call_fn(ast, name)


def test_this_can_be_lent_by_reference() -> None:
    engine = Engine()
    ast = engine.compile("fn grow(by) { this += by; this } fn put() { this.a = 1; }")
    number, entries = Ref[Value](1), Ref[Value]({})
    assert engine.call_fn(ast, "grow", 4, this=number) == 5
    engine.call_fn(ast, "put", this=entries)
    assert (number.value, entries.value) == (5, {"a": 1})
    assert engine.call_fn(ast, "grow", 4, this=1) == 5


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ((1, 2), "is of type tuple"),
        ({1}, "is of type set"),
        (b"x", "is of type bytes"),
        (2**63, "is an integer of more than 64 bits"),
        ([[{"k": 1j}]], "holds something that is of type complex"),
        ({2: 1}, "holds something that is a map with a key of type int"),
        ("\udc80", "is half of a surrogate pair"),
        (Char(""), "is a character made of more or less than one"),
        (FnPtr("f", (NO_VALUE,)), "holds something that is of type tuple"),
        (type("Text", (str,), {})("x"), "is of type Text"),
    ],
)
def test_arguments_are_judged_by_exact_type(argument: Any, words: str) -> None:
    engine = Engine()
    ast = engine.compile("fn f(x) { x }")
    with pytest.raises(ConversionError) as caught:
        engine.call_fn(ast, "f", argument)
    assert f"argument 1 {words}" in caught.value.message


def test_an_argument_that_holds_itself_is_refused() -> None:
    engine = Engine()
    endless: dict[str, Value] = {}
    endless["self"] = [endless]
    with pytest.raises(ConversionError, match="argument 1 is a container that holds itself"):
        engine.call_fn(engine.compile("fn f(x) { x }"), "f", endless)


def test_containers_that_are_held_twice_at_every_level_are_refused_before_there_are_too_many_copies() -> None:
    held: list[object] = [1]
    for _ in range(60):
        held = [held, held]
    with pytest.raises(ConversionError, match="argument 1 holds containers more than once, too many for copies of them all"):
        Engine().call_fn(Engine().compile("fn f(x) { x.len() }"), "f", held)


def test_deeply_nested_arguments_come_through() -> None:
    engine = Engine()
    deep: Value = 1
    for _ in range(50_000):
        deep = [deep]
    assert engine.call_fn(engine.compile("fn f(x) { 7 }"), "f", deep) == 7


# --- closures -------------------------------------------------------------------------------------------------------------


def test_closures_are_called_from_python() -> None:
    """Asked of the engine."""
    engine = Engine()
    ast = engine.compile("fn adder(x) { |y| x + y } let c = 0; let inc = || { c += 1; c }; inc")
    add = engine.call_fn(ast, "adder", 10)
    inc = engine.eval(ast)
    assert isinstance(add, FnPtr)
    assert isinstance(inc, FnPtr)
    assert (engine.call_fn_ptr(ast, add, 5), add.call(engine, ast, 6)) == (15, 16)
    assert [inc.call(engine, ast), inc.call(engine, ast)] == [1, 2]


def test_pointers_to_native_functions_and_with_this_are_called_too() -> None:
    engine = Engine()
    ast = engine.compile("fn double() { this * 2 } fn bad(x) { throw x }")
    assert engine.call_fn_ptr(ast, FnPtr("len"), "abc") == 3
    assert engine.call_fn_ptr(ast, FnPtr("double"), this=21) == 42
    assert engine.call_fn_ptr(ast, FnPtr("+", (1,)), 2) == 3
    lent = Ref[Value]([1])
    engine.call_fn_ptr(ast, FnPtr("push"), 2, this=lent)
    assert lent.value == [1, 2]


def test_calls_of_pointers_fail_as_in_the_engine() -> None:
    """Asked of the engine: a closure is a function of its script, and unknown to others."""
    engine = Engine()
    ast = engine.compile("fn adder(x) { |y| x + y } fn bad(x) { throw x }")
    add = engine.call_fn(ast, "adder", 10)
    assert isinstance(add, FnPtr)
    for script, args, words in [
        (AST.empty(), (5,), r"Function not found: anon\$\w+ \(i64, i64\)$"),
        (ast, (), r"Function not found: anon\$\w+ \(i64\)$"),
    ]:
        with pytest.raises(EvalError, match=words):
            add.call(engine, script, *args)
    with pytest.raises(EvalError, match=r"Function not found: nope \(i64\)$"):
        engine.call_fn_ptr(ast, FnPtr("nope"), 1)
    with pytest.raises(EvalError) as caught:
        engine.call_fn_ptr(ast, FnPtr("bad"), 3)
    assert caught.value.message == "Runtime error: 3 (line 1, position 39)\nin call to function 'bad'"
    with pytest.raises(ConversionError, match="argument 1 is of type object"):
        engine.call_fn_ptr(ast, FnPtr("len"), object())


def test_calls_of_pointers_are_limited() -> None:
    engine = Engine()
    engine.set_max_operations(100)
    ast = engine.compile("|| loop { }")
    forever = engine.eval(ast)
    assert isinstance(forever, FnPtr)
    meter = engine.meter()
    with pytest.raises(LimitError):
        engine.call_fn_ptr(ast, forever, meter=meter)
    assert meter.operations == 100


# --- compiled scripts -----------------------------------------------------------------------------------------------------


def test_scripts_are_merged() -> None:
    """Asked of the engine: the later function takes the place of the earlier one, and the source is the later one's."""
    engine = Engine()
    first = engine.compile("fn f() { 1 } let x = 1; x + f()", name="first")
    second = engine.compile("fn f() { 2 } fn g() { f() } let y = x; y * 10 + g()", name="second")
    merged = first + second
    assert (engine.eval(merged), merged.source) == (12, "second")
    assert [function.name for function in merged.functions] == ["f", "g"]
    assert engine.eval(first) == 2
    assert engine.eval(first.combine(second, AST.empty(), engine.compile("x + y"))) == 2
    only_g = first.merge(second, lambda function: function.name == "g")
    assert engine.call_fn(only_g, "g", eval_ast=False) == 1


def test_statements_and_functions_are_taken_apart() -> None:
    """Asked of the engine."""
    engine = Engine()
    ast = engine.compile("fn f() { 1 } fn g(x) { x } let x = 1; x + f()", name="parts")
    assert engine.eval(ast.functions_only()) is None
    assert [function.name for function in ast.functions_only(lambda function: not function.params).functions] == ["f"]
    with pytest.raises(EvalError, match=r"Function not found: f \(\)"):
        engine.eval(ast.without_functions())
    assert (ast.without_functions().functions, ast.functions_only().source) == ((), "parts")
    assert (engine.eval(AST.empty()), AST.empty().functions) == (None, ())


def test_an_expression_is_compiled_alone() -> None:
    engine = Engine()
    ast = engine.compile_expression("x * 2 + 1", scope=Scope(x=0))
    assert engine.eval(ast, Scope(x=3)) == 7
    for script in ("let x = 1", "1; 2", "while true {}"):
        with pytest.raises(ParseError):
            engine.compile_expression(script)


def test_run_is_for_what_a_script_does() -> None:
    scope = Scope()
    engine = Engine()
    engine.run("let x = 1;", scope)
    assert scope.get("x") == 1


# --- settings -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "enable", "script", "error"),
    [
        ("strict_variables", True, "x", "Undefined variable: x"),
        ("allow_shadowing", False, "let x = 1; let x = 2;", "Variable already defined: x"),
        ("allow_looping", False, "loop { }", "Unexpected 'loop'"),
        ("allow_if_expression", False, "let x = if true { 1 };", "Unexpected 'if'"),
        ("allow_switch_expression", False, "let x = switch 1 { _ => 1 };", "Unexpected 'switch'"),
        ("allow_loop_expressions", False, "let x = loop { break 1 };", "Unexpected 'loop'"),
        ("allow_statement_expression", False, "let x = { 1 };", "Unexpected '{'"),
        ("allow_anonymous_fn", False, "|| 1", "Unexpected '||'"),
        ("fail_on_invalid_map_property", True, "let m = #{}; m.x", "Property not found: x"),
    ],
)
def test_each_option_of_the_language_has_a_method(setting: str, enable: bool, script: str, error: str) -> None:
    engine = Engine()
    setters = {
        "strict_variables": engine.set_strict_variables,
        "allow_shadowing": engine.set_allow_shadowing,
        "allow_looping": engine.set_allow_looping,
        "allow_if_expression": engine.set_allow_if_expression,
        "allow_switch_expression": engine.set_allow_switch_expression,
        "allow_loop_expressions": engine.set_allow_loop_expressions,
        "allow_statement_expression": engine.set_allow_statement_expression,
        "allow_anonymous_fn": engine.set_allow_anonymous_fn,
        "fail_on_invalid_map_property": engine.set_fail_on_invalid_map_property,
    }
    setters[setting](enable)
    with pytest.raises(RhaiError, match=error.replace("|", r"\|").replace("{", r"\{")):
        engine.eval(script)
    setters[setting](not enable)
    with_default = engine.eval(script) if script not in ("x", "loop { }") else None
    assert with_default in (None, 1) or isinstance(with_default, FnPtr)


def test_each_limit_has_a_method() -> None:
    for name, script in [
        ("max_operations", "loop { }"),
        ("max_call_levels", "fn f() { f() } f()"),
        ("max_string_size", '"a" + "b" + x'),
        ("max_array_size", "let a = [1]; a.push(2); a.push(3);"),
        ("max_map_size", "let m = #{a: 1}; m.b = 2; m.c = 3;"),
        ("max_variables", "let a = 1; let b = 2; let c = 3;"),
        ("max_modules", 'import "m"; import "m"; import "m";'),
    ]:
        engine = Engine(modules={"m": ""})
        {
            "max_operations": engine.set_max_operations,
            "max_call_levels": engine.set_max_call_levels,
            "max_string_size": engine.set_max_string_size,
            "max_array_size": engine.set_max_array_size,
            "max_map_size": engine.set_max_map_size,
            "max_variables": engine.set_max_variables,
            "max_modules": engine.set_max_modules,
        }[name](2)
        with pytest.raises(LimitError):
            engine.eval(script, Scope(x="c"))
    engine = Engine()
    engine.set_max_functions(1)
    engine.set_max_expr_depths(5, 5)
    for script in ("fn f() { } fn g() { }", "[[[[[[[1]]]]]]]"):
        with pytest.raises(ParseError):
            engine.compile(script)


# --- JSON -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "has_null", "message"),
    [
        ('{"a": null}', False, "Invalid symbol encountered: 'null' (line 1, position 7)"),
        ("[1]", True, "Output type incorrect: array (expecting map)"),
        ("123", True, "Output type incorrect: i64 (expecting map)"),
        ("", True, "Script is incomplete (line 1, position 1)"),
        ('{"a": ', True, "Script is incomplete (line 1, position 7)"),
    ],
)
def test_json_is_read_as_the_engine_reads_it(text: str, has_null: bool, message: str) -> None:
    """Asked of the engine."""
    engine = Engine()
    assert engine.parse_json('{"a": [1, null, 2.5]}') == {"a": [1, None, 2.5]}
    with pytest.raises((ParseError, MismatchOutputType)) as caught:
        engine.parse_json(text, has_null)
    assert caught.value.message == message


# --- threads --------------------------------------------------------------------------------------------------------------


def test_an_engine_serves_several_threads() -> None:
    engine = Engine(modules={"m": "export const X = 2;"})
    engine.register_fn("half", lambda number: number // 2)
    engine.register_type(Thread, "Worker")
    ast = engine.compile('import "m" as m; fn f(n) { let t = 0; for i in 0..n { t += half(i) * 2; } t } m::X')
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for _ in range(20):
                assert engine.call_fn(ast, "f", number) == sum(i // 2 * 2 for i in range(number))
                assert engine.eval(ast) == 2
        except BaseException as error:
            failures.append(error)

    threads = [Thread(target=work, args=(number,)) for number in range(20, 26)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
