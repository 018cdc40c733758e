"""Callbacks: what a function of the library can ask of the machine that called it.

The real engine runs a callback on a copy of its state and throws that copy away afterwards, so whatever the callback counted is
forgotten. Only fuel remembers it.
"""

from collections.abc import Callable

from rhaipy.functions import Ref
from rhaipy.host import admit_all
from rhaipy.interpreter.machine import Machine
from rhaipy.interpreter.methods import curried_args
from rhaipy.interpreter.natives import ANSWERED, answer, call_native
from rhaipy.interpreter.places import Borrowed, Local, Place
from rhaipy.interpreter.scripts import UNFIT, call_function, call_method, call_script, compiled_form
from rhaipy.modules import Library, ScriptFunction
from rhaipy.scope import Scope
from rhaipy.signals import Return
from rhaipy.source import At
from rhaipy.syntax.program import Function, Program
from rhaipy.typings import Any, Final
from rhaipy.values import FnPtr, Shared, Value

WORK: Final = 2
"""Units of fuel for a callback beside its operations: what the way there and back costs, in microseconds."""


class NativeCaller:
    """The caller of one native call. `constant`: its first argument is, or is a part of, a constant; `host`: it is the host's."""

    __slots__ = ("_constant", "_host", "_machine", "at", "meter", "name", "options", "source")

    def __init__(self, machine: Machine, name: str, at: At, constant: bool, host: bool = False) -> None:
        self._machine = machine
        self._constant = constant
        self._host = host
        self.meter = machine.meter
        self.options = machine.world.options
        self.at = at
        self.name = name
        self.source = machine.source

    def call(self, name: str, args: list[Value]) -> Value:
        """Call a native function by name."""
        self.meter.charge(WORK, self.at)
        args = self._admitted(args)
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
        args = self._admitted(args)
        machine, operations, modules = self._machine, self.meter.operations, self._machine.modules
        curried = curried_args(machine, pointer, self.at)
        place = None if this is None else this if isinstance(this, Place) else Borrowed(this, self._constant)
        machine.level += 1
        try:
            return call_pointed(machine, pointer, curried, args, place, self.at)
        finally:
            machine.level -= 1
            machine.modules = modules
            self.meter.forget(operations)

    def repeated(self, pointer: FnPtr, count: int, attempts: int) -> Callable[[list[Value]], Value] | None:
        """What calls `pointer` with `count` arguments, many times; None where it is to be called by name."""
        machine, meter, at = self._machine, self.meter, self.at
        curried = pointer.curried
        linked = machine.linked(pointer, len(curried) + count)
        if linked is None or self._host:
            return None
        is_paid, level = meter.limits.fuel > 0, machine.level
        is_told = is_paid or meter.progress is not None
        entry = compiled_form(machine, linked)

        def call(args: list[Value]) -> Value:
            operations, modules = meter.operations, machine.modules
            if is_told:  # otherwise the call itself is judged at the same place
                for _ in range(attempts):
                    meter.operation(at)
                    meter.forget(operations)
            if is_paid:
                meter.charge(WORK, at)
            values = curried_args(machine, pointer, at) + args if curried else args
            machine.level = level + 1
            try:
                if entry is not None:
                    meter.operation(at)
                    value = entry(level + 1, at, None, values)
                    if value is not UNFIT:
                        return value
                    meter.operations = operations
                    if not is_paid:  # then one of them may be lent
                        values = [machine.copy(item, at) for item in values]
                return call_script(machine, linked, values, None, at)
            finally:
                machine.level = level
                machine.modules = modules
                meter.forget(operations)

        def call_compiled(args: list[Value]) -> Value:
            """The same where there is a compiled form, and nothing but operations to be counted."""
            assert entry is not None
            operations = meter.operations
            meter.operations = counted = operations + 1
            try:
                if counted > meter.ceiling:
                    meter.judge(at)
                value = entry(level + 1, at, None, args)
            finally:
                machine.level = level
                meter.forget(operations)
            return call(args) if value is UNFIT else value

        return call if entry is None or is_told or curried else call_compiled

    def only_reads(self, pointer: FnPtr, count: int, place: int) -> bool:
        """May the argument at `place` be handed on without a copy? Where copies are paid for, it may not."""
        machine, limits = self._machine, self.meter.limits
        linked = machine.linked(pointer, len(pointer.curried) + count)
        if linked is None or limits.fuel or limits.memory or compiled_form(machine, linked) is None:
            return False
        return len(pointer.curried) + place in machine.reads.get(linked, ())

    def _admitted(self, args: list[Value]) -> list[Value]:
        """What a function of the host passes on is judged; the library's functions pass on values."""
        if not self._host:
            return args
        return admit_all(args, self.meter.types, [f"argument {number} of the callback" for number in range(1, len(args) + 1)])

    def run(self, program: Program) -> Value:
        """The value of a program of its own, which counts its operations from the start."""
        operations, shares = self.meter.operations, self.meter.shares
        machine = Machine(self._machine.world, self.meter, Scope())
        self.meter.shares = False  # nobody has looked at that program
        machine.level = self._machine.level
        machine.libraries.append(Library([ScriptFunction(item) for item in program.functions]))
        self.meter.forget(0)
        try:
            value = machine.run(program.statements)
        except Return as returning:
            value = returning.value
        finally:
            self.meter.forget(operations)
            self.meter.shares = shares
        return value.value if type(value) is Shared else value

    def script_functions(self) -> list[tuple[str, Function]]:
        """The functions of the script, and those of the modules it imported, the newest first, under the modules' names."""
        machine, meter = self._machine, self.meter
        found = [("", library) for library in machine.libraries]
        meter.charge(sum([4 * len(library) for library in machine.libraries]), self.at)
        pending = list(machine.imports)
        while pending:
            name, module = pending.pop()
            meter.charge(4 * len(module.library) + 1, self.at)
            found.append((name, module.library))
            pending.extend([(f"{name}::{inner}", module.modules[inner]) for inner in sorted(module.modules, reverse=True)])
        return [(name, function.definition) for name, library in found for same in library.named.values() for function in same]


def call_pointed(machine: Machine, pointer: FnPtr, curried: list[Value], args: list[Value], place: Place | None, at: At) -> Value:
    """Call what `pointer` points to, with its curried arguments before `args`, and what is at `place` as `this`."""
    name, values = pointer.name, curried + args
    linked = machine.linked(pointer, len(values))
    if linked is not None:
        return call_script(machine, linked, values, place, at)
    if place is None:
        return call_function(machine, name, values, None, at, Scope())[0]
    if curried and machine.find_script(name, len(values)) is None:
        values = [*curried, machine.copy(place.value, at), *args]
        return call_native(machine, name, values, None, at)[0]
    return call_method(machine, name, place, values, at)[0]
