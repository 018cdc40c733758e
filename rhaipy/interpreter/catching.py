"""`throw`, and `try` with what it catches."""

from typing import cast

from rhaipy.display import display
from rhaipy.errors import EvalError, Thrown
from rhaipy.interpreter.machine import Machine, handles
from rhaipy.interpreter.statements import ensure_room
from rhaipy.source import NONE, unpack
from rhaipy.syntax.nodes import Throw, Try
from rhaipy.values import Value


@handles(Throw)
def throw(machine: Machine, node: Throw) -> Value:
    value = None if node.value is None else machine.value_of(node.value)
    raise Thrown(node.at, value, display)


@handles(Try)
def run_try(machine: Machine, node: Try) -> Value:
    try:
        return machine.block(node.body.statements)
    except EvalError as error:
        caught = error
    size = len(machine.scope.names)
    try:
        if node.name is not None:
            value = _caught_value(machine, caught)
            ensure_room(machine, node.name_at)
            machine.scope.push(node.name, value)
        machine.block(node.handler.statements)
    except Thrown as error:
        if error.value is not None:
            raise
        caught.at = error.at  # thrown on
        raise caught from None
    finally:
        machine.scope.rewind(size)
    return None


def _caught_value(machine: Machine, error: EvalError) -> Value:
    """What `catch (name)` names: the value thrown, or a map that describes the error. The error loses its position."""
    inner = error.innermost
    if isinstance(inner, Thrown):
        return machine.copy(cast("Value", inner.value))
    described: dict[str, Value] = {"error": error.kind, **error.fields()}
    position = unpack(error.at)
    error.at = NONE
    described["message"] = error.display()
    if machine.source:
        described["source"] = machine.source
    if position is not None:
        described["line"] = position.line
        described["position"] = position.column
    return described
