"""The rewrites of expressions, but for chains: constants folded, logic cut short, blocks of one expression unwrapped."""

from rhaipy.errors import RhaiError
from rhaipy.operators import binary
from rhaipy.optimize.blocks import rewrite_block
from rhaipy.optimize.literals import MAYBE_LITERAL, from_value, literal
from rhaipy.optimize.purity import LITERALS, are_constant, entry_values, is_constant, is_unit
from rhaipy.optimize.rewriter import Rewriter, rewrites, rewrites_logic, same_or_new
from rhaipy.records import replaced
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Constant, Expr
from rhaipy.typings import Final
from rhaipy.values import FnPtr, type_name


@rewrites(nodes.Variable)
def rewrite_variable(rewriter: Rewriter, expr: nodes.Variable) -> Expr:
    """NAME -> its literal, where it is a constant of one"""
    known = rewriter.constant(expr.name)
    return expr if known is None else rewriter.changed_to(from_value(known.value, expr.at))


@rewrites(nodes.Interpolation)
def rewrite_interpolation(rewriter: Rewriter, expr: nodes.Interpolation) -> Expr:
    """`a${"b"}c` -> "abc"; neighbouring texts become one, `()` and empty texts none"""
    folded = literal(expr, rewriter.meter) if rewriter.is_constant(expr) else None
    if folded is not None:
        return rewriter.changed_to(folded)
    parts = rewriter.expressions(expr.parts)
    joined = _joined(parts)
    if len(joined) != len(parts):
        return rewriter.changed_to(nodes.Interpolation(expr.at, joined))
    return expr if parts is expr.parts else nodes.Interpolation(expr.at, parts)


def _joined(parts: tuple[Expr, ...]) -> tuple[Expr, ...]:
    joined = list(parts)
    index = 0
    while index + 1 < len(joined):
        left, right = joined[index], joined[index + 1]
        head, tail = _text(left), _text(right)
        if head is not None and tail is not None:
            joined[index : index + 2] = [Constant(left.at, head + tail)]
        elif is_unit(right) or (tail == "" and not is_unit(left)):
            del joined[index + 1]
        elif is_unit(left) or head == "":
            del joined[index]
        else:
            index += 1
    return tuple(joined)


def _text(expr: Expr) -> str | None:
    return expr.value if isinstance(expr, Constant) and type(expr.value) is str else None


@rewrites(nodes.Array)
def rewrite_array(rewriter: Rewriter, expr: nodes.Array) -> Expr:
    """[1, 2] -> one constant"""
    folded = literal(expr, rewriter.meter) if rewriter.is_constant(expr) else None
    if folded is not None:
        return rewriter.changed_to(folded)
    items = rewriter.expressions(expr.items)
    return expr if items is expr.items else nodes.Array(expr.at, items)


@rewrites(nodes.Map)
def rewrite_map(rewriter: Rewriter, expr: nodes.Map) -> Expr:
    """#{a: 1} -> one constant"""
    folded = literal(expr, rewriter.meter) if rewriter.is_constant(expr) else None
    if folded is not None:
        return rewriter.changed_to(folded)
    values = entry_values(expr)
    rewritten = rewriter.expressions(values)
    if rewritten is values:
        return expr
    return nodes.Map(expr.at, tuple([(key, value) for (key, _), value in zip(expr.entries, rewritten, strict=True)]))


@rewrites_logic(nodes.And)
def rewrite_and(rewriter: Rewriter, expr: nodes.And) -> Expr:
    """true && a -> a; a && false && b -> a && false"""
    operands, decided = _without_idle(rewriter, expr.operands, idle=True)
    return _logic(rewriter, expr, operands, decided, idle=True)


@rewrites_logic(nodes.Or)
def rewrite_or(rewriter: Rewriter, expr: nodes.Or) -> Expr:
    """false || a -> a; a || true || b -> a || true"""
    operands, decided = _without_idle(rewriter, expr.operands, idle=False)
    return _logic(rewriter, expr, operands, decided, idle=False)


def _without_idle(rewriter: Rewriter, operands: tuple[Expr, ...], idle: bool) -> tuple[tuple[Expr, ...], Constant | None]:
    """The operands up to a deciding constant, without those that do not matter; and the decision if all before it is pure."""
    kept: list[Expr] = []
    for index, operand in enumerate(operands):
        if isinstance(operand, Constant) and operand.value is idle:
            rewriter.changed = True
        elif isinstance(operand, Constant) and operand.value is (not idle):
            decided = operand if rewriter.purity.of_expressions(tuple(kept)) else None
            rewriter.changed = rewriter.changed or decided is not None or index + 1 < len(operands)
            return (*kept, operand), decided
        else:
            kept.append(rewriter.expression(operand))
    return _same(operands, kept), None


