"""Methods of the library that are a word of Python, or, where something is metered or measured, a single call."""

import ast
from collections.abc import Callable
from typing import Final, NamedTuple

from rhaipy.compiler import code
from rhaipy.source import At


class Paid(NamedTuple):
    """The code where something is metered or measured: a call, whether its value says that the work is done, and what follows."""

    call: ast.expr
    is_done: ast.expr
    then: list[ast.stmt]


class Method(NamedTuple):
    """`lines` make the code: of the variable's Python name, the arguments, and the name for the result.

    `paid` makes that of the same, the position, and the operations that are left. `kinds` are the types that it is so for;
    `changes`: not for constants.
    """

    kinds: tuple[type, ...]
    changes: bool
    lines: Callable[[str, list[ast.expr], str], list[ast.stmt]]
    paid: Callable[[str, list[ast.expr], str, At, ast.expr], Paid]


_MACHINE: Final = code.load("machine")
_METER: Final = code.load("meter")
_LEFT: Final = code.binary(code.attribute(_METER, "ceiling"), ast.Sub(), code.attribute(_METER, "operations"))


def _push(name: str, args: list[ast.expr], result: str) -> list[ast.stmt]:
    return [code.Expr(code.method(code.load(name), "append", args[0])), code.assign(result, code.constant(None))]


def _push_paid(name: str, args: list[ast.expr], result: str, at: At, left: ast.expr) -> Paid:
    call = code.call("push_item", _MACHINE, left, code.load(name), args[0], code.constant(at))
    then = [code.assign(code.LEFT, code.load(result)), code.assign(result, code.constant(None))]
    return Paid(call, _is_number(result), then)


def _trim(name: str, args: list[ast.expr], result: str) -> list[ast.stmt]:
    return [code.assign(name, code.call("trim", code.load(name))), code.assign(result, code.constant(None))]


def _trim_paid(name: str, args: list[ast.expr], result: str, at: At, left: ast.expr) -> Paid:
    call = code.call("trim_text", _MACHINE, left, code.load(name))
    then = [code.subtract_left(1), code.assign(name, code.load(result)), code.assign(result, code.constant(None))]
    return Paid(call, code.compare(code.load(result), ast.IsNot(), code.constant(None)), then)


def _len(name: str, args: list[ast.expr], result: str) -> list[ast.stmt]:
    return [code.assign(result, code.call("len", code.load(name)))]


def _len_paid(name: str, args: list[ast.expr], result: str, at: At, left: ast.expr) -> Paid:
    call = code.call("length_of", _MACHINE, left, code.load(name), code.constant(at))
    return Paid(call, _is_number(result), [code.assign(code.LEFT, _LEFT)])


def _is_empty(name: str, args: list[ast.expr], result: str) -> list[ast.stmt]:
    return [code.assign(result, code.negate(code.load(name)))]


def _is_empty_paid(name: str, args: list[ast.expr], result: str, at: At, left: ast.expr) -> Paid:
    paid = _len_paid(name, args, result, at, left)
    return paid._replace(then=[*paid.then, code.assign(result, code.negate(code.load(result)))])


def _is_number(result: str) -> ast.expr:
    return code.compare(code.load(result), ast.GtE(), code.constant(0))


KNOWN: Final = {
    ("push", 1): Method((list,), True, _push, _push_paid),
    ("trim", 0): Method((str,), True, _trim, _trim_paid),
    ("len", 0): Method((list, str), False, _len, _len_paid),
    ("is_empty", 0): Method((list, str), False, _is_empty, _is_empty_paid),
}
"""By name and number of arguments."""
