"""What a host gives to its scripts: functions, classes, modules, and handlers for what happens in a run.

All of it is set up before scripts run. None of these methods may be called while a script of the engine runs.
"""

from collections.abc import Callable

from rhaipy.errors import RhaiError
from rhaipy.events import OnDefVar, OnVar
from rhaipy.functions import Function, FunctionTable
from rhaipy.host import admit
from rhaipy.host_classes import HostClass, know_class
from rhaipy.host_errors import HostTrouble
from rhaipy.host_types import HostTypes
from rhaipy.limits import Limits, Options, Progress
from rhaipy.modules import Module
from rhaipy.resolvers import Modules, as_resolver
from rhaipy.settings import Settings
from rhaipy.source import NONE, At
from rhaipy.typings import Any, TypeVar, overload
from rhaipy.values import kind_name

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C")

SEPARATOR = "::"


class Registration(Settings):
    """The part of an engine that hosts set up."""

    def __init__(self, limits: Limits | None, options: Options | None, functions: FunctionTable, modules: Modules | None) -> None:
        super().__init__(limits, options)
        self.types = HostTypes()
        self._functions = functions
        self._owns_functions = False
        self._registered: dict[tuple[Any, ...], Function] = {}
        self._static: dict[str, Module] = {}
        self._packages: tuple[Module, ...] = ()
        self._resolver = as_resolver(modules)
        self._print: Callable[[str], object] | None = None
        self._debug: Callable[[str, str, At], object] | None = None
        self._progress: Progress | None = None
        self._on_var: OnVar | None = None
        self._on_def_var: OnDefVar | None = None

    # --- functions ----------------------------------------------------------------------------------------------------

    def register_fn(self, name: str, call: F, volatile: bool = False) -> F:
        """Let scripts call `call` as `name`; returns `call`.

        The types come from its annotations (see `rhaipy.signatures`): exact types, unions for several overloads, `Value`,
        `object` or none for any type, the host's own classes. A first parameter `Ref[T]` may be changed; such a function is
        refused on constants. A parameter `Caller` before all others is how it calls back. Several functions may have one name;
        one of the same types takes the place of the earlier one. An exception becomes an error that scripts can catch
        (`HostFailure`). TypeError for what cannot be a function.
        """
        from rhaipy.signatures import overloads  # takes a while to load, and hooks never come here

        for function in overloads(name, call, self.types, volatile=volatile):
            self.add_function(function)
        return call

    def add_function(self, function: Function) -> None:
        """Let scripts call one function, described by hand."""
        self._registered[(function.name, *function.params)] = function
        self._own_table().add(function)

    @overload
    def fn(self, call: F) -> F: ...
    @overload
    def fn(self, call: str) -> Callable[[F], F]: ...
    def fn(self, call: F | str) -> F | Callable[[F], F]:
        """The decorator for `register_fn`: `@engine.fn`, or `@engine.fn("name")` for another name than the function's."""
        if isinstance(call, str):
            name = call
            return lambda decorated: self.register_fn(name, decorated)
        return self.register_fn(call.__name__, call)

    def register_get(self, name: str, call: F) -> F:
        """Let scripts read the property `name` of values of the type that `call` takes."""
        return self.register_fn(f"get${name}", call)

    def register_set(self, name: str, call: F) -> F:
        """Let scripts write the property `name`: `call` takes a `Ref` of the value, and what to put there."""
        return self.register_fn(f"set${name}", call)

    def register_get_set(self, name: str, get: Callable[..., Any], set: Callable[..., Any]) -> None:
        """Let scripts read and write the property `name`."""
        self.register_get(name, get)
        self.register_set(name, set)

    def register_indexer_get(self, call: F) -> F:
        """Let scripts read value[index]."""
        return self.register_fn("index$get$", call)

    def register_indexer_set(self, call: F) -> F:
        """Let scripts write value[index]: `call` takes a `Ref` of the value, the index, and what to put there."""
        return self.register_fn("index$set$", call)

    # --- classes ------------------------------------------------------------------------------------------------------

    def register_type(self, kind: type[C], name: str | None = None, copy: Callable[[C], C] | None = None) -> "HostClass[C]":
        """Let scripts hold values of the class `kind`, exactly, and call it `name` (the class's own name if there is none).

        Values are opaque: what scripts can do with them is what is registered for them, for example with the object that comes
        back. Without `copy`, a value is one object however many variables hold it, as with a shared reference in Rust; with it,
        variables hold values of their own, as all others in Rhai do, and `copy` makes them. TypeError for classes that are, or
        are related to, types of Rhai's own values.
        """
        know_class(self.types, kind)
        self.types.names[kind] = name or kind.__name__
        if copy is not None:
            self.types.copiers[kind] = copy
        return HostClass(kind, self)

    def register_iterator(self, kind: type[C], iterate: Callable[[C], Any]) -> None:
        """Let `for` run over values of the class `kind`: `iterate` gives the items of one."""
        know_class(self.types, kind)
        self.types.iterators[kind] = iterate

    # --- modules ------------------------------------------------------------------------------------------------------

    def register_static_module(self, name: str, module: Module) -> None:
        """Let scripts use `module` as `name::..`, without an import. `name` may be a path: "tools::text"."""
        self.adopt(module)
        root, _, inner = name.partition(SEPARATOR)
        root = root.strip()
        if not inner:
            self._static[root] = module
            return
        outer = self._static.get(root) or Module(root)
        self._static[root] = outer
        *path, last = [part.strip() for part in inner.split(SEPARATOR)]
        for part in path:
            outer = outer.modules.setdefault(part, Module(part))
        outer.modules[last] = module

    def register_global_module(self, module: Module) -> None:
        """Let scripts use what is in `module` without a name before it: a package.

        A later package comes before an earlier one; what `register_fn` registers, and what a script defines, comes before both.
        """
        self.adopt(module)
        self._packages = (module, *self._packages)
        for function in module.natives:
            if (function.name, *function.params) not in self._registered:
                self._own_table().add(function)

    def adopt(self, module: Module) -> None:
        """Get to know the classes of a module, and judge its variables; ConversionError if scripts may not hold one."""
        self.types.include(module.types)
        for name, value in module.variables.items():
            admit(value, self.types, f"{module.name}{SEPARATOR}{name}")
        for inner in module.modules.values():
            self.adopt(inner)

    def set_module_resolver(self, modules: Modules | None) -> None:
        """Where `import` looks: a resolver, modules by name, a function of the path; None for nowhere."""
        self._resolver = as_resolver(modules)

    # --- handlers -----------------------------------------------------------------------------------------------------
    # Each returns its argument, so that it can be a decorator. What a handler raises ends the run, unless it is a RhaiError.

    def on_print(self, callback: F) -> F:
        """What `print` does with its text; nothing by default."""
        self._print = _guarded("on_print", callback)
        return callback

    def on_debug(self, callback: F) -> F:
        """What `debug` does with its text, the source that called it, and the packed position; nothing by default."""
        self._debug = lambda text, source, at: _guarded("on_debug", lambda told: callback(told, source, at))(text)
        return callback

    def on_progress(self, callback: F) -> F:
        """Called at each operation with their number; anything but None ends the run with a Terminated error."""
        self._progress = _guarded("on_progress", callback)
        return callback

    def on_var(self, callback: F) -> F:
        """Called with the name of each variable that a script uses, and an `EvalContext`; returns its value.

        None where the script shall find its own variable; `UNIT` stands for `()`. What it gives is a constant.
        """
        self._on_var = callback
        return callback

    def on_def_var(self, callback: F) -> F:
        """Called with a `VarDefInfo` for each `let` and `const`, when it is compiled and each time it runs.

        Anything false forbids the variable: a ParseError, or an error at run time.
        """
        self._on_def_var = callback
        return callback

    def _host_signatures(self) -> frozenset[tuple[Any, ...]]:
        """The functions of the host by name and types of their parameters."""
        packaged = [(function.name, *function.params) for module in self._packages for function in module.natives]
        return frozenset([*self._registered, *packaged])

    def _own_table(self) -> FunctionTable:
        if not self._owns_functions:
            self._functions, self._owns_functions = self._functions.copy(), True
        return self._functions

    # --- listings -----------------------------------------------------------------------------------------------------

    def gen_fn_signatures(self) -> list[str]:
        """The functions that were registered, those in modules under their paths: `name(type, type)`, sorted."""
        found = [self._signature("", function) for function in self._registered.values()]
        for module in self._packages:
            found += [self._signature("", function) for function in module.natives]
        for name, module in self._static.items():
            found += self._signatures_in(name, module)
        return sorted(set(found))

    def _signatures_in(self, path: str, module: Module) -> list[str]:
        found = [self._signature(f"{path}{SEPARATOR}", function) for function in module.natives]
        for name, inner in module.modules.items():
            found += self._signatures_in(f"{path}{SEPARATOR}{name}", inner)
        return found

    def _signature(self, path: str, function: Function) -> str:
        params = ["?" if kind is None else kind_name(kind, self.types) for kind in function.params]
        return f"{path}{function.name}({', '.join(params)})"


T = TypeVar("T")


def _guarded(name: str, callback: Callable[[T], object]) -> Callable[[T], object]:
    """The handler `callback`; what it raises ends the run."""

    def handle(told: T) -> object:
        try:
            return callback(told)
        except (RhaiError, RecursionError, MemoryError):
            raise
        except Exception as error:
            raise HostTrouble(NONE, name, error) from None

    return handle
