"""The engine as its users meet it: compiling, running, calling functions, settings, and what comes back."""

import pickle
from threading import Thread

import pytest

from rhaipy import (
    UNBOUND,
    Char,
    Engine,
    EvalError,
    FnPtr,
    Limits,
    Meter,
    Options,
    ParseError,
    Range,
    Ref,
    RhaiError,
    Scope,
    Value,
)
from rhaipy.errors import Arithmetic, FunctionNotFound, InFunctionCall, InModule, Thrown
from rhaipy.host_errors import HostFailure
from rhaipy.limit_errors import Terminated, TooManyOperations


def test_a_script_has_the_value_of_its_last_statement() -> None:
    assert Engine().eval("let x = 20; x * 2 + 2") == 42


def test_every_type_of_value_comes_back_as_its_own_python_type() -> None:
    value = Engine().eval("""[1, 1.5, true, 'c', "s", (), 0..3, #{a: 1}]""")
    assert isinstance(value, list)
    assert [type(item) for item in value] == [int, float, bool, Char, str, type(None), Range, dict]


def test_a_closure_comes_back_as_a_pointer() -> None:
    closure = Engine().eval("|x| x")
    assert isinstance(closure, FnPtr)
    assert closure.is_anonymous


def test_a_captured_variable_comes_back_as_its_value() -> None:
    assert Engine().eval("loop { let x = 1; let f = || x; break x; }") == 1


def test_a_compiled_script_runs_any_number_of_times() -> None:
    engine = Engine()
    ast = engine.compile("let a = [1]; a.push(2); a")
    assert [engine.eval(ast), engine.eval(ast)] == [[1, 2], [1, 2]]


def test_a_compiled_script_says_what_it_defines() -> None:
    ast = Engine().compile("/// Doubles.\nfn double(x) { x * 2 }\nprivate fn hidden() { || 1 }\nfn int.half() { this / 2 }")
    assert [(info.name, info.params, info.private, info.this_type) for info in ast.functions] == [
        ("double", ("x",), False, None),
        ("hidden", (), True, None),
        ("half", (), False, "i64"),
    ]
    assert ast.functions[0].doc == ("/// Doubles.",)


def test_a_compiled_script_is_not_pickled() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(Engine().compile("1"))


def test_an_expression_is_no_statement() -> None:
    engine = Engine()
    assert engine.eval_expression("1 + 2 * 3") == 7
    with pytest.raises(ParseError):
        engine.eval_expression("let x = 1")


# --- scopes ---------------------------------------------------------------------------------------------------------------


def test_a_scope_is_read_and_changed_by_a_script() -> None:
    scope = Scope()
    scope.push("x", 1)
    scope.push_constant("LIMIT", 10)
    assert Engine().eval("x += LIMIT; let y = x + 1; y", scope) == 12
    assert list(scope) == [("x", False, 11), ("LIMIT", True, 10), ("y", False, 12)]
    assert scope.get("x") == 11


def test_a_constant_of_a_scope_stays() -> None:
    scope = Scope()
    scope.push_constant("LIMIT", 10)
    with pytest.raises(EvalError, match="Cannot modify constant LIMIT"):
        Engine().eval("LIMIT = 11", scope)
    with pytest.raises(ValueError, match="LIMIT is a constant"):
        scope.set("LIMIT", 11)


def test_a_captured_variable_of_a_scope_reads_as_its_value() -> None:
    scope = Scope()
    Engine().eval("let x = 1; let f = || { x += 1; }; f.call();", scope)
    assert scope.get("x") == 2
    assert scope.is_constant("x") is False


# --- calling functions ----------------------------------------------------------------------------------------------------


def test_a_function_is_called_with_arguments() -> None:
    engine = Engine()
    ast = engine.compile("fn add(a, b) { a + b }")
    assert engine.call_fn(ast, "add", 1, 2) == 3


def test_a_function_is_called_on_an_object() -> None:
    engine = Engine()
    ast = engine.compile("fn grow(by) { this.size += by; this.size }")
    ctx: Value = {"size": 1}
    assert engine.call_fn(ast, "grow", 2, this=ctx) == 3
    assert ctx == {"size": 3}


def test_any_value_can_be_this_and_none_is_one() -> None:
    engine = Engine()
    ast = engine.compile("fn own() { type_of(this) }")
    assert engine.call_fn(ast, "own", this=None) == "()"
    with pytest.raises(EvalError, match="'this' not bound"):
        engine.call_fn(ast, "own", this=UNBOUND)


