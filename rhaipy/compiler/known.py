"""Methods of the library that are a word of Python: what a script calls over and over, where nothing is metered."""

import ast
from collections.abc import Callable
from typing import Final, NamedTuple

from rhaipy.compiler import code


class Method(NamedTuple):
    """`lines` make the code: of the variable's Python name, the arguments, and the name for the result.

    `kinds` are the types that it is so for; `changes`: not for constants.
    """

    kinds: tuple[type, ...]
    changes: bool
    lines: Callable[[str, list[ast.expr], str], list[ast.stmt]]


def _push(name: str, args: list[ast.expr], result: str) -> list[ast.stmt]:
    return [code.Expr(code.method(code.load(name), "append", args[0])), code.assign(result, code.constant(None))]


def _trim(name: str, args: list[ast.expr], result: str) -> list[ast.stmt]:
    return [code.assign(name, code.call("trim", code.load(name))), code.assign(result, code.constant(None))]


def _len(name: str, args: list[ast.expr], result: str) -> list[ast.stmt]:
    return [code.assign(result, code.call("len", code.load(name)))]


def _is_empty(name: str, args: list[ast.expr], result: str) -> list[ast.stmt]:
    return [code.assign(result, code.negate(code.load(name)))]


KNOWN: Final = {
    ("push", 1): Method((list,), True, _push),
    ("trim", 0): Method((str,), True, _trim),
    ("len", 0): Method((list, str), False, _len),
    ("is_empty", 0): Method((list, str), False, _is_empty),
}
"""By name and number of arguments."""
