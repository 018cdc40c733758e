"""Modules made by the host: static ones, and packages whose functions and constants need no name before them."""

from datetime import date

import pytest

from rhaipy import Caller, ConversionError, Engine, EvalError, Module, ParseError, Ref, RhaiError, Scope, Thrown, Value, type_name


class Point:
    def __init__(self, x: int) -> None:
        self.x = x


def twice(number: int) -> int:
    return number * 2


def kind_of(value: Value) -> str:
    return type_name(value)


def fail(number: int) -> int:
    raise Thrown(0, "kaboom", str)


def hundred_more(number: int) -> int:
    return number + 100


def push_one(items: Ref[list[Value]]) -> None:
    items.value.append(1)


def calc() -> Module:
    inner = Module("inner").set_var("DEEP", 1).set_fn("three", lambda: 3)
    module = Module("calc").set_var("LIMIT", 7).set_var("LIST", [1]).set_sub_module("inner", inner)
    module.set_fn("twice", twice).set_fn("kind_of", kind_of).set_fn("fail", fail).set_fn("push_one", push_one)
    return module.set_fn("more", hundred_more, visible=True)


SCRIPT = "fn scripted(x) { x + own() } fn own() { 40 } fn bad() { 1 / 0 } export const E = 5; private fn hidden() { 1 }"


@pytest.fixture
def engine() -> Engine:
    engine = Engine()
    engine.register_static_module("calc", calc())
    engine.register_static_module("scr", engine.module(SCRIPT, "scr"))
    engine.register_static_module("outer::middle", Module("middle").set_var("X", 9))
    return engine


# --- static modules -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "value", "operations"),
    [
        ("calc::LIMIT", 7, 2),
        ("calc::twice(4)", 8, 2),
        ("calc::kind_of('c')", "char", 2),
        ("calc::inner::DEEP", 1, 2),
        ("calc::inner::three()", 3, 1),
        ("calc::twice(calc::LIMIT)", 14, 2),
        ("calc::more(1)", 101, 2),
        ("more(1)", 101, 3),
        ("1 + calc::twice(2)", 5, 4),
        ("calc::LIST[0]", 1, 4),
        ("let x = calc::LIST; x.push(2); x.len", 2, 12),
        ("[1,2].map(|x| calc::twice(x))", [2, 4], 9),
        ("let calc = 1; calc::LIMIT + calc", 8, 5),
        ('eval("calc::LIMIT")', 7, 5),
        ("scr::scripted(2)", 42, 9),
        ("scr::E", 5, 2),
        ("outer::middle::X", 9, 2),
    ],
)
def test_a_static_module_is_used_without_an_import(engine: Engine, script: str, value: Value, operations: int) -> None:
    """Asked of the engine: a qualified call of a native function costs nothing beside its arguments."""
    meter = engine.meter()
    assert engine.eval(script, meter=meter) == value
    assert meter.last_operation == operations


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("calc::LIMIT = 1", "Cannot modify constant LIMIT (line 1, position 7)"),
        ("calc::NOPE", "Variable not found: calc::NOPE (line 1, position 1)"),
        ('calc::twice("a")', "Function not found: calc::twice (&str | ImmutableString | String) (line 1, position 7)"),
        ("calc::fail(1)", "Runtime error: kaboom"),
        ("calc::nope()", "Function not found: calc::nope () (line 1, position 7)"),
        ("calc::inner::nope()", "Function not found: calc::inner::nope () (line 1, position 14)"),
        ("calc::inner::NOPE", "Variable not found: calc::inner::NOPE (line 1, position 1)"),
        ("calc::absent::f()", "Function not found: calc::absent::f () (line 1, position 15)"),
        ("calc::LIST.push(2)", "Non-pure method 'push' cannot be called on constant (line 1, position 12)"),
        ("calc::LIST[0] = 3", "Cannot modify constant LIST (line 1, position 1)"),
        ("twice(1)", "Function not found: twice (i64) (line 1, position 1)"),
        ("scripted(1)", "Function not found: scripted (i64) (line 1, position 1)"),
        ("scr::hidden()", "Function not found: scr::hidden () (line 1, position 6)"),
        ('import "calc" as c; c::LIMIT', "Module not found: calc (line 1, position 8)"),
        ("global::LIMIT", "Variable not found: global::LIMIT (line 1, position 1)"),
        (
            "scr::bad()",
            "Division by zero: 1 / 0 @ 'scr' (line 1, position 59)\nin call to function 'bad' (from 'scr') (line 1, position 6)",
        ),
    ],
)
def test_errors_about_static_modules_read_as_in_the_engine(engine: Engine, script: str, message: str) -> None:
    """Asked of the engine: what a native function of a module raises has no position."""
    with pytest.raises(EvalError) as caught:
        engine.eval(script)
    assert caught.value.message == message


