"""What script tools have beside the functions of hooks: JSON of any kind, addresses, web pages. All of it is pure."""

from typing import Final
from urllib.parse import quote

from rhaipy import Caller, Package, Thrown, Value, display_text, function
from stagehooks.scripts import json_text
from stagehooks.scripts.boundary import NotPlain, to_value
from stagehooks.scripts.boundary import to_json as plain
from stagehooks.scripts.html_text import html_text

TOOL_FUNCTIONS: Final[Package] = []


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
    return html_text(html)
