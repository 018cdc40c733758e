"""The host's own classes in scripts: opaque values with a name, and what was registered for them."""

import copy
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from rhaipy import ConversionError, Engine, EvalError, HostFailure, Ref, RhaiError, Scope, Value
from rhaipy.errors import FunctionNotFound


class Point:
    def __init__(self, x: int) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        raise AssertionError("nobody compares values of the host")

    def __hash__(self) -> int:
        raise AssertionError("nobody hashes values of the host")


class Other:
    """Another class."""


PATH = f"{Point.__module__}.Point"


def get_x(point: Point) -> int:
    return point.x


def set_x(point: Ref[Point], x: int) -> None:
    point.value.x = x


def grow(point: Ref[Point], by: int) -> None:
    point.value.x += by


def make_point(x: int) -> Point:
    return Point(x)


@pytest.fixture
def engine() -> Engine:
    engine = Engine()
    engine.register_type(Point, "Point", copy=lambda point: Point(point.x))
    engine.register_type(Other)
    engine.register_fn("point", make_point)
    engine.register_fn("other", Other)
    engine.register_get_set("x", get_x, set_x)
    engine.register_fn("grow", grow)
    return engine


# --- what the language itself says of them --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("type_of(point(1))", "Point"),
        ("const P = point(1); type_of(P)", "Point"),
        ("type_of(other())", "Other"),
        ("to_string(point(1))", "Point"),
        ("`${point(1)}`", "Point"),
        ('"" + point(1)', "Point"),
        ("to_debug(point(1))", "Point"),
        ("to_string([point(1)])", "[Point]"),
        ("point(1) == other()", False),
        ("point(1) != other()", True),
        ("point(1) == 1", False),
        ("point(1) < other()", False),
        ("point(1) in [1]", False),
        ("switch point(1) { 1 => 2, _ => 3 }", 3),
        ("[1, point(2)].len", 2),
        ("fn Point.double() { this.x * 2 } point(4).double()", 8),
        ('fn "Other".nine() { 9 } other().nine()', 9),
        ("let p = point(1); let q = p; q.x = 5; [p.x, q.x]", [1, 5]),
        ("let f = |p| p; f.call(point(3)).x", 3),
        ("let p = point(1); p?.x", 1),
        ("let p = point(1); p.tag", 0),
    ],
)
def test_values_of_the_host_are_opaque_and_have_the_registered_name(engine: Engine, script: str, value: Value) -> None:
    """Asked of the engine, with a Rust struct registered in the same way."""
    assert engine.eval(script) == value


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("throw point(1)", f"Runtime error: {PATH} (line 1, position 1)"),
        ("nope(point(1))", "Function not found: nope (Point) (line 1, position 1)"),
        ("point(1).nope()", "Function not found: nope (Point) (line 1, position 10)"),
        ("point(1).y", "Unknown property 'y' - a getter is not registered for type 'Point' (line 1, position 10)"),
        (
            'let p = point(1); p.x = "a"',
            "No writable property 'x' - a setter is not registered for type 'Point' to handle 'string' (line 1, position 21)",
        ),
        ("let p = point(1); p[0]", "Indexer unavailable: Point [i64] (line 1, position 20)"),
        ("let p = point(1); p[0] = 1", "Indexer unavailable: Point [i64] = i64 (line 1, position 20)"),
        ("point(1) == point(1)", "Function not found: == (Point, Point) (line 1, position 10)"),
        ("[point(1)] == [point(1)]", "Function not found: == (Point, Point) (line 1, position 12)"),
        ("point(1) in [point(1)]", "Function not found: == (Point, Point) (line 1, position 10)"),
        ("point(1) + 1", "Function not found: + (Point, i64) (line 1, position 10)"),
        ("-point(1)", "Function not found: - (Point) (line 1, position 1)"),
        (
            "[point(2), point(1)].sort()",
            f"Function not found: elements of {PATH} cannot be sorted (line 1, position 22)",
        ),
        ("while point(1) {}", f"Data type incorrect: {PATH} (expecting bool) (line 1, position 7)"),
        ("let a = [1]; a[point(1)]", f"Data type incorrect: {PATH} (expecting i64) (line 1, position 16)"),
        ("point(1).call()", "Data type incorrect: Point (expecting Fn) (line 1, position 10)"),
        ("for i in point(1) {}", "For loop expects iterable type (line 1, position 10)"),
        ("const P = point(1); P.x = 2", "Cannot modify property 'x' of constant (line 1, position 23)"),
        ("import point(1)", f"Data type incorrect: {PATH} (expecting string) (line 1, position 8)"),
    ],
)
def test_errors_about_values_of_the_host_read_as_in_the_engine(engine: Engine, script: str, message: str) -> None:
    """Asked of the engine: some errors show the registered name, some the path of the type."""
    with pytest.raises(EvalError) as caught:
        engine.eval(script)
    assert caught.value.message == message


