"""What is to be said of an agent before it runs: errors, warnings, notes, each with its place and a fix."""

from typing import Literal

from rhaipy import frozen

Severity = Literal["error", "warning", "note"]


@frozen
class Finding:
    """One remark on `file`, line `line`, column `column` (from 1; 0: not known).

    `code` is short and stable, `fix` says what to do, `excerpt` shows the place in a script.
    """

    severity: Severity
    code: str
    file: str
    line: int
    text: str
    fix: str = ""
    column: int = 0
    excerpt: str = ""

    @property
    def where(self) -> str:
        """`file:line:column`, as far as it is known."""
        return ":".join([self.file, *(str(number) for number in (self.line, self.column) if number)])
