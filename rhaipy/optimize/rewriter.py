"""The state of an optimisation and its dispatch by node type.

The rewrites are small functions, registered here by the type of node they take, in `expressions`, `chains`, `statements` and
`switches`. Each does one step: what its result might become is the business of the next pass (`blocks`).
"""

from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar

from rhaipy.errors import LimitError
from rhaipy.limits import Meter
from rhaipy.syntax.nodes import Constant, Expr, Stmt


class Known:
    """The variables in sight, with the literal that a constant is known to hold; the newest of a name is the one that counts."""

    __slots__ = ("_literals", "_names")

    def __init__(self, variables: Iterable[tuple[str, Constant | None]] = ()) -> None:
        self._names: list[str] = []
        self._literals: dict[str, list[Constant | None]] = {}
        for name, literal in variables:
            self.add(name, literal)

    def __len__(self) -> int:
        return len(self._names)

    def add(self, name: str, literal: Constant | None) -> None:
        """One more variable."""
        self._names.append(name)
        self._literals.setdefault(name, []).append(literal)

    def rewind(self, size: int) -> None:
        """Forget the newest ones until `size` are left."""
        while len(self._names) > size:
            self._literals[self._names.pop()].pop()

    def find(self, name: str) -> Constant | None:
        """The literal of the newest one called `name`."""
        literals = self._literals.get(name)
        return literals[-1] if literals else None


_Node = TypeVar("_Node")


Overridden = Collection[tuple[Any, ...]]
"""Operators with the types of their operands that the host has functions for, which come before the engine's own."""


class Rewriter:
    """`changed` says that this pass changed something, `propagates` that known constants may stand for their names."""

    __slots__ = ("changed", "known", "meter", "overridden", "propagates", "steps")

    def __init__(self, known: Known, meter: Meter, overridden: Overridden = frozenset()) -> None:
        self.known = known
        self.overridden = overridden
        self.meter = meter
        self.changed = False
        self.propagates = True
        self.steps = 0

    def expression(self, expr: Expr) -> Expr:
        """`expr` after one step."""
        self.steps += 1
        rewrite = _EXPRESSIONS.get(type(expr))
        return expr if rewrite is None else rewrite(self, expr)

    def expressions(self, exprs: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Each of `exprs` after one step; the same tuple if they are the same."""
        return same_or_new(exprs, [self.expression(expr) for expr in exprs])

    def statement(self, stmt: Stmt, keeps_value: bool) -> Stmt:
        """`stmt` after one step; `keeps_value` says that its value may matter."""
        self.steps += 1
        rewrite = _STATEMENTS.get(type(stmt))
        return stmt if rewrite is None else rewrite(self, stmt, keeps_value)

    def may_go_on(self) -> bool:
        """Is there fuel for one more pass? Each takes a step at each node, so long sums in long scripts take very many."""
        steps, self.steps = self.steps, 0
        try:
            self.meter.charge(2 * steps)
        except LimitError:
            return False
        return True

    def changed_to(self, node: _Node) -> _Node:
        """`node`, noting that it is something new and worth another pass."""
        self.changed = True
        return node

    def constant(self, name: str) -> Constant | None:
        """The literal that the variable `name` is known to hold."""
        return self.known.find(name) if self.propagates else None


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
