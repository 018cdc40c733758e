"""Errors of compiled code at their operation: where operations are counted in blocks, whoever raises settles what is pending.

All functions leave the meter exact.
"""

from collections.abc import Callable
from typing import Any

from rhaipy.errors import EvalError, InFunctionCall, MismatchDataType, RhaiError
from rhaipy.interpreter.machine import Machine
from rhaipy.interpreter.operands import held_type_name
from rhaipy.interpreter.scripts import UNWINDING
from rhaipy.limit_errors import StackOverflow
from rhaipy.limits import Meter
from rhaipy.signals import Exit
from rhaipy.source import At
from rhaipy.values import Value

Positions = tuple[At, ...]


def over(meter: Meter, left: int, positions: Positions, owed: int = 0) -> RhaiError:
    """The error of the operation too many among those at `positions`, which are taken off already, but for the first `owed`."""
    remaining = left - owed
    allowed = max(len(positions) + remaining, 0)
    meter.operations = meter.ceiling - remaining - len(positions) + allowed
    try:
        meter.operation(positions[allowed])
    except RhaiError as error:
        return error
    raise AssertionError("an operation too many was allowed")


def enter(meter: Meter, left: int, positions: Positions) -> None:
    """Count the operations at `positions`."""
    remaining = left - len(positions)
    if remaining < 0:
        raise over(meter, remaining, positions)
    meter.operations = meter.ceiling - remaining


def settle(meter: Meter, left: int, positions: Positions, error: Any) -> Any:
    """`error`, after the operations at `positions`."""
    enter(meter, left, positions)
    return error


def failed(
    meter: Meter, left: int, positions: Positions, operator: Callable[[int, int], int], first: int, second: int, at: At
) -> RhaiError:
    """The error that `operator` raises for these operands."""
    enter(meter, left, positions)
    try:
        operator(first, second)
    except RhaiError as error:
        return error.filled(at)
    raise AssertionError("an operator that failed did not")


def too_deep(meter: Meter, left: int, at: At) -> RhaiError:
    """The error of a call that is nested too deep."""
    meter.operations = meter.ceiling - left
    return StackOverflow(at)


def left_call(machine: Machine, error: Any, at: At, name: str) -> Any:
    """What an error, or `exit`, becomes outside of the function `name` that was called at `at`."""
    if isinstance(error, Exit):
        error.at = at
        return error
    machine.meter.charge(UNWINDING, at)
    if isinstance(error, EvalError):
        return InFunctionCall(at, name, machine.source, error)
    error.at = at
    return error


def not_bool(value: Value, at: At) -> RhaiError:
    """The error of a condition that is none."""
    return MismatchDataType(at, "bool", held_type_name(value))
