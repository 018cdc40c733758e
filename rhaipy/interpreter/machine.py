"""The machine: the state of one run, and the choke point that counts each node and hands it to its handler.

Handlers are functions of (machine, node), registered with `@handles(Node)` in the other files of this package. Nothing here
knows what any node means.
"""

from collections.abc import Callable, Mapping
from sys import maxsize
from types import MappingProxyType

from rhaipy.events import OnDefVar, OnVar
from rhaipy.functions import Caller, Function, FunctionTable
from rhaipy.host_types import NO_HOST_TYPES, HostTypes
from rhaipy.interpreter.places import Place, Temporary
from rhaipy.interpreter.sizes import SizeKeeper
from rhaipy.limits import Limits, Meter, Options
from rhaipy.modules import Imports, Library, Module, ScriptFunction
from rhaipy.records import record
from rhaipy.scope import Scope
from rhaipy.sharing import Sharing
from rhaipy.source import NONE, At
from rhaipy.syntax.nodes import Constant, Expr, Stmt
from rhaipy.syntax.program import Program
from rhaipy.typings import Any, Final, TypeAlias, TypeVar
from rhaipy.values import FnPtr, Shared, Value, copy, copy_outer

Handler: TypeAlias = Callable[["Machine", Any], Value]
HANDLERS: Final[dict[type, Handler]] = {}
"""What to do for each kind of node."""

_Handler = TypeVar("_Handler", bound=Callable[..., Value])


def handles(node: type) -> Callable[[_Handler], _Handler]:
    """Register the decorated function for nodes of this type."""

    def register(handler: _Handler) -> _Handler:
        HANDLERS[node] = handler
        return handler

    return register


Entry: TypeAlias = Callable[[int, At, Place | None, list[Value]], Value]
"""A compiled function: level, position of the call, `this`, arguments. It leaves the meter exact."""


@record
class World:
    """What an engine gives to each of its runs: everything around a script that no script changes."""

    functions: FunctionTable
    compile: Callable[[str], Program]  # the text of `eval`
    caller: Callable[["Machine", str, At, bool, bool], Caller]  # what functions that call back are handed
    limits: Limits = Limits()
    options: Options = Options()
    resolve: Callable[["Machine", str], Module | None] | None = None
    print: Callable[[str], object] | None = None
    debug: Callable[[str, str, At], object] | None = None
    types: HostTypes = NO_HOST_TYPES
    modules: Mapping[str, Module] = MappingProxyType({})  # in view without an import
    packages: tuple[Module, ...] = ()  # whose functions and variables are global, the newest first
    on_var: OnVar | None = None
    on_def_var: OnDefVar | None = None


