"""Script functions by name, and modules: what `import` brings in.

A module is what an evaluated program exported: its variables under their public names, as constants, and its functions that are
not private. Its functions go on seeing the program that they were defined in: its other functions, its constants, its imports.
"""

from collections.abc import Callable, Iterable

from rhaipy.functions import Function as NativeFunction
from rhaipy.functions import FunctionTable
from rhaipy.host_classes import HostClass, know_class
from rhaipy.host_types import HostTypes
from rhaipy.records import individual
from rhaipy.scope import Scope
from rhaipy.syntax.program import Function
from rhaipy.typings import Any, TypeAlias, TypeVar, cast
from rhaipy.values import Shared, Value

C = TypeVar("C")


@individual
class Environment:
    """What the functions of a module see beside their parameters."""

    library: "Library"
    imports: "Imports"
    constants: dict[str, Value] | None


@individual
class ScriptFunction:
    """A function of a script, and where it comes from if that is a module."""

    definition: Function
    environment: Environment | None = None


class Library:
    """The functions of one script. `source` names the module, and is empty for a program."""

    __slots__ = ("forms", "functions", "latest", "methods", "named", "sharing", "source", "work")

    def __init__(self, functions: Iterable[ScriptFunction] = (), source: str = "") -> None:
        self.source = source
        self.forms: dict[Any, Any] = {}  # what the compiler made of the script, by profile
        self.latest: tuple[Any, Any] = (None, None)  # the setting of the last run that asked, and its form
        self.sharing: tuple[Any, Any] = (None, None)  # the functions of the last run that asked, and how it shares with those
        self.work = 0  # operations that its runs took by the reference evaluator
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

    def find(self, name: str, count: int, this_type: str | None) -> ScriptFunction | None:
        """The function of this name and number of parameters, for one type of `this` or for any."""
        if this_type is None:
            return self.functions.get((name, count))
        return self.methods.get((this_type, name, count))

    def defined(self, name: str, count: int) -> ScriptFunction | None:
        """The function of this name and number of parameters, methods included."""
        for function in self.named.get(name, ()):
            if len(function.definition.params) == count:
                return function
        return None


@individual
class _Visible:
    """Adds functions to a module that are called without its name, as methods are."""

    module: "Module"

    @property
    def types(self) -> HostTypes:
        """What the module knows of the host's classes."""
        return self.module.types

    def add_function(self, function: NativeFunction) -> None:
        """Add one overload."""
        self.module.add_function(function, True)


class Module:
    """What `import` brings in, made by a script or by the host. `name` is the source that errors inside of it report.

        tools = Module("tools").set_var("VERSION", 3).set_fn("double", lambda number: number * 2)

    `natives` are the functions of the host; those among them that are `visible` are called without the module's name too.
    """

    __slots__ = ("library", "modules", "name", "natives", "types", "variables", "visible")

    def __init__(
        self,
        name: str,
        variables: dict[str, Value] | None = None,
        library: Library | None = None,
        modules: "dict[str, Module] | None" = None,
    ) -> None:
        self.name = name
        self.variables = variables if variables is not None else {}
        self.library = library if library is not None else Library()
        self.modules = modules if modules is not None else {}
        self.natives = FunctionTable()
        self.visible: FunctionTable | None = None
        self.types = HostTypes()

    def set_var(self, name: str, value: object) -> "Module":
        """Give the module a constant. Whether scripts may hold the value is judged when an engine meets the module."""
        self.variables[name] = cast("Value", value)
        return self

    def set_fn(self, name: str, call: Callable[..., Any], visible: bool = False) -> "Module":
        """Give the module a function, with overloads from the annotations of `call` as for `Engine.register_fn`.

        `visible`: it can be called without the module's name, as methods and operators have to be. TypeError for what cannot be
        a function.
        """
        from rhaipy.signatures import overloads  # takes a while to load, and few modules come here

        for function in overloads(name, call, self.types):
            self.add_function(function, visible)
        return self

    def add_function(self, function: NativeFunction, visible: bool = False) -> None:
        """Add one overload."""
        self.natives.add(function)
        if visible:
            self.visible = self.visible or FunctionTable()
            self.visible.add(function)

    def register_type(self, kind: type[C], name: str | None = None, copy: Callable[[C], C] | None = None) -> HostClass[C]:
        """Let the scripts of engines that have this module hold values of the class `kind`, as `Engine.register_type` does."""
        know_class(self.types, kind)
        self.types.names[kind] = name or kind.__name__
        if copy is not None:
            self.types.copiers[kind] = copy
        return HostClass(kind, _Visible(self))

    def set_sub_module(self, name: str, module: "Module") -> "Module":
        """Put another module inside of this one: scripts see it as `this::name`."""
        self.modules[name] = module
        return self

    @property
    def shows_functions(self) -> bool:
        """Is any of its functions called without its name?"""
        return self.visible is not None or True in [module.shows_functions for module in self.modules.values()]

    def find_visible(self, name: str, kinds: tuple[type, ...]) -> NativeFunction | None:
        """The visible function of this name for arguments of these types, here or in a module inside."""
        found = self.visible.find(name, kinds) if self.visible is not None else None
        for module in self._last_first() if found is None else ():
            found = module.find_visible(name, kinds)
            if found is not None:
                break
        return found

    def find_method(self, name: str, count: int, this_type: str) -> ScriptFunction | None:
        """The function for `this` of this type, here or in a module inside: methods are visible everywhere."""
        found = self.library.methods.get((this_type, name, count))
        for module in self._last_first() if found is None else ():
            found = module.find_method(name, count, this_type)
            if found is not None:
                break
        return found

    def _last_first(self) -> list["Module"]:
        """The modules inside: of those that show the same function, the last by its name comes first."""
        return [self.modules[name] for name in sorted(self.modules, reverse=True)] if self.modules else []

    def inner(self, path: tuple[str, ...]) -> "Module | None":
        """The module that `path` leads to from here."""
        module: Module | None = self
        for name in path:
            module = module.modules.get(name) if module is not None else None
        return module


Imports: TypeAlias = list[tuple[str, Module]]
"""The modules in view, the newest last, each under the name given by `as` (empty without)."""


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
