"""What a `rhai` block says of itself, as requests of the verdict protocol, so that rhaipy and the real engine can both be asked.

A trailing comment is an expectation of the program that ends on its line, everything above it included:

    // expect: 42                        the value, as the engine shows it for debugging
    // expect at none: 42                the same at one optimisation level only (none or simple)
    // expect error: ErrorArithmetic     the kind of the innermost error; words of its message may follow
    // prints: 42                        what `print` was given; one comment for each call, in their order

A line that is expected to fail is no part of the programs below it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from conformance.oracle_client import Answer
from tests.docs.documents import Block

LEVELS: Final = ("none", "simple")
Ask = Callable[[dict[str, object]], Answer]

_VALUE: Final = re.compile(r"// expect(?: at (none|simple))?: (.+)$")
_ERROR: Final = re.compile(r"// expect error: (\w+) ?(.*)$")
_PRINTS: Final = re.compile(r"// prints: (.*)$")
_ANY: Final = re.compile(r"// (expect|prints)\b")


@dataclass(frozen=True, slots=True)
class Program:
    """One program of a block. `line` is the document's line on which its expectation stands."""

    line: int
    text: str
    levels: tuple[str, ...] = LEVELS
    value: str | None = None
    error: str | None = None
    words: str = ""
    prints: tuple[str, ...] | None = None


def programs(block: Block) -> list[Program]:
    """The programs of `block`: one for each expectation, and the whole of it."""
    found, above, prints = [], "", []
    for number, line in enumerate(block.text.split("\n"), block.line):
        value, error, printed = _VALUE.search(line), _ERROR.search(line), _PRINTS.search(line)
        assert value or error or printed or not _ANY.search(line), f"{block.where}: line {number}: what is expected here?"
        if error:
            found.append(Program(number, above + line, error=error[1], words=error[2]))
            above += "\n"
            continue
        above += f"{line}\n"
        if printed:
            prints.append(printed[1])
        if value:
            found.append(Program(number, above, (value[1],) if value[1] else LEVELS, value=value[2]))
    whole = Program(block.line, above, prints=tuple(prints) if prints else None)
    return [whole, *found]


def judge(ask: Ask, program: Program, modules: dict[str, str]) -> list[str]:
    """Where what `ask` answers is not what the program says of itself; empty where all is well."""
    faults = []
    for level in program.levels:
        fault = _fault(ask({"src": program.text, "opt": level, "modules": modules}), program)
        if fault:
            faults.append(f"line {program.line}, level {level}: {fault}")
    return faults


def _fault(answer: dict[str, Any], program: Program) -> str:
    if program.error is not None:
        innermost = answer
        while innermost.get("inner"):
            innermost = innermost["inner"]
        found = "no error" if answer["ok"] else f"{innermost['kind']} {answer['message']}"
        return "" if found.startswith(f"{program.error} ") and program.words in found else f"found {found}"
    if not answer["ok"]:
        no_program = answer["stage"] != "run" or program.value is not None or program.prints is not None
        return f"found {answer['kind']} {answer['message']}" if no_program else ""
    if program.value is not None and answer["debug"] != program.value:
        return f"expected {program.value}, found {answer['to_debug']}"
    if program.prints is not None and tuple(answer["prints"]) != program.prints:
        return f"expected it to print {program.prints}, found {tuple(answer['prints'])}"
    return ""
