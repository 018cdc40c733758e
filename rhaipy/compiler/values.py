"""Expressions: the dispatch, and what the evaluator's moments to copy become."""

import ast
from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

from rhaipy.compiler import code
from rhaipy.compiler.unit import Operand, Unit, Unsupported
from rhaipy.limits import Limits, Meter
from rhaipy.optimize.literals import literal
from rhaipy.optimize.purity import start
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Constant, Expr
from rhaipy.values import UNCHANGING

Compile: TypeAlias = Callable[[Unit, Any], Operand]
EXPRESSIONS: Final[dict[type, Compile]] = {}
"""How each kind of expression is compiled. What comes back may be borrowed (`Operand.owes`)."""

MOST_PENDING: Final = 50
"""Operations that are counted together: their positions stand in the code at each place that may fail."""

_Compile = TypeVar("_Compile", bound=Compile)


def compiles(node: type) -> Callable[[_Compile], _Compile]:
    """Register the decorated function for expressions of this type."""

    def register(make: _Compile) -> _Compile:
        EXPRESSIONS[node] = make
        return make

    return register


def look(unit: Unit, node: Expr) -> Operand:
    """The value of an expression, counted, perhaps borrowed: for who uses it at once, and only looks at it."""
    if len(unit.pending) > MOST_PENDING:
        unit.flush()
    unit.count(node.at)
    return uncounted(unit, node)


def uncounted(unit: Unit, node: Expr) -> Operand:
    """The same, not counted."""
    make = EXPRESSIONS.get(type(node))
    if make is None:
        raise Unsupported
    with unit.deeper():
        return make(unit, node)


def value(unit: Unit, node: Expr) -> Operand:
    """The value of an expression, its own."""
    return unit.own(look(unit, node))


def glance(unit: Unit, node: Expr) -> Operand:
    """The same for who only looks at it: a copy matters where it is paid for, and nowhere else."""
    return value(unit, node) if unit.profile.metered else look(unit, node)


def kept(unit: Unit, operand: Operand, later: tuple[Expr, ...]) -> Operand:
    """`operand`, safe from what the expressions in `later` do to variables."""
    if lasts(operand.expr):
        return operand
    unit.script.spend(len(later) >> 6)
    if all_calm(later):
        return operand
    return operand._replace(expr=unit.keep(operand.expr))


def lasts(expr: ast.expr) -> bool:
    """Is it the same whatever happens to the variables of the script?"""
    return isinstance(expr, ast.Constant) or (isinstance(expr, ast.Name) and not expr.id.startswith("v"))


# --- arguments ------------------------------------------------------------------------------------------------------------

_MAY_BE_LITERALS: Final = frozenset({nodes.Array, nodes.Map, nodes.Interpolation, nodes.Binary, nodes.Call})


def argument(unit: Unit, node: Expr) -> Operand:
    """The value of an argument, its own. A literal counts one operation whatever it is made of."""
    if type(node) in _MAY_BE_LITERALS:
        known = literal(node, Meter(Limits()))
        if known is not None:
            return _literal(unit, node, known)
    return value(unit, node)


def _literal(unit: Unit, node: Expr, known: Constant) -> Operand:
    if type(known.value) in UNCHANGING and type(node) is not nodes.Interpolation:
        unit.count(start(node))
        return Operand(unit.constant(known.value), type(known.value))
    made = unit.callout("literal_value", code.load("meter"), unit.pool.add(node))
    unit.count(start(node))
    return Operand(made, type(known.value))


def arguments(unit: Unit, args: tuple[Expr, ...]) -> list[Operand]:
    """The values of arguments, from left to right."""
    values: list[Operand] = []
    for number, node in enumerate(args):
        values.append(kept(unit, argument(unit, node), args[number + 1 :]))
    return values


# --- what has no effects --------------------------------------------------------------------------------------------------

_CALM: Final = (nodes.Constant, nodes.Variable, nodes.This)


def is_calm(node: Expr) -> bool:
    """Does the expression change nothing at all, whatever it meets?"""
    match node:
        case nodes.Constant() | nodes.Variable() | nodes.This():
            return True
        case nodes.Binary():
            return is_calm(node.left) and is_calm(node.right)
        case nodes.Unary():
            return is_calm(node.operand)
        case nodes.And() | nodes.Or():
            return all_calm(node.operands)
        case nodes.Chain():
            return is_calm(node.root) and all_calm(
                tuple(
                    [
                        link.index if isinstance(link, nodes.IndexLink) else _UNKNOWN
                        for link in node.links
                        if not _is_property(link)
                    ]
                )
            )
    return False


_UNKNOWN: Final = nodes.BlockExpr(0, nodes.Block(0, 0, ()))


def _is_property(link: nodes.Link) -> bool:
    return isinstance(link, nodes.PropertyLink)


def all_calm(exprs: tuple[Expr, ...]) -> bool:
    """Are all of them calm?"""
    return False not in [is_calm(expr) for expr in exprs]
