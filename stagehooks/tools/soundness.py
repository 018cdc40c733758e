"""Is a tool that a program brings along one that can be used? A word that no layer knows must not pass by all of them."""

import re
from typing import Final, get_args

from stagehooks.agent.blueprint import Policy
from stagehooks.models.conversation import can_be_offered
from stagehooks.schema import SchemaError, check_parameter_schema
from stagehooks.tools.levels import Level
from stagehooks.tools.tool import PYTHON_TYPES, Direction, Effect, Parameter, Tool

PARAMETER: Final = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
"""What every model's server takes for one."""
WORDS: Final = {"policy": get_args(Policy), "direction": get_args(Direction), "effect": get_args(Effect)}


def flaw(tool: object) -> str | None:
    """What is wrong with `tool`, in words; None where nothing is."""
    if not isinstance(tool, Tool):
        return f"{type(tool).__name__} is no Tool; see stagehooks.tool for a function"
    name = tool.name
    if not isinstance(name, str) or not can_be_offered(name):
        return f"a tool cannot be called {name!r}: a name has up to 64 letters, digits, '_' and '-'"
    return next((f"tool '{name}': {what}" for what in _flaws(tool) if what), None)


def _flaws(tool: Tool) -> list[str]:
    names = [parameter.name for parameter in tool.parameters]
    found = [
        f"its {key} is {getattr(tool, key)!r}, none of {', '.join(words)}"
        for key, words in WORDS.items()
        if getattr(tool, key) not in words
    ]
    found += [f"its {key} is no Level" for key in ("clearance", "sensitivity") if not isinstance(getattr(tool, key), Level)]
    found += [f"parameter '{name}' stands there twice" for name in names if names.count(name) > 1]
    if tool.target and tool.target not in names:
        found.append(f"its target is '{tool.target}', which is none of its parameters")
    if not callable(tool.function):
        found.append("its function cannot be called")
    return found + [_flaw_of(parameter) for parameter in tool.parameters]


def _flaw_of(parameter: Parameter) -> str:
    if not PARAMETER.fullmatch(parameter.name):
        return f"a parameter cannot be called {parameter.name!r}: a name has up to 64 letters, digits, '_', '.' and '-'"
    if parameter.type not in PYTHON_TYPES:
        return f"parameter '{parameter.name}' is of the type {parameter.type!r}, none of {', '.join(PYTHON_TYPES)}"
    try:
        if parameter.schema is not None:
            check_parameter_schema(parameter.schema)
    except SchemaError as error:
        return f"the schema of '{parameter.name}': {error}"
    return ""
