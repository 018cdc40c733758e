"""`throw`, and `try` with what it catches."""

from rhaipy.costs import charge_error
from rhaipy.display import display
from rhaipy.errors import EvalError, LimitError, Thrown, forget_frames
from rhaipy.interpreter.machine import Machine, handles
from rhaipy.interpreter.statements import ensure_room
from rhaipy.limits import Limits, Meter
from rhaipy.source import NONE, unpack
from rhaipy.syntax.nodes import Throw, Try
from rhaipy.typings import cast
from rhaipy.values import Value, type_name


@handles(Throw)
def throw(machine: Machine, node: Throw) -> Value:
    value = None if node.value is None else machine.value_of(node.value)
    limits = machine.meter.limits
    raise Thrown(node.at, value, lambda value: shown(value, limits))


def shown(value: Value, limits: Limits) -> str:
    # When somebody asks for the text, the run and its meter are over.
    try:
        return display(value, Meter(limits))
    except LimitError:
        return type_name(value)


@handles(Try)
def run_try(machine: Machine, node: Try) -> Value:
    try:
        return machine.block(node.body.statements)
    except EvalError as error:
        caught = error
    value = caught_as(machine, caught, node.name is not None)
    size = len(machine.scope.names)
    try:
        if node.name is not None:
            ensure_room(machine, node.name_at)
            machine.scope.add(node.name, value, False)
        machine.block(node.handler.statements)
    except Thrown as error:
        if error.value is not None:
            raise
        caught.at = error.at  # thrown on
        raise caught from None
    finally:
        machine.scope.rewind(size)
    return None


def caught_as(machine: Machine, error: EvalError, is_named: bool) -> Value:
    """What the name that follows `catch` stands for, if there is one. The error is paid for."""
    forget_frames(error)
    charge_error(machine.meter)
    return _described(machine, error) if is_named else None


def _described(machine: Machine, error: EvalError) -> Value:
    """The value thrown, or a map that describes the error. The error loses its position."""
    inner = error.innermost
    if isinstance(inner, Thrown):
        return machine.copy(cast("Value", inner.value))
    described: dict[str, Value] = {"error": error.kind, **error.fields()}
    position = unpack(error.at)
    error.at = NONE
    described["message"] = message = error.display()
    machine.meter.charge(len(message) >> 8)
    machine.meter.allocate(len(message))
    if machine.source:
        described["source"] = machine.source
    if position is not None:
        described["line"] = position.line
        described["position"] = position.column
    return described
