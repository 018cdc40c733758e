"""Functions of the language itself."""

import math
from time import sleep
from typing import Final

from rhaipy.errors import MismatchOutputType
from rhaipy.functions import Caller, Package, Ref, function
from rhaipy.signals import Exit
from rhaipy.source import NONE
from rhaipy.syntax import program
from rhaipy.syntax.json_text import parse_json
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
    """Always 0: values of rhaipy carry no tag, and none can be set."""
    return 0


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
    value = caller.run(parse_json(json, caller.meter.limits))
    if type(value) is not dict:
        raise MismatchOutputType(NONE, "map", type_name(value))
    return value


@function(CORE, "get_fn_metadata_list", volatile=True)
def all_functions(caller: Caller) -> list[Value]:
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
