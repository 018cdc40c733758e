"""Variables: where they are found, and how they are read. Slots count back from the end of the scope, names are the way out."""

from rhaipy.errors import DataRace, ModuleNotFound, UnboundThis, VariableNotFound
from rhaipy.interpreter.host_variables import from_host
from rhaipy.interpreter.machine import Machine, handles
from rhaipy.interpreter.places import CellPlace, Place, Temporary, VariablePlace
from rhaipy.modules import Module
from rhaipy.source import NONE
from rhaipy.syntax.nodes import QualifiedVariable, This, Variable
from rhaipy.values import UNCHANGING, FnPtr, Shared, Value


def index_of(machine: Machine, node: Variable) -> int:
    """The index of a variable in the scope, or -1."""
    scope = machine.scope
    if 0 < node.slot <= len(scope.names) and not machine.always_search:
        return len(scope.names) - node.slot
    machine.meter.charge(len(scope.names) >> 4)
    return scope.search(node.name)


def variable_place(machine: Machine, node: Variable) -> Place:
    """Where a variable lives; the name of a script function stands for a pointer to it. `release` it after use."""
    if machine.on_var is not None:
        resolved = from_host(machine, node.name, node.at)
        if resolved is not None:
            return resolved
    index = index_of(machine, node)
    if index < 0:
        return machine.global_variable(node.name) or Temporary(_function_named(machine, node))
    held = machine.scope.values[index]
    if type(held) is not Shared:
        return VariablePlace(machine.scope, index)
    if held.locked:
        raise DataRace(NONE, "")
    held.locked = True
    machine.locks += 1
    return CellPlace(held)


def release(machine: Machine, place: Place) -> None:
    """Give up the hold on what `variable_place` found."""
    if type(place) is CellPlace:
        place.cell.locked = False
        machine.locks -= 1


def _function_named(machine: Machine, node: Variable) -> FnPtr:
    for library in machine.libraries:
        for function in library.named.get(node.name, ()):
            return FnPtr(node.name, (), len(function.definition.params))
    raise VariableNotFound(node.at, node.name)


def peek(machine: Machine, node: Variable) -> Value:
    """The value of a variable as it is: not copied, a cell if a closure captured it."""
    scope, slot = machine.scope, node.slot
    if 0 < slot <= len(scope.names) and not machine.always_search and machine.on_var is None:
        value = scope.values[-slot]  # as `index_of` finds it: nearly all are read here
        if type(value) is Shared and value.locked:
            raise DataRace(NONE, "")
        return value
    return _peek_by_name(machine, node)


def _peek_by_name(machine: Machine, node: Variable) -> Value:
    if machine.on_var is not None:
        resolved = from_host(machine, node.name, node.at)
        if resolved is not None:
            return resolved.value
    index = index_of(machine, node)
    if index < 0:
        place = machine.global_variable(node.name)
        return _function_named(machine, node) if place is None else place.value
    value = machine.scope.values[index]
    if type(value) is Shared and value.locked:
        raise DataRace(NONE, "")
    return value


@handles(Variable)
def read_variable(machine: Machine, node: Variable) -> Value:
    value = peek(machine, node)
    return value if type(value) in UNCHANGING else machine.copy_of(node, value)


def variable_value(machine: Machine, node: Variable) -> Value:
    """What `machine.value_of` gives for a variable, in a third of the calls where there is nothing to copy."""
    meter, scope, slot = machine.meter, machine.scope, node.slot
    meter.operations = count = meter.operations + 1
    if count > meter.ceiling:
        meter.judge(node.at)
    if 0 < slot <= len(scope.names) and not machine.always_search and machine.on_var is None:
        value = scope.values[-slot]
        if type(value) in UNCHANGING and type(value) is not Shared:
            return value
    return machine.flatten(read_variable(machine, node))


@handles(This)
def read_this(machine: Machine, node: This) -> Value:
    if machine.this is None:
        raise UnboundThis(node.at)
    return machine.copy(machine.this.value, node.at)


@handles(QualifiedVariable)
def read_qualified(machine: Machine, node: QualifiedVariable) -> Value:
    return qualified_place(machine, node).value


def qualified_place(machine: Machine, node: QualifiedVariable) -> Place:
    """A copy of a module's variable or of a constant of the program; a constant of its own."""
    path = "::".join(node.namespace)
    module = find_module(machine, node.namespace[0])
    if module is not None:
        inner = module.inner(node.namespace[1:])
        variables = inner.variables if inner is not None else {}
    elif path == "global":
        variables = machine.constants or {}
    else:
        raise ModuleNotFound(node.namespace_at, path)
    if node.name not in variables:
        raise VariableNotFound(node.namespace_at, f"{path}::{node.name}")
    return Temporary(machine.copy(variables[node.name], node.at), True)


def find_module(machine: Machine, name: str) -> Module | None:
    """The module imported under `name`.

    The oldest one of those that the running function itself imported, as in the engine; else the newest of all.
    """
    if not machine.always_search:
        for imported, module in machine.imports[machine.import_frame :]:
            if imported == name:
                return module
    for imported, module in reversed(machine.imports):
        if imported == name:
            return module
    return machine.world.modules.get(name)
