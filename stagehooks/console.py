"""Writing to the terminal: results to one stream, prose to the other, colour only where a person is looking.

Text that comes from scripts, models or files is made safe first: a control character could take over the terminal.
"""

import os

from rhaipy import printable
from rhaipy.typings import Final, TextIO
from stagehooks.errors import StageHooksError

STYLES: Final = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}
SEVERITY_STYLES: Final = {"error": "red", "warning": "yellow", "note": "cyan"}


class Console:
    """`out` takes results, `err` prose."""

    def __init__(self, out: TextIO, err: TextIO) -> None:
        self._out = out
        self._err = err
        self.has_results = False
        """Was a result printed?"""

    def result(self, text: str, style: str = "") -> None:
        """Print a line of the result."""
        self.has_results = True
        _print(self._out, styled(self._out, safe(text), style))

    def say(self, text: str, style: str = "") -> None:
        """Print a line of prose."""
        _print(self._err, styled(self._err, safe(text), style))

    def error(self, error: StageHooksError) -> None:
        """Print an error as a compiler does: place, message, source line, caret, hint."""
        place = ":".join([error.file, *(str(number) for number in (error.line, error.column) if number)]) if error.line else ""
        message = error.message.removeprefix(f"{place}: ") if place else error.message
        self.fault(place or "stagehooks", "error", message, error.excerpt(), error.hint)

    def fault(self, place: str, severity: str, text: str, excerpt: str, hint: str) -> None:
        """Print what is wrong at `place` in that form; `severity` is one of SEVERITY_STYLES."""
        head = styled(self._err, f"{safe(place)}:", "bold")
        word = "" if severity == "error" else styled(self._err, f"{severity}: ", SEVERITY_STYLES[severity])
        _print(self._err, f"{head} {word}{safe(text)}")
        for line in excerpt.split("\n") if excerpt else ():
            _print(self._err, f"    {safe(line)}")
        if hint:
            _print(self._err, f"  {styled(self._err, 'hint:', 'cyan')} {safe(hint)}")


def styled(stream: TextIO, text: str, style: str) -> str:
    """`text` in a style of STYLES, where `stream` is a terminal and NO_COLOR is not set."""
    if not style or not text or os.environ.get("NO_COLOR") or not stream.isatty():
        return text
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m"


def one_line(text: str) -> str:
    """`text` on one line: a name must not look like lines of ours."""
    return text.replace("\r", "\\r").replace("\n", "\\n")


def indented(text: str) -> str:
    """The lines of `text`, each a little to the right of ours."""
    return "\n".join(f"  {line}" for line in text.split("\n"))


def safe(text: str) -> str:
    """`text` with control characters made visible."""
    return printable(text)


def _print(stream: TextIO, text: str) -> None:
    try:
        stream.write(f"{text}\n")
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        stream.write(f"{text}\n".encode(encoding, "backslashreplace").decode(encoding))
