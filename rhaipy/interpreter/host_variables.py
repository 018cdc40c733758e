"""Variables that the host has a say in: those that `on_var` answers for, and those that `on_def_var` forbids."""

from rhaipy import host_errors
from rhaipy.errors import ForbiddenVariable, RhaiError
from rhaipy.events import UNIT, EvalContext, OnDefVar, VarDefInfo
from rhaipy.host import result_of
from rhaipy.interpreter.machine import Machine
from rhaipy.interpreter.places import Place, Temporary
from rhaipy.source import At
from rhaipy.syntax.nodes import Let


def from_host(machine: Machine, name: str, at: At) -> Place | None:
    """What the host says the variable `name` is: a constant that lives nowhere. None if it does not say."""
    assert machine.on_var is not None
    size = len(machine.scope.names)
    try:
        value = machine.on_var(name, _context(machine))
    except RhaiError as error:
        error.filled(at)
        raise
    except (RecursionError, MemoryError):
        raise
    except Exception as error:
        raise host_errors.from_host("on_var", error).filled(at) from None
    finally:
        _notice_changes(machine, size)
    if value is None:
        return None
    return Temporary(None if value is UNIT else result_of("on_var", value, machine.meter, at), True)


def ask_to_define(machine: Machine, allows: OnDefVar, node: Let) -> None:
    """ForbiddenVariable if the host does not want this variable."""
    size = len(machine.scope.names)
    shadows = node.name in machine.scope.names
    info = VarDefInfo(node.name, node.constant, machine.depth, shadows, True, _context(machine))
    try:
        allowed = allows(info)
    except (RhaiError, RecursionError, MemoryError):
        raise
    except Exception as error:
        raise host_errors.from_host("on_def_var", error) from None
    finally:
        _notice_changes(machine, size)
    if not allowed:
        raise ForbiddenVariable(node.at, node.name)


def _context(machine: Machine) -> EvalContext:
    return EvalContext(machine.scope, machine.level, machine.depth, machine.source)


def _notice_changes(machine: Machine, size: int) -> None:
    if len(machine.scope.names) != size:
        machine.always_search = True
