"""The slow ways of compiled code, where the reference evaluator's own functions do the work.

They are taken in the middle of a block of operations: they settle what is pending (`enter`) before they do anything. All leave
the meter exact, also where they raise; compiled code reads it again afterwards.
"""

from typing import Any, TypeAlias

from rhaipy.compiler.places import locked, release
from rhaipy.compiler.settling import Positions, enter, not_bool
from rhaipy.errors import AssignmentToConstant, RhaiError
from rhaipy.interpreter.assignments import assign_to, result_of
from rhaipy.interpreter.machine import Machine
from rhaipy.interpreter.scripts import call_operator
from rhaipy.limits import Meter
from rhaipy.operators import binary, is_variant, unary
from rhaipy.source import At
from rhaipy.syntax.nodes import Assign, Variable
from rhaipy.values import MUTABLE, Shared, Value

Settled: TypeAlias = tuple[Value, int]
"""A value, and how many operations are left, with those that are pending still to come."""


def _settled(meter: Meter, positions: Positions, value: Value) -> Settled:
    return value, meter.ceiling - meter.operations + len(positions)


def copied(machine: Machine, level: int, left: int, positions: Positions, value: Value, at: At) -> Settled:
    """A copy of `value`."""
    enter(machine.meter, left, positions)
    return _settled(machine.meter, positions, machine.copy_changed(value, at))


def operate(
    machine: Machine, level: int, left: int, positions: Positions, operator: str, first: Value, second: Value, ats: Any
) -> Settled:
    """first operator second; `ats` are the position of the operator, and where borrowed operands are copied to be handed over."""
    enter(machine.meter, left, positions)
    machine.level = level
    return _settled(machine.meter, positions, _operated(machine, operator, first, second, ats))


def operate_truth(
    machine: Machine, level: int, left: int, positions: Positions, operator: str, first: Value, second: Value, ats: Any
) -> Settled:
    """The same where the value has to be a boolean."""
    enter(machine.meter, left, positions)
    machine.level = level
    value = _operated(machine, operator, first, second, ats)
    if value is not True and value is not False:
        raise not_bool(value, ats[0])
    return _settled(machine.meter, positions, value)


def _operated(machine: Machine, operator: str, first: Value, second: Value, ats: Any) -> Value:
    kinds = type(first), type(second)
    function = None if is_variant(kinds[0]) or is_variant(kinds[1]) else binary(operator, kinds[0], kinds[1])
    at, first_at, second_at = ats
    if function is None:
        left = first if first_at < 0 else machine.copy_changed(first, first_at)
        right = second if second_at < 0 else machine.copy_changed(second, second_at)
        return call_operator(machine, operator, [left, right], at)
    try:
        return function(machine.meter, first, second)
    except RhaiError as error:
        error.filled(at)
        raise


def operate_on_one(
    machine: Machine, level: int, left: int, positions: Positions, operator: str, operand: Value, at: At
) -> Settled:
    """operator operand"""
    enter(machine.meter, left, positions)
    machine.level = level
    function = unary(operator, type(operand))
    try:
        value = call_operator(machine, operator, [operand], at) if function is None else function(operand)
    except RhaiError as error:
        error.filled(at)
        raise
    return _settled(machine.meter, positions, value)


def assign_operated(
    machine: Machine, level: int, left: int, positions: Positions, node: Assign, old: Value, value: Value
) -> Settled:
    """What the operator of an assignment makes of the old value of a variable."""
    enter(machine.meter, left, positions)
    machine.level = level
    made = result_of(machine, node, node.target, old, value)
    if type(old) in MUTABLE:
        machine.sizes.add(value)
    return _settled(machine.meter, positions, made)


def assign_cell(machine: Machine, node: Assign, held: Value, constant: bool, value: Value) -> Value:
    """Assign to a variable that a closure may have captured; what the variable holds then, its cell or the value itself."""
    target = node.target
    assert isinstance(target, Variable)
    if type(held) is Shared:
        place = locked(machine, held)
        try:
            assign_to(machine, node, target, place, value)
        finally:
            release(machine, place)
        return held
    if constant:
        raise AssignmentToConstant(target.at, target.name)
    if not node.operator:
        return value
    made = result_of(machine, node, target, held, value)
    if type(held) in MUTABLE:
        machine.sizes.add(value)
    return made
