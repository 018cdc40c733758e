"""Where the lexer is in a text, in lines and columns as the engine counts them."""

from rhaipy.source import SATURATED, At

_WIDE = 40
"""The bits of a column in a text so long that lines or columns may saturate; such positions are packed anew at the end."""


class Cursor:
    """A text, an offset in it, and what turns offsets into positions.

    A position is `base + offset` until the next line begins. `line_start` is the offset of the first character of the line; it
    moves where the engine miscounts. `limit` is the greatest length of a string in UTF-8 bytes, 0 for none.
    """

    __slots__ = ("limit", "line", "line_start", "offset", "shift", "text")

    def __init__(self, text: str, limit: int) -> None:
        self.text = text
        self.limit = limit
        self.offset = 0
        self.line = 1
        self.line_start = 0
        self.shift = 16 if len(text) < SATURATED else _WIDE

    def base(self) -> int:
        """What to add to an offset in the current line to get its position."""
        return (self.line << self.shift) + 1 - self.line_start

    def at(self, offset: int) -> At:
        """The position of `offset`, which is in the current line."""
        return (self.line << self.shift) + 1 - self.line_start + offset

    def column(self, offset: int) -> int:
        """The column of `offset`, which is in the current line, saturated."""
        return min(offset - self.line_start + 1, SATURATED)

    def new_line(self, start: int) -> None:
        """The next line begins at offset `start`."""
        self.line += 1
        self.line_start = start

    def new_lines(self, start: int, end: int) -> None:
        """Pass the newlines between the offsets `start` and `end`; there is one at least."""
        self.line += self.text.count("\n", start, end)
        self.line_start = self.text.rindex("\n", start, end) + 1

    def packed(self, at: At) -> At:
        """`at` as the rest of the program packs it, saturated."""
        if self.shift == 16:
            return at
        column = at & (1 << _WIDE) - 1
        return min(at >> _WIDE, SATURATED) << 16 | min(column, SATURATED)