def test_the_script_runs_before_its_function_unless_it_is_told_not_to() -> None:
    engine = Engine()
    ast = engine.compile("const RATE = 3; print(RATE); fn rate() { global::RATE }")
    printed: list[str] = []
    engine.on_print(printed.append)
    assert engine.call_fn(ast, "rate") == 3
    assert printed == ["3"]
    with pytest.raises(EvalError, match="global::RATE"):
        engine.call_fn(ast, "rate", eval_ast=False)


def test_a_function_that_is_not_there_is_named() -> None:
    engine = Engine()
    with pytest.raises(FunctionNotFound, match="Function not found: missing"):
        engine.call_fn(engine.compile("fn there() {}"), "missing")


def test_an_error_of_the_function_called_is_not_wrapped_in_it() -> None:
    engine = Engine()
    ast = engine.compile("fn outer() { inner() } fn inner() { throw 1 }")
    with pytest.raises(InFunctionCall) as caught:
        engine.call_fn(ast, "outer")
    assert caught.value.name == "inner"
    with pytest.raises(Thrown) as thrown:
        engine.call_fn(ast, "inner")
    assert thrown.value.value == 1


# --- settings -------------------------------------------------------------------------------------------------------------


def test_print_and_debug_go_to_the_host() -> None:
    engine = Engine()
    told: list[object] = []
    engine.on_print(told.append)
    engine.on_debug(lambda text, source, at: told.append((text, source, at >> 16, at & 0xFFFF)))
    engine.eval('print("a");\n debug("b")')
    assert told == ["a", ('"b"', "", 2, 2)]


def test_progress_sees_every_operation_and_can_end_the_run() -> None:
    engine = Engine()
    engine.on_progress(lambda count: "enough" if count == 7 else None)
    with pytest.raises(Terminated) as caught:
        engine.eval("loop { let x = 1; }")
    assert caught.value.token == "enough"


def test_a_meter_is_read_after_the_run() -> None:
    engine = Engine(Limits(fuel=1000))
    meter = engine.meter()
    engine.eval("let x = 1; x", meter=meter)
    assert (meter.operations, meter.last_operation, meter.fuel) == (4, 4, 4)


def test_a_meter_goes_on_over_several_runs() -> None:
    engine = Engine()
    meter = Meter(Limits(max_operations=6))
    engine.eval("let x = 1; x", meter=meter)
    with pytest.raises(TooManyOperations):
        engine.eval("let x = 1; x", meter=meter)


def test_a_disabled_symbol_is_no_part_of_the_language() -> None:
    engine = Engine()
    engine.disable_symbol("eval")
    with pytest.raises(ParseError):
        engine.compile('eval("1")')
    assert Engine().eval('eval("1")') == 1


def test_options_and_optimisation_belong_to_the_engine() -> None:
    with pytest.raises(ParseError, match="Undefined variable: x"):
        Engine(options=Options(strict_variables=True)).compile("x")
    meter = Meter(Limits())
    Engine(optimize="none").eval("1 + 2", meter=meter)
    assert meter.operations == 4


# --- functions of the host ------------------------------------------------------------------------------------------------


def test_a_function_of_the_host_is_found_by_types() -> None:
    engine = Engine()

    def twice_number(number: int) -> int:
        return number * 2

    def twice_text(text: str) -> str:
        return text * 2

    engine.register_fn("twice", twice_number)
    engine.register_fn("twice", twice_text)
    assert engine.eval('[twice(2), twice("ab"), 4.twice()]') == [4, "abab", 8]
    with pytest.raises(FunctionNotFound, match=r"twice \(f64\)"):
        engine.eval("twice(1.5)")


def test_a_function_of_the_host_belongs_to_its_engine_alone() -> None:
    engine = Engine()

    def answer() -> int:
        return 42

    engine.register_fn("answer", answer)
    assert engine.eval("answer()") == 42
    with pytest.raises(FunctionNotFound):
        Engine().eval("answer()")


def test_a_function_of_the_host_changes_its_first_argument() -> None:
    engine = Engine()

    def double(number: Ref[int]) -> None:
        number.value *= 2

    engine.register_fn("double", double)
    assert engine.eval("let x = 2; x.double(); let m = #{n: 5}; m.n.double(); double(x); [x, m.n]") == [8, 10]
    with pytest.raises(EvalError, match="Non-pure method 'double' cannot be called on constant"):
        engine.eval("const X = 1; X.double();")


