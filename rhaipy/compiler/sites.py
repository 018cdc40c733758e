"""Method calls that only native functions answer: each place in the script remembers what it found for which types."""

from typing import Any, Final

from rhaipy.errors import RhaiError
from rhaipy.functions import Function
from rhaipy.interpreter.callbacks import NativeCaller
from rhaipy.interpreter.machine import Machine
from rhaipy.interpreter.methods import run_method
from rhaipy.interpreter.natives import judge_changed, judge_result
from rhaipy.interpreter.places import Place
from rhaipy.interpreter.sizes import SIZED
from rhaipy.signals import Exit
from rhaipy.source import NONE, At
from rhaipy.syntax.nodes import MethodLink
from rhaipy.values import UNCHANGING, Shared, Value


class Frame(Place):
    """A variable of compiled code: `home` is what it holds when all is done."""

    __slots__ = ("home",)

    def __init__(self, value: Value, constant: bool) -> None:
        self.value = self.home = value
        self.constant = constant

    def flush(self, at: At = NONE) -> None:
        self.home = self.value


class Site:
    """One method call in a script."""

    __slots__ = ("found", "link", "name")

    def __init__(self, link: MethodLink) -> None:
        self.link = link
        self.name = link.name
        self.found: dict[tuple[type, ...], Function | None] = {}


MOST_FOUND: Final = 64
"""Combinations of types that a site remembers."""


def call_site(machine: Machine, site: Site, value: Value, args: tuple[Value, ...], constant: bool) -> Value:
    """value.name(args), where `value` is that of a variable which the function does not change."""
    kinds = _kinds(value, args)
    function = site.found.get(kinds) or _find(machine, site, kinds)
    if function is None or (value.__class__ is dict and site.name in value):
        return _walk(machine, site, Frame(value, constant), args)
    return _call(machine, site, function, value, Frame(value, constant) if constant else None, value, args)


def call_site_on(machine: Machine, site: Site, place: Frame, args: tuple[Value, ...]) -> Value:
    """The same where the function may change the variable, which is at `place`."""
    value = place.value
    kinds = _kinds(value, args)
    function = site.found.get(kinds) or _find(machine, site, kinds)
    if function is None or place.constant or value.__class__ is dict:
        return _walk(machine, site, place, args)
    return _call(machine, site, function, place if function.mutates else value, place, value, args)


def may_change(machine: Machine, site: Site, value: Value, args: tuple[Value, ...]) -> bool:
    """May value.name(args) change the value, or what it is a part of?"""
    if value.__class__ is dict:
        return True
    kinds = _kinds(value, args)
    function = site.found.get(kinds) or _find(machine, site, kinds)
    return function is None or function.mutates


def _kinds(value: Value, args: tuple[Value, ...]) -> tuple[type, ...]:
    if not args:
        return (value.__class__,)
    if len(args) == 1:
        return value.__class__, args[0].__class__
    return (value.__class__, *[arg.__class__ for arg in args])


def _walk(machine: Machine, site: Site, place: Frame, args: tuple[Value, ...]) -> Value:
    return machine.flatten(run_method(machine, place, site.link, list(args))[0])


def _find(machine: Machine, site: Site, kinds: tuple[type, ...]) -> Function | None:
    """The function for these types, if it is to be called without further ado."""
    function = machine.world.functions.find(site.name, kinds)
    if function is not None and (
        function.host
        or site.name in ("print", "debug")
        or Shared in kinds
        or not (function.by_reference or kinds[0] in UNCHANGING)
    ):
        function = None
    if len(site.found) >= MOST_FOUND:
        site.found.clear()
    site.found[kinds] = function
    return function


def _call(
    machine: Machine, site: Site, function: Function, first: Any, place: Frame | None, value: Value, args: tuple[Value, ...]
) -> Value:
    at, meter = site.link.name_at, machine.meter
    meter.operations += 1
    if meter.operations > meter.ceiling:
        meter.judge(at)
    machine.level += 1
    call: Any = function.call
    result: Value
    try:
        if function.wants_caller:
            caller = NativeCaller(machine, site.name, at, place is not None and place.constant)
            match len(args):
                case 0:
                    result = call(caller, first)
                case 1:
                    result = call(caller, first, args[0])
                case 2:
                    result = call(caller, first, args[0], args[1])
                case _:
                    result = call(caller, first, *args)
        else:
            match len(args):
                case 0:
                    result = call(first)
                case 1:
                    result = call(first, args[0])
                case 2:
                    result = call(first, args[0], args[1])
                case _:
                    result = call(first, *args)
    except RhaiError as error:
        error.filled(at)
        raise
    except Exit as leaving:
        leaving.at = leaving.at or at
        raise
    if place is not None and function.mutates:
        place.home = place.value
    if machine.limits_data:
        if function.by_reference:
            judge_changed(machine, function, result, value if place is None else place.value, args, at)
        elif type(result) in SIZED:
            judge_result(machine, result, at)
    return result
