"""Calls by name. Functions that are part of the language come first; all others get their arguments and are looked up."""

from collections.abc import Callable

from rhaipy.costs import charge_text
from rhaipy.errors import FunctionNotFound, MismatchDataType, ModuleNotFound, RhaiError
from rhaipy.functions import Function, pointer_to
from rhaipy.interpreter.evaluating import evaluate_text
from rhaipy.interpreter.machine import Machine, handles
from rhaipy.interpreter.methods import call_linked, curried, curried_args
from rhaipy.interpreter.natives import run_native, signature
from rhaipy.interpreter.operands import argument, argument_value, arguments, held_arguments, held_type_name
from rhaipy.interpreter.places import CellPlace, Place, Temporary
from rhaipy.interpreter.scripts import call_function
from rhaipy.interpreter.variables import find_module, qualified_place, release, variable_place
from rhaipy.optimize.purity import start
from rhaipy.source import NONE, At
from rhaipy.syntax.nodes import Call, Expr, QualifiedCall, QualifiedVariable, This, Variable
from rhaipy.typings import Final
from rhaipy.values import FnPtr, Shared, Value, type_name


@handles(Call)
def call(machine: Machine, node: Call) -> Value:
    if node.name in _SPECIAL_NAMES:
        special = _SPECIAL.get((node.name, min(len(node.args), 2)))
        if special is not None:
            return special(machine, node)
    return _call(machine, node, node.name, node.args, [])


def _call(machine: Machine, node: Call, name: str, args: tuple[Expr, ...], curried: list[Value]) -> Value:
    """Call `name` with the values of `args` after those that are there already."""
    if node.in_caller_scope and machine.scope.names:
        values = curried + arguments(machine, args)
        return call_function(machine, name, values, None, node.at, machine.scope)[0]
    by_value = node.operator and machine.fast_operators
    if args and not curried and not by_value and type(args[0]) in _PLACES and _is_place(machine, args[0]):
        return _call_on_place(machine, name, args, node.at)
    values = arguments(machine, args)
    return call_function(machine, name, curried + values if curried else values, None, node.at)[0]


_PLACES: Final = frozenset({Variable, QualifiedVariable, This})


def call_operator_as_function(machine: Machine, operator: str, args: tuple[Expr, ...], at: At) -> Value:
    """An operator while fast operators are off: like any call, so that a variable on the left is looked up last."""
    if _is_place(machine, args[0]):
        return _call_on_place(machine, operator, args, at)
    return call_function(machine, operator, arguments(machine, args), None, at)[0]


def _is_place(machine: Machine, first: Expr) -> bool:
    kind = type(first)
    return kind is Variable or kind is QualifiedVariable or (kind is This and machine.this is not None)


def _call_on_place(machine: Machine, name: str, args: tuple[Expr, ...], at: At) -> Value:
    """A variable as the first argument is passed by reference, and looked up after the other arguments."""
    machine.meter.operation(args[0].at)
    rest = arguments(machine, args[1:])
    place = _first_place(machine, args[0])
    return call_function(machine, name, [place.value, *rest], place, at)[0]


def _first_place(machine: Machine, first: Expr) -> Place:
    """Where a first argument lives. Constants and captured variables are copied; a module's variable stays a constant."""
    if type(first) is QualifiedVariable:
        return qualified_place(machine, first)
    if type(first) is not Variable:
        assert machine.this is not None
        return machine.this
    place = variable_place(machine, first)
    release(machine, place)
    if place.temporary:
        return place
    if place.constant or type(place) is CellPlace:
        return Temporary(machine.copy_changed(place.value, first.at))
    return place


