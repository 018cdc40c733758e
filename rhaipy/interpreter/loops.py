"""Loops. An empty body costs one operation a turn where nothing else would count it."""

from collections.abc import Iterator

from rhaipy.errors import For as NotIterable
from rhaipy.host import host_items
from rhaipy.interpreter.machine import Machine, handles
from rhaipy.interpreter.operations import truth
from rhaipy.interpreter.statements import ensure_room
from rhaipy.optimize.purity import start
from rhaipy.signals import Break, Continue
from rhaipy.syntax.nodes import Constant, Do, Expr, For, While
from rhaipy.values import Shared, Value, iterate


@handles(While)
def run_while(machine: Machine, node: While) -> Value:
    if node.condition is None or _always(node.condition):
        return _run_for_ever(machine, node)
    body = node.body.statements
    while truth(machine, node.condition):
        if body:
            try:
                machine.block(body)
            except Continue:
                continue
            except Break as leaving:
                return leaving.value
    return None


def _always(condition: Expr) -> bool:
    return type(condition) is Constant and (condition.value is True or condition.value is None)


def _run_for_ever(machine: Machine, node: While) -> Value:
    body = node.body.statements
    while not body:
        machine.meter.operation(node.body.at)
    while True:
        try:
            machine.block(body)
        except Continue:
            continue
        except Break as leaving:
            return leaving.value


@handles(Do)
def run_do(machine: Machine, node: Do) -> Value:
    while True:
        try:
            machine.block(node.body.statements)
        except Continue:
            continue  # without a look at the condition, as in the engine
        except Break as leaving:
            return leaving.value
        if truth(machine, node.condition) is node.until:
            return None


@handles(For)
def run_for(machine: Machine, node: For) -> Value:
    scope = machine.scope
    ensure_room(machine, node.name_at, 1 if node.counter is None else 2)
    iterable = machine.value_of(node.iterable)
    items = iterate(iterable)
    if items is None:
        items = host_items(iterable, machine.meter, node.iterable.at)
    if items is None:
        raise NotIterable(start(node.iterable))
    size = len(scope.names)
    try:
        if node.counter is not None:
            scope.add(node.counter, 0, False)
        scope.add(node.name, None, False)
        return _run_turns(machine, node, items) if node.body.statements else _count_turns(machine, node, items)
    finally:
        scope.rewind(size)


def _run_turns(machine: Machine, node: For, items: Iterator[Value]) -> Value:
    scope, body = machine.scope, node.body.statements
    index = len(scope.names) - 1
    turn = 0
    for item in items:
        if node.counter is not None:
            scope.replace(index - 1, turn)
            turn += 1
        if type(scope.values[index]) is Shared:
            scope.replace(index, item)
        else:
            scope.values[index] = item
        try:
            machine.block(body)
        except Continue:
            continue
        except Break as leaving:
            return leaving.value
    return None


def _count_turns(machine: Machine, node: For, items: Iterator[Value]) -> Value:
    for _ in items:
        machine.meter.operation(node.body.at)
    return None
