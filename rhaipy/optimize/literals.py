"""Literals: the value of an expression of constants, the expression for a value, and an expression moved elsewhere.

To fold is work too: containers and texts are charged to the meter of the optimisation, which starts afresh. Where it runs out,
expressions stay as they are written, so that constants that double and double again harm nobody before the script runs.
"""

from dataclasses import replace

from rhaipy.display import display
from rhaipy.errors import LimitError
from rhaipy.limits import Meter
from rhaipy.optimize.purity import is_constant
from rhaipy.parse_errors import is_identifier
from rhaipy.source import NONE, At
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Constant, Expr
from rhaipy.syntax.tokens import FUNCTION_WORDS, KEYWORDS, METHOD_WORDS, RESERVED_WORDS, THIS
from rhaipy.values import I64_MAX, FnPtr, Range, Value, charge_text, copy

_RESERVED = KEYWORDS | RESERVED_WORDS | FUNCTION_WORDS | METHOD_WORDS | {THIS}


def literal(expr: Expr, meter: Meter) -> Constant | None:
    """The one constant that `expr` amounts to: literals of constants, `Fn("name")` and ranges of integers; else None."""
    match expr:
        case Constant():
            return expr
        case nodes.Call(name="Fn", args=(Constant(value=str() as name),)):
            return Constant(expr.at, FnPtr(name)) if type(name) is str and _is_function_name(name) else None
        case nodes.Binary(operator=".." | "..=", left=Constant(value=first), right=Constant(value=last)):
            return _range(expr.at, first, last, expr.operator == "..=")
        case nodes.Array() | nodes.Map() | nodes.Interpolation() if is_constant(expr):
            return _folded(expr, meter)
    return None


def _folded(expr: Expr, meter: Meter) -> Constant | None:
    try:
        value = copy(_value(expr), meter)
        if isinstance(value, str):
            charge_text(meter, value)
            meter.allocate(len(value))
    except LimitError:
        return None
    return Constant(expr.at, value)


def _value(expr: Expr) -> Value:
    match expr:
        case Constant():
            return expr.value
        case nodes.Array():
            return [_value(item) for item in expr.items]
        case nodes.Map():
            return {key: _value(value) for key, value in expr.entries}
        case nodes.Interpolation():
            return "".join([display(_value(part)) for part in expr.parts])
    raise AssertionError(f"{type(expr).__name__} is no literal")


def _is_function_name(name: str) -> bool:
    return is_identifier(name) and name not in _RESERVED


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
    return replace(expr, at=at)