@handles(QualifiedCall)
def call_qualified(machine: Machine, node: QualifiedCall) -> Value:
    args, place = _qualified_args(machine, node.args)
    path = "::".join(node.namespace)
    module = find_module(machine, node.namespace[0])
    if module is None:
        raise ModuleNotFound(node.namespace_at, path)
    inner = module.inner(node.namespace[1:])
    function = inner.library.functions.get((node.name, len(args))) if inner is not None else None
    if function is None:
        native = inner.natives.find(node.name, tuple([type(arg) for arg in args])) if inner is not None else None
        if native is None:
            raise FunctionNotFound(node.at, f"{path}::{signature(machine, node.name, args)}")
        return _call_native(machine, node, native, args, place)
    if place is not None:
        args[0] = machine.copy(args[0], node.args[0].at)
    before, machine.source = machine.source, module.name
    try:
        return call_linked(machine, function, args, None, node.at)
    finally:
        machine.source = before


def _call_native(machine: Machine, node: QualifiedCall, function: Function, args: list[Value], place: Place | None) -> Value:
    # No operation, and no position for what it raises: so it is in the engine.
    machine.level += 1
    try:
        return run_native(machine, function, node.name, args, place, node.at, NONE)
    finally:
        machine.level -= 1


def _qualified_args(machine: Machine, args: tuple[Expr, ...]) -> tuple[list[Value], Place | None]:
    if not args or not _is_place(machine, args[0]):
        return arguments(machine, args), None
    machine.meter.operation(args[0].at)
    rest = arguments(machine, args[1:])
    place = _first_place(machine, args[0])
    return [place.value, *rest], place


# --- functions that are part of the language ------------------------------------------------------------------------------


def _call_pointer(machine: Machine, node: Call) -> Value:
    """call(pointer, args)"""
    pointer = _pointer(machine, node.args[0])
    curried, rest = curried_args(machine, pointer, node.at), node.args[1:]
    linked = machine.linked(pointer, len(curried) + len(rest))
    if linked is None:
        return _call(machine, node, pointer.name, rest, curried)
    # Captured variables go in as they are, so that here, as in the engine, the function may change the caller's.
    values = curried + held_arguments(machine, rest)
    return call_linked(machine, linked, values, None, node.at)


def _pointer(machine: Machine, node: Expr) -> FnPtr:
    value = argument_value(machine, node)
    if type(value) is not FnPtr:
        raise MismatchDataType(start(node), "Fn", type_name(value, machine.meter.types))
    return value


def _make_pointer(machine: Machine, node: Call) -> Value:
    """Fn(name)"""
    name = _text(machine, node.args[0])
    charge_text(machine.meter, name)
    try:
        return pointer_to(name)
    except RhaiError as error:
        error.filled(start(node.args[0]))
        raise


def _text(machine: Machine, node: Expr) -> str:
    held = argument(machine, node)
    value = held.value if type(held) is Shared else held
    if type(value) is not str:
        raise MismatchDataType(start(node), "string", held_type_name(held))
    return value


def _curry(machine: Machine, node: Call) -> Value:
    """curry(pointer, args); captured variables go in as cells, that is how closures hold them"""
    pointer = _pointer(machine, node.args[0])
    return curried(machine, pointer, held_arguments(machine, node.args[1:]))


def _is_shared(machine: Machine, node: Call) -> Value:
    """is_shared(variable)"""
    return type(argument(machine, node.args[0])) is Shared


def _is_defined(machine: Machine, node: Call) -> Value:
    """is_def_var(name)"""
    machine.meter.charge(len(machine.scope.names) >> 5)
    return _text(machine, node.args[0]) in machine.scope.names


def _evaluate(machine: Machine, node: Call) -> Value:
    """eval(text)"""
    return evaluate_text(machine, _text(machine, node.args[0]), start(node.args[0]))


_SPECIAL: Final[dict[tuple[str, int], Callable[[Machine, Call], Value]]] = {
    ("call", 1): _call_pointer,
    ("call", 2): _call_pointer,
    ("Fn", 1): _make_pointer,
    ("curry", 2): _curry,
    ("is_shared", 1): _is_shared,
    ("is_def_var", 1): _is_defined,
    ("eval", 1): _evaluate,
}
"""By name and number of arguments, 2 standing for more as well."""
_SPECIAL_NAMES: Final = frozenset(name for name, _ in _SPECIAL)
