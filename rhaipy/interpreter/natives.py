"""Native calls: find the function by name and types, hand it its arguments as the engine would, judge what comes back.

One operation for each attempt. Also here: what is answered before any look-up (`type_of`, `is_shared`, `is_def_fn`), getters and
indexers, and the texts of what is not found.
"""

from collections.abc import Iterable, Sequence
from sys import getsizeof

from rhaipy.errors import (
    DataRace,
    DotExpr,
    FunctionNotFound,
    IndexingType,
    MismatchDataType,
    MismatchOutputType,
    NonPureMethodCallOnConstant,
    RhaiError,
)
from rhaipy.functions import Function
from rhaipy.host import admit_changed, result_of
from rhaipy.host_errors import from_host
from rhaipy.interpreter.machine import Machine
from rhaipy.interpreter.places import CellPlace, Place, Temporary
from rhaipy.interpreter.sizes import SIZED
from rhaipy.signals import Exit, Signal
from rhaipy.source import NONE, At
from rhaipy.typings import Any, Final
from rhaipy.values import UNCHANGING, FnPtr, Shared, Value, raw_type_name, signature_name, type_name

INDEX_GETTER: Final = "index$get$"
INDEX_SETTER: Final = "index$set$"
GROWTH: Final = 64
"""Bytes that a function which changes a container is taken to add to it: about what an item or an entry needs."""
GETTER: Final = "get$"
SETTER: Final = "set$"


def call_native(machine: Machine, name: str, args: list[Value], place: Place | None, at: At) -> tuple[Value, bool]:
    """Call the native function `name`. `place` is where the first of `args` lives, if it is more than a value.

    Also tells whether the function got its first argument by reference, and so may have changed it.
    """
    machine.meter.operation(at)
    if machine.locks:
        ensure_no_data_race(machine, name, args, place is not None and place.refers)
    if name in ANSWERED:
        return answer(machine, name, args, at), False
    kinds = _kinds(args)
    if Shared in kinds:
        place = _flattened(args, place)
        kinds = _kinds(args)
    function = machine.world.functions.find(name, kinds) or machine.find_visible(name, kinds)
    if function is None:
        raise not_found(machine, name, args, at)
    value = run_native(machine, function, name, args, place, at, at)
    if name == "print" or name == "debug":
        _show(machine, name, value, at)
        return None, False
    return value, function.by_reference


def run_native(
    machine: Machine, function: Function, name: str, args: list[Value], place: Place | None, at: At, error_at: At
) -> Value:
    """Call `function` at `at`. What it raises is placed at `error_at`, if it has no position of its own."""
    refers = place is not None and place.refers
    if place is not None and place.constant and function.mutates:
        raise NonPureMethodCallOnConstant(at, name)
    if refers and not function.by_reference and type(args[0]) not in UNCHANGING:
        args[0] = machine.copy_changed(args[0], at)
    values: list[Any] = args
    if function.mutates:
        changed = place if place is not None else Temporary(args[0])
        values = [changed, *args[1:]]
    if function.wants_caller:
        values = [machine.world.caller(machine, name, at, place is not None and place.constant, function.host), *values]
    try:
        value: Value = invoke(function, values)
    except RhaiError as error:
        error.filled(error_at)
        raise
    except Exit as leaving:
        leaving.at = leaving.at or at
        raise
    except Exception as error:
        if not function.host or isinstance(error, RecursionError | MemoryError | Signal):
            raise
        raise from_host(name, error).filled(error_at) from None
    if function.host:
        value = result_of(name, value, machine.meter, error_at)
        if function.mutates:
            admit_changed(name, values[function.wants_caller].value, machine.meter, error_at)
    if refers and function.mutates and place is not None:
        place.flush(at)
    if machine.limits_data:
        if refers and place is not None and function.by_reference:
            judge_changed(machine, function, value, place.value, args[1:] if function.mutates else (), at)
        elif type(value) in SIZED:
            judge_result(machine, value, at)
    return value


def judge_result(machine: Machine, value: Value, at: At) -> None:
    """Judge what a function gave, if it is of a type that has sizes."""
    machine.meter.allocate(getsizeof(value), at)
    machine.sizes.check_result(value, at)


def judge_changed(machine: Machine, function: Function, value: Value, held: Value, more: Sequence[Value], at: At) -> None:
    """Judge what `function` gave, called with `more` arguments on what was by reference and is `held` now; and that."""
    if function.mutates:
        machine.meter.allocate(getsizeof(held) if type(held) is str else GROWTH, at)
    if type(value) in SIZED:
        judge_result(machine, value, at)
    machine.sizes.check_argument(function, held, more, at)


def _kinds(args: list[Value]) -> tuple[type, ...]:
    # A comprehension is a call of its own, and most functions take one or two arguments.
    if len(args) == 2:
        return type(args[0]), type(args[1])
    if len(args) == 1:
        return (type(args[0]),)
    return tuple([type(arg) for arg in args])


def invoke(function: Function, values: list[Any]) -> Value:
    """Call `function`. Plain positional calls: others use up C's stack, and callbacks may nest."""
    call: Any = function.call
    result: Value
    match len(values):
        case 0:
            result = call()
        case 1:
            result = call(values[0])
        case 2:
            result = call(values[0], values[1])
        case 3:
            result = call(values[0], values[1], values[2])
        case 4:
            result = call(values[0], values[1], values[2], values[3])
        case _:
            result = call(*values)
    return result


