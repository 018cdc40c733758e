"""What a person reads of a web page, in one pass over its source: linear in its length, whatever the page holds.

Pages come from strangers, and the standard library's parser takes time that grows with the square of the length of broken ones.
"""

import re
from html import unescape
from typing import Final

UNSEEN: Final = frozenset({"script", "style", "head", "template", "noscript"})
"""Elements whose text nobody reads."""
RAW: Final = {name: re.compile(rf"</{name}\b", re.IGNORECASE) for name in ("script", "style")}
"""Those in which nothing but their own end counts as a tag."""
BLOCKS: Final = frozenset({
    "address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "footer", "form", "h1", "h2", "h3", "h4", "h5",
    "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "table", "title", "tr", "ul",
})  # fmt: skip
"""Elements that begin a line of their own."""

_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*+)")
_OTHER: Final = re.compile(r"<(?:!--|[!?/])")
_NEXT: Final = re.compile(r"[\"'>]")
_LONG_REFERENCE: Final = re.compile(r"&#[xX]?[0-9a-fA-F]{9,}+;?")
REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"


def html_text(html: str) -> str:
    """The lines of the page `html` that say something, with single blanks."""
    page = _Page(html)
    page.read()
    lines = [" ".join(line.split()) for line in "".join(page.pieces).split("\n")]
    return "\n".join(line for line in lines if line)


class _Page:
    """How far a page is read, and the pieces of text so far."""

    def __init__(self, html: str) -> None:
        self.pieces: list[str] = []
        self._html = html
        self._at = 0
        self._unseen = 0
        self._knows_quotes = True

    def read(self) -> None:
        """All of it."""
        while True:
            start = self._html.find("<", self._at)
            if start < 0:
                self._say(len(self._html))
                return
            tag = _TAG.match(self._html, start)
            other = None if tag else _OTHER.match(self._html, start)
            self._say(start if tag or other else start + 1)
            if tag is not None:
                self._tag(tag)
            elif other is not None:
                closing = "-->" if other[0] == "<!--" else ">"
                self._at = self._behind(closing, other.end())

    def _tag(self, tag: re.Match[str]) -> None:
        name, ends = tag[2].lower(), bool(tag[1])
        self._at = self._end_of_tag(tag.end())
        if name in BLOCKS:
            self.pieces.append("\n")
        if name in UNSEEN:
            self._unseen = max(0, self._unseen + (-1 if ends else 1))
        if name in RAW and not ends:
            found = RAW[name].search(self._html, self._at)
            self._at = found.start() if found is not None else len(self._html)

    def _end_of_tag(self, at: int) -> int:
        """Behind the `>` that ends the tag; one between quotes does not. Where they close no tag or quote, they count no more."""
        place = at
        while self._knows_quotes:
            found = _NEXT.search(self._html, place)
            if found is not None and found[0] == ">":
                return found.end()
            place = self._html.find(found[0], found.end()) + 1 if found is not None else 0
            self._knows_quotes = place > 0
        return self._behind(">", at)

    def _behind(self, closing: str, at: int) -> int:
        found = self._html.find(closing, at)
        return found + len(closing) if found >= 0 else len(self._html)

    def _say(self, end: int) -> None:
        if not self._unseen:
            self.pieces.append(unescape(_LONG_REFERENCE.sub(REPLACEMENT, self._html[self._at : end])))
        self._at = end
