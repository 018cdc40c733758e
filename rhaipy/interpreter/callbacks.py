"""Callbacks: what a function of the library can ask of the machine that called it.

The real engine runs a callback on a copy of its state and throws that copy away afterwards, so whatever the callback counted is
forgotten. Only fuel remembers it.
"""

from typing import Any, Final

from rhaipy.functions import Ref
from rhaipy.interpreter.machine import Machine
from rhaipy.interpreter.natives import ANSWERED, answer, call_native
from rhaipy.interpreter.places import Borrowed, Local, Place
from rhaipy.interpreter.scripts import call_function, call_method, call_script
from rhaipy.modules import Library, ScriptFunction
from rhaipy.scope import Scope
from rhaipy.signals import Return
from rhaipy.source import At
from rhaipy.syntax.program import Function, Program
from rhaipy.values import FnPtr, Shared, Value

WORK: Final = 2
"""Units of fuel for a callback beside its operations: what the way there and back costs, in microseconds."""


class NativeCaller:
    """The caller of one native call. `constant`: its first argument is, or is a part of, a constant."""

    __slots__ = ("_constant", "_machine", "at", "meter", "name", "source")

    def __init__(self, machine: Machine, name: str, at: At, constant: bool) -> None:
        self._machine = machine
        self._constant = constant
        self.meter = machine.meter
        self.at = at
        self.name = name
        self.source = machine.source

    def call(self, name: str, args: list[Value]) -> Value:
        """Call a native function by name."""
        self.meter.charge(WORK, self.at)
        machine, operations = self._machine, self.meter.operations
        machine.level += 1
        try:
            if name in ANSWERED:
                return answer(machine, name, args, self.at)
            return call_native(machine, name, args, Local(args[0]) if args else None, self.at)[0]
        finally:
            machine.level -= 1
            self.meter.forget(operations)

    def call_pointer(self, pointer: FnPtr, args: list[Value], this: Ref[Any] | None = None) -> Value:
        """Call what `pointer` points to."""
        self.meter.charge(WORK, self.at)
        machine, operations = self._machine, self.meter.operations
        curried = [machine.copy(value, self.at) for value in pointer.curried]
        place = None if this is None else this if isinstance(this, Place) else Borrowed(this, self._constant)
        machine.level += 1
        try:
            return self._call(pointer, curried, args, place)
        finally:
            machine.level -= 1
            self.meter.forget(operations)

    def _call(self, pointer: FnPtr, curried: list[Value], args: list[Value], place: Place | None) -> Value:
        machine, name, values = self._machine, pointer.name, curried + args
        linked = machine.linked(pointer, len(values))
        if linked is not None:
            return call_script(machine, linked, values, place, self.at)
        if place is None:
            return call_function(machine, name, values, None, self.at, Scope())[0]
        if curried and machine.find_script(name, len(values)) is None:
            values = [*curried, machine.copy(place.value, self.at), *args]
            return call_native(machine, name, values, None, self.at)[0]
        return call_method(machine, name, place, values, self.at)[0]

    def run(self, program: Program) -> Value:
        """The value of a program of its own, which counts its operations from the start."""
        operations = self.meter.operations
        machine = Machine(self._machine.world, self.meter, Scope())
        machine.level = self._machine.level
        machine.libraries.append(Library([ScriptFunction(item) for item in program.functions]))
        self.meter.forget(0)
        try:
            value = machine.run(program.statements)
        except Return as returning:
            value = returning.value
        finally:
            self.meter.forget(operations)
        return value.value if type(value) is Shared else value

    def script_functions(self) -> list[tuple[str, Function]]:
        """The functions of the script, and those of the modules it imported under the modules' names."""
        machine = self._machine
        found = [("", library) for library in machine.libraries]
        found += [(name, module.library) for name, module in machine.imports if name]
        return [(name, function.definition) for name, library in found for same in library.named.values() for function in same]
