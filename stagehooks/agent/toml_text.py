"""TOML from a text that nobody vouches for: bounded in depth and length of keys, and one kind of error that knows its line."""

import re
import tomllib
from typing import Final, TypeAlias

from stagehooks.agent.lines import KeyPath, TooDeep, lines_of

Toml: TypeAlias = object
"""A value of TOML: what JSON has, and dates and times."""

_POSITION: Final = re.compile(r" ?\(at (?:line (\d+), column \d+|end of document)\)$")
_LONG_NUMBER: Final = re.compile(r"[0-9][0-9_]{4000,}")


class NoToml(Exception):
    """The text is no TOML that is read; `what` says why, `line` where (from 1; 0: not known)."""

    def __init__(self, what: str, line: int = 0) -> None:
        super().__init__(what)
        self.what = what
        self.line = line


def read_toml(text: str) -> tuple[dict[str, Toml], dict[KeyPath, int]]:
    """The tables in `text`, and the line of each key; NoToml if it cannot be read."""
    if text.startswith("\ufeff"):
        raise NoToml("it begins with a byte order mark: save it as UTF-8 without one", 1)
    try:
        lines = lines_of(text)
        return tomllib.loads(text), lines
    except TooDeep as error:
        raise NoToml(error.what, error.line) from None
    except (ValueError, RecursionError) as error:
        raise _explained(text, str(error)) from None


def _explained(text: str, said: str) -> NoToml:
    found = _POSITION.search(said)
    if found is not None:
        return NoToml(_POSITION.sub("", said), int(found[1]) if found[1] else text.count("\n") + 1)
    number = _LONG_NUMBER.search(text)
    if number is not None:
        return NoToml("a number is too long", text.count("\n", 0, number.start()) + 1)
    return NoToml("tables are nested too deeply")
