"""Operators. On integers and floats they are Python's own, with the checks that make them Rhai's; on all else they are called."""

import ast
from typing import Final

from rhaipy.compiler import code
from rhaipy.compiler.kinds import Kind
from rhaipy.compiler.unit import Operand, Unit
from rhaipy.compiler.values import all_calm, argument, compiles, glance, lasts, look
from rhaipy.source import At
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import And, Binary, Coalesce, Constant, Expr, Or, Unary
from rhaipy.values import I64_MAX, I64_MIN, Range

_ARITHMETIC: Final[dict[str, ast.operator]] = {"+": ast.Add(), "-": ast.Sub(), "*": ast.Mult()}
_CUT: Final[dict[str, ast.operator]] = {"/": ast.FloorDiv(), "%": ast.Mod()}
_BITS: Final[dict[str, ast.operator]] = {"&": ast.BitAnd(), "|": ast.BitOr(), "^": ast.BitXor()}
_COMPARED: Final[dict[str, ast.cmpop]] = {
    "==": ast.Eq(), "!=": ast.NotEq(), "<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE(),
}  # fmt: skip
_NAMES: Final = {"+": "add", "-": "subtract", "*": "multiply"}
_RANGES: Final = frozenset({"..", "..="})
_FEW_CHARACTERS: Final = 512
"""Texts up to this length are compared for nothing (costs.SMALL)."""


@compiles(Binary)
def binary(unit: Unit, node: Binary) -> Operand:
    left, right = operands(unit, node.left, node.right)
    return operate(unit, node.operator, left, right, node.at)


def operands(unit: Unit, left: Expr, right: Expr) -> tuple[Operand, Operand]:
    """Two operands: borrowed where the evaluator borrows them, and where nothing can happen in between."""
    if type(right) in _CHANGE_NOTHING:
        first = _borrowed(unit, left)
        return first, _borrowed(unit, right)
    first = _first(unit, left, right)
    return first, _borrowed(unit, right)


_CHANGE_NOTHING: Final = frozenset({Constant, nodes.Variable, nodes.This})


def _borrowed(unit: Unit, node: Expr) -> Operand:
    if type(node) is Constant or type(node) is nodes.Variable:
        return look(unit, node)
    return _lazily(unit, node)


def _first(unit: Unit, left: Expr, right: Expr) -> Operand:
    if not unit.profile.metered and all_calm((right,)):
        return _lazily(unit, left)
    first = argument(unit, left)
    if not lasts(first.expr):
        first = first._replace(expr=unit.keep(first.expr))
    # The evaluator copies it once more where an operator is called.
    return first._replace(owes=unit.owed(left)) if type(left) in _COPIED_AGAIN else first


_COPIED_AGAIN: Final = frozenset({Constant, nodes.Variable})


def _lazily(unit: Unit, node: Expr) -> Operand:
    # A chain or a variable on a side that is looked at only, is copied where an operator is called: that is when it is seen.
    if not unit.profile.metered and type(node) in _LAZY:
        return look(unit, node)
    return argument(unit, node)


_LAZY: Final = frozenset({nodes.Chain, nodes.Variable, nodes.This})


def operate(unit: Unit, operator: str, left: Operand, right: Operand, at: At, is_condition: bool = False) -> Operand:
    """left operator right"""
    if operator in _ARITHMETIC:
        return _arithmetic(unit, operator, left, right, at)
    if operator in _CUT:
        return _cut(unit, operator, left, right, at)
    if operator in _COMPARED:
        return _compared(unit, operator, left, right, at, is_condition)
    name = unit.temporary()
    if operator in _BITS:
        fast = code.binary(left.expr, _BITS[operator], right.expr)
        return _chosen(unit, name, _tests(unit, left, right, int), fast, int, (operator, left, right, at))
    if operator in _RANGES:
        fast = code.call("Range", left.expr, right.expr, code.constant(operator == "..="))
        made = _chosen(unit, name, _tests(unit, left, right, int), fast, Range, (operator, left, right, at))
        return made if unit.profile.own_ranges else made._replace(kind=Range)
    unit.slow(name, "operate", *_handed(unit, operator, left, right, at))
    return Operand(code.load(name), None)


_Slow = tuple[str, Operand, Operand, At]