def test_properties_and_indexers_of_the_host() -> None:
    engine = Engine()

    def size(text: str) -> int:
        return len(text)

    def at(number: float, index: str) -> str:
        return f"{number}{index}"

    def put(text: Ref[str], size: int) -> None:
        text.value = text.value[:size]

    engine.register_get("size", size)
    engine.register_set("size", put)
    engine.register_indexer_get(at)
    assert engine.eval('let s = "four"; s.size = s.size - 1; [s, 1.5["x"]]') == ["fou", "1.5x"]


def test_what_a_function_of_the_host_raises_never_leaves_as_it_is() -> None:
    engine = Engine()

    def fail() -> None:
        raise ZeroDivisionError("no")

    engine.register_fn("fail", fail)
    with pytest.raises(HostFailure, match="function 'fail' failed: ZeroDivisionError: no") as caught:
        engine.eval("fail()")
    assert isinstance(caught.value.host_error, ZeroDivisionError)


# --- modules --------------------------------------------------------------------------------------------------------------

SHAPES = """
    import "numbers" as n;
    export const SIDES = 4;
    let hidden = 1;
    fn area(side) { side * side * n::ONE }
    private fn secret() { 1 }
    fn fails() { throw "no" }
"""


def test_modules_come_from_texts_by_name() -> None:
    engine = Engine(modules={"shapes": SHAPES, "numbers": "export const ONE = 1;"})
    assert engine.eval('import "shapes" as s; [s::SIDES, s::area(3)]') == [4, 9]
    with pytest.raises(EvalError, match="Variable not found: s::hidden"):
        engine.eval('import "shapes" as s; s::hidden')
    with pytest.raises(EvalError, match=r"Function not found: s::secret \(\)"):
        engine.eval('import "shapes" as s; s::secret()')
    with pytest.raises(EvalError, match="no @ 'shapes'"):
        engine.eval('import "shapes" as s; s::fails()')


def test_without_modules_nothing_can_be_imported() -> None:
    with pytest.raises(EvalError, match="Module not found: os"):
        Engine().eval('import "os" as o;')


def test_a_module_that_imports_itself_does_not_find_itself() -> None:
    with pytest.raises(InModule) as caught:
        Engine(modules={"me": 'import "me" as me;'}).eval('import "me" as me;')
    assert caught.value.innermost.kind == "ErrorModuleNotFound"


def test_a_function_can_resolve_modules() -> None:
    engine = Engine()
    one = engine.module("export const ONE = 1;", "one")
    engine = Engine(modules={"one": one}.get)
    assert engine.eval('import "one" as o; o::ONE') == 1


# --- errors ---------------------------------------------------------------------------------------------------------------


def test_an_error_shows_the_line_it_is_about() -> None:
    engine = Engine()
    ast = engine.compile("fn half(x) {\n    x / 0\n}", name="half.rhai")
    with pytest.raises(Arithmetic) as caught:
        engine.call_fn(ast, "half", 1)
    assert caught.value.script_name == "half.rhai"
    assert caught.value.excerpt() == "    x / 0\n      ^"
    assert str(caught.value.position) == "line 2, position 7"


def test_an_error_keeps_nothing_of_the_run_alive() -> None:
    engine = Engine()
    scope = Scope()
    with pytest.raises(RhaiError) as caught:
        engine.eval("fn f(n) { if n == 0 { throw 1 } f(n - 1) } f(9)", scope)
    frames = []
    traceback = caught.value.__traceback__
    while traceback is not None:
        frames.append(traceback.tb_frame.f_code.co_name)
        traceback = traceback.tb_next
    assert frames[1:] == ["eval", "guarded"]
    error: BaseException | None = caught.value
    while isinstance(error, RhaiError):
        assert error.__context__ is None
        error = error.inner


def test_a_meter_keeps_nothing_of_the_run_alive() -> None:
    engine = Engine()
    meter = engine.meter()
    engine.eval("1", meter=meter)
    assert meter.census is None


def test_an_interrupt_passes_and_leaves_the_engine_usable() -> None:
    engine = Engine()

    def interrupt() -> None:
        raise KeyboardInterrupt

    engine.register_fn("interrupt", interrupt)
    with pytest.raises(KeyboardInterrupt):
        engine.eval("interrupt()")
    assert engine.eval("1") == 1


def test_engines_and_scripts_are_used_by_several_threads() -> None:
    engine = Engine()
    ast = engine.compile("fn sum(n) { let t = 0; for i in 0..n { t += i; } t }")
    answers: list[Value] = []
    threads = [Thread(target=lambda: answers.extend([engine.call_fn(ast, "sum", 100) for _ in range(50)])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [4950] * 200
