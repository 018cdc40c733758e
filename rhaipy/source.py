"""Source text: positions in it, and the excerpt with a caret that errors print.

A position is one integer, `line << 16 | column`, both counted from 1 and saturating at 65,535 as in Rhai; `NONE` (0) is
"no position". It is not an offset: Rhai does not count some newlines inside raw strings, and positions must show that.
Column 0 exists (a point before the first character of a line).
"""

from rhaipy.typings import Final, TypeAlias

At: TypeAlias = int
"""A packed position."""

NONE: Final[At] = 0
SATURATED: Final = 0xFFFF


class Position(tuple[int, int]):
    """A position as people read it: line and column, counted from 1."""

    __slots__ = ()
    __match_args__ = ("line", "column")

    def __new__(cls, line: int, column: int) -> "Position":
        return tuple.__new__(cls, (line, column))

    def __getnewargs__(self) -> tuple[int, int]:
        return self.line, self.column

    @property
    def line(self) -> int:
        """Which line it is in."""
        return self[0]

    @property
    def column(self) -> int:
        """Which character of the line it is; 0 before the first."""
        return self[1]

    def __repr__(self) -> str:
        return f"Position(line={self.line}, column={self.column})"

    def __str__(self) -> str:
        return f"line {self.line}, position {self.column}"


def pack(line: int, column: int) -> At:
    """The packed form of `line` (>= 1) and `column` (>= 0), each saturating at 65,535."""
    return min(line, SATURATED) << 16 | min(column, SATURATED)


def unpack(at: At) -> Position | None:
    """The readable form of `at`; None for `NONE`."""
    return Position(at >> 16, at & SATURATED) if at else None


def excerpt(text: str, at: At) -> str:
    """The source line that holds `at`, and below it a caret; empty when there is no such line."""
    position = unpack(at)
    lines = text.split("\n")
    if position is None or position.line > len(lines):
        return ""
    line = lines[position.line - 1].rstrip("\r")
    before = line[: max(position.column - 1, 0)]
    indent = "".join("\t" if char == "\t" else " " for char in before)
    return f"{printable(line)}\n{indent}^"


def printable(text: str) -> str:
    """`text` with control characters (but tabs and newlines) made visible, so that a terminal is safe from it."""
    return "".join(char if char in "\t\n" or char.isprintable() else f"\\u{{{ord(char):x}}}" for char in text)