def _same(old: tuple[Expr, ...], new: list[Expr]) -> tuple[Expr, ...]:
    return same_or_new(old, new) if len(old) == len(new) else tuple(new)


def _logic(
    rewriter: Rewriter, expr: nodes.And | nodes.Or, operands: tuple[Expr, ...], decided: Constant | None, idle: bool
) -> Expr:
    if decided is not None:
        return decided
    if not operands:
        return rewriter.changed_to(Constant(expr.at, idle))
    if len(operands) == 1:
        return rewriter.changed_to(operands[0])
    return expr if operands is expr.operands else replaced(expr, operands=operands)


@rewrites_logic(nodes.Coalesce)
def rewrite_coalesce(rewriter: Rewriter, expr: nodes.Coalesce) -> Expr:
    """() ?? a -> a; 1 ?? a -> 1; () ?? () -> false (case "a null-coalescing run of units is false")"""
    kept: list[Expr] = []
    for index, operand in enumerate(expr.operands):
        if is_unit(operand):
            rewriter.changed = True
        elif is_constant(operand):
            kept.append(operand)
            rewriter.changed = rewriter.changed or index + 1 < len(expr.operands)
            break
        else:
            kept.append(rewriter.expression(operand))
    if not kept:
        return rewriter.changed_to(Constant(expr.at, False))
    if len(kept) == 1:
        return rewriter.changed_to(kept[0])
    operands = _same(expr.operands, kept)
    return expr if operands is expr.operands else nodes.Coalesce(expr.at, operands)


@rewrites(nodes.BlockExpr)
def rewrite_block_expression(rewriter: Rewriter, expr: nodes.BlockExpr) -> Expr:
    """{} -> (); { a } -> a"""
    match expr.body.statements:
        case ():
            return rewriter.changed_to(Constant(expr.at, None))
        case (nodes.ExprStmt(expr=only),):
            return rewriter.changed_to(rewriter.expression(only))
    body = rewrite_block(rewriter, expr.body, keeps_value=True)
    match body.statements:
        case (nodes.ExprStmt(expr=only),):
            return rewriter.changed_to(only)
    return expr if body is expr.body else nodes.BlockExpr(expr.at, body)


# --- calls and operators --------------------------------------------------------------------------------------------------


