"""Operators: the engine's own on its own types cost nothing beside their operands, all others are calls."""

from typing import Final

from rhaipy.errors import MismatchDataType, RhaiError
from rhaipy.interpreter.calls import call_operator_as_function
from rhaipy.interpreter.machine import Machine, handles
from rhaipy.interpreter.operands import argument_value, held_type_name, operands, own
from rhaipy.interpreter.scripts import call_operator
from rhaipy.operators import Binary as BuiltIn
from rhaipy.operators import binary, is_variant, unary
from rhaipy.syntax.nodes import And, Binary, Coalesce, Expr, Or, Unary
from rhaipy.values import Shared, Value

_built_in: Final[dict[tuple[str, type, type], BuiltIn | None]] = {}


def _find(key: tuple[str, type, type]) -> BuiltIn | None:
    """The engine's own operator that comes before registered ones."""
    operator, left, right = key
    _built_in[key] = None if is_variant(left) or is_variant(right) else binary(operator, left, right)
    return _built_in[key]


@handles(Binary)
def operate(machine: Machine, node: Binary) -> Value:
    if not machine.world.options.fast_operators:
        return call_operator_as_function(machine, node.operator, (node.left, node.right), node.at)
    left, right = operands(machine, node.left, node.right)
    key = node.operator, type(left), type(right)
    function = _built_in[key] if key in _built_in else _find(key)
    if function is None:
        args = [own(machine, node.left, left), own(machine, node.right, right)]
        return call_operator(machine, node.operator, args, node.at)
    try:
        return function(machine.meter, left, right)
    except RhaiError as error:
        error.filled(node.at)
        raise


@handles(Unary)
def operate_on_one(machine: Machine, node: Unary) -> Value:
    value = argument_value(machine, node.operand)
    function = unary(node.operator, type(value)) if machine.world.options.fast_operators else None
    if function is None:
        return call_operator(machine, node.operator, [value], node.at)
    try:
        return function(value)
    except RhaiError as error:
        error.filled(node.at)
        raise


def truth(machine: Machine, node: Expr) -> bool:
    """The value of a condition."""
    held = machine.evaluate(node)
    value = held.value if type(held) is Shared else held
    if value is True or value is False:
        return value
    raise MismatchDataType(node.at, "bool", held_type_name(held))


@handles(And)
def all_true(machine: Machine, node: And) -> Value:
    true = True
    for operand in node.operands:
        true = truth(machine, operand)
        if not true:
            break
    return true


@handles(Or)
def any_true(machine: Machine, node: Or) -> Value:
    true = False
    for operand in node.operands:
        true = truth(machine, operand)
        if true:
            break
    return true


@handles(Coalesce)
def first_there(machine: Machine, node: Coalesce) -> Value:
    value: Value = None
    for operand in node.operands:
        value = machine.evaluate(operand)
        if (value.value if type(value) is Shared else value) is not None:
            break
    return value