def test_a_function_that_changes_a_constant_is_refused(engine: Engine) -> None:
    """Here rhaipy is stricter than the engine, which takes functions of the host for pure, setters excepted."""
    with pytest.raises(EvalError, match="Non-pure method 'grow' cannot be called on constant"):
        engine.eval("const P = point(1); P.grow(1)")


# --- copies ---------------------------------------------------------------------------------------------------------------


def test_without_a_way_to_copy_it_a_value_is_one_object_for_all() -> None:
    engine = Engine()
    engine.register_type(Point, "Point")
    engine.register_get_set("x", get_x, set_x)
    point = Point(1)
    assert engine.eval("let q = p; q.x = 5; [p.x, [q][0].x]", Scope(p=point)) == [5, 5]
    assert point.x == 5


@pytest.mark.parametrize(
    "script",
    [
        "let q = p; q.x = 9; p.x",
        "let a = [p]; a[0].x = 9; p.x",
        "let m = #{p: p}; m.p.x = 9; p.x",
        "fn f(q) { q.x = 9; } f(p); p.x",
        "let a = [[p]]; let b = a; b[0][0].x = 9; a[0][0].x",
        "const C = p; let d = C; d.x = 9; C.x",
        "let q = p; let f = || q.x = 9; f.call(); p.x",
        "let a = []; a.pad(2, p); a[0].x = 9; a[1].x",
    ],
)
def test_a_class_with_a_way_to_copy_has_values_of_their_own(engine: Engine, script: str) -> None:
    assert engine.eval(script, Scope(p=Point(1))) == 1


def test_methods_by_reference_change_the_value_where_it_is(engine: Engine) -> None:
    script = "let p = point(1); p.grow(2); let a = [p]; a[0].grow(3); let m = #{q: p}; m.q.grow(4); [p.x, a[0].x, m.q.x]"
    assert engine.eval(script) == [3, 6, 7]
    assert engine.eval("fn f() { this.grow(1); this.x } let p = point(1); p.f() + p.x") == 4


def test_a_copy_that_fails_is_an_error_of_the_script() -> None:
    engine = Engine()

    def refuse(point: Point) -> Point:
        raise PermissionError("one of a kind")

    engine.register_type(Point, "Point", copy=refuse)
    with pytest.raises(HostFailure, match="copy' failed: PermissionError: one of a kind"):
        engine.eval("let q = p;", Scope(p=Point(1)))

    def wrong(point: Any) -> Any:
        return Other()

    engine.register_type(Point, "Point", copy=wrong)
    with pytest.raises(HostFailure, match="a Point was copied to a Other"):
        engine.eval("let q = p;", Scope(p=Point(1)))


# --- what is registered for a class ---------------------------------------------------------------------------------------


class Shelf:
    def __init__(self) -> None:
        self.items: dict[str, int] = {"b": 2, "a": 1}
        self.label = ""


def shelf_engine() -> Engine:
    engine = Engine()
    shelves = engine.register_type(Shelf, "Shelf", copy=copy.deepcopy)
    engine.register_fn("shelf", Shelf)
    shelves.getter("size", lambda shelf: len(shelf.items))
    shelves.setter("label", lambda shelf, label: setattr(shelf, "label", label))
    shelves.iterator(lambda shelf: sorted(shelf.items))

    @shelves.getter
    def label(shelf: Shelf) -> str:
        return shelf.label

    @shelves.method
    def put(shelf: Ref[Shelf], name: str, count: int = 1) -> None:
        shelf.value.items[name] = count

    @shelves.method("==")
    def same(shelf: Shelf, other: Shelf) -> bool:
        return shelf.items == other.items

    @shelves.indexer_get
    def find(shelf: Shelf, name: str) -> int:
        return shelf.items[name]

    @shelves.indexer_set
    def place(shelf: Ref[Shelf], name: str, count: int) -> None:
        shelf.value.items[name] = count

    return engine


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("shelf().size", 2),
        ('let s = shelf(); s.label = "top"; s.label', "top"),
        ('let s = shelf(); s.put("c"); s.put("d", 4); [s.size, s.c, s["d"]]', [4, 1, 4]),
        ('let s = shelf(); s["a"] += 10; s.b = 7; [s["a"], s.b]', [11, 7]),
        ("let names = []; for (name, i) in shelf() { names.push(name + i); } names", ["a0", "b1"]),
        ("shelf() == shelf()", True),
        ("shelf() in [1, shelf()]", True),
        ("[shelf()] == [shelf()]", True),
        ("shelf() != 1", True),
        ('let s = shelf(); let t = s; t.put("z"); s == t', False),
    ],
)
def test_a_class_has_properties_methods_indexers_operators_and_an_iterator(script: str, value: Value) -> None:
    assert shelf_engine().eval(script) == value


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("shelf() != shelf()", r"Function not found: != \(Shelf, Shelf\)"),
        ('const S = shelf(); S.label = "x"', "Cannot modify property 'label' of constant"),
        ('const S = shelf(); S["a"] = 1', "Cannot assign to indexer of constant"),
        ('const S = shelf(); S.put("x")', "Non-pure method 'put' cannot be called on constant"),
        ('shelf()["nope"]', "indexer failed: KeyError: 'nope'"),
        ("shelf()[1]", r"Indexer unavailable: Shelf \[i64\]"),
    ],
)
def test_what_a_class_cannot_do_is_an_error(script: str, message: str) -> None:
    with pytest.raises(EvalError, match=message):
        shelf_engine().eval(script)