def test_strict_variables_know_the_static_modules(engine: Engine) -> None:
    engine.set_strict_variables(True)
    assert engine.eval("fn f() { calc::LIMIT } f() + calc::twice(1)") == 9
    for script in ("nope::X", "nope::f()", "nope::X.len"):
        with pytest.raises(ParseError, match="Undefined module: nope"):
            engine.compile(script)


def test_a_function_of_a_module_changes_its_first_argument(engine: Engine) -> None:
    assert engine.eval("let a = []; calc::push_one(a); calc::push_one(a); a") == [1, 1]
    with pytest.raises(EvalError, match="Non-pure method 'push_one' cannot be called on constant"):
        engine.eval("calc::push_one(calc::LIST)")


def test_an_import_hides_a_static_module_of_its_name(engine: Engine) -> None:
    engine.set_module_resolver({"other": "export const LIMIT = 1;"})
    assert engine.eval('let a = calc::LIMIT; import "other" as calc; [a, calc::LIMIT]') == [7, 1]


def test_modules_are_put_inside_of_each_other_by_their_path() -> None:
    engine = Engine()
    engine.register_static_module("a", Module("a").set_var("X", 1))
    engine.register_static_module("a::b::c", Module("c").set_var("Y", 2))
    engine.register_static_module("a::b", Module("b").set_var("Z", 3))
    assert engine.eval("[a::X, a::b::Z]") == [1, 3]
    with pytest.raises(EvalError, match="a::b::c::Y"):
        engine.eval("a::b::c::Y")


def test_an_imported_module_shows_its_visible_functions() -> None:
    engine = Engine(modules={"calc": calc()})
    assert engine.eval('import "calc" as c; more(1) + c::twice(1)') == 103
    with pytest.raises(EvalError, match="Function not found: more"):
        engine.eval('{ import "calc" as c; } more(1)')


def test_a_variable_that_scripts_cannot_hold_is_refused_when_the_module_is_registered() -> None:
    module = Module("m").set_sub_module("inner", Module("inner").set_var("DAY", date(2024, 1, 1)))
    with pytest.raises(ConversionError, match="inner::DAY is of type date"):
        Engine().register_static_module("m", module)
    with pytest.raises(RhaiError, match="inner::DAY is of type date"):
        Engine(modules={"m": module}).eval('import "m" as m;')


def test_a_module_brings_its_classes_along() -> None:
    shapes = Module("shapes")
    points = shapes.register_type(Point, "Point", copy=lambda point: Point(point.x))
    points.getter("x", lambda point: point.x)
    points.setter("x", lambda point, x: setattr(point, "x", x))
    points.iterator(lambda point: range(point.x))
    shapes.set_fn("point", Point)
    script = "let p = shapes::point(3); let q = p; q.x = 2; let n = 0; for i in p { n += i; } [p.x, q.x, n, type_of(p)]"
    engine = Engine()
    engine.register_static_module("shapes", shapes)
    assert engine.eval(script) == [3, 2, 3, "Point"]
    package = Engine()
    package.register_global_module(shapes)
    assert package.eval(script.replace("shapes::", "")) == [3, 2, 3, "Point"]


