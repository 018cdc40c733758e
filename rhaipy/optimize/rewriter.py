"""The state of an optimisation and its dispatch by node type.

The rewrites are small functions, registered here by the type of node they take, in `expressions`, `chains`, `statements` and
`switches`. Each does one step: what its result might become is the business of the next pass (`blocks`).
"""

from collections.abc import Callable, Collection, Iterable

from rhaipy.errors import LimitError
from rhaipy.limits import Meter
from rhaipy.optimize.purity import LITERALS, Purity, parts
from rhaipy.syntax.nodes import Constant, Expr, Stmt
from rhaipy.typings import Any, TypeAlias, TypeVar


class Known:
    """The variables in sight, with the literal that a constant is known to hold; the newest of a name is the one that counts.

    `state` is the same number whenever the same is known, so that what was found to change nothing need not be tried again.
    `constants` of the variables are known to hold something.
    """

    __slots__ = ("_literals", "_numbers", "_states", "constants", "names", "state")

    def __init__(self, variables: Iterable[tuple[str, Constant | None]] = ()) -> None:
        self.state = self.constants = 0
        self.names: list[str] = []
        self._states: list[int] = []
        self._literals: dict[str, list[Constant | None]] = {}
        self._numbers: dict[tuple[int, str, Constant | None], int] = {}  # by the state before and what is added
        for name, literal in variables:
            self.add(name, literal)

    def add(self, name: str, literal: Constant | None) -> None:
        """One more variable."""
        self.names.append(name)
        self._literals.setdefault(name, []).append(literal)
        self._states.append(self.state)
        self.constants += literal is not None
        self.state = self._numbers.setdefault((self.state, name, literal), len(self._numbers) + 1)

    def rewind(self, size: int) -> None:
        """Forget the newest ones until `size` are left."""
        while len(self.names) > size:
            self.constants -= self._literals[self.names.pop()].pop() is not None
            self.state = self._states.pop()

    def find(self, name: str) -> Constant | None:
        """The literal of the newest one called `name`."""
        literals = self._literals.get(name)
        return literals[-1] if literals else None


_Node = TypeVar("_Node")


Overridden = Collection[tuple[Any, ...]]
"""Operators with the types of their operands that the host has functions for, which come before the engine's own."""


Settled: TypeAlias = tuple[int, bool, bool, bool, int]
"""The identity of a list of statements, whether its value is kept, whether it is a body; and what the rewriter knew."""


class Rewriter:
    """`changed` says that this pass changed something, `propagates` that known constants may stand for their names.

    `settled` has the lists of statements that a pass left as they were, by all that this pass depended on. What is nested is
    asked for at each level; so that this takes no more time than there are nodes, answers are kept. `hurries`: an operator whose
    operands have just become constants is folded in the same pass, and not one more in each, as the engine does it.
    """

    __slots__ = (
        "_constant", "changed", "hurries", "known", "meter", "overridden", "propagates", "purity", "settled", "settled_logic",
        "steps",
    )  # fmt: skip

    def __init__(self, known: Known, meter: Meter, overridden: Overridden = frozenset()) -> None:
        self.known = known
        self.overridden = overridden
        self.meter = meter
        self.purity = Purity()
        self.changed = False
        self.hurries = False
        self.propagates = True
        self.steps = 0
        self.settled: dict[Settled, tuple[Stmt, ...]] = {}
        self.settled_logic: dict[tuple[int, bool, int], Expr] = {}
        self._constant: dict[int, tuple[Expr, bool]] = {}

    def expression(self, expr: Expr) -> Expr:
        """`expr` after one step."""
        self.steps += 1
        rewrite = _EXPRESSIONS.get(type(expr))
        return expr if rewrite is None else rewrite(self, expr)

    def is_constant(self, expr: Expr) -> bool:
        """Is `expr` a constant, or a literal of constants?"""
        if type(expr) not in LITERALS:
            return type(expr) is Constant
        found = self._constant.get(id(expr))
        if found is None:
            found = expr, False not in [self.is_constant(part) for part in parts(expr)]
            self._constant[id(expr)] = found
        return found[1]

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
        if not self.meter.limits.fuel:
            return True
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
        return self.known.find(name) if self.propagates and self.known.constants else None


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


def rewrites_logic(*kinds: type) -> Callable[[_E], _E]:
    """Register the decorated function for conditions of these types. Joined ones nest as deeply as the branches that they were
    made of, so it is remembered which of them change nothing.
    """

    def register(rewrite: _E) -> _E:
        def remembered(rewriter: Rewriter, expr: Expr) -> Expr:
            settled = (id(expr), rewriter.propagates, rewriter.known.state)
            if settled in rewriter.settled_logic:
                return expr
            changed, rewriter.changed = rewriter.changed, False
            rewritten = rewrite(rewriter, expr)
            if not rewriter.changed and rewritten is expr and rewriter.propagates == settled[1]:
                rewriter.settled_logic[settled] = expr
            rewriter.changed = rewriter.changed or changed
            return rewritten

        _EXPRESSIONS.update(dict.fromkeys(kinds, remembered))
        return rewrite

    return register


def rewrites_statement(*kinds: type) -> Callable[[_S], _S]:
    """Register the decorated function for statements of these types."""

    def register(rewrite: _S) -> _S:
        _STATEMENTS.update(dict.fromkeys(kinds, rewrite))
        return rewrite

    return register