def _handed(unit: Unit, operator: str, left: Operand, right: Operand, at: At) -> tuple[ast.expr, ...]:
    ats = code.constant((at, max(left.owes, -1), max(right.owes, -1)))
    return code.constant(operator), left.expr, right.expr, ats


def _tests(unit: Unit, left: Operand, right: Operand, kind: type) -> list[ast.expr]:
    return unit.test(left, kind) + unit.test(right, kind)


def _slowly(unit: Unit, name: str, slow: _Slow, function: str = "operate") -> list[ast.stmt]:
    with unit.branch() as lines:
        unit.slow(name, function, *_handed(unit, *slow))
    return lines


def _chosen(unit: Unit, name: str, tests: list[ast.expr], fast: ast.expr, kind: type, slow: _Slow) -> Operand:
    """`fast`, which is of `kind`, where all `tests` hold."""
    if not tests:
        unit.emit(code.assign(name, fast))
        return Operand(code.load(name), kind)
    unit.emit(code.if_(code.all_of(tests), [code.assign(name, fast)], _slowly(unit, name, slow)))
    return Operand(code.load(name), None)


# --- numbers --------------------------------------------------------------------------------------------------------------


def _arithmetic(unit: Unit, operator: str, left: Operand, right: Operand, at: At) -> Operand:
    name = unit.temporary()
    made = code.load(name)
    plain = code.assign(name, code.binary(left.expr, _ARITHMETIC[operator], right.expr))
    fail = code.call(
        "failed", code.load("meter"), code.load(code.LEFT), unit.positions, code.load(_NAMES[operator]), left.expr, right.expr,
        code.constant(at),
    )  # fmt: skip
    whole = [plain, code.if_(_beyond(operator, left, right, made), [code.raise_(fail)])]
    if left.kind is int and right.kind is int:
        for line in whole:
            unit.emit(line)
        return Operand(made, int)
    if left.kind is float and right.kind is float:
        unit.emit(plain)
        return Operand(made, float)
    otherwise = _slowly(unit, name, (operator, left, right, at))
    if operator == "+" and left.kind in (None, str):
        join = _joined_paid if unit.profile.metered or unit.profile.sized else _joined
        otherwise = join(unit, name, left, right, at, otherwise)
    if _may_be(left.kind, right.kind, float):
        otherwise = [code.if_(code.all_of(_tests(unit, left, right, float)), [plain], otherwise)]
    if _may_be(left.kind, right.kind, int):
        unit.emit(code.if_(code.all_of(_tests(unit, left, right, int)), whole, otherwise))
    else:
        for line in otherwise:
            unit.emit(line)
    return Operand(made, _result(left.kind, right.kind) or _text(unit, left.kind, right.kind))


def _text(unit: Unit, left: Kind, right: Kind) -> Kind:
    return str if left is str and right is int and not unit.profile.own_sums else None


def _joined(unit: Unit, name: str, left: Operand, right: Operand, at: At, otherwise: list[ast.stmt]) -> list[ast.stmt]:
    """text + text, text + number: the latter is a function of the library, and counts."""
    if right.kind in (None, int) and not unit.profile.own_sums:
        left_over = code.binary(code.load(code.LEFT), ast.Sub(), code.constant(len(unit.pending) + 1))
        with unit.branch() as lines:
            unit.count(at)
            unit.emit(code.assign_attribute("meter", "dropped", left_over))
            unit.emit(code.assign(name, code.binary(left.expr, ast.Add(), code.call("str", right.expr))))
        enough = code.compare(left_over, ast.Gt(), code.constant(0))
        otherwise = [code.if_(code.all_of([*unit.test(left, str), *unit.test(right, int), enough]), lines, otherwise)]
    if right.kind in (None, str):
        plain = code.assign(name, code.binary(left.expr, ast.Add(), right.expr))
        otherwise = [code.if_(code.all_of(_tests(unit, left, right, str)), [plain], otherwise)]
    return otherwise


