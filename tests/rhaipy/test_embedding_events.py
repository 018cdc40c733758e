"""Handlers of the host: what scripts print, how far they are, and the variables that they use and define."""

from datetime import date

import pytest

from rhaipy import (
    UNIT,
    Engine,
    EvalContext,
    EvalError,
    FnPtr,
    LimitError,
    ParseError,
    RhaiError,
    Scope,
    Thrown,
    Value,
    VarDefInfo,
)
from rhaipy.host_errors import HostTrouble

# --- output and progress --------------------------------------------------------------------------------------------------


def test_handlers_can_be_decorators() -> None:
    engine = Engine()
    seen: list[str] = []

    @engine.on_print
    def show(text: str) -> None:
        seen.append(text)

    @engine.on_debug
    def explain(text: str, source: str, at: int) -> None:
        seen.append(f"{text} {source!r} {at >> 16}:{at & 0xFFFF}")

    engine.run('print(1);\n debug("x");')
    assert seen == ["1", "\"x\" '' 2:2"]


@pytest.mark.parametrize("script", ["print(1)", "debug(1)", "try { print(1); } catch { }"])
def test_a_handler_that_fails_ends_the_run(script: str) -> None:
    engine = Engine()

    def fails(*told: object) -> None:
        raise BrokenPipeError("nobody reads")

    engine.on_print(fails)
    engine.on_debug(fails)
    with pytest.raises(HostTrouble, match="failed: BrokenPipeError: nobody reads") as caught:
        engine.eval(script)
    assert (caught.value.kind, type(caught.value.host_error)) == ("ErrorSystem", BrokenPipeError)


def test_progress_is_told_of_each_operation_and_can_end_the_run() -> None:
    engine = Engine()
    counted: list[int] = []

    @engine.on_progress
    def progress(operations: int) -> object:
        counted.append(operations)
        return "enough" if operations >= 20 else None

    engine.run("1 + 1")
    assert counted == [1, 2]
    with pytest.raises(LimitError, match="Script terminated"):
        engine.run("try { loop { } } catch { }")


def test_progress_that_fails_ends_the_run_and_no_script_catches_it() -> None:
    engine = Engine()

    @engine.on_progress
    def progress(operations: int) -> object:
        raise TimeoutError("late")

    with pytest.raises(HostTrouble, match="on_progress failed: TimeoutError: late"):
        engine.run("try { 1 } catch { }; 2")


# --- on_var ---------------------------------------------------------------------------------------------------------------


def resolving() -> tuple[Engine, list[str]]:
    engine = Engine()
    asked: list[str] = []

    @engine.on_var
    def resolve(name: str, context: EvalContext) -> object:
        asked.append(f"{name} {[known for known, _, _ in context.scope]}")
        if name == "fails":
            raise Thrown(0, "kaboom", str)
        known = {"magic": 42, "list": [1], "nothing": UNIT, "pointer": FnPtr("f")}
        return known.get(name)

    return engine, asked


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("magic", 42),
        ("let magic = 1; magic", 42),
        ("list[0]", 1),
        ("len(list)", 1),
        ("nothing", None),
        ("let y = 1; y + magic", 43),
        ("let f = || magic; f.call()", 42),
        ("let k = 1; let f = || k; f.call()", 1),
        ("fn f() { magic } f()", 42),
        ("`${magic}`", "42"),
        ("let a = magic; a += 1; a", 43),
        ('is_def_var("magic")', False),
        ("type_of(magic)", "i64"),
        ("is_shared(magic)", False),
    ],
)
def test_the_host_answers_for_variables(script: str, value: Value) -> None:
    """Asked of the engine: the host comes before the script's own variables."""
    assert resolving()[0].eval(script) == value


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("magic = 2", "Cannot modify constant magic (line 1, position 1)"),
        ("magic += 2", "Cannot modify constant magic (line 1, position 1)"),
        ("list.push(2)", "Non-pure method 'push' cannot be called on constant (line 1, position 6)"),
        ("push(list, 2)", "Non-pure method 'push' cannot be called on constant (line 1, position 1)"),
        ("list[0] = 2", "Cannot modify constant list (line 1, position 1)"),
        ("other", "Variable not found: other (line 1, position 1)"),
        ("fails", "Runtime error: kaboom (line 1, position 1)"),
        ("let fails = 1; fails", "Runtime error: kaboom (line 1, position 16)"),
        ("global::magic", "Variable not found: global::magic (line 1, position 1)"),
        ("pointer.call()", "Function not found: f () (line 1, position 9)"),
    ],
)
def test_what_the_host_answers_is_a_constant(script: str, message: str) -> None:
    """Asked of the engine."""
    with pytest.raises(EvalError) as caught:
        resolving()[0].eval(script)
    assert caught.value.message == message


def test_the_host_is_asked_as_often_as_in_the_engine() -> None:
    """Asked of the engine: a captured variable is asked for when it is shared, and when it is handed to the closure."""
    engine, asked = resolving()
    engine.eval("let y = 1; y = magic; let f = || y; f.call()")
    assert asked == ["magic ['y']", "y ['y']", "y ['y']", "y ['y']", "f ['y', 'f']", "y ['y']"]


