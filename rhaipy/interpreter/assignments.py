"""Assignments: plain ones, and those with an operator, to a variable, to `this`, and (through chains) to a part of either."""

from rhaipy.errors import AssignmentToConstant, FunctionNotFound, RhaiError
from rhaipy.interpreter.machine import Machine
from rhaipy.interpreter.natives import call_native
from rhaipy.interpreter.places import Local, Place, StringSlice, VariablePlace
from rhaipy.operators import ASSIGNMENTS, ON_INTEGERS, assign
from rhaipy.optimize.purity import start
from rhaipy.source import At
from rhaipy.syntax.nodes import Assign, Expr, QualifiedVariable, Variable
from rhaipy.typings import Final
from rhaipy.values import I64_MAX, I64_MIN, Value


def assign_to(machine: Machine, node: Assign, root: Expr, place: Place, value: Value) -> None:
    """Put `value` into `place`, or what the operator of `node` makes of both. `root` is the variable that `place` is part of."""
    if place.constant:
        raise AssignmentToConstant(start(root), name_of(root))
    if node.operator:
        is_part = machine.sharing is not None and type(place) is not VariablePlace
        old = machine.copy_changed(place.value, node.at) if is_part else place.value
        place.value = result_of(machine, node, root, old, value)
    else:
        place.value = value
    place.flush(node.at)
    if node.operator or type(place) is not VariablePlace:
        machine.sizes.add(place.source.value if type(place) is StringSlice else value)


def name_of(root: Expr) -> str:
    """The name of a variable; empty for `this`."""
    return root.name if isinstance(root, (Variable, QualifiedVariable)) else ""


def result_of(machine: Machine, node: Assign, root: Expr, old: Value, value: Value) -> Value:
    """What the operator of `node` makes of the old value and `value`."""
    if not machine.fast_operators:
        return _registered(machine, node, root.at, old, value)
    try:
        if type(old) is int and type(value) is int and node.operator in ON_INTEGERS:
            result = ON_INTEGERS[node.operator](old, value)
            if I64_MIN <= result <= I64_MAX:
                return result
        function = assign(_ASSIGNMENTS[node.operator], type(old), type(value))
        if function is not None:
            return function(machine.meter, old, value)
    except RhaiError as error:
        error.filled(node.at)
        raise
    return _registered(machine, node, root.at, old, value)


_ASSIGNMENTS: Final = {operator: assignment for assignment, operator in ASSIGNMENTS.items()}


def _registered(machine: Machine, node: Assign, root_at: At, old: Value, value: Value) -> Value:
    """What a registered `+=` makes of the old value, or else a registered `+`."""
    operator = _ASSIGNMENTS[node.operator]
    changed = Local(old)
    try:
        call_native(machine, operator, [old, value], changed, node.at)
        result = changed.value
    except FunctionNotFound as error:
        if not error.name.startswith(operator):
            raise
        result, _ = call_native(machine, node.operator, [old, value], changed, node.at)
    machine.sizes.check(result, root_at)
    return result
