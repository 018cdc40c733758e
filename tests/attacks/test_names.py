"""No name of the host reaches anything: attributes of Python's types are no properties, no methods and no functions."""

from typing import Final

import pytest

from rhaipy import STANDARD, Engine, RhaiError, Scope
from rhaipy.values import Char, FnPtr, Instant, Range, Shared, Stream
from stagehooks.scripts.hardened import hardened_engine

LITERALS: Final[dict[type, str]] = {
    str: '"abc"',
    list: "[1, 2]",
    dict: "#{}",
    int: "1",
    float: "1.5",
    bytearray: "blob(3)",
    bool: "true",
    Char: "'x'",
    Range: "(1..5)",
    FnPtr: 'Fn("f")',
    Stream: "range(0, 9, 2)",
    type(None): "()",
}
NAMES: Final = sorted({name for kind in [*LITERALS, Shared, Instant, Exception, type, type(len)] for name in dir(kind)})
KNOWN: Final = {item.name.removeprefix("get$").removeprefix("set$") for item in STANDARD} | {"call", "curry", "is_shared"}
FOREIGN: Final = [name for name in NAMES if name not in KNOWN]
REFUSED: Final = {"ErrorDotExpr", "ErrorFunctionNotFound", "ErrorParsing", "ErrorIndexingType"}
BUILTINS: Final = sorted(dir(__builtins__) if not isinstance(__builtins__, dict) else __builtins__)


def kind_of(engine: Engine, source: str) -> str:
    try:
        engine.eval(source)
    except RhaiError as error:
        return error.innermost.kind
    return "value"


def test_the_names_are_worth_trying() -> None:
    assert {"__class__", "__dict__", "format", "encode", "__reduce__", "__traceback__", "__call__"} <= set(FOREIGN)
    assert len(FOREIGN) > 150


@pytest.mark.parametrize("kind", LITERALS, ids=lambda kind: kind.__name__)
def test_no_attribute_of_a_type_is_a_property_or_a_method(kind: type) -> None:
    engine, literal = Engine(), LITERALS[kind]
    for name in FOREIGN:
        found = kind_of(engine, f"{literal}.{name}")
        assert found in REFUSED or (kind is dict and found == "value"), f"{literal}.{name}: {found}"
        assert kind_of(engine, f"{literal}.{name}()") in REFUSED, f"{literal}.{name}()"
        assert kind_of(engine, f'let x = {literal}; x.{name} = 1; type_of(x) == "map"') in REFUSED | {"value"}


def test_a_map_has_no_properties_but_its_own() -> None:
    for name in FOREIGN:
        assert Engine().eval(f'let m = #{{}}; m["{name}"]') is None, name
        assert kind_of(Engine(), f"let m = #{{}}; if m.{name} != () {{ throw 1 }}") in ("value", "ErrorParsing"), name


def test_no_builtin_function_of_the_host_is_a_function() -> None:
    engine = hardened_engine()
    known = KNOWN | {"print", "range", "max", "min", "abs", "filter", "map", "type_of", "eval", "debug", "exit", "round"}
    for name in BUILTINS:
        if name not in known:
            assert kind_of(engine, f'{name}("1")') in REFUSED | {"ErrorVariableNotFound"}, name
            assert kind_of(engine, f'Fn("{name}").call("1")') in REFUSED, name


def test_no_inner_name_of_the_engine_can_be_called() -> None:
    for name in ("get$len", "set$tag", "index$get$", "index$set$", "anon$0", "", " ", "a.b", "a::b", "f()", "\0"):
        scope = Scope()
        scope.push("name", name)
        with pytest.raises(RhaiError) as caught:
            Engine().eval("Fn(name).call([1])", scope)
        assert caught.value.innermost.kind in REFUSED, name


def test_keywords_of_the_host_are_plain_names() -> None:
    free = [name for name in ("None", "self", "lambda", "def", "class", "del", "pass", "raise", "global") if name not in KNOWN]
    for name in free:
        found = kind_of(Engine(), f"let {name} = 41; fn {name}(x) {{ x + 1 }} {name}({name})")
        assert found in ("value", "ErrorParsing"), name
