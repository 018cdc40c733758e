"""Operators: the engine's own on its own types cost nothing beside their operands, all others are calls."""

from rhaipy.errors import MismatchDataType, RhaiError
from rhaipy.interpreter.calls import call_operator_as_function
from rhaipy.interpreter.machine import HANDLERS, Machine, handles
from rhaipy.interpreter.operands import CHANGE_NOTHING, argument_value, held_type_name, operand, own
from rhaipy.interpreter.scripts import call_operator
from rhaipy.operators import ON_INTEGERS, binary, is_variant, unary
from rhaipy.operators import Binary as BuiltIn
from rhaipy.syntax.nodes import And, Binary, Coalesce, Constant, Expr, Or, Unary
from rhaipy.typings import Final
from rhaipy.values import I64_MAX, I64_MIN, Shared, Value

_built_in: Final[dict[tuple[str, type, type], BuiltIn | None]] = {}


def _find(key: tuple[str, type, type]) -> BuiltIn | None:
    """The engine's own operator that comes before registered ones."""
    operator, left, right = key
    _built_in[key] = None if is_variant(left) or is_variant(right) else binary(operator, left, right)
    return _built_in[key]


@handles(Binary)
def operate(machine: Machine, node: Binary) -> Value:
    if not machine.fast_operators:
        return call_operator_as_function(machine, node.operator, (node.left, node.right), node.at)
    if type(node.right) in CHANGE_NOTHING:
        left = operand(machine, node.left)
    else:
        left = argument_value(machine, node.left)
    if type(node.right) is Constant:  # as `operand` does: a third of all operators have one
        meter = machine.meter
        meter.operations = count = meter.operations + 1
        if count > meter.ceiling:
            meter.judge(node.right.at)
        right = node.right.value
    else:
        right = operand(machine, node.right)
    try:
        if type(left) is int and type(right) is int and node.operator in ON_INTEGERS:
            value = ON_INTEGERS[node.operator](left, right)
            if I64_MIN <= value <= I64_MAX:
                return value
        key = node.operator, type(left), type(right)
        function = _built_in[key] if key in _built_in else _find(key)
        if function is not None:
            return function(machine.meter, left, right)
    except RhaiError as error:
        error.filled(node.at)
        raise
    args = [own(machine, node.left, left), own(machine, node.right, right)]
    return call_operator(machine, node.operator, args, node.at)


@handles(Unary)
def operate_on_one(machine: Machine, node: Unary) -> Value:
    value = argument_value(machine, node.operand)
    function = unary(node.operator, type(value)) if machine.fast_operators else None
    if function is None:
        return call_operator(machine, node.operator, [value], node.at)
    try:
        return function(value)
    except RhaiError as error:
        error.filled(node.at)
        raise


def truth(machine: Machine, node: Expr) -> bool:
    """The value of a condition."""
    meter = machine.meter
    meter.operations = count = meter.operations + 1
    if count > meter.ceiling:
        meter.judge(node.at)
    held = HANDLERS[type(node)](machine, node)
    value = held.value if type(held) is Shared else held
    if value is True or value is False:
        return value
    raise MismatchDataType(node.at, "bool", held_type_name(held))


@handles(And)
def all_true(machine: Machine, node: And) -> Value:
    true = True
    for part in node.operands:
        true = truth(machine, part)
        if not true:
            break
    return true


@handles(Or)
def any_true(machine: Machine, node: Or) -> Value:
    true = False
    for part in node.operands:
        true = truth(machine, part)
        if true:
            break
    return true


@handles(Coalesce)
def first_there(machine: Machine, node: Coalesce) -> Value:
    value: Value = None
    for part in node.operands:
        value = machine.evaluate(part)
        if (value.value if type(value) is Shared else value) is not None:
            break
    return value
