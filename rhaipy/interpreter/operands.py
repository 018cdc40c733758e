"""Operands and arguments: a literal counts one operation whatever it is made of, and operators borrow what they only look at."""

from rhaipy.interpreter.machine import HANDLERS, Machine
from rhaipy.interpreter.variables import peek, variable_value
from rhaipy.optimize.literals import literal
from rhaipy.optimize.purity import start
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Constant, Expr, Variable
from rhaipy.typings import Final
from rhaipy.values import Shared, Value, raw_type_name

_MAY_BE_LITERALS: Final = frozenset({nodes.Array, nodes.Map, nodes.Interpolation, nodes.Binary, nodes.Call})
_RANGES: Final = frozenset({"..", "..="})
CHANGE_NOTHING: Final = frozenset({Constant, Variable, nodes.This})


def argument(machine: Machine, node: Expr) -> Value:
    """The value of an argument; a cell if it is a variable that a closure captured."""
    if type(node) in _MAY_BE_LITERALS:
        known = _literal(machine, node)
        if known is not None:
            return known.value
    return machine.evaluate(node)


def _literal(machine: Machine, node: Expr) -> Constant | None:
    if (type(node) is nodes.Binary and node.operator not in _RANGES) or (type(node) is nodes.Call and node.name != "Fn"):
        return None  # most are no literals, and need no closer look
    known = literal(node, machine.meter)
    if known is not None:
        machine.meter.operation(start(node))
    return known


def argument_value(machine: Machine, node: Expr) -> Value:
    """The value of an argument, never a cell."""
    if type(node) is Variable:
        return variable_value(machine, node)
    kind = type(node)
    if kind in _MAY_BE_LITERALS:
        known = _literal(machine, node)
        if known is not None:
            return known.value
    meter = machine.meter  # and on as `value_of` does
    meter.operations = count = meter.operations + 1
    if count > meter.ceiling:
        meter.judge(node.at)
    value = HANDLERS[kind](machine, node)
    return machine.flatten(value) if type(value) is Shared else value


def arguments(machine: Machine, args: tuple[Expr, ...]) -> list[Value]:
    """The values of arguments, from left to right."""
    values: list[Value] = []  # in a variable, where the census of memory finds it
    add = values.append
    for node in args:
        add(argument_value(machine, node))
    return values


def held_arguments(machine: Machine, args: tuple[Expr, ...]) -> list[Value]:
    """The same, but cells for captured variables."""
    values: list[Value] = []
    add = values.append
    for node in args:
        add(argument(machine, node))
    return values


def operand(machine: Machine, node: Expr) -> Value:
    """The value of an operand before and during which nothing changes: where it is a variable or a constant, it is borrowed.

    For a built-in operator to look at; others need their `own`.
    """
    if type(node) is Variable:
        meter, scope, slot = machine.meter, machine.scope, node.slot
        meter.operations = count = meter.operations + 1
        if count > meter.ceiling:
            meter.judge(node.at)
        if 0 < slot <= len(scope.names) and not machine.always_search and machine.on_var is None:
            value = scope.values[-slot]
            if type(value) is not Shared:
                return value
        value = peek(machine, node)
        return value.value if type(value) is Shared else value
    if type(node) is Constant:
        machine.meter.operation(node.at)
        return node.value
    return argument_value(machine, node)


def held_type_name(value: Value) -> str:
    """The engine's own name for the type of a value that it does not flatten before it complains about it."""
    return _CELL if type(value) is Shared else raw_type_name(value)


_CELL: Final = "alloc::rc::Rc<core::cell::RefCell<rhai::types::dynamic::Dynamic>>"


def own(machine: Machine, node: Expr, value: Value) -> Value:
    """The value of the operand `node`, copied if it was borrowed."""
    return machine.copy_of(node, value) if type(node) is Constant or type(node) is Variable else value
