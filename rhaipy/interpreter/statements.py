"""Statements but for loops and errors: definitions, assignments, branches, and the ways out."""

from rhaipy.errors import AssignmentToConstant, RhaiError, UnboundThis, VariableExists, VariableNotFound
from rhaipy.interpreter.assignments import assign_to, result_of
from rhaipy.interpreter.chains import assign_chain
from rhaipy.interpreter.host_variables import ask_to_define, from_host
from rhaipy.interpreter.machine import HANDLERS, Machine, handles
from rhaipy.interpreter.operations import truth
from rhaipy.interpreter.variables import index_of, qualified_place, release, variable_place
from rhaipy.limit_errors import TooManyVariables
from rhaipy.operators import is_paid_join
from rhaipy.signals import Break, Continue, Return
from rhaipy.source import At
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import (
    Assign,
    Block,
    CallStmt,
    Chain,
    Constant,
    ExprStmt,
    If,
    Let,
    Noop,
    RangeCase,
    Share,
    Switch,
    This,
    Variable,
)
from rhaipy.values import MUTABLE, Shared, Value, copy_outer, switch_key


@handles(Noop)
def do_nothing(machine: Machine, node: Noop) -> Value:
    return None


@handles(ExprStmt)
def run_expression(machine: Machine, node: ExprStmt) -> Value:
    meter, expr = machine.meter, node.expr  # and on as `value_of` does
    meter.operations = count = meter.operations + 1
    if count > meter.ceiling:
        meter.judge(expr.at)
    value = HANDLERS[type(expr)](machine, expr)
    return machine.flatten(value) if type(value) is Shared else value


@handles(CallStmt)
def run_call(machine: Machine, node: CallStmt) -> Value:
    return HANDLERS[type(node.call)](machine, node.call)


@handles(Block)
def run_block(machine: Machine, node: Block) -> Value:
    return machine.block(node.statements)


# --- definitions and assignments ------------------------------------------------------------------------------------------


@handles(Let)
def define(machine: Machine, node: Let) -> Value:
    scope, world = machine.scope, machine.world
    if not world.options.allow_shadowing and node.name in scope.names:
        raise VariableExists(node.at, node.name)
    if world.on_def_var is not None:
        ask_to_define(machine, world.on_def_var, node)
    if world.limits.max_variables and not node.slot:
        ensure_room(machine, node.at)
    value = machine.value_of(node.value)
    if machine.sharing is not None and node in machine.sharing.stores:
        value = copy_outer(value, machine.meter, node.at)
    if node.constant and machine.depth == 0 and any(len(library) for library in machine.libraries):
        if machine.constants is None:
            machine.constants = {}
        machine.constants[node.name] = machine.copy(value, node.at)
    if node.slot:
        scope.values[-node.slot] = value
        scope.constants[-node.slot] = node.constant
    else:
        scope.add(node.name, value, node.constant)
    if node.exported:
        scope.export(len(scope.names) - 1, node.name)
    return None


def ensure_room(machine: Machine, at: At, more: int = 1) -> None:
    """TooManyVariables at `at` if the scope has no room for as many more variables."""
    limit = machine.world.limits.max_variables
    if limit and len(machine.scope.names) + more > limit:
        raise TooManyVariables(at)


@handles(Share)
def share(machine: Machine, node: Share) -> Value:
    scope = machine.scope
    for variable in node.variables:
        if machine.on_var is not None and from_host(machine, variable.name, variable.at) is not None:
            continue
        index = len(scope.names) - variable.slot if variable.slot else scope.search(variable.name)
        if index < 0:
            raise VariableNotFound(variable.at, variable.name)
        value = scope.values[index]
        if type(value) is not Shared:
            scope.values[index] = Shared(value, scope.constants[index])
    return None