def rewrite_arguments(rewriter: Rewriter, args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The arguments of a call; a literal of constants becomes one constant."""
    if not args:
        return args
    if len(args) == 1:
        only = _rewrite_argument(rewriter, args[0])
        return args if only is args[0] else (only,)
    return same_or_new(args, [_rewrite_argument(rewriter, arg) for arg in args])


def _rewrite_argument(rewriter: Rewriter, arg: Expr) -> Expr:
    if type(arg) is not Constant:
        arg = rewriter.expression(arg)
    kind = type(arg)
    if kind is Constant or kind not in MAYBE_LITERAL:
        return arg
    folded = literal(arg, rewriter.meter) if kind not in LITERALS or rewriter.is_constant(arg) else None
    return arg if folded is None else rewriter.changed_to(folded)


@rewrites(nodes.Unary)
def rewrite_unary(rewriter: Rewriter, expr: nodes.Unary) -> Expr:
    """!true -> false; of many in a row all at once, where the engine takes a pass for each"""
    operand = expr.operand
    rewritten = operand if isinstance(operand, Constant) else _rewrite_argument(rewriter, operand)
    nested = isinstance(operand, nodes.Unary) or rewritten is operand
    if nested and expr.operator == "!" and isinstance(rewritten, Constant) and type(rewritten.value) is bool:
        return rewriter.changed_to(Constant(rewritten.at, not rewritten.value))
    return expr if rewritten is operand else nodes.Unary(expr.at, expr.operator, rewritten)


@rewrites(nodes.Binary)
def rewrite_binary(rewriter: Rewriter, expr: nodes.Binary) -> Expr:
    """1 + 2 -> 3, if the operator is built in and does not fail"""
    before, behind = expr.left, expr.right
    if type(before) in MAYBE_LITERAL and rewriter.is_constant(before) and rewriter.is_constant(behind):
        folded = _fold(expr, rewriter)
        if folded is not None:
            return rewriter.changed_to(folded)
    left, right = _rewrite_argument(rewriter, before), _rewrite_argument(rewriter, behind)
    if left is before and right is behind:
        return expr
    rewritten = nodes.Binary(expr.at, expr.operator, left, right)
    hurried = rewriter.hurries and isinstance(left, Constant) and isinstance(right, Constant)
    return (_fold(rewritten, rewriter) if hurried else None) or rewritten


def _fold(expr: nodes.Binary, rewriter: Rewriter) -> Expr | None:
    meter = rewriter.meter
    left, right = literal(expr.left, meter), literal(expr.right, meter)
    if left is None or right is None:
        return None
    operate = binary(expr.operator, type(left.value), type(right.value))
    if operate is None or (expr.operator, type(left.value), type(right.value)) in rewriter.overridden:
        return None
    try:
        return from_value(operate(meter, left.value, right.value), expr.at)
    except RhaiError:
        return None


@rewrites(nodes.QualifiedCall)
def rewrite_qualified_call(rewriter: Rewriter, expr: nodes.QualifiedCall) -> Expr:
    """a::f(args): the arguments only"""
    args = rewrite_arguments(rewriter, expr.args)
    return expr if args is expr.args else replaced(expr, args=args)


@rewrites(nodes.Call)
def rewrite_call(rewriter: Rewriter, expr: nodes.Call) -> Expr:
    """A call of a keyword function may be known beforehand; of any other, only its arguments."""
    special = _SPECIAL.get(expr.name)
    if special is not None and not expr.operator:
        return special(rewriter, expr)
    return _with_arguments(rewriter, expr)


def _with_arguments(rewriter: Rewriter, expr: nodes.Call) -> nodes.Call:
    args = rewrite_arguments(rewriter, expr.args)
    return expr if args is expr.args else replaced(expr, args=args)


def _rewrite_eval(rewriter: Rewriter, expr: nodes.Call) -> Expr:
    """eval(text) may redefine anything: no constant is trusted any more"""
    rewriter.propagates = False
    return expr


def _rewrite_output(rewriter: Rewriter, expr: nodes.Call) -> Expr:
    """print(a), debug(a)"""
    args = rewriter.expressions(expr.args)
    return expr if args is expr.args else replaced(expr, args=args)


def _rewrite_fn(rewriter: Rewriter, expr: nodes.Call) -> Expr:
    """Fn("name") -> the pointer, if the name may be one"""
    if len(expr.args) != 1 or not is_constant(expr.args[0]):
        return _with_arguments(rewriter, expr)
    pointer = literal(expr, rewriter.meter)
    return _rewrite_output(rewriter, expr) if pointer is None else rewriter.changed_to(pointer)


def _rewrite_curry(rewriter: Rewriter, expr: nodes.Call) -> Expr:
    """curry(pointer, 1) -> the curried pointer"""
    pointer = expr.args[0] if len(expr.args) >= 2 else None
    if isinstance(pointer, Constant) and isinstance(pointer.value, FnPtr) and are_constant(expr.args):
        values = [constant.value for constant in [literal(arg, rewriter.meter) for arg in expr.args[1:]] if constant is not None]
        curried = replaced(pointer.value, curried=(*pointer.value.curried, *values))
        return rewriter.changed_to(Constant(expr.at, curried))
    return _with_arguments(rewriter, expr)


def _rewrite_type_of(rewriter: Rewriter, expr: nodes.Call) -> Expr:
    """type_of(1) -> "i64" """
    constant = literal(expr.args[0], rewriter.meter) if len(expr.args) == 1 and is_constant(expr.args[0]) else None
    if constant is not None:
        return rewriter.changed_to(Constant(expr.at, type_name(constant.value, rewriter.meter.types)))
    return _with_arguments(rewriter, expr)


def _rewrite_is_shared(rewriter: Rewriter, expr: nodes.Call) -> Expr:
    """is_shared(1) -> false"""
    if len(expr.args) == 1 and is_constant(expr.args[0]):
        return rewriter.changed_to(Constant(expr.at, False))
    return _with_arguments(rewriter, expr)


_SPECIAL: Final = {
    "eval": _rewrite_eval, "print": _rewrite_output, "debug": _rewrite_output, "Fn": _rewrite_fn, "curry": _rewrite_curry,
    "type_of": _rewrite_type_of, "is_shared": _rewrite_is_shared,
}  # fmt: skip
