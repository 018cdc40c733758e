"""Makes a finding small: drops what is special about the request, then tokens in chunks, then puts simple tokens for others."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from conformance.fuzz.texts import pieces_of

MOST: Final = 1200
"""Requests that one finding is worth."""

_SIMPLE: Final = ("0", "1", "x", "()", '""', "[]")
_WORD: Final = re.compile(r"\w+|\".*\"|`.*`|'.*'", re.DOTALL)
_TABLES: Final = ("limits", "options", "scope", "consts", "modules")

Request = Mapping[str, Any]


def shrunk(request: Request, fails: Callable[[Request], bool], most: int = MOST) -> dict[str, Any]:
    """As small a request as still `fails`, after at most that many tries."""
    shrinking = _Shrinking(dict(request), fails, most)
    shrinking.drop_circumstances()
    size = len(shrinking.request["src"]) + 1
    while len(shrinking.request["src"]) < size:
        size = len(shrinking.request["src"])
        shrinking.drop_tokens()
    shrinking.simplify_tokens()
    return shrinking.request


class _Shrinking:
    """One request on its way down."""

    def __init__(self, request: dict[str, Any], fails: Callable[[Request], bool], most: int) -> None:
        self.request = request
        self._fails = fails
        self._left = most

    def try_with(self, **changes: Any) -> bool:
        """Make the changes if the request still fails with them; None takes a key away."""
        if self._left <= 0:
            return False
        self._left -= 1
        changed = {key: value for key, value in {**self.request, **changes}.items() if value is not None}
        if self._fails(changed):
            self.request = changed
            return True
        return False

    def drop_circumstances(self) -> None:
        """Whole keys of the request, then entries of those that are tables."""
        for key in [key for key in self.request if key not in ("src", "limits")]:
            self.try_with(**{key: None})
        for key in _TABLES:
            for name in list(self.request.get(key) or {}):
                table = self.request[key]
                self.try_with(**{key: {other: table[other] for other in table if other != name}})

    def drop_tokens(self) -> None:
        """Chunks of tokens, the large ones first."""
        pieces = pieces_of(self.request["src"])
        size = max(len(pieces) // 2, 1)
        while size:
            start = 0
            while start < len(pieces):
                fewer = pieces[:start] + pieces[start + size :]
                if self.try_with(src="".join(fewer)):
                    pieces = fewer
                else:
                    start += size
            size //= 2

    def simplify_tokens(self) -> None:
        """Other words and literals in the place of longer ones."""
        pieces = pieces_of(self.request["src"])
        for index, piece in enumerate(pieces):
            if not _WORD.fullmatch(piece) or piece in _SIMPLE:
                continue
            for simple in _SIMPLE:
                if self.try_with(src="".join([*pieces[:index], simple, *pieces[index + 1 :]])):
                    pieces[index] = simple
                    break