def _joined_paid(unit: Unit, name: str, left: Operand, right: Operand, at: At, otherwise: list[ast.stmt]) -> list[ast.stmt]:
    """The same where fuel, memory or sizes are bounded."""
    lines: list[ast.stmt] = []
    if right.kind in (None, str):
        joined = code.call("join_texts", code.load("meter"), left_after_pending(unit), left.expr, right.expr)
        lines = [code.if_(code.all_of(_tests(unit, left, right, str)), [code.assign(name, joined)])]
    if right.kind in (None, int) and not unit.profile.own_sums:
        joined = code.call("join_number", code.load("meter"), left_after_pending(unit), left.expr, right.expr)
        ceiling = code.attribute(code.load("meter"), "ceiling")
        # One operation is counted, and what else it costs has brought the ceiling down.
        more = code.binary(
            code.binary(ceiling, ast.Sub(), code.attribute(code.load("meter"), "operations")),
            ast.Add(),
            code.constant(len(unit.pending)),
        )
        counted = code.if_(code.compare(code.load(name), ast.IsNot(), code.constant(None)), [code.assign(code.LEFT, more)])
        test = code.all_of([*unit.test(left, str), *unit.test(right, int)])
        lines = [code.if_(test, [code.assign(name, joined), counted], lines)]
    if not lines:
        return otherwise
    return [code.assign(name, code.constant(None)), *lines, code.if_(code.is_(code.load(name), code.constant(None)), otherwise)]


def left_after_pending(unit: Unit) -> ast.expr:
    """How many operations are left without those that are pending."""
    left = code.load(code.LEFT)
    return code.binary(left, ast.Sub(), code.constant(len(unit.pending))) if unit.pending else left


def _result(left: Kind, right: Kind) -> Kind:
    numbers = (int, float)
    if left is str and right is str:
        return str
    return float if left in numbers and right in numbers and left is not right else None


def _may_be(left: Kind, right: Kind, kind: type) -> bool:
    return left in (None, kind) and right in (None, kind)


def _beyond(operator: str, left: Operand, right: Operand, made: ast.expr) -> ast.expr:
    """Is the result no 64-bit integer? Only one side needs a look where one operand is a known number."""
    above = code.compare(made, ast.Gt(), code.constant(I64_MAX))
    below = code.compare(made, ast.Lt(), code.constant(I64_MIN))
    if operator != "*":
        grows = _sign(right) if operator == "+" else -_sign(right)
        grows = grows or (_sign(left) if operator == "+" else 0)
        if grows:
            return above if grows > 0 else below
    return code.any_of([above, below])


def _sign(operand: Operand) -> int:
    value = operand.expr.value if isinstance(operand.expr, ast.Constant) else None
    if type(value) is not int:
        return 0
    return 1 if value >= 0 else -1


def _cut(unit: Unit, operator: str, left: Operand, right: Operand, at: At) -> Operand:
    # Python rounds down where Rhai cuts off: that is the same for what is not negative.
    name = unit.temporary()
    tests = _tests(unit, left, right, int)
    if _sign(left) <= 0:
        tests.append(code.compare(left.expr, ast.GtE(), code.constant(0)))
    if _sign(right) <= 0 or _is_zero(right):
        tests.append(code.compare(right.expr, ast.Gt(), code.constant(0)))
    fast = code.assign(name, code.binary(left.expr, _CUT[operator], right.expr))
    slow = _slowly(unit, name, (operator, left, right, at))
    if _may_be(left.kind, right.kind, int):
        unit.emit(code.if_(code.all_of(tests), [fast], slow))
    else:
        for line in slow:
            unit.emit(line)
    known = left.kind is int and right.kind is int
    return Operand(code.load(name), int if known else _result(left.kind, right.kind))


def _is_zero(operand: Operand) -> bool:
    return isinstance(operand.expr, ast.Constant) and operand.expr.value == 0


# --- comparisons and conditions -------------------------------------------------------------------------------------------


def _compared(unit: Unit, operator: str, left: Operand, right: Operand, at: At, is_condition: bool) -> Operand:
    fast = code.compare(left.expr, _COMPARED[operator], right.expr)
    if left.kind is int and right.kind is int:
        return Operand(fast, bool)
    name = unit.temporary()
    handed = (operator, left, right, at)
    lines = _slowly(unit, name, handed, "operate_truth" if is_condition else "operate")
    for kind in (str, int):
        if _may_be(left.kind, right.kind, kind) and (kind is int or _is_direct(unit, operator, left, right)):
            lines = [code.if_(code.all_of(_tests(unit, left, right, kind)), [code.assign(name, fast)], lines)]
    for line in lines:
        unit.emit(line)
    return Operand(code.load(name), bool if is_condition else None)


def _is_direct(unit: Unit, operator: str, left: Operand, right: Operand) -> bool:
    # Floats are compared with a tolerance in the engine; long texts have their price.
    return operator in ("==", "!=") and (not unit.profile.metered or _is_short(left) or _is_short(right))


