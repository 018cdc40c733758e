"""Operands and arguments: a literal counts one operation whatever it is made of, and operators borrow what they only look at."""

from typing import Final

from rhaipy.interpreter.machine import Machine
from rhaipy.interpreter.variables import peek
from rhaipy.optimize.literals import literal
from rhaipy.optimize.purity import start
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Constant, Expr, Variable
from rhaipy.values import Shared, Value, raw_type_name

_MAY_BE_LITERALS: Final = frozenset({nodes.Array, nodes.Map, nodes.Interpolation, nodes.Binary, nodes.Call})
_CHANGE_NOTHING: Final = frozenset({Constant, Variable, nodes.This})


def argument(machine: Machine, node: Expr) -> Value:
    """The value of an argument; a cell if it is a variable that a closure captured."""
    if type(node) in _MAY_BE_LITERALS and not _is_plain_call(node):
        known = _literal(machine, node)
        if known is not None:
            return known.value
    return machine.evaluate(node)


def _literal(machine: Machine, node: Expr) -> Constant | None:
    known = literal(node, machine.meter)
    if known is not None:
        machine.meter.operation(start(node))
    return known


def _is_plain_call(node: Expr) -> bool:
    """Is it an operator or a call that is no literal, as most are?"""
    if type(node) is nodes.Binary:
        return not node.operator.startswith("..")
    return type(node) is nodes.Call and node.name != "Fn"


def argument_value(machine: Machine, node: Expr) -> Value:
    """The value of an argument, never a cell."""
    if type(node) in _MAY_BE_LITERALS and not _is_plain_call(node):
        known = _literal(machine, node)
        if known is not None:
            return known.value
    return machine.value_of(node)


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


def operands(machine: Machine, left: Expr, right: Expr) -> tuple[Value, Value]:
    """The values of two operands, for a built-in operator to look at; others need `own` ones."""
    if type(right) in _CHANGE_NOTHING:
        first = operand(machine, left)
        return first, operand(machine, right)
    first = argument_value(machine, left)
    return first, operand(machine, right)


def operand(machine: Machine, node: Expr) -> Value:
    """The value of an operand after which nothing runs: where it is a variable or a constant, it is borrowed."""
    if type(node) is Constant:
        machine.meter.operation(node.at)
        return node.value
    if type(node) is Variable:
        machine.meter.operation(node.at)
        value = peek(machine, node)
        return value.value if type(value) is Shared else value
    return argument_value(machine, node)


def held_type_name(value: Value) -> str:
    """The engine's own name for the type of a value that it does not flatten before it complains about it."""
    return _CELL if type(value) is Shared else raw_type_name(value)


_CELL: Final = "alloc::rc::Rc<core::cell::RefCell<rhai::types::dynamic::Dynamic>>"


def own(machine: Machine, node: Expr, value: Value) -> Value:
    """The value of the operand `node`, copied if it was borrowed."""
    return machine.copy(value, node.at) if type(node) is Constant or type(node) is Variable else value
