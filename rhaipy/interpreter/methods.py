"""Method calls: those on pointers (`call`, `curry`), pointers kept in maps, and methods in general."""

from rhaipy.errors import MismatchDataType
from rhaipy.interpreter.machine import Machine
from rhaipy.interpreter.natives import ensure_no_data_race
from rhaipy.interpreter.places import CellPlace, Place
from rhaipy.interpreter.scripts import Called, bound, call_function, call_method, call_script
from rhaipy.modules import ScriptFunction
from rhaipy.source import At
from rhaipy.syntax.nodes import MethodLink
from rhaipy.typings import Final
from rhaipy.values import FnPtr, Value, type_name


def run_method(machine: Machine, place: Place, link: MethodLink, args: list[Value]) -> Called:
    """place.name(args); also tells whether the place may have changed."""
    if link.name in _OWN or type(place.value) is dict:
        result, changed = _run(machine, place, link, args)
    else:
        result, changed = call_method(machine, link.name, place, args, link.name_at)
    if changed and not place.refers:
        place.flush(link.name_at)
    return result, changed


_OWN: Final = frozenset({"call", "curry", "is_shared"})
"""Methods that are part of the language."""


def _run(machine: Machine, place: Place, link: MethodLink, args: list[Value]) -> Called:
    value, at = place.value, link.name_at
    match link.name:
        case "call" if type(value) is FnPtr:
            return call_pointer(machine, value, args, at), False
        case "call":
            return _call_on(machine, place, link, args)
        case "curry":
            if type(value) is not FnPtr:
                raise MismatchDataType(at, "Fn", type_name(value, machine.meter.types))
            return curried(machine, value, args), False
        case "is_shared" if not args:
            return type(place) is CellPlace and place is not machine.this, False
    if type(value) is dict:
        kept = value.get(link.name)
        if type(kept) is FnPtr:
            return _call_kept(machine, place, kept, args, at)
    return call_method(machine, link.name, place, args, at)


def curried(machine: Machine, pointer: FnPtr, args: list[Value]) -> FnPtr:
    """`pointer` with more arguments in front."""
    machine.meter.allocate(8 * len(pointer.curried))
    return FnPtr(pointer.name, (*pointer.curried, *args), pointer.params)


def curried_args(machine: Machine, pointer: FnPtr, at: At) -> list[Value]:
    """The arguments that `pointer` has already, each call's own."""
    machine.meter.charge(len(pointer.curried) >> 3, at)
    return [machine.copy(value, at) for value in pointer.curried]


def call_pointer(machine: Machine, pointer: FnPtr, args: list[Value], at: At) -> Value:
    """pointer.call(args)"""
    values = curried_args(machine, pointer, at) + args
    linked = machine.linked(pointer, len(values))
    if linked is None:
        return call_function(machine, pointer.name, values, None, at)[0]
    return call_linked(machine, linked, values, None, at)


def call_linked(machine: Machine, function: ScriptFunction, args: list[Value], this: Place | None, at: At) -> Value:
    """Call a script function that a pointer was made from; no look-up, and no check of the arguments."""
    machine.level += 1
    try:
        return call_script(machine, function, args, this, at)
    finally:
        machine.level -= 1


def _call_on(machine: Machine, place: Place, link: MethodLink, args: list[Value]) -> Called:
    """object.call(pointer, args): `this` is the object"""
    if not args:
        raise MismatchDataType(link.name_at, "Fn", type_name(place.value, machine.meter.types))
    pointer = args[0]
    if type(pointer) is not FnPtr:
        raise MismatchDataType(link.args[0].at, "Fn", type_name(pointer, machine.meter.types))
    values = curried_args(machine, pointer, link.name_at) + args[1:]
    linked = machine.linked(pointer, len(values))
    if linked is None:
        return call_method(machine, pointer.name, place, values, link.name_at)
    if machine.locks:
        ensure_no_data_race(machine, pointer.name, values, False)
    return call_linked(machine, linked, values, bound(place), link.name_at), False


def _call_kept(machine: Machine, place: Place, pointer: FnPtr, args: list[Value], at: At) -> Called:
    """map.name(args), where the map's property `name` is a pointer: `this` is the map"""
    values = curried_args(machine, pointer, at) + args
    linked = machine.linked(pointer, len(values))
    if linked is None:
        return call_method(machine, pointer.name, place, values, at)
    return call_linked(machine, linked, values, bound(place), at), False
