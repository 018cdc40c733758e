"""Loops, and `try`."""

import ast

from rhaipy.compiler import code
from rhaipy.compiler.operations import condition
from rhaipy.compiler.statements import block, compiles
from rhaipy.compiler.unit import UNIT, Loop, Operand, Target, Unit, Variable
from rhaipy.compiler.values import value
from rhaipy.optimize.purity import start
from rhaipy.syntax.nodes import Block, Constant, Do, Expr, For, Try, While
from rhaipy.values import Range


@compiles(While)
def run_while(unit: Unit, node: While, target: Target) -> None:
    result = _begin(unit, target)
    with unit.python_block() as body:
        if node.condition is not None and not _always(node.condition):
            test = _loop_condition(unit, node.condition)
            with unit.branch() as leave:
                unit.flush()
                leave.append(code.Break())
                unit.dead = True
            unit.emit(code.if_(code.negate(test), leave))
        elif not node.body.statements:
            unit.count(node.body.at)
        _turn(unit, node.body, Loop(result))
    unit.emit(code.While(code.constant(True), body, []))
    _end(unit, result, target)


def _always(test: Expr) -> bool:
    return type(test) is Constant and (test.value is True or test.value is None)


def _loop_condition(unit: Unit, node: Expr) -> ast.expr:
    # A `break` in it leaves the loop around this one.
    unit.loops.append(None)
    test = condition(unit, node)
    unit.loops.pop()
    return test


def _begin(unit: Unit, target: Target) -> str | None:
    """Before a loop: where its value goes."""
    unit.flush()
    if target is None:
        return None
    result = unit.temporary()
    unit.emit(code.assign(result, code.constant(None)))
    return result


def _turn(unit: Unit, body: Block, loop: Loop) -> None:
    unit.loops.append(loop)
    if body.statements:
        block(unit, body.statements, None)
    unit.loops.pop()
    if not unit.dead:
        unit.flush()
        if loop.tells:
            unit.tell()
    unit.pending = []
    unit.dead = False
    if not unit.lines:
        unit.emit(code.Pass())


def _end(unit: Unit, result: str | None, target: Target) -> None:
    unit.pending = []
    unit.dead = False
    if result is not None:
        unit.finish(Operand(code.load(result), None), target)


@compiles(Do)
def run_do(unit: Unit, node: Do, target: Target) -> None:
    result = _begin(unit, target)
    with unit.python_block() as body:
        unit.loops.append(Loop(result))
        block(unit, node.body.statements, None)
        unit.loops.pop()
        unit.dead = False
        test = _loop_condition(unit, node.condition)
        unit.flush()
        unit.emit(code.if_(test if node.until else code.negate(test), [code.Break()]))
    unit.emit(code.While(code.constant(True), body, []))
    _end(unit, result, target)


@compiles(For)
def run_for(unit: Unit, node: For, target: Target) -> None:
    iterable = value(unit, node.iterable)
    unit.flush()
    held = unit.keep(iterable.expr)
    kind: type | None = None
    if iterable.kind is Range:
        items = unit.keep(code.call("numbers", held))
        kind = int
    else:
        items = unit.callout(
            "items_of", code.load("meter"), held, code.constant(start(node.iterable)), code.constant(node.iterable.at)
        )
    result = _begin(unit, target)
    size = len(unit.scope)
    counter = unit.define(node.counter, False, int) if node.counter is not None else None
    variable = unit.define(node.name, False, kind)
    turn = unit.temporary()
    for fresh in (counter, variable):
        if fresh is not None and fresh.is_cell:
            unit.emit(code.assign(fresh.code, code.constant(None)))
    if counter is not None:
        unit.emit(code.assign(turn, code.constant(0)))
    loop = Loop(result, iterable.kind is None)  # an iterator of the host may fail in each turn, and has its price
    with unit.branch() as exhausted:
        unit.reload()
    with unit.python_block() as body:
        if loop.tells:
            unit.reload()
        found = variable.code if not variable.is_cell else unit.temporary()
        if counter is not None:
            _give(unit, counter, code.load(turn))
            unit.emit(code.assign(turn, code.binary(code.load(turn), ast.Add(), code.constant(1))))
        if variable.is_cell:
            _give(unit, variable, code.load(found))
        if not node.body.statements:
            unit.count(node.body.at)
        _turn(unit, node.body, loop)
    unit.emit(code.For(code.Name(found, ast.Store()), items, body, exhausted if loop.tells else [], None))
    unit.forget(size)
    _end(unit, result, target)


def _give(unit: Unit, variable: Variable, item: ast.expr) -> None:
    """Give a variable of the loop its next value, through its cell if it has one."""
    plain = code.assign(variable.code, item)
    if not variable.is_cell:
        unit.emit(plain)
        return
    inside = code.assign_attribute(variable.code, "value", item)
    unit.emit(code.if_(code.kind_is(variable.load, "Shared"), [inside], [plain]))


@compiles(Try)
def run_try(unit: Unit, node: Try, target: Target) -> None:
    unit.flush()
    caught = unit.temporary()
    name = unit.temporary() if target is not None else None
    error = f"e{caught}"
    unit.emit(code.assign(caught, code.constant(None)))
    with unit.python_block() as lines:
        unit.tries += 1
        with unit.branch() as body:
            block(unit, node.body.statements, name)
            if not unit.dead:
                unit.flush()
        unit.tries -= 1
        unit.emit(code.try_(body, "EvalError", error, [code.assign(caught, code.load(error))]))
        with unit.branch() as handler:
            _handle(unit, node, caught)
            if name is not None:
                unit.emit(code.assign(name, code.constant(None)))
            if not unit.dead:
                unit.flush()
    unit.lines.extend(lines)
    unit.emit(code.if_(code.compare(code.load(caught), ast.IsNot(), code.constant(None)), handler))
    unit.finish(UNIT if name is None else Operand(code.load(name), None), target)


def _handle(unit: Unit, node: Try, caught: str) -> None:
    size = len(unit.scope)
    unit.reload()
    error = code.load(caught)
    made = unit.callout("caught_as", code.load("machine"), error, code.constant(node.name is not None))
    if node.name is not None:
        variable = unit.define(node.name, False, None)
        unit.emit(code.assign(variable.code, made))
    with unit.python_block() as lines:
        unit.tries += 1
        block(unit, node.handler.statements, None)
        if not unit.dead:
            unit.flush()
        unit.tries -= 1
    again = f"a{caught}"
    unit.emit(code.try_(lines, "Thrown", again, [code.raise_(code.call("thrown_on", code.load(again), error))]))
    unit.forget(size)
    unit.emit(code.assign(caught, code.constant(None)))
