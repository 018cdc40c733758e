"""Reductions of runs of operators: precedence, levels, and the nodes of binary operators."""

from rhaipy.parse_errors import ParseError, is_identifier
from rhaipy.records import mutable
from rhaipy.source import At
from rhaipy.syntax.build_expressions import block_of
from rhaipy.syntax.builder import Builder, Values, reduces
from rhaipy.syntax.dialects import RANGE_END
from rhaipy.syntax.nodes import And, Array, Binary, Call, Coalesce, Constant, Expr, Interpolation, Map, Or, Unary
from rhaipy.syntax.precedence import PRECEDENCE, RIGHT
from rhaipy.syntax.program import start
from rhaipy.syntax.tokens import CUSTOM, RESERVED_SYMBOL, Kind
from rhaipy.values import Char, type_name

_PRECEDENCE = {**PRECEDENCE, RANGE_END: PRECEDENCE[".."]}
_BINDING = frozenset({*_PRECEDENCE, CUSTOM})
_PLAIN = PRECEDENCE.keys() - {"&&", "||", "??", "in", "!in"}
"""The operators that are nodes of their own; their text is their kind."""


@mutable
class _Frame:
    """Operators of one precedence or more: the engine reads each such group in a call of its own, one level deeper."""

    level: int
    at: At  # where one level too many is reported
    left: Expr
    opened: int  # the precedence of the operator that the group is the right operand of
    operator: int
    precedence: int


@mutable
class Run:
    """An unfinished run of operators: its groups, from the outermost to the innermost, and the level around them."""

    level: int
    frames: list[_Frame]


@reduces("fold", moving=True)
def fold(builder: Builder, values: Values) -> Expr | Run:
    left, operator, right = values
    if (
        builder.seen in _BINDING
        or type(left) is Run
        or builder.level >= builder.limit
        or builder.kinds[builder.index] == RESERVED_SYMBOL
    ):
        return _fold(builder, left, operator, right)
    return _combine(builder, operator, left, right)


@reduces("fold_jump", moving=True)
def fold_jump(builder: Builder, values: Values) -> Expr | Run:
    left, operator, jump, _ = values
    return _fold(builder, left, operator, block_of(jump))


@reduces("fold_open_range", moving=True)
def fold_open_range(builder: Builder, values: Values) -> Expr | Run:
    left, operator = values
    return _fold(builder, left, operator, Constant(builder.ats[operator + 1], None))


def _fold(builder: Builder, left: Expr | Run, operator: int, right: Expr) -> Expr | Run:
    """One more operator and operand: what the next operator does not bind is combined."""
    if builder.kinds[builder.index] == RESERVED_SYMBOL:
        raise ParseError(builder.ats[builder.index], "UnknownOperator", builder.text(builder.index))
    following = _precedence(builder, builder.seen, builder.index)
    if not following and not isinstance(left, Run):
        if builder.level >= builder.limit:
            raise ParseError(left.at, "ExprTooDeep")
        return _combine(builder, operator, left, right)
    run = left if isinstance(left, Run) else Run(builder.level, [_Frame(builder.level, left.at, left, 1, 0, 0)])
    frame = run.frames[-1]
    frame.operator = operator
    frame.precedence = _precedence(builder, builder.kinds[operator], operator)
    both_bind_right = builder.seen == RIGHT == builder.kinds[operator]
    limit = builder.limit
    if frame.precedence < following or (frame.precedence == following and both_bind_right):
        if frame.level >= limit:
            raise ParseError(frame.at, "ExprTooDeep")
        run.frames.append(_Frame(frame.level + 1, right.at, right, frame.precedence, 0, 0))
        builder.level = frame.level + 1
        return run
    while True:
        if frame.level >= limit:
            raise ParseError(frame.at, "ExprTooDeep")
        frame.level += 1
        frame.at = builder.ats[frame.operator]
        frame.left = _combine(builder, frame.operator, frame.left, right)
        if following > frame.opened or (following == frame.opened and builder.seen == RIGHT):
            builder.level = frame.level
            return run
        right = run.frames.pop().left
        if not run.frames:
            builder.level = run.level
            return right
        frame = run.frames[-1]


def _precedence(builder: Builder, kind: Kind, index: int) -> int:
    """How tightly the token at `index`, taken for `kind`, binds; 0 for what is no operator."""
    return _PRECEDENCE.get(kind, 0) if kind != CUSTOM else builder.operators[builder.text(index)]


def _combine(builder: Builder, index: int, left: Expr, right: Expr) -> Expr:
    kind, at = builder.kinds[index], builder.ats[index]
    if kind in _PLAIN:
        return Binary(at, kind, left, right)
    operator = builder.text(index)
    if kind == CUSTOM:
        return _custom(operator, at, left, right)
    if operator == "&&":
        be_boolean(left)
        be_boolean(right)
        return _joined(And, at, left, right)
    if operator == "||":
        be_boolean(left)
        be_boolean(right)
        return _joined(Or, at, left, right)
    if operator == "??":
        return _joined(Coalesce, at, left, right)
    if operator == "in":
        return Call(at, "contains", (right, left))
    if operator == "!in":
        return Unary(at, "!", Call(at, "contains", (right, left), False, True))
    return Binary(at, operator, left, right)


def _custom(operator: str, at: At, left: Expr, right: Expr) -> Expr:
    """A host's operator: a call where it is a name; never the language's own operator of that symbol, which is disabled."""
    if is_identifier(operator):
        return Call(at, operator, (left, right))
    return Call(at, operator, (left, right), False, True) if operator in PRECEDENCE else Binary(at, operator, left, right)


def _joined(kind: type[And] | type[Or] | type[Coalesce], at: At, left: Expr, right: Expr) -> Expr:
    """A run of the same operator is one node; it is reported at its first operator, if the run begins at the left."""
    before = left.operands if isinstance(left, kind) else (left,)
    after = right.operands if isinstance(right, kind) else (right,)
    return kind(left.at if isinstance(left, kind) else at, before + after)


def be_boolean(node: Expr) -> None:
    """Refuse what can never be a boolean."""
    name = _literal_type(node)
    if name not in ("", "a boolean"):
        raise ParseError(start(node), "MismatchedType", "a boolean expression", name)


def be_iterable(node: Expr) -> None:
    """Refuse what can never be iterated."""
    name = _literal_type(node)
    if name in ("()", "a boolean", "a number", "a floating-point number", "a character", "an object map"):
        raise ParseError(start(node), "MismatchedType", "an iterable value", name)


def _literal_type(node: Expr) -> str:
    if type(node) is Constant:
        return _NAMES.get(type(node.value)) or type_name(node.value)
    return {Interpolation: "a string", Array: "an array", Map: "an object map"}.get(type(node), "")


_NAMES: dict[type, str] = {
    type(None): "()", bool: "a boolean", int: "a number", float: "a floating-point number", Char: "a character", str: "a string",
}  # fmt: skip