def _flattened(args: list[Value], place: Place | None) -> Place | None:
    """Replace the cells among `args` by what they hold; the place of the first one, if it was a cell."""
    first = args[0]
    if type(first) is Shared:
        place = CellPlace(first)
    for index, arg in enumerate(args):
        if type(arg) is Shared:
            args[index] = arg.value
    return place


def _show(machine: Machine, name: str, value: Value, at: At) -> None:
    if type(value) is not str:
        raise MismatchOutputType(at, "string", raw_type_name(value))
    world = machine.world
    if name == "print" and world.print is not None:
        world.print(value)
    if name == "debug" and world.debug is not None:
        world.debug(value, machine.source, at)


# --- what stands in the way of a call -------------------------------------------------------------------------------------


def ensure_no_data_race(machine: Machine, name: str, args: list[Value], by_reference: bool) -> None:
    """DataRace if an argument is, or holds, a variable that a call further up holds by reference."""
    for number, arg in enumerate(args[by_reference:], 1):
        if type(arg) in _HOLDING and _is_locked(machine, arg):
            raise DataRace(NONE, f"argument #{number} of function '{name}'")


_HOLDING: Final = frozenset({list, dict, FnPtr, Shared})


def _is_locked(machine: Machine, root: Value) -> bool:
    pending: list[Value] = [root]
    seen: set[int] = set()  # of what may be held more than once
    while pending:
        value = pending.pop()
        if isinstance(value, (list, dict)):
            machine.meter.charge(1 + (len(value) >> 4))
            items: Iterable[Value] = value if isinstance(value, list) else value.values()
            pending.extend([item for item in items if type(item) in _HOLDING])
        elif id(value) in seen:
            continue
        elif type(value) is FnPtr:
            seen.add(id(value))
            pending.extend(value.curried)
        elif type(value) is Shared:
            if value.locked:
                return True
            seen.add(id(value))
    return False


def signature(machine: Machine, name: str, args: list[Value]) -> str:
    """name (type, type)"""
    return f"{name} ({', '.join([signature_name(arg, machine.meter.types) for arg in args])})"


def not_found(machine: Machine, name: str, args: list[Value], at: At) -> RhaiError:
    """The error for a native function that does not exist; getters, setters and indexers have their own."""
    machine.meter.charge((len(name) >> 8) + (len(args) >> 2), at)
    if "$" not in name:
        return FunctionNotFound(at, signature(machine, name, args))
    names = [type_name(arg, machine.meter.types) for arg in args]
    if name == INDEX_GETTER:
        return IndexingType(at, f"{names[0]} [{names[1]}]")
    if name == INDEX_SETTER:
        return IndexingType(at, f"{names[0]} [{names[1]}] = {names[2]}")
    if name.startswith(GETTER):
        return DotExpr(at, f"Unknown property '{name[4:]}' - a getter is not registered for type '{names[0]}'")
    if name.startswith(SETTER):
        property_name = name[4:]
        words = f"a setter is not registered for type '{names[0]}' to handle '{names[1]}'"
        return DotExpr(at, f"No writable property '{property_name}' - {words}")
    return FunctionNotFound(at, signature(machine, name, args))


# --- answered without a look-up -------------------------------------------------------------------------------------------


def answer(machine: Machine, name: str, args: list[Value], at: At) -> Value:
    """What a function that is part of the language answers; FunctionNotFound where it takes no such arguments."""
    match name, len(args):
        case "type_of", 1:
            return type_name(args[0], machine.meter.types)
        case "is_shared", 1:
            return type(args[0]) is Shared
        case "is_def_fn", 2:
            return _is_defined(machine, None, args, at)
        case "is_def_fn", 3:
            this_type = _text(args[0], at)
            return _is_defined(machine, this_type, args[1:], at)
    raise FunctionNotFound(at, signature(machine, name, args))


ANSWERED: Final = frozenset({"type_of", "is_shared", "is_def_fn", "is_def_var", "Fn", "eval", "call", "curry"})
"""The functions that are part of the language."""


def _is_defined(machine: Machine, this_type: str | None, args: list[Value], at: At) -> bool:
    name, count = _text(args[0], at), args[1]
    if type(count) is not int:
        raise MismatchDataType(at, "i64", raw_type_name(count))
    return machine.find_script(name, count, this_type) is not None


def _text(value: Value, at: At) -> str:
    if type(value) is not str:
        raise MismatchDataType(at, "string", raw_type_name(value))
    return value


# --- properties and indexers ----------------------------------------------------------------------------------------------


def index_getter(machine: Machine, target: Place, index: Value, at: At) -> Value:
    """target[index] through a registered indexer"""
    machine.level += 1
    try:
        return call_native(machine, INDEX_GETTER, [target.value, index], target, at)[0]
    finally:
        machine.level -= 1


def index_setter(machine: Machine, target: Place, index: Value, value: Value, at: At) -> Value:
    """target[index] = value through a registered indexer"""
    machine.level += 1
    try:
        return call_native(machine, INDEX_SETTER, [target.value, index, value], target, at)[0]
    finally:
        machine.level -= 1
