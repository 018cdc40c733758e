"""The reference evaluator: it walks the tree of a script, node by node.

`machine` counts each node and hands it to its handler; the handlers are in the other files, one for each part of the language.
`Run`, `run` and `call` are all that the engine needs of it.
"""

from collections.abc import Callable

from rhaipy.interpreter import calls, catching, chains, expressions, imports, loops, operations, statements, variables
from rhaipy.interpreter.callbacks import NativeCaller, call_pointed
from rhaipy.interpreter.census import live_bytes
from rhaipy.interpreter.headroom import in_one_piece
from rhaipy.interpreter.machine import HANDLERS, Machine, World, handles
from rhaipy.interpreter.methods import curried_args
from rhaipy.interpreter.places import Place
from rhaipy.interpreter.scripts import call_script
from rhaipy.limits import Meter
from rhaipy.modules import Library, ScriptFunction
from rhaipy.scope import Scope
from rhaipy.sharing import Sharing
from rhaipy.signals import Exit, Return
from rhaipy.source import NONE
from rhaipy.syntax.nodes import Do, For, Let, Stmt, While
from rhaipy.typings import Final
from rhaipy.values import FnPtr, Shared, Value

__all__ = [
    "HANDLERS", "Machine", "NativeCaller", "Run", "World", "call", "call_pointer", "calls", "catching", "chains", "expressions",
    "handles", "imports", "loops", "operations", "run", "statements", "variables",
]  # fmt: skip


class Run:
    """`with Run(..) as machine`: a machine for one run of the script that `library` has the functions of."""

    __slots__ = ("_before", "_library", "_machine")

    def __init__(self, world: World, meter: Meter, scope: Scope, library: Library, sharing: Sharing | None = None) -> None:
        machine = self._machine = Machine(world, meter, scope)
        machine.libraries.append(library)
        machine.source = library.source
        machine.sharing, meter.shares = sharing, sharing is not None
        meter.types = world.types
        meter.census = lambda: live_bytes(machine.scopes, machine.constants, meter)
        meter.measure = machine.sizes.check_grown
        self._library = library
        self._before = meter.operations

    def __enter__(self) -> Machine:
        return self._machine

    def __exit__(self, *_: object) -> None:
        machine, meter = self._machine, self._machine.meter
        self._library.work += meter.operations - self._before
        machine.promote = None
        if machine.end_compiled is not None:
            machine.compiled = None
            machine.end_compiled()
        meter.measure, meter.shares = None, False
        meter.weights = {}
        meter.census = None  # or the meter would keep the machine


def run(machine: Machine, statements: tuple[Stmt, ...], main: Callable[[int, Scope], Value] | None = None) -> Value:
    """Run the statements of a program, compiled to `main` if that is given; its value."""
    try:
        if _calls_much(machine, statements):
            value = in_one_piece(lambda: _run(machine, statements, main))
        else:
            value = _run(machine, statements, main)
    except (Return, Exit) as leaving:
        value = leaving.value
    return _given(machine, value)


def _given(machine: Machine, value: Value) -> Value:
    """What the host gets for `value`: never a cell. That it was one is told on the meter."""
    machine.meter.gave_shared = type(value) is Shared
    return value.value if type(value) is Shared else value


def _run(machine: Machine, statements: tuple[Stmt, ...], main: Callable[[int, Scope], Value] | None) -> Value:
    return machine.run(statements) if main is None else main(machine.level, machine.scope)


def _calls_much(machine: Machine, statements: tuple[Stmt, ...]) -> bool:
    """May these statements take long? Most programs of a hook only define constants."""
    if any(type(statement) in _LOOPS for statement in statements):
        return True
    return len(machine.libraries[0]) > 0 and any(type(statement) is not Let for statement in statements)


_LOOPS: Final = frozenset({Do, For, While})


def call(machine: Machine, function: ScriptFunction, args: list[Value], this: Place | None, keeps: bool = False) -> Value:
    """Call a function of the program, as the host does, in the scope of the machine; `keeps`: its variables stay there."""
    try:
        if machine.compiled is None:
            value = in_one_piece(lambda: call_script(machine, function, args, this, NONE, machine.scope, keeps))
        else:
            value = call_script(machine, function, args, this, NONE, machine.scope, keeps)
    except Exit as leaving:
        value = leaving.value
    machine.meter.gave_shared = False
    return value.value if type(value) is Shared else value


def call_pointer(machine: Machine, pointer: FnPtr, args: list[Value], this: Place | None) -> Value:
    """Call what a pointer points to, as the host does."""
    machine.level += 1
    try:
        value = call_pointed(machine, pointer, curried_args(machine, pointer, NONE), args, this, NONE)
    except Exit as leaving:
        value = leaving.value
    return value.value if type(value) is Shared else value