@handles(Assign)
def assign(machine: Machine, node: Assign) -> Value:
    target = node.target
    if type(target) is This and machine.this is None:
        raise UnboundThis(target.at)
    value = machine.value_of(node.value)
    if machine.sharing is not None and node in machine.sharing.stores:
        value = copy_outer(value, machine.meter, node.at)
    if type(target) is Chain:
        assign_chain(machine, node, target, value)
        return None
    meter = machine.meter
    meter.operations = count = meter.operations + 1
    if count > meter.ceiling:
        meter.judge(target.at)
    if type(target) is Variable:
        _assign_variable(machine, node, target, value)
    elif type(target) is This and machine.this is not None:
        assign_to(machine, node, target, machine.this, value)
    elif type(target) is nodes.QualifiedVariable:
        qualified_place(machine, target)
        raise AssignmentToConstant(target.at, target.name)
    return None


def _assign_variable(machine: Machine, node: Assign, target: Variable, value: Value) -> None:
    if machine.on_var is not None:
        _assign_place(machine, node, target, value)
        return
    scope, slot = machine.scope, target.slot
    at_slot = 0 < slot <= len(scope.names) and not machine.always_search  # where `index_of` looks, too
    index = -slot if at_slot else index_of(machine, target)
    if (index < 0 and not at_slot) or scope.constants[index] or type(scope.values[index]) is Shared:
        _assign_place(machine, node, target, value)
    elif not node.operator:
        scope.values[index] = value
    elif node.operator == "+" and type(scope.values[index]) is str and type(value) is str and machine.fast_operators:
        _append_text(machine, node, target, index, value)
    else:
        old = scope.values[index]
        scope.values[index] = result_of(machine, node, target, old, value)
        if type(old) in MUTABLE:
            machine.sizes.add(value)


def _append_text(machine: Machine, node: Assign, target: Variable, index: int, more: str) -> None:
    # Python adds to a text in place while nobody else holds it: so a text that grows is not copied each time.
    values = machine.scope.values
    text = values[index]
    assert type(text) is str
    try:
        in_place = is_paid_join(machine.meter, text, more)
    except RhaiError as error:
        error.filled(node.at)
        raise
    if in_place:
        values[index] = None
        text += more
        values[index] = text
    else:
        values[index] = result_of(machine, node, target, text, more)


def _assign_place(machine: Machine, node: Assign, target: Variable, value: Value) -> None:
    place = variable_place(machine, target)
    if place.temporary:
        raise AssignmentToConstant(target.at, target.name)
    try:
        assign_to(machine, node, target, place, value)
    finally:
        release(machine, place)


# --- branches -------------------------------------------------------------------------------------------------------------


@handles(If)
def choose(machine: Machine, node: If) -> Value:
    statements = (node.body if truth(machine, node.condition) else node.otherwise).statements
    return machine.block(statements) if statements else None


@handles(Switch)
def switch(machine: Machine, node: Switch) -> Value:
    subject = machine.evaluate(node.subject)
    for arm in node.cases.get(switch_key(subject, machine.meter), ()):
        if _holds(machine, node, arm):
            return machine.evaluate(node.arms[arm].result)
    if node.ranges:
        machine.meter.charge(len(node.ranges) >> 3)
        value = machine.flatten(subject)
        for case in node.ranges:
            if in_range(value, case) and _holds(machine, node, case.arm):
                return machine.evaluate(node.arms[case.arm].result)
    return None if node.default is None else machine.evaluate(node.arms[node.default].result)


def _holds(machine: Machine, node: Switch, arm: int) -> bool:
    condition = node.arms[arm].condition
    if type(condition) is Constant and type(condition.value) is bool:
        return condition.value
    return truth(machine, condition)


def in_range(value: Value, case: RangeCase) -> bool:
    if type(value) is int:
        return case.first <= value < case.last + case.inclusive
    if type(value) is not float:
        return False
    first, last = float(case.first), float(case.last)
    return first <= value <= last if case.inclusive else first <= value < last


# --- ways out -------------------------------------------------------------------------------------------------------------


@handles(nodes.Break)
def leave_loop(machine: Machine, node: nodes.Break) -> Value:
    raise Break(None if node.value is None else machine.evaluate(node.value))


@handles(nodes.Continue)
def next_turn(machine: Machine, node: nodes.Continue) -> Value:
    raise Continue


@handles(nodes.Return)
def leave_function(machine: Machine, node: nodes.Return) -> Value:
    raise Return(None if node.value is None else machine.value_of(node.value))
