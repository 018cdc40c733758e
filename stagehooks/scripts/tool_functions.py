"""What script tools have beside the functions of hooks: JSON of any kind, addresses, web pages. All of it is pure."""

from html.parser import HTMLParser
from typing import Final
from urllib.parse import quote

from rhaipy import Caller, Package, Thrown, Value, display_text, function
from stagehooks.scripts import json_text
from stagehooks.scripts.boundary import NotPlain, to_value
from stagehooks.scripts.boundary import to_json as plain

TOOL_FUNCTIONS: Final[Package] = []
UNSEEN: Final = frozenset({"script", "style", "head", "template", "noscript"})
"""Elements whose text nobody reads."""
BLOCKS: Final = frozenset({
    "address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "footer", "form", "h1", "h2", "h3", "h4", "h5",
    "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "table", "title", "tr", "ul",
})  # fmt: skip
"""Elements that begin a line of their own."""


def thrown(caller: Caller, text: str) -> Thrown:
    """The error `text`, which a script can catch."""
    return Thrown(caller.at, text, display_text)


@function(TOOL_FUNCTIONS, "parse_json")
def parse_json(caller: Caller, text: str) -> Value:
    """The value of a JSON document of any kind"""
    caller.meter.charge(len(text) >> 3, caller.at)
    try:
        return to_value(json_text.parse(text), caller.meter.limits)
    except ValueError as error:
        raise thrown(caller, f"parse_json: {error}") from None
    except NotPlain as error:
        raise thrown(caller, f"parse_json: {error.path or 'the document'}: {error.what}") from None


@function(TOOL_FUNCTIONS, "to_json")
def map_to_json(caller: Caller, value: dict[str, Value]) -> str:
    """The map as JSON"""
    return to_json(caller, value)


@function(TOOL_FUNCTIONS, "to_json")
def to_json(caller: Caller, value: Value) -> str:
    """The value as JSON"""
    try:
        text = json_text.dump(plain(value))
    except NotPlain as error:
        raise thrown(caller, f"to_json: {error.what}") from None
    caller.meter.charge(len(text) >> 3, caller.at)
    caller.meter.string(len(text.encode("utf-8", "surrogatepass")), caller.at)
    return text


@function(TOOL_FUNCTIONS, "encode_uri")
def encode_uri(caller: Caller, text: str) -> str:
    """The text as a part of an address: all but letters, digits and - . _ ~ is written with %"""
    caller.meter.charge(len(text) >> 3, caller.at)
    encoded = quote(text, safe="-._~")
    caller.meter.string(len(encoded), caller.at)
    return encoded


@function(TOOL_FUNCTIONS, "html_to_text")
def html_to_text(caller: Caller, html: str) -> str:
    """What a person reads of a web page"""
    caller.meter.charge(len(html) >> 1, caller.at)
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.text()


class _Reader(HTMLParser):
    """Gathers the text of a page, with a new line for each block."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._pieces: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS:
            self._pieces.append("\n")
        self._unseen += tag in UNSEEN

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS:
            self._pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS:
            self._pieces.append("\n")
        self._unseen = max(0, self._unseen - (tag in UNSEEN))

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self._pieces.append(data)

    def text(self) -> str:
        """The lines that say something, with single blanks."""
        lines = [" ".join(line.split()) for line in "".join(self._pieces).split("\n")]
        return "\n".join(line for line in lines if line)
