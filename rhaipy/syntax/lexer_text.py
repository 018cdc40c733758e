"""Quoted text: strings, characters, raw strings and back-tick text, which may be interrupted by code.

Each reader starts with the cursor on the opening quote and leaves it behind the closing one; each takes linear time.
"""

import re

from rhaipy.limits import STRING
from rhaipy.parse_errors import ParseError, lex_error
from rhaipy.source import NONE, SATURATED, At
from rhaipy.syntax.lexer_cursor import Cursor
from rhaipy.typings import Final
from rhaipy.values import Char

_PLAIN: Final = {'"': re.compile(r'[^"\\\r\n]+'), "'": re.compile(r"[^'\\\r\n]+"), "`": re.compile(r"[^`$\\\r\n]+")}
_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\"}
_HEX_ESCAPES: Final = {"x": 2, "u": 4, "U": 8}
_HEX_DIGITS: Final = frozenset("0123456789abcdefABCDEF")
_WHITESPACE: Final = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_LINE_END: Final = re.compile(r"\r?\n")
_BACK_TICK: Final = re.compile(r"`(\r\n?|\n)?")
_HASHES: Final = re.compile(r"#+")
_RAW_LINE_END: Final = re.compile(r'("#*)?\n')


class _Text:
    """What was read so far. The engine looks at its size only when it reads the next character; `add` and `value` know that."""

    __slots__ = ("at", "limit", "parts", "size")

    def __init__(self, limit: int, at: At) -> None:
        self.limit = limit
        self.at = at
        self.parts: list[str] = []
        self.size = 0

    def check(self) -> None:
        """LiteralTooLarge when what was read so far is too long."""
        if self.limit and self.size > self.limit:
            raise ParseError(self.at, "LiteralTooLarge", STRING, self.limit)

    def add(self, part: str) -> None:
        """Take characters (one at least), each checked before the next."""
        self.parts.append(part)
        if self.limit:
            self.size += len(part[:-1].encode())
            self.check()
            self.size += len(part[-1].encode())

    def value(self) -> str:
        """All of it, checked."""
        self.check()
        return "".join(self.parts)


# --- strings and characters -----------------------------------------------------------------------------------------------


def read_string(cursor: Cursor) -> str:
    """ "text" on one line; a backslash at the end of the line continues it."""
    return _escaped(cursor, '"', may_continue=True)


def read_char(cursor: Cursor) -> Char:
    """'x'; MalformedChar for none or several."""
    at = cursor.at(cursor.offset)
    if cursor.text.startswith("''", cursor.offset):
        raise lex_error(at, "MalformedChar", "")
    value = _escaped(cursor, "'", may_continue=False)
    if len(value) != 1:
        raise lex_error(at, "MalformedChar", value)
    return Char(value)


def _escaped(cursor: Cursor, quote: str, may_continue: bool) -> str:
    source, plain = cursor.text, _PLAIN[quote]
    text = _Text(cursor.limit, cursor.at(cursor.offset))
    margin = cursor.column(cursor.offset)
    indent = 0  # after a continued line: the column up to which blanks are dropped. Escapes among them do not end that
    cursor.offset += 1
    while True:
        run = plain.match(source, cursor.offset)
        part, length = (run[0], len(run[0])) if run is not None else _lone(cursor, quote)
        if part:
            kept = _unindented(cursor, part, indent) if indent else part
            if kept:
                text.add(kept)
                indent = 0
            cursor.offset += length
            continue
        if cursor.offset == len(source):
            raise lex_error(text.at, "UnterminatedString")
        text.check()
        if source[cursor.offset] == quote:
            cursor.offset += 1
            return text.value()
        if source[cursor.offset] != "\\":
            raise lex_error(text.at, "UnterminatedString")
        if _escape(cursor, text, quote, may_continue):
            indent = margin


def _lone(cursor: Cursor, quote: str) -> tuple[str, int]:
    """A doubled quote, or a carriage return that ends no line: what it stands for, and its length; otherwise empty."""
    pair = cursor.text[cursor.offset : cursor.offset + 2]
    if pair == quote * 2:
        return quote, 2
    return ("\r", 1) if pair[:1] == "\r" and pair != "\r\n" else ("", 0)


def _unindented(cursor: Cursor, part: str, indent: int) -> str:
    """`part` without leading blanks in columns up to `indent`."""
    blanks = len(part) if indent == SATURATED else max(indent - cursor.column(cursor.offset) + 1, 0)
    return part[:blanks].lstrip(_WHITESPACE) + part[blanks:]


