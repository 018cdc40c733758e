"""The operators that a host registers: which names they may have, and which tokens they are.

An operator may be an identifier, a word or symbol that the language keeps for itself without using it (`is`, `@`, `===`), or
one that was disabled.
"""

from collections.abc import Mapping
from types import MappingProxyType

from rhaipy.syntax.tokens import (
    CALLABLE,
    CUSTOM,
    ID,
    KEYWORDS,
    METHOD,
    RESERVED_SYMBOL,
    RESERVED_WORD,
    SYMBOLS,
    THIS,
    UNARY_MINUS,
    UNARY_PLUS,
    Lexed,
)
from rhaipy.typings import Final

NO_OPERATORS: Final[Mapping[str, int]] = MappingProxyType({})

LOOSE: Final = "LOOSE"
"""The kind of a custom operator of precedence 1, which the engine's parser never takes for an operator, nor for anything else."""

_MAY_BE: Final = (
    KEYWORDS | SYMBOLS | {ID, RESERVED_WORD, RESERVED_SYMBOL, CALLABLE, METHOD, THIS, UNARY_PLUS, UNARY_MINUS}
)  # fmt: skip
_NO_OPERATORS: Final = frozenset(["!in", "()", "_", "=>", "switch"])
"""What is neither a keyword nor an operator to the engine, in its own words."""


def refusal(name: str, precedence: int, disabled: frozenset[str]) -> str:
    """Why there can be no operator called `name` of this precedence, as the engine says it; empty if there can."""
    if not precedence:
        return "precedence cannot be zero"
    if name in disabled or name not in KEYWORDS | SYMBOLS:
        return ""
    if name in _NO_OPERATORS:
        return f"'{name}' is a reserved symbol"
    return f"'{name}' is a reserved {'keyword' if name in KEYWORDS else 'operator'}"


def mark_operators(lexed: Lexed, operators: Mapping[str, int]) -> None:
    """Name the tokens that are operators of the host as the grammar does. A function may still be called like one."""
    kinds = lexed.kinds
    for index, kind in enumerate(kinds):
        if kind not in _MAY_BE:
            continue
        value = str(lexed.values[index])
        if value not in operators:
            continue
        if kind != ID or not _names_function(kinds, index):
            kinds[index] = CUSTOM if operators[value] > 1 else LOOSE
        elif kinds[index - 1] == "fn" and kinds[index + 1] == ".":
            kinds[index + 1] = LOOSE  # it may be a function's name, but not that of a type


def _names_function(kinds: list[str], index: int) -> bool:
    """Is the token at `index` the name in `fn name` or `fn type.name`?"""
    before = kinds[index - 1] if index else ""
    return before == "fn" or (before == "." and index > 2 and kinds[index - 3] == "fn")
