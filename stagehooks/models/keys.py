"""Keys: read from the environment, held so that nothing shows them by accident, and never sent where they do not belong.

The servers of known providers have their usual variables. For any other server the variable is made of its host's name, so that
an agent file can name a server but cannot make a key go to another server than the one its owner set it for.
"""

import re
from collections.abc import Mapping
from typing import Final

from stagehooks.errors import SpawnError
from stagehooks.scripts.json_text import Json

PREFIX: Final = "STAGEHOOKS_KEY_"
HOST: Final = re.compile(r"[a-z0-9]+(-+[a-z0-9]+)*(\.[a-z0-9]+(-+[a-z0-9]+)*)*")
WORTH_HIDING: Final = 8
"""What local servers take for a key may be a word of the language; real keys are longer."""


class Key:
    """The key in the variable `variable`. No way of printing it shows it."""

    __slots__ = ("_text", "variable")

    def __init__(self, variable: str, text: str) -> None:
        self.variable = variable
        self._text = text

    def __repr__(self) -> str:
        return f"Key({self.variable})"

    def __reduce__(self) -> str:
        raise TypeError("a key is not to be stored")

    def reveal(self) -> str:
        """The key itself, for the one header that it is sent in."""
        return self._text

    def hide_in(self, text: str) -> str:
        """`text` with the key's name wherever the key stands: servers like to quote what they refuse."""
        if len(self._text) < WORTH_HIDING:
            return text
        for written in (self._text, self._text.replace("/", "\\/")):
            text = text.replace(written, f"[{self.variable}]")
        return text

    def hide_within(self, value: Json) -> Json:
        """`value` with the key's name wherever the key stands in its texts: JSON has more than one way to write a text."""
        if isinstance(value, str):
            return self.hide_in(value)
        if isinstance(value, list):
            return [self.hide_within(item) for item in value]
        if isinstance(value, dict):
            return {self.hide_in(name): self.hide_within(item) for name, item in value.items()}
        return value


def read_key(variable: str, environment: Mapping[str, str]) -> Key | None:
    """The key in `variable`, None where it is not set; SpawnError where it cannot be one."""
    text = environment.get(variable, "").strip()
    if not text:
        return None
    if not text.isascii() or not text.isprintable() or " " in text:
        raise SpawnError(f"{variable} holds a space or a character that no key has")
    return Key(variable, text)


def key_variable(host: str) -> str | None:
    """The variable for the key of the server at `host`; None where a host's name cannot be written as one.

    `.` becomes `_` and `-` becomes `__`, so no two hosts have the same variable.
    """
    if not HOST.fullmatch(host):
        return None
    return PREFIX + host.replace("-", "__").replace(".", "_").upper()
