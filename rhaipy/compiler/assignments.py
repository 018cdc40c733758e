"""Definitions and assignments, captured variables among them."""

import ast
from dataclasses import replace
from typing import Final

from rhaipy.compiler import code
from rhaipy.compiler.chains import assign_chain
from rhaipy.compiler.operations import left_after_pending, operate
from rhaipy.compiler.statements import compiles
from rhaipy.compiler.unit import UNIT, Operand, Target, Unit, Unsupported, Variable
from rhaipy.compiler.values import value
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Assign, Chain, Let, Share

_NUMERIC: Final = frozenset({"+", "-", "*", "/", "%"})
_EXACT: Final = frozenset({"+", "-", "*"})
"""The operators on floats that are Python's own."""


@compiles(Let)
def define(unit: Unit, node: Let, target: Target) -> None:
    if node.exported:
        raise Unsupported
    made = unit.stored(node, value(unit, node.value))
    is_outermost = unit.is_program and unit.depth == 0
    if is_outermost:
        unit.flush()
        if node.constant and len(unit.library):
            unit.callout("keep_constant", code.load("machine"), code.constant(node.name), made.expr, code.constant(node.at))
    if node.slot:
        _define_again(unit, node, made)
    else:
        variable = unit.define(node.name, node.constant, made.kind)
        unit.emit(code.assign(variable.code, made.expr))
        if is_outermost:
            variable.base = len(unit.outermost)
            unit.outermost.append(variable)
            unit.emit(code.Expr(code.call("declare", code.load("scope"), code.constant(node.name), code.constant(node.constant))))
    unit.finish(UNIT, target)


def _define_again(unit: Unit, node: Let, made: Operand) -> None:
    """A variable takes the place of one of the same name in the same block: a new variable, where that one was."""
    if node.slot > len(unit.scope):
        raise Unsupported
    old = unit.scope[-node.slot]
    if old.base < 0:
        variable = unit.define(node.name, node.constant, made.kind)
        unit.scope.pop()
    else:
        # Seen from outside it is the same variable, and so it is in Python.
        unit.note(old, made.kind)
        variable = replace(old, constant=node.constant)
        index = code.binary(code.load("base"), ast.Add(), code.constant(old.base))
        constants = code.attribute(code.load("scope"), "constants")
        unit.emit(code.assign_item(constants, index, code.constant(node.constant)))
    unit.scope[-node.slot] = variable
    unit.emit(code.assign(variable.code, made.expr))


@compiles(Share)
def share(unit: Unit, node: Share, target: Target) -> None:
    if unit.is_program:
        unit.flush()
    unit.shared.clear()
    for wanted in node.variables:
        variable = unit.find(wanted.name, wanted.slot)
        if variable is None:
            raise Unsupported
        unit.make_cell(variable)
        unit.shared.add(variable.code)
        made = code.call("Shared", variable.load, code.constant(variable.constant))
        unit.emit(code.if_(code.negate(code.kind_is(variable.load, "Shared")), [code.assign(variable.code, made)]))
    unit.finish(UNIT, target)


@compiles(Assign)
def assign(unit: Unit, node: Assign, target: Target) -> None:
    place = node.target
    if isinstance(place, nodes.Variable):
        _assign_variable(unit, node, place)
    elif isinstance(place, Chain):
        assign_chain(unit, node, place, value(unit, node.value))
    else:
        raise Unsupported
    unit.finish(UNIT, target)


def _assign_variable(unit: Unit, node: Assign, place: nodes.Variable) -> None:
    new = unit.stored(node, value(unit, node.value))
    unit.count(place.at)
    variable = unit.find(place.name, place.slot)
    if variable is None:
        raise Unsupported
    if variable.is_cell:
        _assign_cell(unit, node, variable, new)
        return
    if variable.constant:
        wrong = code.call("AssignmentToConstant", code.constant(place.at), code.constant(place.name))
        unit.emit(unit.fail(wrong))
        return
    if variable.base >= 0:
        unit.flush()
    if node.operator:
        _operate(unit, node, variable, new)
    else:
        unit.note(variable, new.kind)
        unit.emit(code.assign(variable.code, new.expr))


def _assign_cell(unit: Unit, node: Assign, variable: Variable, new: Operand) -> None:
    value_ = new.expr if isinstance(new.expr, ast.Constant) else unit.keep(new.expr)
    place = unit.pool.add(node)
    args = (code.load("machine"), place, variable.load, code.constant(variable.constant), value_)
    unit.callout("assign_cell", *args, into=variable.code)


def _operate(unit: Unit, node: Assign, variable: Variable, new: Operand) -> None:
    """Put what the operator of an assignment makes of a variable into it."""
    old = Operand(variable.load, variable.kind)
    if node.operator in _NUMERIC and old.kind in (int, float) and old.kind is new.kind:
        made = operate(unit, node.operator, old, new, node.at)
        unit.note(variable, made.kind)
        unit.emit(code.assign(variable.code, made.expr))
        return
    with unit.branch() as lines:
        unit.slow(variable.code, "assign_operated", unit.pool.add(node), old.expr, new.expr)
    if node.operator == "+" and _may_be(old, new, str):
        lines = _append(unit, node, variable, new, lines)
    for kind, operators in ((float, _EXACT), (int, _NUMERIC)):
        if node.operator in operators and _may_be(old, new, kind):
            with unit.branch() as fast:
                made = operate(unit, node.operator, Operand(old.expr, kind), Operand(new.expr, kind), node.at)
                fast.append(code.assign(variable.code, made.expr))
            lines = [code.if_(code.all_of(unit.test(old, kind) + unit.test(new, kind)), fast, lines)]
    unit.note(variable, str if old.kind is str and new.kind is str else None)
    unit.lines.extend(lines)


def _may_be(old: Operand, new: Operand, kind: type) -> bool:
    return old.kind in (None, kind) and new.kind in (None, kind)


def _append(unit: Unit, node: Assign, variable: Variable, new: Operand, otherwise: list[ast.stmt]) -> list[ast.stmt]:
    # Python adds to a text in place where nobody else holds it: so a text that grows is not copied each time.
    more: ast.stmt = code.AugAssign(code.Name(variable.code, ast.Store()), ast.Add(), new.expr)
    test = code.all_of(unit.test(Operand(variable.load, variable.kind), str) + unit.test(new, str))
    if not unit.profile.metered and not unit.profile.sized:
        return [code.if_(test, [more], otherwise)]
    name = unit.temporary()
    paid = code.call("append_text", code.load("meter"), left_after_pending(unit), variable.load, new.expr)
    left = code.load(name)
    if unit.pending:
        left = code.binary(left, ast.Add(), code.constant(len(unit.pending)))
    done = code.compare(code.load(name), ast.GtE(), code.constant(0))
    fast = [code.assign(code.LEFT, left), more]
    return [code.assign(name, code.constant(-1)), code.if_(test, [code.assign(name, paid)]), code.if_(done, fast, otherwise)]
