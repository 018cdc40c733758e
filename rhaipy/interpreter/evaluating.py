"""`eval`: the text of a script, run in the scope of its caller. It is not optimised, and may define no functions."""

from rhaipy.errors import InFunctionCall, RhaiError
from rhaipy.interpreter.machine import Machine
from rhaipy.parse_errors import ParseError
from rhaipy.signals import Return
from rhaipy.source import NONE, At
from rhaipy.unicode import WHITE_SPACE
from rhaipy.values import Value


def evaluate_text(machine: Machine, text: str, at: At) -> Value:
    """Run `text`. If it defines variables, slots in the rest of the block tell no longer where variables are."""
    variables, imports, frame = len(machine.scope.names), len(machine.imports), machine.import_frame
    machine.level += 1
    machine.import_frame = imports
    try:
        machine.meter.operation(at)
        return _run(machine, text.strip(WHITE_SPACE))
    except RhaiError as error:
        raise InFunctionCall(at, "eval", machine.source, error) from None
    finally:
        machine.level -= 1
        machine.import_frame = frame
        if (variables, imports) != (len(machine.scope.names), len(machine.imports)):
            machine.always_search = True


def _run(machine: Machine, text: str) -> Value:
    if not text:
        return None
    program = machine.world.compile(text)
    if program.functions:
        raise ParseError(NONE, "WrongFnDefinition")
    try:
        return machine.run(program.statements)
    except Return as returning:
        return returning.value