def test_strict_variables_do_not_ask_the_host() -> None:
    """Asked of the engine: variables are undefined while compiling, whoever would answer for them at run time."""
    engine, _ = resolving()
    engine.set_strict_variables(True)
    with pytest.raises(ParseError, match="Undefined variable: magic"):
        engine.eval("magic")


def test_the_context_tells_where_the_script_is_and_lets_the_scope_be_changed() -> None:
    engine = Engine(modules={"m": "fn f() { inner }"})
    seen: dict[str, tuple[int, int, str]] = {}

    @engine.on_var
    def resolve(name: str, context: EvalContext) -> object:
        seen[name] = context.call_level, context.scope_level, context.source
        if name == "late":
            context.scope.push("late", 5)
        return 1 if name != "late" else None

    assert engine.eval('import "m" as m; fn g() { deep } outer + g() + m::f() + late') == 8
    assert seen == {"outer": (0, 0, ""), "deep": (1, 1, ""), "inner": (1, 1, "m"), "late": (0, 0, "")}


def test_a_variable_handler_that_fails_is_an_error_of_the_script() -> None:
    engine = Engine()

    def fails(name: str, context: EvalContext) -> object:
        raise LookupError(name)

    engine.on_var(fails)
    with pytest.raises(RhaiError, match=r"on_var failed: LookupError: x \(line 1, position 1\)") as caught:
        engine.eval("x")
    assert isinstance(caught.value.host_error, LookupError)
    engine.on_var(lambda name, context: date(2024, 1, 1))
    with pytest.raises(RhaiError, match="on_var failed: its result is of type date"):
        engine.eval("x")


def test_what_the_host_answers_stays_its_own() -> None:
    engine = Engine()
    kept: list[Value] = [1]
    engine.on_var(lambda name, context: kept if name == "kept" else None)
    assert engine.eval("let a = kept; a.push(2); [a, kept]") == [[1, 2], [1]]


# --- on_def_var -----------------------------------------------------------------------------------------------------------


def filtering() -> tuple[Engine, list[tuple[str, bool, int, bool, bool]]]:
    engine = Engine()
    seen: list[tuple[str, bool, int, bool, bool]] = []

    @engine.on_def_var
    def allow(info: VarDefInfo) -> bool:
        seen.append((info.name, info.is_constant, info.nesting_level, info.will_shadow, info.at_run_time))
        assert (info.context is not None) == info.at_run_time
        if info.name == "fails":
            raise Thrown(0, "kaboom", str)
        if info.name == "breaks":
            raise LookupError("no")
        if info.name == "late_fails" and info.at_run_time:
            raise Thrown(0, "kaboom", str)
        return info.name != "bad" and not (info.name == "late" and info.at_run_time)

    return engine, seen


def test_definitions_are_told_when_compiled_and_when_run() -> None:
    """Asked of the engine: the parser counts its own levels, a run counts blocks; what is optimised away is not run."""
    engine, seen = filtering()
    engine.eval(
        "let a = 1; { let a = 2; { const b = 3; } } fn f(x) { let y = 1; { let z = 2; } } f(1); let v = { let w = 1; w };"
    )
    assert seen == [
        ("a", False, 1, False, False), ("a", False, 3, True, False), ("b", True, 5, False, False),
        ("y", False, 3, False, False), ("z", False, 5, False, False), ("v", False, 1, False, False),
        ("w", False, 6, False, False),
        ("a", False, 0, False, True), ("y", False, 1, False, True), ("v", False, 0, False, True), ("w", False, 1, False, True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("let bad = 1;", "Forbidden variable name: bad (line 1, position 5)"),
        ("let x = 1;\n  { const bad = 1; }", "Forbidden variable name: bad (line 2, position 11)"),
        ("let fails = 1;", "Forbidden variable name: fails (line 1, position 5)"),
        ("fn f() { let bad = 1; }", "Forbidden variable name: bad (line 1, position 14)"),
        ("let (a) = 1", "Expecting name of a variable (line 1, position 5)"),
    ],
)
def test_a_forbidden_variable_is_a_parse_error(script: str, message: str) -> None:
    """Asked of the engine."""
    with pytest.raises(ParseError) as caught:
        filtering()[0].compile(script)
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("let late = 1;", "Forbidden variable name: late (line 1, position 1)"),
        ("let x = 0; let late = x;", "Forbidden variable name: late (line 1, position 12)"),
        ("let late_fails = 1;", "Runtime error: kaboom"),
        (
            "fn f() { let late = 1; } f()",
            "Forbidden variable name: late (line 1, position 10)\nin call to function 'f' (line 1, position 26)",
        ),
    ],
)
def test_a_variable_can_be_forbidden_when_it_is_defined(script: str, message: str) -> None:
    """Asked of the engine: the error is about the statement; what the handler itself raises has no position."""
    with pytest.raises(EvalError) as caught:
        filtering()[0].eval(script)
    assert caught.value.message == message


def test_a_filter_that_fails_is_trouble_of_the_host() -> None:
    with pytest.raises(HostTrouble, match="on_def_var failed: LookupError: no"):
        filtering()[0].compile("let breaks = 1;")


def test_texts_of_eval_are_filtered_too() -> None:
    with pytest.raises(EvalError, match="Forbidden variable name: bad"):
        filtering()[0].eval('eval("let bad = 1;")', Scope())
