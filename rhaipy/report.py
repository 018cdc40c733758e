"""Errors the way compilers print them: `file:line:column: message`, the source line, a caret, and the calls they came through.

Names, source lines and thrown texts may be hostile, so control characters never reach the terminal.
"""

from rhaipy.errors import RhaiError
from rhaipy.parse_errors import ParseError
from rhaipy.source import At, printable, unpack

_BOLD = "\x1b[1m"
_RED = "\x1b[31m"
_PLAIN = "\x1b[0m"


def report(error: RhaiError, name: str, colour: bool = False) -> str:
    """The whole report. `name` is the script's where the error does not know its own; `colour`: for a terminal."""
    chain = _chain(error)
    innermost = chain[-1]
    place = _place(innermost.script_name or name, innermost.at)
    lines = [f"{_painted(place, _BOLD, colour)}: {_painted(_words(innermost), _RED, colour)}"]
    lines += [f"  {line}" for line in error.excerpt().split("\n") if line]
    for outer in reversed(chain[:-1]):
        lines.append(f"{_place(outer.script_name or name, outer.at)}: {printable(outer.text()).rpartition(chr(10))[2]}")
    return "\n".join(lines)


def facts(error: RhaiError, name: str) -> dict[str, str | int | None]:
    """The same for programs: kind, message, and where."""
    innermost = error.innermost
    position = unpack(innermost.at or error.at)
    return {
        "kind": error.kind,
        "message": error.message,
        "file": innermost.script_name or name,
        "line": position.line if position else None,
        "column": position.column if position else None,
    }


def _chain(error: RhaiError) -> list[RhaiError]:
    """The error and all that it wraps, outermost first."""
    chain = [error]
    while chain[-1].inner is not None:
        chain.append(chain[-1].inner)
    return chain


def _words(error: RhaiError) -> str:
    return printable(error.syntax() if isinstance(error, ParseError) else error.text())


def _place(name: str, at: At) -> str:
    return printable(name) + (f":{where(at)}" if at else "")


def where(at: At) -> str:
    """`at` as line:column; a dash for no position."""
    position = unpack(at)
    return f"{position.line}:{position.column}" if position else "-"


def _painted(text: str, style: str, colour: bool) -> str:
    return f"{style}{text}{_PLAIN}" if colour else text
