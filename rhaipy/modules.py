"""Script functions by name, and modules: what `import` brings in.

A module is what an evaluated program exported: its variables under their public names, as constants, and its functions that are
not private. Its functions go on seeing the program that they were defined in: its other functions, its constants, its imports.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from rhaipy.scope import Scope
from rhaipy.syntax.program import Function
from rhaipy.values import Shared, Value


@dataclass(frozen=True, slots=True, eq=False)
class Environment:
    """What the functions of a module see beside their parameters."""

    library: "Library"
    imports: "Imports"
    constants: dict[str, Value] | None


@dataclass(frozen=True, slots=True, eq=False)
class ScriptFunction:
    """A function of a script, and where it comes from if that is a module."""

    definition: Function
    environment: Environment | None = None


class Library:
    """The functions of one script. `source` names the module, and is empty for a program."""

    __slots__ = ("functions", "methods", "named", "source")

    def __init__(self, functions: Iterable[ScriptFunction] = (), source: str = "") -> None:
        self.source = source
        self.functions: dict[tuple[str, int], ScriptFunction] = {}  # by name and number of parameters
        self.methods: dict[tuple[str, str, int], ScriptFunction] = {}  # those for one type of `this`, by its name first
        self.named: dict[str, list[ScriptFunction]] = {}  # all of one name, in order of definition
        for function in functions:
            self.add(function)

    def __len__(self) -> int:
        return len(self.functions) + len(self.methods)

    def add(self, function: ScriptFunction) -> None:
        """Add a function; one of the same signature gives way."""
        definition = function.definition
        count = len(definition.params)
        if definition.this_type is None:
            self.functions[definition.name, count] = function
        else:
            self.methods[definition.this_type, definition.name, count] = function
        self.named.setdefault(definition.name, []).append(function)

    def defined(self, name: str, count: int) -> ScriptFunction | None:
        """The function of this name and number of parameters, methods included."""
        for function in self.named.get(name, ()):
            if len(function.definition.params) == count:
                return function
        return None


@dataclass(slots=True, eq=False)
class Module:
    """What `import` brings in: `name` is the source that errors inside of it report."""

    name: str
    variables: dict[str, Value] = field(default_factory=dict)
    library: Library = field(default_factory=Library)
    modules: dict[str, "Module"] = field(default_factory=dict)

    def inner(self, path: tuple[str, ...]) -> "Module | None":
        """The module that `path` leads to from here."""
        module: Module | None = self
        for name in path:
            module = module.modules.get(name) if module is not None else None
        return module


Imports: TypeAlias = list[tuple[str, Module]]
"""The modules in view, the newest last, each under the name given by `as` (empty without)."""

Resolver: TypeAlias = Callable[[str], Module | None]
"""What finds a module by its path; None when there is none."""


def module_of(library: Library, scope: Scope, imports: Imports, constants: dict[str, Value] | None) -> Module:
    """The module that an evaluated program makes: `scope`, `imports` and `constants` are what it left behind."""
    environment = Environment(library, list(imports), constants)
    public = [
        ScriptFunction(function.definition, environment)
        for functions in library.named.values()
        for function in functions
        if not function.definition.private
    ]
    variables: dict[str, Value] = {}
    for index in sorted(scope.aliases, reverse=True):
        value = scope.values[index]
        for alias in scope.aliases[index]:
            variables.setdefault(alias, value.value if type(value) is Shared else value)
    return Module(library.source, variables, Library(public, library.source), dict(imports))
