"""Comments. They are no tokens; doc-comments are kept for the function that follows."""

import re

from rhaipy.syntax.lexer_cursor import Cursor
from rhaipy.typings import Final

_LINE_COMMENT: Final = re.compile(r"//[^\r\n]*(\r\n?|\n)?")
_BLOCK_MARK: Final = re.compile(r"/\*|\*/|\n")


def read_comment(cursor: Cursor) -> list[str]:
    """Pass the comment at the cursor. Its lines if it is a doc-comment (`///` or `/**`, not more), otherwise none."""
    text, start, margin = cursor.text, cursor.offset, cursor.column(cursor.offset) - 1
    if text.startswith("//", start):
        _pass_line(cursor)
        documents = text.startswith("///", start) and not text.startswith("////", start)
    else:
        _pass_block(cursor)
        documents = text.startswith("/**", start) and not text.startswith(("/***", "/**/"), start)
    if not documents:
        return []
    first, *others = text[start : cursor.offset].rstrip("\r\n").split("\n")
    return [first, *(line[:margin].lstrip() + line[margin:] for line in others)]


def _pass_line(cursor: Cursor) -> None:
    """To the end of the line; a lone carriage return ends it, too."""
    match = _LINE_COMMENT.match(cursor.text, cursor.offset)
    assert match is not None
    cursor.offset = match.end()
    if match[1]:
        cursor.new_line(cursor.offset)


def _pass_block(cursor: Cursor) -> None:
    """To the mark that closes it; comments nest, and the end of the text ends them all."""
    depth = 1
    for mark in _BLOCK_MARK.finditer(cursor.text, cursor.offset + 2):
        if mark[0] == "\n":
            cursor.new_line(mark.end())
            continue
        depth += 1 if mark[0] == "/*" else -1
        if not depth:
            cursor.offset = mark.end()
            return
    cursor.offset = len(cursor.text)