def _escape(cursor: Cursor, text: _Text, quote: str, may_continue: bool) -> bool:
    """Read the escape at the cursor; True when it continues the line."""
    source, start = cursor.text, cursor.offset
    char = source[start + 1 : start + 2]
    if char in _HEX_ESCAPES:
        text.add(_hex_escape(cursor, _HEX_ESCAPES[char]))
    elif char == quote or char in _ESCAPES:
        text.add(_ESCAPES.get(char, char))
        cursor.offset += 2
    elif line_end := _LINE_END.match(source, start + 1):
        if not may_continue:
            raise lex_error(text.at, "UnterminatedString")
        cursor.offset = line_end.end()
        cursor.new_line(cursor.offset)
        return True
    elif char:
        raise lex_error(cursor.at(start + 1), "MalformedEscapeSequence", f"\\{char}")
    else:
        raise lex_error(text.at, "UnterminatedString")
    return False


def _hex_escape(cursor: Cursor, length: int) -> str:
    source, start = cursor.text, cursor.offset
    end = start + 2
    while end < start + 2 + length and source[end : end + 1] in _HEX_DIGITS:
        end += 1
    cursor.offset = end
    code = int(source[start + 2 : end], 16) if end == start + 2 + length else -1
    if 0 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF:
        return chr(code)
    bad = min(end + (code < 0), len(source))
    raise lex_error(cursor.at(bad - 1), "MalformedEscapeSequence", source[start:bad])


# --- raw strings ----------------------------------------------------------------------------------------------------------


def read_raw(cursor: Cursor) -> str:
    """#"text"#, ##"text"##: no escapes, any lines."""
    source, at = cursor.text, cursor.at(cursor.offset)
    hashes = _HASHES.match(source, cursor.offset)
    assert hashes is not None
    start = hashes.end() + 1
    if source[start - 1 : start] != '"':
        raise lex_error(at, "UnexpectedInput", source[start - 1]) if start <= len(source) else lex_error(at, "UnterminatedString")
    end = source.find(f'"{hashes[0]}', start)
    text = _Text(cursor.limit, at)
    text.parts.append(source[start:end] if end >= 0 else _open_raw(source[start:]))
    text.size = len(text.parts[0].encode()) if cursor.limit else 0
    value = text.value()
    if end < 0:
        raise lex_error(at, "UnterminatedString")
    for line_end in _RAW_LINE_END.finditer(source, start, end):
        # The engine does not count a newline right after a quote (or after a quote and too few hashes).
        if line_end[1] is None:
            cursor.new_line(line_end.end())
    cursor.offset = end + 1 + len(hashes[0])
    return value


def _open_raw(text: str) -> str:
    """What counts of an unterminated raw string: a quote at the end, with hashes or not, is still pending."""
    bare = text.rstrip("#")
    return bare[:-1] if bare.endswith('"') else text


# --- back-tick text -------------------------------------------------------------------------------------------------------


def read_text(cursor: Cursor) -> tuple[str, bool]:
    """`text`, with a newline right after the back-tick dropped: the text, up to its end or to code, and whether code follows."""
    at = cursor.at(cursor.offset)
    opening = _BACK_TICK.match(cursor.text, cursor.offset)
    assert opening is not None
    cursor.offset = opening.end()
    if opening[1]:
        cursor.new_line(cursor.offset)
    value, end, _ = _piece(cursor)
    if not end:
        raise lex_error(at, "UnterminatedString")
    return value, end == "$"


def read_more_text(cursor: Cursor) -> tuple[str, bool, At]:
    """The same from the `}` of code on, and where the text begins: nowhere if it is empty."""
    value, end, first = _piece(cursor)
    if not end:
        raise lex_error(first, "UnterminatedString")
    return value, end == "$", first


def _piece(cursor: Cursor) -> tuple[str, str, At]:
    """Text up to its end: the text, what ended it ("`", which is passed, the "$" of code, or nothing), and where it began."""
    source, plain = cursor.text, _PLAIN["`"]
    text = _Text(cursor.limit, cursor.at(cursor.offset) - 1)
    first = NONE
    while True:
        offset = cursor.offset
        run = plain.match(source, offset)
        if run is not None:
            first = first or cursor.at(offset)
            text.add(run[0])
            cursor.offset = run.end()
            continue
        pair = source[offset : offset + 2]
        if pair == "${" or (pair != "``" and pair[:1] in ("`", "")):
            cursor.offset = min(offset + 1, len(source))
            return text.value(), pair[:1], first
        first = first or cursor.at(offset + (pair == "``"))
        cursor.offset += 1
        if pair == "``":
            text.add("`")
            cursor.offset += 1
        elif pair[0] == "\n":
            text.add("\n")
            cursor.new_line(offset + 1)
        elif source.startswith("\\${", offset):
            # The engine counts one column for both characters.
            text.add("$")
            cursor.offset += 1
            cursor.line_start += 1
        elif pair != "\r\n":
            text.add(pair[0])