# --- packages -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def packaged() -> Engine:
    engine = Engine()
    first = Module("").set_var("LIMIT", 7).set_var("LIST", [1]).set_fn("twice", twice)
    engine.register_global_module(first.set_fn("who", lambda: "first").set_fn("who_else", lambda: "first"))
    scripted = engine.module("fn scripted(x) { x + own() } fn own() { 40 } export const E = 5; fn chr(x) { 77 }", "")
    engine.register_fn("who_else", lambda: "engine")
    engine.register_fn("chr", lambda number: "native")
    engine.register_global_module(Module("").set_fn("who", lambda: "second").set_fn("who_else", lambda: "second"))
    engine.register_global_module(scripted)
    return engine


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("LIMIT", 7),
        ("let LIMIT = 3; LIMIT", 3),
        ("fn f() { LIMIT } f()", 7),
        ("twice(3)", 6),
        ("who()", "second"),
        ("who_else()", "engine"),
        ("scripted(1)", 41),
        ("chr(1)", 77),
        ("E", 5),
        ("LIST.push(1)", None),
        ("LIST.len()", 1),
        ("LIST[0] = 2", None),
        ('is_def_fn("scripted", 1)', True),
        ('is_def_var("LIMIT")', False),
        ('Fn("scripted").call(1)', 41),
        ("let f = || LIMIT; f.call()", 7),
        ('eval("LIMIT")', 7),
        ("fn twice(x) { 0 } twice(3)", 0),
    ],
)
def test_what_is_in_a_package_needs_no_name_before_it(packaged: Engine, script: str, value: Value) -> None:
    """Asked of the engine: the newest package counts, what the engine itself registered before it, the script before both;
    scripts read a copy of a variable, and writing to a part of it is no error and no use."""
    assert packaged.eval(script) == value


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("LIMIT = 1", "Cannot modify constant LIMIT (line 1, position 1)"),
        ("LIMIT += 1", "Cannot modify constant LIMIT (line 1, position 1)"),
        ("global::LIMIT", "Variable not found: global::LIMIT (line 1, position 1)"),
        ("let f = scripted; f.call(1)", "Variable not found: scripted (line 1, position 9)"),
        ("3.scripted()", "Function not found: scripted (i64) (line 1, position 3)"),
    ],
)
def test_errors_about_packages_read_as_in_the_engine(packaged: Engine, script: str, message: str) -> None:
    with pytest.raises(EvalError) as caught:
        packaged.eval(script)
    assert caught.value.message == message


def test_strict_variables_do_not_know_the_variables_of_a_package(packaged: Engine) -> None:
    """Asked of the engine."""
    packaged.set_strict_variables(True)
    with pytest.raises(ParseError, match="Undefined variable: LIMIT"):
        packaged.compile("LIMIT")


def test_the_optimiser_knows_the_constants_of_a_package(packaged: Engine) -> None:
    """Asked of the engine: `LIMIT == 7` is one constant, and costs two operations as that."""
    meter = packaged.meter()
    assert packaged.eval("LIMIT == 7", meter=meter) is True
    assert meter.operations == 2


def test_functions_of_modules_are_listed_under_their_paths() -> None:
    engine = Engine()
    inner = Module("inner").set_fn("three", lambda: 3)
    engine.register_static_module("m", Module("m").set_fn("twice", twice).set_sub_module("inner", inner))
    engine.register_global_module(Module("package").set_fn("more", hundred_more))
    assert engine.gen_fn_signatures() == ["m::inner::three()", "m::twice(i64)", "more(i64)"]


def test_a_function_of_a_module_is_told_who_calls() -> None:
    engine = Engine()

    def told(caller: Caller) -> str:
        return f"{caller.name} {caller.source}"

    engine.register_static_module("m", Module("m").set_fn("told", told))
    assert engine.eval("m::told()", Scope()) == "told "
