"""Method calls that only native functions answer: each place in the script remembers what it found for which types."""

from typing import Any, Final

from rhaipy.errors import RhaiError
from rhaipy.functions import Function
from rhaipy.interpreter.callbacks import NativeCaller
from rhaipy.interpreter.machine import Machine
from rhaipy.interpreter.methods import run_method
from rhaipy.interpreter.natives import run_native
from rhaipy.interpreter.places import Place
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
    """One method call in a script. `bare`: nothing is metered and no sizes are judged, so that a result is just handed on."""

    __slots__ = ("bare", "found", "link", "name")

    def __init__(self, link: MethodLink, bare: bool) -> None:
        self.link = link
        self.name = link.name
        self.bare = bare
        self.found: dict[tuple[type, ...], Function | None] = {}


MOST_FOUND: Final = 64
"""Combinations of types that a site remembers."""


def call_site(machine: Machine, site: Site, value: Value, args: tuple[Value, ...], constant: bool) -> Value:
    """value.name(args), where `value` is that of a variable which the function does not change."""
    kinds = (value.__class__, *[arg.__class__ for arg in args]) if args else (value.__class__,)
    function = site.found.get(kinds) or _find(machine, site, kinds)
    if function is None or (isinstance(value, dict) and site.name in value):
        return _walk(machine, site, Frame(value, constant), args)
    return _call(machine, site, function, value, Frame(value, constant) if constant else None, value, args)


def call_site_on(machine: Machine, site: Site, place: Frame, args: tuple[Value, ...]) -> Value:
    """The same where the function may change the variable, which is at `place`."""
    value = place.value
    kinds = (value.__class__, *[arg.__class__ for arg in args]) if args else (value.__class__,)
    function = site.found.get(kinds) or _find(machine, site, kinds)
    if function is None or place.constant or value.__class__ is dict:
        return _walk(machine, site, place, args)
    return _call(machine, site, function, place if function.mutates else value, place, value, args)


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
    if not site.bare:
        return run_native(machine, function, site.name, [value, *args], place or Frame(value, False), at, at)
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
    return result
