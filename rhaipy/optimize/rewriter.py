"""The state of an optimisation and its dispatch by node type.

The rewrites are small functions, registered here by the type of node they take, in `expressions`, `chains`, `statements` and
`switches`. Each does one step: what its result might become is the business of the next pass (`blocks`).
"""

from collections.abc import Callable
from typing import Any, TypeVar

from rhaipy.limits import Meter
from rhaipy.syntax.nodes import Constant, Expr, Stmt

Known = list[tuple[str, Constant | None]]
"""The variables in sight, newest last, with the literal that a constant is known to hold."""


_Node = TypeVar("_Node")


class Rewriter:
    """`changed` says that this pass changed something, `propagates` that known constants may stand for their names."""

    __slots__ = ("changed", "known", "meter", "propagates")

    def __init__(self, known: Known, meter: Meter) -> None:
        self.known = known
        self.meter = meter
        self.changed = False
        self.propagates = True

    def expression(self, expr: Expr) -> Expr:
        """`expr` after one step."""
        rewrite = _EXPRESSIONS.get(type(expr))
        return expr if rewrite is None else rewrite(self, expr)

    def expressions(self, exprs: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Each of `exprs` after one step; the same tuple if they are the same."""
        return same_or_new(exprs, [self.expression(expr) for expr in exprs])

    def statement(self, stmt: Stmt, keeps_value: bool) -> Stmt:
        """`stmt` after one step; `keeps_value` says that its value may matter."""
        rewrite = _STATEMENTS.get(type(stmt))
        return stmt if rewrite is None else rewrite(self, stmt, keeps_value)

    def changed_to(self, node: _Node) -> _Node:
        """`node`, noting that it is something new and worth another pass."""
        self.changed = True
        return node

    def constant(self, name: str) -> Constant | None:
        """The literal that the variable `name` is known to hold."""
        if self.propagates:
            for known, value in reversed(self.known):
                if known == name:
                    return value
        return None


def same_or_new(old: tuple[_Node, ...], new: list[_Node]) -> tuple[_Node, ...]:
    """`old` where `new` holds the very same nodes: what does not change is not built again."""
    for one, other in zip(old, new, strict=True):
        if one is not other:
            return tuple(new)
    return old


RewriteExpression = Callable[[Rewriter, Any], Expr]
RewriteStatement = Callable[[Rewriter, Any, bool], Stmt]
_E = TypeVar("_E", bound=RewriteExpression)
_S = TypeVar("_S", bound=RewriteStatement)
_EXPRESSIONS: dict[type, RewriteExpression] = {}
_STATEMENTS: dict[type, RewriteStatement] = {}


def rewrites(*kinds: type) -> Callable[[_E], _E]:
    """Register the decorated function for expressions of these types."""

    def register(rewrite: _E) -> _E:
        _EXPRESSIONS.update(dict.fromkeys(kinds, rewrite))
        return rewrite

    return register


def rewrites_statement(*kinds: type) -> Callable[[_S], _S]:
    """Register the decorated function for statements of these types."""

    def register(rewrite: _S) -> _S:
        _STATEMENTS.update(dict.fromkeys(kinds, rewrite))
        return rewrite

    return register
