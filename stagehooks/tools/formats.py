"""Is a text well-formed in the format it is said to have? YAML takes more than the standard library; other names are labels."""

import csv
from collections.abc import Callable
from typing import Final
from xml.parsers import expat

from stagehooks.agent.toml_text import NoToml, read_toml
from stagehooks.scripts import json_text


def malformed(format: str, text: str) -> str | None:
    """What is wrong with `text` as `format`; None where nothing is, or nothing can be told."""
    read = READERS.get(format.lower())
    if read is None:
        return None
    try:
        read(text)
    except (ValueError, csv.Error, expat.ExpatError, RecursionError) as error:
        return str(error) or "it is nested too deeply"
    return None


def _json(text: str) -> None:
    json_text.parse(text)


def _toml(text: str) -> None:
    try:
        read_toml(text)
    except NoToml as error:
        raise ValueError(f"{error.what} (at line {error.line})" if error.line else error.what) from None


def _csv(text: str) -> None:
    widths = {len(row) for row in csv.reader(text.splitlines(keepends=True), strict=True) if row}
    if len(widths) > 1:
        raise ValueError(f"its rows have from {min(widths)} to {max(widths)} columns")


def _xml(text: str) -> None:
    parser = expat.ParserCreate()
    parser.EntityDeclHandler = _refuse_entity
    parser.Parse(text.encode("utf-8"), True)


def _refuse_entity(*declaration: object) -> None:
    # A few of them stand for gigabytes.
    raise ValueError("it declares entities")


READERS: Final[dict[str, Callable[[str], None]]] = {"json": _json, "xml": _xml, "csv": _csv, "toml": _toml}
