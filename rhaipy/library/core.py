"""Functions of the language itself."""

import math
from time import sleep

from rhaipy.errors import Arithmetic, MismatchOutputType
from rhaipy.functions import Caller, Package, Ref, function
from rhaipy.signals import Exit
from rhaipy.source import NONE
from rhaipy.syntax import program
from rhaipy.syntax.json_text import parse_json
from rhaipy.typings import Final
from rhaipy.values import Value, type_name

CORE: Package = []


@function(CORE, "exit", volatile=True)
def exit_with(value: Value) -> Value:
    raise Exit(value)


@function(CORE, "exit", volatile=True)
def exit_script() -> Value:
    raise Exit(None)


@function(CORE, "take", mutates=True)
def take(value: Ref[Value]) -> Value:
    taken, value.value = value.value, None
    return taken


@function(CORE, "tag", getter=True, by_reference=True)
def tag(value: Value) -> int:
    """Always 0: values of rhaipy carry no tag."""
    return 0


_TAG_MIN: Final = -(2**31)
_TAG_MAX: Final = 2**31 - 1


@function(CORE, "set_tag", "set$tag", mutates=True)
def set_tag(_value: Ref[Value], tag: int) -> None:
    """Refuses what no tag can be, as the engine does, and all but 0, since there is nowhere to put it."""
    if not _TAG_MIN <= tag <= _TAG_MAX:
        size = "small" if tag < _TAG_MIN else "large"
        raise Arithmetic(NONE, f"{tag} is too {size} to fit into a tag (must be between {_TAG_MIN} and {_TAG_MAX})")
    if tag:
        raise Arithmetic(NONE, f"no value of rhaipy carries a tag, so none can be set to {tag}")


_LONGEST: Final = 100_000_000
"""Seconds. No system sleeps longer at once."""


@function(CORE, "sleep", volatile=True)
def sleep_seconds(seconds: int | float) -> None:
    """Block the thread, for a positive number of seconds only."""
    if seconds > 0 and math.isfinite(seconds):
        sleep(min(seconds, _LONGEST))


_PARSING: Final = 50
"""Fuel for parsing a text, and four for each of its characters."""


@function(CORE, "parse_json")
def map_from_json(caller: Caller, json: str) -> Value:
    """The map that a JSON text stands for, read as the engine reads it: as an expression of Rhai."""
    caller.meter.charge(_PARSING + len(json) * 4)
    value = caller.run(parse_json(json, caller.meter.limits, caller.options))
    if type(value) is not dict:
        raise MismatchOutputType(NONE, "map", type_name(value))
    return value


@function(CORE, "get_fn_metadata_list", volatile=True)
def all_functions(caller: Caller) -> list[Value]:
    """In the order of their definition; the engine's order is another one in each process."""
    return [_described(module, item) for module, item in caller.script_functions()]


@function(CORE, "get_fn_metadata_list", volatile=True)
def functions_named(caller: Caller, name: str) -> list[Value]:
    return [_described(module, item) for module, item in caller.script_functions() if item.name == name]


@function(CORE, "get_fn_metadata_list", volatile=True)
def functions_of(caller: Caller, name: str, params: int) -> list[Value]:
    found = caller.script_functions()
    return [_described(module, item) for module, item in found if item.name == name and len(item.params) == params]


def _described(module: str, item: program.Function) -> Value:
    facts: dict[str, Value] = {
        "access": "private" if item.private else "public",
        "is_anonymous": item.name.startswith("anon$"),
        "name": item.name,
        "params": [*item.params],
    }
    if module:
        facts["namespace"] = module
    if item.this_type is not None:
        facts["this_type"] = item.this_type
    return facts
