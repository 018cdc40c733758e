"""Literals: the value of an expression of constants, the expression for a value, and an expression moved elsewhere.

To fold is work too: containers and texts are charged to the meter of the optimisation, which starts afresh. Where it runs out,
expressions stay as they are written, so that constants that double and double again harm nobody before the script runs.
"""

from rhaipy.display import display
from rhaipy.errors import LimitError, RhaiError
from rhaipy.functions import pointer_to
from rhaipy.limits import Meter
from rhaipy.optimize.purity import is_constant
from rhaipy.records import replaced
from rhaipy.sizes import sizes
from rhaipy.source import NONE, At
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Constant, Expr
from rhaipy.typings import Final
from rhaipy.values import I64_MAX, FnPtr, Range, Value, copy

MAYBE_LITERAL: Final = frozenset({Constant, nodes.Call, nodes.Binary, nodes.Array, nodes.Map, nodes.Interpolation})
"""All kinds of nodes that may amount to one constant."""


def literal(expr: Expr, meter: Meter) -> Constant | None:
    """The one constant that `expr` amounts to: literals of constants, `Fn("name")` and ranges of integers; else None."""
    match expr:
        case Constant():
            return expr
        case nodes.Call(name="Fn", args=(Constant(value=str() as name),)):
            return _pointer(expr.at, name) if type(name) is str else None
        case nodes.Binary(operator=".." | "..=", left=Constant(value=first), right=Constant(value=last)):
            return _range(expr.at, first, last, expr.operator == "..=")
        case nodes.Array() | nodes.Map() | nodes.Interpolation() if is_constant(expr):
            return _folded(expr, meter)
    return None


def _folded(expr: Expr, meter: Meter) -> Constant | None:
    try:
        return Constant(expr.at, copy(_value(expr, meter), meter))
    except LimitError:
        return None


def _value(expr: Expr, meter: Meter) -> Value:
    match expr:
        case Constant():
            return expr.value
        case nodes.Array():
            return [_value(item, meter) for item in expr.items]
        case nodes.Map():
            return {key: _value(value, meter) for key, value in expr.entries}
        case nodes.Interpolation():
            return "".join([_shown(_value(part, meter), meter) for part in expr.parts])
    raise AssertionError(f"{type(expr).__name__} is no literal")


def _shown(value: Value, meter: Meter) -> str:
    """The text of `value`, paid for before it is made: to escape a character takes about an eighth of a microsecond."""
    size = sizes(value)
    meter.charge(size.bytes >> 3)
    meter.charge(size.items + size.entries)
    meter.allocate(size.bytes)
    return display(value)


def _pointer(at: At, name: str) -> Constant | None:
    try:
        return Constant(at, pointer_to(name))
    except RhaiError:
        return None


def _range(at: At, first: Value, last: Value, inclusive: bool) -> Constant | None:
    if type(first) is int and type(last) is int:
        return Constant(at, Range(first, last, inclusive))
    if type(first) is int and last is None:
        return Constant(at, Range(first, I64_MAX, inclusive))
    if first is None and type(last) is int:
        return Constant(at, Range(0, last, inclusive))
    return None


def from_value(value: Value, at: At) -> Expr:
    """The expression that stands for `value` at `at`.

    A pointer without curried arguments becomes a call of `Fn`, which refuses the names of closures (case "a closure in a constant
    cannot be read back").
    """
    if isinstance(value, FnPtr) and not value.curried:
        return nodes.Call(at, "Fn", (Constant(at, value.name),))
    return Constant(at, value)


def moved(expr: Expr, at: At) -> Expr:
    """The pure expression `expr` at another place."""
    if isinstance(expr, nodes.BlockExpr):
        return nodes.BlockExpr(at, nodes.Block(at, NONE, expr.body.statements))
    return replaced(expr, at=at)
