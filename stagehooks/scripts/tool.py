"""A script tool: compiled once, run as a whole for each call, with the call's arguments as the map `params`.

It runs on the hardened engine with more operations than a hook, and with the functions that the host hands in. What those do, and
who may call them, is not known here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from rhaipy import AST, Package, RhaiError, Scope
from stagehooks.errors import ValidationError
from stagehooks.scripts.boundary import NotPlain, to_json, to_value
from stagehooks.scripts.calling import compiled
from stagehooks.scripts.directives import DirectiveError, Directives, Overrides, read_directives
from stagehooks.scripts.hardened import LIMITS, hardened_engine
from stagehooks.scripts.json_text import Json, dump
from stagehooks.scripts.tool_functions import TOOL_FUNCTIONS

TOOL_LIMITS: Final = replace(LIMITS, max_operations=500_000, fuel=5_000_000)
"""What one call of a script tool may use."""
PARAMS: Final = "params"


class ToolFailed(Exception):
    """A call of a script tool failed; the text says why, as the script's author would read it."""


@dataclass(frozen=True, slots=True, eq=False)
class ScriptTool:
    """A compiled script tool. `path` is what messages call it."""

    path: str
    directives: Directives
    ast: AST

    @property
    def name(self) -> str:
        """What the model calls it."""
        return self.directives.name


def compile_tool(path: str, source: str, overrides: Overrides | None = None) -> ScriptTool:
    """Compile the tool `source`, which messages call `path`. Raises CompilationError or ValidationError."""
    try:
        directives = read_directives(source, overrides)
    except DirectiveError as error:
        raise ValidationError(path, "", str(error)) from None
    return ScriptTool(path, directives, compiled(path, source))


def run_tool_script(
    tool: ScriptTool, arguments: Mapping[str, Json], host: Package, stopped: Callable[[], bool] = lambda: False
) -> str:
    """What `tool` gives for `arguments`, as text. `host` are functions that it has beside its own; ToolFailed where it fails.

    `stopped` is asked now and then whether anybody still wants to know.
    """
    engine = hardened_engine(TOOL_LIMITS, functions=[*TOOL_FUNCTIONS, *host])
    engine.on_progress(lambda operations: "stopped" if operations % 256 == 0 and stopped() else None)
    scope = Scope()
    try:
        scope.push(PARAMS, to_value({**arguments}, engine.limits))
    except NotPlain as error:
        raise ToolFailed(f"{tool.name}: params{error.path}: {error.what}") from None
    try:
        value = engine.eval(tool.ast, scope)
    except RhaiError as error:
        raise ToolFailed(f"{tool.name}: {error.message}") from None
    if type(value) is str:
        return value
    try:
        return "" if value is None else dump(to_json(value))
    except NotPlain as error:
        raise ToolFailed(f"cannot serialize result: {error.what}") from None
