"""The parser of the command line: argparse's own, without what it loads to learn how wide the terminal is, and with hints."""

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final, NoReturn

from rhaipy import printable

WIDTH: Final = 80
"""Columns, where nobody says how many there are."""


class Parser(argparse.ArgumentParser):
    """A parser whose help is as wide as the terminal, and whose errors say what may have been meant."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_Formatter, **options)

    def error(self, message: str) -> NoReturn:
        """End the program with 2."""
        super().error(printable(message))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            names = [str(choice) for choice in action.choices]
            hint = _hint(str(value), names) or f"\n  hint: there are: {', '.join(names)}"
            raise argparse.ArgumentError(action, f"there is no '{value}'{hint}")


def read(parser: argparse.ArgumentParser, given: Sequence[str]) -> argparse.Namespace:
    """What the words that were `given` say; where they cannot be read, the program ends with 2."""
    options, rest = parser.parse_known_args(given)
    if rest:
        words = [word.partition("=")[0] for word in rest if word.startswith("--")]
        hint = _hint(words[0], _options(parser)) if words else ""
        parser.error(f"unrecognized arguments: {' '.join(rest)}{hint}")
    return options


def _options(parser: argparse.ArgumentParser) -> list[str]:
    """The options of `parser` and of its commands."""
    found: list[str] = []
    for action in parser._actions:
        found += action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            found += [name for command in action.choices.values() for name in _options(command)]
    return found


def _hint(word: str, known: Iterable[str]) -> str:
    from stagehooks.agent.document import did_you_mean  # only where something is wrong

    hint = did_you_mean(word, known)
    return f"\n  hint: {hint}" if hint else ""


class _Formatter(argparse.HelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said):
        return int(said)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or WIDTH
    except (OSError, ValueError):
        return WIDTH
