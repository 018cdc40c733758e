"""Calls by name: those of compiled functions are calls of Python; all others are made by the evaluator."""

import ast
from typing import Final

from rhaipy.compiler import code
from rhaipy.compiler.unit import Operand, Unit, Unsupported, Variable
from rhaipy.compiler.values import argument, arguments, compiles, kept
from rhaipy.interpreter.natives import ANSWERED
from rhaipy.modules import ScriptFunction
from rhaipy.source import At
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Call, Expr, This
from rhaipy.values import FnPtr

_SPECIAL: Final = frozenset({("call", 1), ("call", 2), ("Fn", 1), ("is_shared", 1), ("is_def_var", 1), ("eval", 1)})


@compiles(Call)
def call(unit: Unit, node: Call) -> Operand:
    few = min(len(node.args), 2)
    if (node.name, few) == ("curry", 2):
        return _closure(unit, node)
    if (node.name, few) in _SPECIAL or node.in_caller_scope:
        raise Unsupported
    function = unit.library.functions.get((node.name, len(node.args)))
    if function is not None and node.name not in ANSWERED:
        return _call_script(unit, node, function)
    first = node.args[0] if node.args and not node.operator else None
    if isinstance(first, nodes.Variable | This | nodes.QualifiedVariable):
        return _call_on_place(unit, node, first)
    values = code.list_of([arg.expr for arg in arguments(unit, node.args)])
    return Operand(_native(unit, node, values, code.constant(None)), None)


def _native(unit: Unit, node: Call, values: ast.expr, place: ast.expr) -> ast.expr:
    return unit.callout("call_named", code.load("machine"), code.constant(node.name), values, place, code.constant(node.at))


def _first_variable(unit: Unit, node: Call, first: Expr) -> tuple[Variable, list[ast.expr]]:
    """The variable that is the first argument, and the values of the others, which come before it is looked up."""
    if not isinstance(first, nodes.Variable):
        raise Unsupported
    unit.count(first.at)
    rest = [arg.expr for arg in arguments(unit, node.args[1:])]
    variable = unit.find(first.name, first.slot)
    if variable is None:
        raise Unsupported
    return variable, rest


def _call_on_place(unit: Unit, node: Call, first: Expr) -> Operand:
    """A variable as the first argument is passed by reference, and looked up after the other arguments."""
    variable, rest = _first_variable(unit, node, first)
    if variable.is_cell or variable.constant:
        held, constant = variable.load, code.constant(variable.constant)
        place = unit.callout("first_place", code.load("machine"), held, constant, code.constant(first.at))
    else:
        unit.flush()
        place = unit.keep(code.call("Frame", variable.load, code.constant(False)))
    values = code.list_of([code.attribute(place, "value"), *rest])
    if variable.constant or not unit.profile.functions.mutates(node.name):
        return Operand(_native(unit, node, values, place), None)
    unit.note(variable, None)
    with unit.python_block() as lines:
        made = _native(unit, node, values, place)
    home = code.assign(variable.code, code.attribute(place, "home"))
    if variable.is_cell:
        home = code.if_(code.negate(code.kind_is(variable.load, "Shared")), [home])
    unit.finally_(lines, home)
    return Operand(made, None)


# --- script functions -----------------------------------------------------------------------------------------------------


def _call_script(unit: Unit, node: Call, function: ScriptFunction) -> Operand:
    args = _script_args(unit, node)
    if not function.definition.body.statements:
        return Operand(code.constant(None), type(None))
    name = unit.functions.get(id(function))
    deeper = code.binary(code.load("level"), ast.Add(), code.constant(1))
    at = code.constant(node.at)
    result = unit.temporary()
    if name is not None:
        unit.calls.add(id(function))
        unit.count(node.at)
        unit.flush()
        unit.emit(code.assign(result, code.call(name, deeper, at, code.constant(None), *args)))
        return Operand(code.load(result), None)
    made = unit.callout("call_reference", code.load("machine"), unit.pool.add(function), code.list_of(args), at, into=result)
    return Operand(made, None)


def _script_args(unit: Unit, node: Call) -> list[ast.expr]:
    first = node.args[0] if node.args and not node.operator else None
    if not isinstance(first, nodes.Variable | This | nodes.QualifiedVariable):
        return [arg.expr for arg in arguments(unit, node.args)]
    variable, rest = _first_variable(unit, node, first)
    return [_given_away(unit, variable, first.at, node.at), *rest]


def _given_away(unit: Unit, variable: Variable, first_at: At, at: At) -> ast.expr:
    """A copy of a variable, made where the evaluator makes it: twice for what it does not pass by reference."""
    if variable.is_cell:
        ats = code.constant(first_at), code.constant(at)
        return unit.callout("first_value", code.load("machine"), variable.load, code.constant(variable.constant), *ats)
    operand = Operand(variable.load, variable.kind, first_at if variable.constant else at)
    made = unit.own(operand)
    if variable.constant:
        made = unit.own(made._replace(owes=at))
    return made.expr


# --- closures -------------------------------------------------------------------------------------------------------------


def _closure(unit: Unit, node: Call) -> Operand:
    """curry(pointer, variables): captured variables go in as cells"""
    pointer, *captured = node.args
    if not isinstance(pointer, nodes.Constant) or type(pointer.value) is not FnPtr:
        raise Unsupported
    target = argument(unit, pointer)
    values: list[ast.expr] = []
    for number, part in enumerate(captured):
        variable = unit.find(part.name, part.slot) if isinstance(part, nodes.Variable) else None
        if variable is not None and variable.code in unit.shared:
            unit.count(part.at)
            values.append(variable.load)
            unit.captures[pointer.value.name] = len(values)
        elif variable is None or not variable.is_cell:
            values.append(kept(unit, argument(unit, part), tuple(captured[number + 1 :])).expr)
        else:
            raise Unsupported  # whether it is a cell by now, only the run knows
    unit.shared.clear()
    return Operand(unit.callout("curried", code.load("machine"), target.expr, code.list_of(values)), FnPtr)
