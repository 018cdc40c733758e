"""No name of the host reaches anything: attributes of Python's types are no properties, no methods and no functions.

Many names are tried by one script, each in a function of its own: so all can be tried on each tier.
"""

from collections.abc import Iterator
from typing import Final

import pytest

import rhaipy.compiler.names
from rhaipy import AST, STANDARD, Engine, RhaiError, Scope
from rhaipy.compiler.script import Compiled
from rhaipy.tiers import Tier
from rhaipy.values import Byte, Char, FnPtr, Instant, Range, Shared, Stream
from tests.attacks.tiers import TIERS, engine_for

LITERALS: Final[dict[str, tuple[type, str]]] = {
    "a string": (str, '"abc"'),
    "an array": (list, "[1, 2]"),
    "a map": (dict, "#{}"),
    "an integer": (int, "1"),
    "a float": (float, "1.5"),
    "a blob": (bytearray, "blob(3)"),
    "a boolean": (bool, "true"),
    "a character": (Char, "'x'"),
    "a range": (Range, "(1..5)"),
    "a pointer": (FnPtr, 'Fn("f")'),
    "a closure": (FnPtr, "|x| x"),
    "a range with a step": (Stream, "range(0, 9, 2)"),
    "a point in time": (Instant, "timestamp()"),
    "nothing": (type(None), "()"),
    "a captured variable": (Shared, "1; let f = || x"),
}
"""How a script gets each sort of value."""
TYPES: Final = {kind for kind, _ in LITERALS.values()} | {
    Byte, Scope, Engine, Exception, RhaiError, type, type(len), type(iter(())),
}  # fmt: skip
ATTRIBUTES: Final = sorted({name for kind in TYPES for name in dir(kind)})
"""Every attribute name of every type of Python that values, errors and the engine are made of."""
KNOWN: Final = {item.name.removeprefix("get$").removeprefix("set$") for item in STANDARD} | {"call", "curry", "is_shared"}
FOREIGN: Final = [name for name in ATTRIBUTES if name not in KNOWN]
REFUSED: Final = {"ErrorDotExpr", "ErrorFunctionNotFound", "ErrorParsing", "ErrorIndexingType"}
BUILTINS: Final = sorted(dir(__builtins__) if not isinstance(__builtins__, dict) else __builtins__)
USED: Final = KNOWN | {"print", "range", "max", "min", "abs", "filter", "map", "type_of", "eval", "debug", "exit", "round"}
INNER: Final = [name for name in rhaipy.compiler.names.GLOBALS if name not in USED]
"""What compiled code knows by name."""
AT_ONCE: Final = 40
"""Functions in one script; what is too long is not compiled."""
READ: Final = "x.{}"
CALLED: Final = "x.{}()"
WRITTEN: Final = "x.{} = 1"


def kind_of(engine: Engine, source: str) -> str:
    """The kind of the innermost error of a script, or "value"."""
    try:
        engine.eval(source)
    except RhaiError as error:
        return error.innermost.kind
    return "value"


def is_read(source: str) -> bool:
    """Can it be parsed at all? Some names are words of the language."""
    try:
        Engine().compile(source)
    except RhaiError:
        return False
    return True


def given(tier: Tier, form: str, names: list[str], literal: str = "()") -> Iterator[tuple[str, str]]:
    """Each name, and what the code `form` gives with it for the value `x`: the kind of its error, or "value"."""
    engine = engine_for(tier, "plain")
    fit = [name for name in names if is_read(f"let x = 1; {form.replace('{}', name)}; {name}")]
    for start in range(0, len(fit), AT_ONCE):
        some = fit[start : start + AT_ONCE]
        bodies = [form.replace("{}", name) for name in some]
        script = engine.compile(" ".join([f"fn try_{n}() {{ let x = {literal}; {body} }}" for n, body in enumerate(bodies)]))
        for n, name in enumerate(some):
            yield name, _end(engine, script, f"try_{n}")
        if tier == "compiled":
            (made,) = script.library.forms.values()
            assert type(made) is Compiled
            assert {f"try_{n}" for n in range(len(some))} <= {item.definition.name for item in made.functions}