def _is_short(operand: Operand) -> bool:
    value = operand.expr.value if isinstance(operand.expr, ast.Constant) else None
    return type(value) is str and len(value) <= _FEW_CHARACTERS


def condition(unit: Unit, node: Expr) -> ast.expr:
    """A condition, as a condition of Python: to be used at once."""
    if type(node) is Binary:
        unit.count(node.at)
        with unit.deeper():
            left, right = operands(unit, node.left, node.right)
            operand = operate(unit, node.operator, left, right, node.at, True)
    elif type(node) is nodes.Variable:
        operand = _variable_as_condition(unit, node)
    else:
        operand = glance(unit, node)
    return truth(unit, operand, node.at)


def _variable_as_condition(unit: Unit, node: nodes.Variable) -> Operand:
    # The error about a captured variable tells that it is one.
    operand = glance(unit, node)
    variable = unit.find(node.name, node.slot)
    if variable is None or not variable.is_cell:
        return operand
    wrong = code.call("not_bool", variable.load, code.constant(node.at))
    unit.emit(code.if_(_is_no_bool(operand.expr), [unit.fail(wrong)]))
    return operand._replace(kind=bool)


def _is_no_bool(expr: ast.expr) -> ast.expr:
    either = [code.compare(expr, ast.IsNot(), code.constant(true)) for true in (True, False)]
    return code.all_of(either)


def truth(unit: Unit, operand: Operand, at: At) -> ast.expr:
    """`operand`, which has to be a boolean."""
    if operand.kind is bool:
        return operand.expr
    if isinstance(operand.expr, ast.Constant):
        operand = operand._replace(expr=unit.keep(operand.expr))
    unit.emit(code.if_(_is_no_bool(operand.expr), [unit.fail(code.call("not_bool", operand.expr, code.constant(at)))]))
    return operand.expr


@compiles(And)
def all_true(unit: Unit, node: And) -> Operand:
    return _until(unit, node.operands, True)


@compiles(Or)
def any_true(unit: Unit, node: Or) -> Operand:
    return _until(unit, node.operands, False)


def _until(unit: Unit, conditions: tuple[Expr, ...], goes_on: bool) -> Operand:
    name = unit.temporary()
    unit.emit(code.assign(name, condition(unit, conditions[0])))
    if len(conditions) > 1:
        with unit.deeper(), unit.branch() as lines:
            rest = _until(unit, conditions[1:], goes_on)
            unit.emit(code.assign(name, rest.expr))
        test = code.load(name) if goes_on else code.negate(code.load(name))
        unit.emit(code.if_(test, lines))
    return Operand(code.load(name), bool)


@compiles(Coalesce)
def first_there(unit: Unit, node: Coalesce) -> Operand:
    return _first_there(unit, node.operands)


def _first_there(unit: Unit, operands: tuple[Expr, ...]) -> Operand:
    name = unit.temporary()
    first = unit.own(look(unit, operands[0]))
    unit.emit(code.assign(name, first.expr))
    if len(operands) > 1:
        with unit.deeper(), unit.branch() as lines:
            rest = _first_there(unit, operands[1:])
            unit.emit(code.assign(name, rest.expr))
        unit.emit(code.if_(code.is_(code.load(name), code.constant(None)), lines))
    return Operand(code.load(name), None)


@compiles(Unary)
def unary(unit: Unit, node: Unary) -> Operand:
    operand = argument(unit, node.operand)
    name = unit.temporary()
    made = code.load(name)
    with unit.branch() as slow:
        unit.slow(name, "operate_on_one", code.constant(node.operator), operand.expr, code.constant(node.at))
    if node.operator == "!" and operand.kind in (None, bool):
        fast: list[ast.stmt] = [code.assign(name, code.negate(operand.expr))]
        kind: type = bool
        tests = unit.test(operand, bool)
    elif node.operator == "-" and operand.kind in (None, int):
        fast = [code.assign(name, code.UnaryOp(ast.USub(), operand.expr))]
        kind = int
        tests = [*unit.test(operand, int), code.compare(operand.expr, ast.NotEq(), code.constant(I64_MIN))]
    else:
        fast, kind, tests = [], object, [code.constant(False)]
    unit.emit(code.if_(code.all_of(tests), fast, slow))
    return Operand(made, kind if kind is operand.kind else None)
