"""Calls by name: script functions first, then native ones. What runs a script function, and what its errors become outside."""

from sys import maxsize

from rhaipy.errors import EvalError, InFunctionCall, LimitError
from rhaipy.interpreter.machine import Entry, Machine
from rhaipy.interpreter.natives import ANSWERED, answer, call_native, ensure_no_data_race
from rhaipy.interpreter.places import Local, Place
from rhaipy.limit_errors import StackOverflow, TooManyVariables
from rhaipy.modules import Environment, ScriptFunction
from rhaipy.parse_errors import ParseError
from rhaipy.scope import Scope
from rhaipy.signals import Exit, Return
from rhaipy.source import At
from rhaipy.typings import Final, TypeAlias
from rhaipy.values import Shared, Value, type_name

Called: TypeAlias = tuple[Value, bool]
"""What a call gives, and whether it may have changed its first argument in place."""


UNWINDING: Final = 12
"""Units of fuel for an error that leaves a call: what the way out through the evaluator's frames costs, in microseconds."""


def call_function(
    machine: Machine, name: str, args: list[Value], place: Place | None, at: At, scope: Scope | None = None
) -> Called:
    """name(args): `place` is where the first argument lives, if it is a variable; `scope` the caller's, if it is to be used."""
    if machine.locks:
        ensure_no_data_race(machine, name, args, place is not None and place.refers)
    if name in ANSWERED:
        return answer(machine, name, args, at), False
    machine.level += 1
    try:
        found = machine.find_script(name, len(args))
        if found is None:
            return call_native(machine, name, args, place, at)
        if place is not None:
            args[0] = machine.copy_changed(args[0], at)
        return _call_found(machine, found, args, None, at, scope), False
    finally:
        machine.level -= 1


def call_method(machine: Machine, name: str, place: Place, args: list[Value], at: At) -> Called:
    """place.name(args): a method for the type of the object, then a function with the object as `this`, then a native one."""
    values = [place.value, *args]
    if machine.locks:
        ensure_no_data_race(machine, name, values, place.refers)
    if name in ANSWERED:
        return answer(machine, name, values, at), False
    machine.level += 1
    try:
        found = None
        if machine.may_be_script(name):
            this_type = type_name(place.value, machine.meter.types)
            found = machine.find_script(name, len(args), this_type) or machine.find_script(name, len(args))
        if found is None:
            return call_native(machine, name, values, place, at)
        return _call_found(machine, found, args, bound(place), at, None), False
    finally:
        machine.level -= 1


def call_operator(machine: Machine, name: str, args: list[Value], at: At) -> Value:
    """An operator that is not built in, on its operands; script functions never stand for operators."""
    if machine.locks:
        ensure_no_data_race(machine, name, args, False)
    machine.level += 1
    try:
        return call_native(machine, name, args, None, at)[0]
    finally:
        machine.level -= 1


def bound(place: Place) -> Place:
    """`place` as a `this`: what a function writes to it stays there, but does not reach what it is only a part of."""
    return place if place.refers else Local(place.value, place.constant)


def _call_found(
    machine: Machine, found: tuple[ScriptFunction, str], args: list[Value], this: Place | None, at: At, scope: Scope | None
) -> Value:
    function, source = found
    if not function.definition.body.statements:
        return None
    before, machine.source = machine.source, source
    try:
        return call_script(machine, function, args, this, at, scope)
    finally:
        machine.source = before


def call_script(
    machine: Machine,
    function: ScriptFunction,
    args: list[Value],
    this: Place | None,
    at: At,
    scope: Scope | None = None,
    keeps: bool = False,
) -> Value:
    """Run a script function on as many arguments as it has parameters; they are its own from now on.

    `keeps`: its variables, but for the parameters, stay in the scope.
    """
    definition, environment = function.definition, function.environment
    limits = machine.world.limits
    meter = machine.meter
    meter.operations = count = meter.operations + 1
    if count > meter.ceiling:
        meter.judge(at)
    if 0 < limits.max_call_levels < machine.level:
        raise StackOverflow(at)
    if machine.meter.operations > machine.promotes_at and machine.promote is not None:
        machine.promotes_at = maxsize
        machine.promote()
    if machine.compiled is not None and environment is None and not keeps and (scope is None or not scope.names):
        entry, level = compiled_form(machine, function), machine.level
        try:
            value = entry(level, at, this, args) if entry is not None else UNFIT
        finally:
            machine.level = level
        if value is not UNFIT:
            return value
    own = Scope() if scope is None else scope
    size = len(own.names)
    if limits.max_variables and size + len(args) > limits.max_variables:
        raise TooManyVariables(at)
    if not definition.body.statements:
        return None
    outer_scope, outer_this = machine.scope, machine.this
    outside = _enter(machine, environment) if environment is not None else None
    outer_frame, machine.import_frame = machine.import_frame, len(machine.imports)
    own.names.extend(definition.params)
    own.values.extend(args)
    own.constants.extend([False] * len(args))
    machine.scope, machine.this = own, this
    machine.scopes.append(own)
    try:
        statements = definition.body.statements
        return machine.run(statements) if keeps else machine.block(statements)
    except Return as returning:
        return returning.value
    except Exit as leaving:
        leaving.at = at
        raise
    except (LimitError, ParseError) as error:
        machine.meter.charge(UNWINDING, at)
        error.at = at
        raise
    except EvalError as error:
        machine.meter.charge(UNWINDING, at)
        raise InFunctionCall(at, definition.name, _source(machine, environment), error) from None
    finally:
        machine.scopes.pop()
        machine.scope, machine.this, machine.import_frame = outer_scope, outer_this, outer_frame
        if keeps:
            own.remove(size, len(args))
        elif scope is not None:
            own.rewind(size)
        if outside is not None:
            _leave(machine, outside)


UNFIT: Final[Value] = Shared(None)
"""What a compiled function gives for arguments that it was not compiled for. No other function gives this cell."""


def compiled_form(machine: Machine, function: ScriptFunction) -> Entry | None:
    """The compiled form of a function, if it has one, and may be used now."""
    if machine.compiled is None or machine.locks or machine.imports or len(machine.libraries) != 1:
        return None
    return machine.compiled.get(function)


def _source(machine: Machine, environment: Environment | None) -> str:
    return (environment.library.source if environment is not None else "") or machine.source


_Outside: TypeAlias = tuple[int, int, dict[str, Value] | None]


def _enter(machine: Machine, environment: Environment) -> _Outside:
    """Let a module's function see what is around it; how to get back."""
    outside = len(machine.imports), len(machine.libraries), machine.constants
    machine.imports.extend(environment.imports)
    machine.libraries.append(environment.library)
    machine.constants = environment.constants
    return outside


def _leave(machine: Machine, outside: _Outside) -> None:
    imports, libraries, machine.constants = outside
    del machine.imports[imports:]
    del machine.libraries[libraries:]