class Machine:
    """The state of one run. It is changed by handlers only, and each restores what it changed when it leaves."""

    __slots__ = (
        "always_search", "compiled", "constants", "depth", "end_compiled", "fast_operators", "import_frame", "imports", "level",
        "libraries", "limits_data", "loading", "locks", "meter", "modules", "on_var", "promote", "promotes_at", "reads",
        "scope", "scopes", "sharing", "sizes", "source", "this", "world",
    )  # fmt: skip

    def __init__(self, world: World, meter: Meter, scope: Scope) -> None:
        self.world = world
        self.meter = meter
        self.scope = scope
        self.scopes = [scope]  # all that are alive, for the census of memory
        self.this: Place | None = None
        self.libraries: list[Library] = []  # script functions: the program's first, those of modules while they run
        self.imports: Imports = []
        self.import_frame = 0  # where in them those of the function that is running begin
        self.constants: dict[str, Value] | None = None  # what `global::NAME` finds
        self.source = ""  # the module whose code is running
        self.level = 0  # of calls
        self.depth = 0  # of blocks
        self.modules = 0  # imported so far
        self.locks = 0  # shared cells held by reference
        self.always_search = False  # slots no longer tell where variables are
        self.sizes = SizeKeeper(meter)
        self.loading: tuple[str, ...] = ()  # the modules that are being loaded around this
        self.on_var = world.on_var
        self.sharing: Sharing | None = None  # where copies are made nevertheless, if the run shares
        self.limits_data = meter.limits.memory > 0 or self.sizes.limited
        self.fast_operators = world.options.fast_operators
        self.compiled: dict[ScriptFunction, Entry] | None = None  # the functions of the program that are compiled
        self.end_compiled: Callable[[], None] | None = None  # makes them forget this machine
        self.reads: dict[ScriptFunction, frozenset[int]] = {}  # the parameters that they only read from, by number
        self.promotes_at = maxsize  # operations after which they shall be, if they are not
        self.promote: Callable[[], None] | None = None

    def evaluate(self, node: Expr) -> Value:
        """The value of an expression. A captured variable gives its cell, which most users flatten."""
        meter = self.meter
        meter.operations = count = meter.operations + 1
        if count > meter.ceiling:
            meter.judge(node.at)
        return HANDLERS[type(node)](self, node)

    def value_of(self, node: Expr) -> Value:
        """The value of an expression, never a cell."""
        meter = self.meter
        meter.operations = count = meter.operations + 1
        if count > meter.ceiling:
            meter.judge(node.at)
        value = HANDLERS[type(node)](self, node)
        return self.flatten(value) if type(value) is Shared else value

    def block(self, statements: tuple[Stmt, ...]) -> Value:
        """Run the statements of a block. What it defines is gone afterwards."""
        if not statements:
            return None
        scope, meter, always_search = self.scope, self.meter, self.always_search
        size, imports = len(scope.names), len(self.imports)
        self.depth += 1
        value: Value = None
        try:
            for node in statements:  # as `run` does: a frame less for each block
                meter.operations = count = meter.operations + 1
                if count > meter.ceiling:
                    meter.judge(node.at)
                value = HANDLERS[type(node)](self, node)
            return value
        finally:
            self.depth -= 1
            self.always_search = always_search
            if len(scope.names) != size:
                scope.rewind(size)
            if len(self.imports) != imports:
                del self.imports[imports:]

    def run(self, statements: tuple[Stmt, ...]) -> Value:
        """Run statements in the scope as it is; the value of the last one."""
        meter = self.meter
        value: Value = None
        for node in statements:
            meter.operations = count = meter.operations + 1
            if count > meter.ceiling:
                meter.judge(node.at)
            value = HANDLERS[type(node)](self, node)
        return value

    def copy(self, value: Value, at: At = NONE) -> Value:
        """A value of its own, equal to `value`."""
        return copy(value, self.meter, at)

    def copy_of(self, node: Expr, value: Value) -> Value:
        """The value of a constant or a variable, which has a home there, for another one."""
        sharing = self.sharing
        if sharing is None:
            return copy(value, self.meter, node.at)
        return copy_outer(value, self.meter, node.at) if type(node) is Constant or node in sharing.reads else value

    def copy_changed(self, value: Value, at: At = NONE) -> Value:
        """A value for who may change it."""
        return copy(value, self.meter, at) if self.sharing is None else copy_outer(value, self.meter, at)

    def flatten(self, value: Value) -> Value:
        """`value`, or a copy of what is in it if it is a cell."""
        return copy(value.value, self.meter) if type(value) is Shared else value

    # --- script functions ---------------------------------------------------------------------------------------------

    def find_script(self, name: str, count: int, this_type: str | None = None) -> tuple[ScriptFunction, str] | None:
        """The script function of this name and number of parameters, for one type of `this` or for any; and its source."""
        for library in reversed(self.libraries):
            if this_type is None:
                found = library.functions.get((name, count))
            else:
                found = library.methods.get((this_type, name, count))
            if found is not None:
                return found, library.source
        for module in self.world.packages:
            found = module.library.find(name, count, this_type)
            if found is not None:
                return found, module.library.source
        return self._find_imported_method(name, count, this_type) if this_type is not None and self.imports else None

    def may_be_script(self, name: str) -> bool:
        """May there be a script function of this name? A quick look, before one for each type."""
        for library in self.libraries:
            if name in library.named:
                return True
        return bool(self.imports or self.world.packages)

    def _find_imported_method(self, name: str, count: int, this_type: str) -> tuple[ScriptFunction, str] | None:
        for _, module in reversed(self.imports):
            found = module.find_method(name, count, this_type)
            if found is not None:
                return found, module.name
        return None

    def find_visible(self, name: str, kinds: tuple[type, ...]) -> Function | None:
        """The native function that a module shows to all: of those imported, the newest first, then of those that need none."""
        for _, module in reversed(self.imports):
            found = module.find_visible(name, kinds)
            if found is not None:
                return found
        for module in self.world.modules.values():
            found = module.find_visible(name, kinds)
            if found is not None:
                return found
        return None

    def global_variable(self, name: str) -> Place | None:
        """A copy of the variable of a package, which is no place to put anything."""
        for module in self.world.packages:
            if name in module.variables:
                return Temporary(self.copy(module.variables[name]))
        return None

    def linked(self, pointer: FnPtr, count: int) -> ScriptFunction | None:
        """The function of the program that `pointer` was made from, if it takes `count` arguments."""
        if pointer.params != count or not self.libraries:
            return None
        return self.libraries[0].functions.get((pointer.name, count))
