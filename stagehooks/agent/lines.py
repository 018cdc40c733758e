"""On which line of a TOML text each key stands, and whether the text is small and flat enough to be parsed at all.

`tomllib` forgets positions, takes quadratic time on a long dotted key and recurses on nested brackets. This scan is linear
and has no recursion. It judges nothing else: what is no TOML is for `tomllib` to refuse.
"""

import re
from typing import Final, TypeAlias

KeyPath: TypeAlias = tuple[str | int, ...]
"""Keys from the top of the document; an item of an array counts by its index."""

MAX_KEY_PARTS: Final = 32
MAX_NESTING: Final = 32
MAX_PATH: Final = 96
"""Tables and arrays that a key may lie in: as many as those two, by themselves, can make."""

_TOKEN: Final = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}|\Z|\\)'
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+|[A-Za-z0-9_-]++|[ \t\r]++|.",
    re.DOTALL,
)


class TooDeep(Exception):
    """The text nests keys or brackets deeper than is read; `line` is where."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line
        self.what = what


def lines_of(text: str) -> dict[KeyPath, int]:
    """The line (from 1) of each table and key in `text`, by path; TooDeep for a text that must not be parsed."""
    scan = _Scan()
    for token in _TOKEN.findall(text):
        scan.take(token)
        scan.line += token.count("\n")
    return scan.lines


class _Scan:
    """Where the scan is: in a header, in a key, or in a value, inside which open brackets."""

    def __init__(self) -> None:
        self.lines: dict[KeyPath, int] = {}
        self.line = 1
        self._table: KeyPath = ()
        self._arrays: dict[KeyPath, int] = {}
        self._header = 0  # brackets of the table header being read: 0, 1, 2
        self._in_key = True
        self._key: list[str | int] = []
        self._value: KeyPath = ()
        self._open: list[tuple[str, KeyPath]] = []  # brackets around the value being read, each with the path of its content
        self._item: list[int] = []

    def take(self, token: str) -> None:
        """Move on by one token."""
        if token == "\n":
            if not self._open:
                self._next_key()
        elif token in "[]{}=,":
            self._symbol(token)
        elif self._in_key and (token[0] in "\"'" or token[0].isalnum() or token[0] in "_-"):
            self._key.append(token.strip("\"'") if token[0] in "\"'" else token)
            if len(self._key) > MAX_KEY_PARTS:
                raise TooDeep(self.line, f"a key has more than {MAX_KEY_PARTS} parts")
            if len(self._prefix()) + len(self._key) > MAX_PATH:
                raise TooDeep(self.line, f"a key lies deeper than {MAX_PATH} tables")

    def _symbol(self, symbol: str) -> None:
        if symbol == "[" and self._in_key and not self._open and not self._key:
            self._header += 1
        elif symbol == "]" and self._header:
            self._end_header()
        elif symbol in "[{":
            self._enter(symbol)
        elif symbol in "]}":
            self._leave()
        elif symbol == "=" and self._in_key:
            self._value = (*self._prefix(), *self._key)
            self._note(self._value, len(self._key))
            self._in_key = False
        elif symbol == "," and self._open:
            self._item[-1] += 1
            if self._open[-1][0] == "{":
                self._next_key()

    def _note(self, path: KeyPath, written: int) -> None:
        """`path` stands here, and so do the tables named in its `written` last parts, where they stand nowhere else."""
        for left_out in range(written):
            self.lines.setdefault(path[: len(path) - left_out], self.line)

    def _prefix(self) -> KeyPath:
        return self._open[-1][1] if self._open else self._table

    def _next_key(self) -> None:
        self._key = []
        self._in_key = True
        self._header = 0

    def _end_header(self) -> None:
        if self._key:
            path: KeyPath = tuple(self._key)
            self._note(path, len(path))
            if self._header == 2:
                count = self._arrays[path] = self._arrays.get(path, -1) + 1
                path = (*path, count)
                self.lines.setdefault(path, self.line)
            self._table = path
        self._key = []
        self._header = 0
        self._in_key = False

    def _enter(self, bracket: str) -> None:
        if len(self._open) == MAX_NESTING:
            raise TooDeep(self.line, f"brackets are nested deeper than {MAX_NESTING}")
        path = (*self._open[-1][1], self._item[-1]) if self._open and self._open[-1][0] == "[" else self._value
        self.lines.setdefault(path, self.line)
        self._open.append((bracket, path))
        self._item.append(0)
        if bracket == "{":
            self._next_key()

    def _leave(self) -> None:
        if self._open:
            self._value = self._open.pop()[1]  # a bracket that follows, as none may, is no further down
            self._item.pop()
        self._in_key = False