def test_a_method_is_about_the_class() -> None:
    engine = Engine()
    points = engine.register_type(Point, "Point")

    def about_text(text: str) -> None: ...

    with pytest.raises(TypeError, match="the first parameter of 'about_text' is not a Point"):
        points.method(about_text)
    with pytest.raises(TypeError, match="the first parameter of 'nothing' is not a Point"):
        points.method("nothing", lambda: 1)


def test_an_iterator_that_fails_or_gives_what_is_no_value_is_an_error_at_the_loop() -> None:
    engine = Engine()
    engine.register_type(Point, "Point")

    def fails(point: Point) -> Iterator[int]:
        yield 1
        raise OSError("gone")

    scope = Scope(p=Point(1), seen=[])
    engine.register_iterator(Point, fails)
    with pytest.raises(HostFailure, match=r"iterator failed: OSError: gone \(line 1, position 10\)"):
        engine.eval("for i in p { seen.push(i); }", scope)
    assert scope.get("seen") == [1]
    engine.register_iterator(Point, lambda point: [date(2024, 1, 1)])
    with pytest.raises(HostFailure, match="iterator failed: its result is of type date"):
        engine.eval("for i in p { }", scope)
    engine.register_iterator(Point, lambda point: point.x)
    with pytest.raises(HostFailure, match="iterator failed: TypeError"):
        engine.eval("for i in p { }", scope)


def test_an_endless_iterator_runs_into_the_limit_of_operations() -> None:
    engine = Engine()
    engine.set_max_operations(1000)
    engine.register_type(Point, "Point")

    def endless(point: Point) -> Iterator[int]:
        while True:
            yield 1

    engine.register_iterator(Point, endless)
    with pytest.raises(RhaiError, match="Too many operations"):
        engine.eval("for i in p { }", Scope(p=Point(1)))


# --- what is not registered -----------------------------------------------------------------------------------------------


def test_values_of_classes_that_an_engine_does_not_know_are_refused_wherever_they_come_in() -> None:
    engine = Engine()
    ast = engine.compile("fn f(x) { this } let y = 1;")
    foreign = Other()
    words = "is of type Other, which scripts have no value for"
    with pytest.raises(ConversionError, match=f"argument 1 {words}"):
        engine.call_fn(ast, "f", foreign)
    with pytest.raises(ConversionError, match=f"'this' {words}"):
        engine.call_fn(ast, "f", 1, this=foreign)
    with pytest.raises(ConversionError, match=f"the variable 'x' {words}"):
        engine.eval("x", Scope(x=foreign))
    with pytest.raises(ConversionError, match="the variable 'x' holds something that is of type Other"):
        engine.eval("1", Scope(x=[{"a": foreign}]))
    with pytest.raises(TypeError):
        engine.call_fn(ast, "f", (1, 2))


def test_a_class_is_known_when_a_function_takes_or_gives_it() -> None:
    engine = Engine()
    engine.register_fn("point", make_point)
    assert engine.eval("type_of(point(1))") == PATH
    assert isinstance(engine.eval("[p]", Scope(p=Point(1))), list)


def test_a_subclass_is_another_class(engine: Engine) -> None:
    class Special(Point):
        """Not registered."""

    with pytest.raises(ConversionError, match="Special"):
        engine.eval("p", Scope(p=Special(1)))
    engine.register_type(Special, "Special")
    with pytest.raises(FunctionNotFound, match=r"grow \(Special, i64\)"):
        engine.eval("p.grow(1)", Scope(p=Special(1)))


@pytest.mark.parametrize("kind", [int, str, list, tuple, object, type(None), Ref, type("Text", (str,), {})])
def test_the_languages_own_types_and_their_relatives_cannot_be_registered(kind: type) -> None:
    with pytest.raises(TypeError, match="is no type that scripts can have values of"):
        Engine().register_type(kind, "Mine")


def test_two_engines_may_call_a_class_by_two_names() -> None:
    one, other = Engine(), Engine()
    one.register_type(Point, "Point")
    other.register_type(Point, "Vector")
    names = [engine.eval("type_of(p)", Scope(p=Point(1))) for engine in (one, other, one)]
    assert names == ["Point", "Vector", "Point"]


def test_scope_values_are_judged_again_by_another_engine_and_after_a_change() -> None:
    engine = Engine()
    engine.register_type(Point)
    scope = Scope(p=Point(1))
    engine.run("p", scope)
    with pytest.raises(ConversionError):
        Engine().run("p", scope)
    scope.set("p", Other())
    with pytest.raises(ConversionError, match="Other"):
        engine.run("p", scope)
