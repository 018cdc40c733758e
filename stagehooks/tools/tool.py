"""What a tool is: a name, a description, typed parameters, a Python function, and how far it is trusted."""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Literal, get_origin, get_type_hints

from stagehooks.agent.blueprint import Policy
from stagehooks.models.protocol import ToolOffer
from stagehooks.scripts.json_text import show
from stagehooks.scripts.outcome import Json
from stagehooks.tools.levels import Level

ParameterType = Literal["string", "integer", "number", "boolean", "array", "object"]
Direction = Literal["inbound", "internal", "outbound"]
"""Which way data goes: into the agent, within the work directory, or out to somewhere else."""

ToolFunction = Callable[..., str | Awaitable[str]]

PYTHON_TYPES: Final[dict[ParameterType, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}
ANNOTATIONS: Final[dict[object, ParameterType]] = {
    str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object",
}  # fmt: skip


class ToolError(Exception):
    """What a tool's function raises when it had no effect; the text goes to the model as `[error] {text}`."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool."""

    name: str
    type: ParameterType = "string"
    description: str = ""
    required: bool = True

    def accepts(self, value: Json) -> bool:
        """Is `value` of this parameter's type? A bool is no number."""
        return type(value) in PYTHON_TYPES[self.type]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. `function` gets the arguments by name and returns the text for the model, at once or as an awaitable.

    `policy` is what holds unless the agent file asks for something tighter. `sensitivity` is how confidential its results are;
    where `direction` is outbound, `clearance` is what it may be given.
    """

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    function: ToolFunction
    policy: Policy = "ask"
    direction: Direction = "outbound"
    clearance: Level = Level.PUBLIC
    sensitivity: Level = Level.INTERNAL

    def offer(self) -> ToolOffer:
        """The tool as a model sees it."""
        properties: dict[str, Json] = {
            parameter.name: {"type": parameter.type, "description": parameter.description} for parameter in self.parameters
        }
        required: list[Json] = [parameter.name for parameter in self.parameters if parameter.required]
        return ToolOffer(self.name, self.description, {"type": "object", "properties": properties, "required": required})

    def violations(self, arguments: Json) -> list[str]:
        """What is wrong with `arguments`, each as `at /path: message`. None counts as no arguments at all."""
        if arguments is None:
            arguments = {}
        if not isinstance(arguments, dict):
            return [f'at /: {show(arguments)} is not of type "object"']
        found = [f'at /: "{wanted.name}" is a required property' for wanted in self.parameters
                 if wanted.required and wanted.name not in arguments]  # fmt: skip
        known = {parameter.name: parameter for parameter in self.parameters}
        for name, value in arguments.items():
            if name not in known:
                found.append(f'at /: "{name}" is not a parameter of this tool')
            elif not known[name].accepts(value):
                found.append(f'at /{name}: {show(value)} is not of type "{known[name].type}"')
        return found


def tool(function: ToolFunction, *, policy: Policy = "ask", direction: Direction = "outbound") -> Tool:
    """A tool made of a Python function: its name, the first line of its docstring, and its annotated parameters.

    TypeError when a parameter is not given by its name, or is none of str, int, float, bool, list and dict.
    """
    hints = get_type_hints(function)
    parameters = []
    for name, parameter in inspect.signature(function).parameters.items():
        annotation = hints.get(name, str)
        kind = ANNOTATIONS.get(get_origin(annotation) or annotation)
        if kind is None:
            raise TypeError(f"{function.__name__}: parameter '{name}' must be str, int, float, bool, list or dict")
        if parameter.kind not in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY):
            raise TypeError(f"{function.__name__}: parameter '{name}' must be one that is given by its name")
        parameters.append(Parameter(name, kind, required=parameter.default is inspect.Parameter.empty))
    description = (inspect.getdoc(function) or "").partition("\n")[0]
    return Tool(function.__name__, description, tuple(parameters), function, policy, direction)
