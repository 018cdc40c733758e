"""What a tool is: a name, a description, typed parameters, a Python function, and how far it is trusted."""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Literal, get_origin, get_type_hints

from stagehooks.agent.blueprint import Policy
from stagehooks.models.protocol import ToolOffer
from stagehooks.schema import violations
from stagehooks.scripts.json_text import show
from stagehooks.scripts.outcome import Json
from stagehooks.tools.levels import Level

ParameterType = Literal["string", "integer", "number", "boolean", "array", "object"]
Direction = Literal["inbound", "internal", "outbound"]
"""Which way data goes: into the agent, within the work directory, or out to somewhere else."""

Effect = Literal["run", "repeatable", "outside"]
"""What a call changes, and so when it may be made again after an interruption: nothing but what the run itself holds (always),
nothing that a second call would not leave the same (when it is not known whether it was made), anything else (never)."""

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
    """One argument of a tool. `schema` is a JSON Schema that it must match beside its type, None where there is none."""

    name: str
    type: ParameterType = "string"
    description: str = ""
    required: bool = True
    schema: Json = None

    def violations(self, value: Json) -> list[str]:
        """What is wrong with `value`. A bool is no number."""
        if type(value) not in PYTHON_TYPES[self.type]:
            return [f'at /{self.name}: {show(value)} is not of type "{self.type}"']
        return [] if self.schema is None else violations(self.schema, value, f"/{self.name}")

    def offer(self) -> Json:
        """The parameter as a model sees it."""
        own: dict[str, Json] = {"type": self.type, "description": self.description}
        return {**own, **self.schema} if isinstance(self.schema, dict) else {**own}


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. `function` gets the arguments by name and returns the text for the model, at once or as an awaitable.

    `policy` is what holds unless the agent file asks for something tighter. `sensitivity` is how confidential its results are;
    with `reads_context` they hold what the agent's regions do, and are as confidential as those. Where `direction` is outbound,
    `clearance` is what it may be given, and `target` names the parameter that says where it goes.
    """

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    function: ToolFunction
    policy: Policy = "ask"
    direction: Direction = "outbound"
    clearance: Level = Level.PUBLIC
    sensitivity: Level = Level.INTERNAL
    effect: Effect = "outside"
    reads_context: bool = False
    target: str = ""

    def offer(self) -> ToolOffer:
        """The tool as a model sees it."""
        properties: dict[str, Json] = {parameter.name: parameter.offer() for parameter in self.parameters}
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
            else:
                found += known[name].violations(value)
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
