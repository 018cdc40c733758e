"""A module loaded by the run that imports it: it sees the variables around the import, and its operations count."""

from rhaipy.interpreter.machine import Machine
from rhaipy.modules import Library, Module, module_of
from rhaipy.signals import Exit, Return
from rhaipy.syntax.program import Program


def load(machine: Machine, program: Program, library: Library, key: str) -> Module:
    """Run `program` in the scope of the import; the module that it makes. `key` tells it apart while it is being loaded."""
    scope, size = machine.scope, len(machine.scope.names)
    imports, libraries = len(machine.imports), len(machine.libraries)
    outside = machine.source, machine.constants, machine.import_frame, machine.this, machine.loading
    machine.source, machine.constants, machine.import_frame, machine.this = library.source, None, imports, None
    machine.loading = (*machine.loading, key)
    machine.libraries.append(library)
    try:
        _run(machine, program)
        return module_of(library, scope, machine.imports[imports:], machine.constants)
    finally:
        machine.source, machine.constants, machine.import_frame, machine.this, machine.loading = outside
        del machine.imports[imports:]
        del machine.libraries[libraries:]
        scope.rewind(size)


def _run(machine: Machine, program: Program) -> None:
    try:
        machine.run(program.statements)
    except (Return, Exit):
        return
