"""Statements: blocks, definitions, assignments, branches, and the ways out."""

import ast
from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

from rhaipy.compiler import code
from rhaipy.compiler.operations import condition
from rhaipy.compiler.unit import MOST_PENDING, RETURN, UNIT, Operand, Target, Unit, Unsupported
from rhaipy.compiler.values import glance, uncounted, value
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Block, CallStmt, Constant, Expr, ExprStmt, If, Noop, Stmt, Switch, Throw

Compile: TypeAlias = Callable[[Unit, Any, Target], None]
STATEMENTS: Final[dict[type, Compile]] = {}
"""How each kind of statement is compiled."""

_Compile = TypeVar("_Compile", bound=Compile)


def compiles(node: type) -> Callable[[_Compile], _Compile]:
    """Register the decorated function for statements of this type."""

    def register(make: _Compile) -> _Compile:
        STATEMENTS[node] = make
        return make

    return register


def block(unit: Unit, statements: tuple[Stmt, ...], target: Target) -> None:
    """The statements of a block; the value of the last one goes to `target`."""
    size = len(unit.scope)
    unit.depth += 1
    run(unit, statements, target)
    unit.depth -= 1
    unit.forget(size)


def run(unit: Unit, statements: tuple[Stmt, ...], target: Target) -> None:
    """The same in the scope as it is."""
    if not statements:
        unit.finish(UNIT, target)
    last = len(statements) - 1
    for number, node in enumerate(statements):
        statement(unit, node, target if number == last else None)


def statement(unit: Unit, node: Stmt, target: Target) -> None:
    """One statement."""
    if len(unit.pending) > MOST_PENDING:
        unit.flush()
    unit.count(node.at)
    make = STATEMENTS.get(type(node))
    if make is None:
        raise Unsupported
    with unit.deeper(), unit.statement():
        make(unit, node, target)


@compiles(Noop)
def do_nothing(unit: Unit, node: Noop, target: Target) -> None:
    unit.finish(UNIT, target)


@compiles(ExprStmt)
def expression(unit: Unit, node: ExprStmt, target: Target) -> None:
    if type(node.expr) is nodes.BlockExpr:
        unit.count(node.expr.at)
        block(unit, node.expr.body.statements, target)
    else:
        unit.finish(value(unit, node.expr), target)


@compiles(CallStmt)
def call(unit: Unit, node: CallStmt, target: Target) -> None:
    if target is not None:
        _ensure_compiled(unit, node.call)
    unit.finish(unit.own(uncounted(unit, node.call)), target)


def _ensure_compiled(unit: Unit, node: Expr) -> None:
    # What such a statement calls may give a cell where it stays with the evaluator; and it is not taken out of that.
    if isinstance(node, nodes.Call):
        function = unit.library.functions.get((node.name, len(node.args)))
        if function is not None and id(function) not in unit.functions:
            raise Unsupported


@compiles(Block)
def inner_block(unit: Unit, node: Block, target: Target) -> None:
    block(unit, node.statements, target)


# --- branches -------------------------------------------------------------------------------------------------------------


@compiles(If)
def choose(unit: Unit, node: If, target: Target) -> None:
    test = condition(unit, node.condition)
    with unit.branch() as body:
        block(unit, node.body.statements, target)
        first_dead = unit.dead
    with unit.branch() as otherwise:
        block(unit, node.otherwise.statements, target)
        second_dead = unit.dead
    unit.emit(code.if_(test, body, otherwise))
    unit.dead = first_dead and second_dead


@compiles(Switch)
def switch(unit: Unit, node: Switch, target: Target) -> None:
    _ensure_no_cell(unit, node.subject)
    subject = glance(unit, node.subject)
    if not isinstance(subject.expr, ast.Constant):
        subject = subject._replace(expr=unit.keep(subject.expr))
    unit.flush()
    chosen = unit.temporary()
    numbers = {arms: number for number, arms in enumerate(dict.fromkeys(node.cases.values()))}
    cases = {key: numbers[arms] for key, arms in node.cases.items()}
    unit.callout("chosen_case", code.load("meter"), unit.pool.add(cases), subject.expr, into=chosen)
    for arms, number in numbers.items():
        with unit.branch() as lines:
            _first_that_holds(unit, node, list(arms), target, chosen)
        unit.emit(code.if_(code.compare(code.load(chosen), ast.Eq(), code.constant(number)), lines))
    with unit.branch() as lines:
        _other_cases(unit, node, subject, target)
    unit.emit(code.if_(code.compare(code.load(chosen), ast.Eq(), code.constant(-1)), lines))


