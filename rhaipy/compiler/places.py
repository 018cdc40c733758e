"""Variables that compiled code does not have to itself: captured ones, and those that were there before the program."""

from typing import Any

from rhaipy.compiler.sites import Frame
from rhaipy.errors import DataRace, VariableNotFound
from rhaipy.interpreter.chains import walk
from rhaipy.interpreter.machine import Machine
from rhaipy.interpreter.places import CellPlace, Place, Temporary, VariablePlace
from rhaipy.scope import Scope
from rhaipy.source import NONE, At
from rhaipy.syntax.nodes import Assign, Chain, Variable
from rhaipy.values import FnPtr, Shared, Value


def place_of(machine: Machine, held: Value, constant: bool) -> Place:
    """Where a variable that a closure may have captured lives: locked if it is a cell."""
    return locked(machine, held) if type(held) is Shared else Frame(held, constant)


def locked(machine: Machine, cell: Shared) -> CellPlace:
    if cell.locked:
        raise DataRace(NONE, "")
    cell.locked = True
    machine.locks += 1
    return CellPlace(cell)


def release(machine: Machine, place: Place) -> None:
    if type(place) is CellPlace:
        place.cell.locked = False
        machine.locks -= 1


def walk_flat(machine: Machine, node: Chain, place: Place, given: list[Any], assignment: Assign | None, value: Value) -> Value:
    """Walk a chain; its value, never a cell."""
    return machine.flatten(walk(machine, node, place, given, assignment, value))


def walk_released(
    machine: Machine, node: Chain, place: Place, given: list[Any], assignment: Assign | None, value: Value
) -> Value:
    """Walk a chain whose root is in use while that lasts."""
    try:
        return walk_flat(machine, node, place, given, assignment, value)
    finally:
        release(machine, place)


def walk_host(
    machine: Machine, base: int, root: Variable, node: Chain, given: list[Any], assignment: Assign | None, value: Value
) -> Value:
    """Walk a chain whose root is a variable that was there before the program."""
    return walk_released(machine, node, _host_place(machine, base, root), given, assignment, value)


def host_value(machine: Machine, base: int, root: Variable) -> Value:
    """The value of a variable that was there before the program; not copied, as operators only look at it."""
    place = _host_place(machine, base, root)
    release(machine, place)
    return place.value


def _host_place(machine: Machine, base: int, root: Variable) -> Place:
    scope = machine.scope
    if root.slot > 0:
        index = base - root.slot
    else:
        machine.meter.charge((base - root.slot) >> 4)
        index = _search(scope, base, root.name)
    if index < 0:
        return Temporary(_named(machine, root))
    held = scope.values[index]
    return locked(machine, held) if type(held) is Shared else VariablePlace(scope, index)


def _search(scope: Scope, size: int, name: str) -> int:
    index = size - 1
    while index >= 0 and scope.names[index] != name:
        index -= 1
    return index


def function_named(machine: Machine, node: Variable) -> FnPtr:
    """A pointer to the script function that a name stands for where it is no variable; VariableNotFound if there is none."""
    machine.meter.charge(-node.slot >> 4)
    return _named(machine, node)


def _named(machine: Machine, node: Variable) -> FnPtr:
    for function in machine.libraries[0].named.get(node.name, ()):
        return FnPtr(node.name, (), len(function.definition.params))
    raise VariableNotFound(node.at, node.name)


def first_place(machine: Machine, held: Value, constant: bool, at: At) -> Place:
    """Where a first argument lives: constants and captured variables are copied."""
    if type(held) is Shared:
        return Temporary(machine.copy_changed(held.value, at))
    return Temporary(machine.copy_changed(held, at)) if constant else Frame(held, False)


def first_value(machine: Machine, held: Value, constant: bool, first_at: At, at: At) -> Value:
    """The same for a script function: its own copy."""
    return machine.copy_changed(first_place(machine, held, constant, first_at).value, at)