def _turn(sort: str) -> list[str]:
    """The attributes that a sort of value has, and one in three of all others, by turns: to compile them takes its time."""
    has, place = set(dir(LITERALS[sort][0])), list(LITERALS).index(sort)
    return [name for number, name in enumerate(FOREIGN) if name in has or number % 3 == place % 3]


def _end(engine: Engine, script: AST, function: str) -> str:
    try:
        engine.call_fn(script, function)
    except RhaiError as error:
        return error.innermost.kind
    return "value"


def test_the_names_are_worth_trying() -> None:
    wanted = {"__class__", "__dict__", "format", "encode", "__reduce__", "__traceback__", "call_fn", "curried", "value"}
    assert wanted <= set(FOREIGN)
    assert len(FOREIGN) > 200
    assert len(INNER) > 60


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("sort", LITERALS)
def test_no_attribute_of_a_type_is_a_property_or_a_method(sort: str, tier: Tier) -> None:
    kind, literal = LITERALS[sort]
    own = {"value"} if kind is dict else set()  # its keys
    names = FOREIGN if tier == "reference" else _turn(sort)
    for name, found in given(tier, READ, names, literal):
        assert found in REFUSED | own, f"{sort}: {name}: {found}"
    for name, found in given(tier, CALLED, names, literal):
        assert found in REFUSED, f"{sort}: {name}(): {found}"
    for name, found in given(tier, WRITTEN, names, literal):
        assert found in REFUSED | own, f"{sort}: {name} = 1: {found}"


@pytest.mark.parametrize("tier", TIERS)
def test_a_map_has_no_properties_but_its_own(tier: Tier) -> None:
    for name, found in given(tier, 'if x["{}"] != () || x.{} != () { throw 1; }', FOREIGN, "#{}"):
        assert found == "value", name


@pytest.mark.parametrize("tier", TIERS)
def test_no_builtin_function_of_the_host_is_a_function(tier: Tier) -> None:
    names = [name for name in BUILTINS if name not in USED]
    for form in ('{}("1")', 'Fn("{}").call("1")', '["1"].map("{}")', 'x.{}("1")'):
        for name, found in given(tier, form, [*names, *INNER]):
            assert found in REFUSED, f"{form} {name}: {found}"


@pytest.mark.parametrize("tier", TIERS)
def test_no_name_of_compiled_code_is_a_variable_of_a_script(tier: Tier) -> None:
    engine = engine_for(tier)
    for name in [*INNER, "machine", "meter", "left", "level", "at", "this_", "error", "result", "args", "make", "__builtins__"]:
        found = kind_of(engine, f"let r = []; r.push({name}); r")
        assert found in ("ErrorVariableNotFound", "ErrorParsing"), f"{name}: {found}"


def test_compiled_code_has_no_builtins_of_python() -> None:
    engine = engine_for("compiled", "plain")
    script = engine.compile("fn f(x) { let y = [x, 2.5]; y } for i in 0..9 { f(i); }")
    engine.eval(script)
    (made,) = script.library.forms.values()
    assert type(made) is Compiled
    known: dict[str, object] = made.make.__globals__
    assert known["__builtins__"] == {}
    assert not [name for name in known if name in BUILTINS and name not in rhaipy.compiler.names.GLOBALS]


@pytest.mark.parametrize("tier", TIERS)
def test_no_inner_name_of_the_engine_can_be_called(tier: Tier) -> None:
    engine = engine_for(tier, "plain")
    script = engine.compile("Fn(name).call([1])")
    for name in ("get$len", "set$tag", "index$get$", "index$set$", "iterator$", "anon$0", "", " ", "a.b", "a::b", "f()", "\0"):
        scope = Scope()
        scope.push("name", name)
        with pytest.raises(RhaiError) as caught:
            engine.eval(script, scope)
        assert caught.value.innermost.kind in REFUSED, name


@pytest.mark.parametrize("tier", TIERS)
def test_names_of_the_host_are_plain_names_for_scripts(tier: Tier) -> None:
    words = ["None", "self", "lambda", "def", "class", "del", "raise", "global", "nonlocal", "machine", "meter", "left", "level"]
    engine = engine_for(tier, "plain")
    for name in [*words, *INNER, "__builtins__", "__name__"]:
        source = f"let {name} = 41; fn {name}(x) {{ x + 1 }} {name}({name})"
        if name not in KNOWN and is_read(source):
            assert engine.eval(source) == 42, name