def _ensure_no_cell(unit: Unit, node: Expr) -> None:
    if isinstance(node, nodes.Variable):
        variable = unit.find(node.name, node.slot)
        if variable is None or variable.is_cell:
            raise Unsupported


def _first_that_holds(unit: Unit, node: Switch, arms: list[int], target: Target, chosen: str) -> None:
    """The first arm whose condition holds; where none does, `chosen` says that none was."""
    if not arms:
        unit.emit(code.assign(chosen, code.constant(-1)))
        return
    _guarded(unit, node, arms[0], target, lambda: _first_that_holds(unit, node, arms[1:], target, chosen))


def _guarded(unit: Unit, node: Switch, number: int, target: Target, otherwise: Callable[[], None]) -> None:
    arm = node.arms[number]
    if type(arm.condition) is Constant and type(arm.condition.value) is bool:
        if arm.condition.value:
            _result(unit, arm.result, target)
        else:
            otherwise()
        return
    test = condition(unit, arm.condition)
    with unit.deeper():
        with unit.branch() as body:
            _result(unit, arm.result, target)
        with unit.branch() as rest:
            otherwise()
    unit.emit(code.if_(test, body, rest))


def _other_cases(unit: Unit, node: Switch, subject: Operand, target: Target) -> None:
    if not node.ranges:
        _default(unit, node, target)
        return
    if len(node.ranges) >> 3:
        unit.callout("charge", code.load("meter"), code.constant(len(node.ranges) >> 3))
    _next_range(unit, node, 0, subject, target)


def _next_range(unit: Unit, node: Switch, number: int, subject: Operand, target: Target) -> None:
    if number == len(node.ranges):
        _default(unit, node, target)
        return
    case = node.ranges[number]
    found = unit.keep(code.constant(False))
    assert isinstance(found, ast.Name)
    with unit.branch() as lines:
        _guarded(unit, node, case.arm, target, lambda: unit.emit(code.assign(found.id, code.constant(False))))
    test = code.call("in_range", subject.expr, unit.pool.add(case))
    unit.emit(code.assign(found.id, test))
    unit.emit(code.if_(found, lines))
    with unit.deeper(), unit.branch() as rest:
        _next_range(unit, node, number + 1, subject, target)
    unit.emit(code.if_(code.negate(found), rest))


def _default(unit: Unit, node: Switch, target: Target) -> None:
    if node.default is None:
        unit.finish(UNIT, target)
    else:
        _result(unit, node.arms[node.default].result, target)


def _result(unit: Unit, node: Expr, target: Target) -> None:
    if type(node) is nodes.BlockExpr:
        unit.count(node.at)
        block(unit, node.body.statements, target)
        return
    unit.finish(_left_with(unit, node), target)


def _left_with(unit: Unit, node: Expr) -> Operand:
    """What leaves as it is: a captured variable would leave as its cell."""
    if isinstance(node, nodes.Variable):
        _ensure_no_cell(unit, node)
    return value(unit, node)


# --- ways out -------------------------------------------------------------------------------------------------------------


@compiles(nodes.Break)
def leave_loop(unit: Unit, node: nodes.Break, target: Target) -> None:
    loop = unit.loops[-1] if unit.loops else None
    if loop is None:
        raise Unsupported
    result = loop.result
    made = UNIT if node.value is None else _left_with(unit, node.value)
    if result is not None:
        unit.emit(code.assign(result, made.expr))
    unit.flush()
    unit.emit(code.Break())
    unit.dead = True


@compiles(nodes.Continue)
def next_turn(unit: Unit, node: nodes.Continue, target: Target) -> None:
    loop = unit.loops[-1] if unit.loops else None
    if loop is None:
        raise Unsupported
    unit.flush()
    if loop.tells:
        unit.tell()
    unit.emit(code.Continue())
    unit.dead = True


@compiles(nodes.Return)
def leave_function(unit: Unit, node: nodes.Return, target: Target) -> None:
    unit.finish(UNIT if node.value is None else value(unit, node.value), RETURN)


@compiles(Throw)
def throw(unit: Unit, node: Throw, target: Target) -> None:
    made = UNIT if node.value is None else value(unit, node.value)
    unit.emit(unit.fail(code.call("thrown", code.load("meter"), code.constant(node.at), made.expr)))
    unit.pending = []
    unit.dead = True
