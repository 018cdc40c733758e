"""The rewrites of `switch`: the taken arm of a known subject, arms that are never taken."""

from rhaipy.optimize.purity import is_false, is_true, is_unit, start
from rhaipy.optimize.rewriter import Rewriter, rewrites_statement, same_or_new
from rhaipy.optimize.statements import as_statement
from rhaipy.records import replaced
from rhaipy.source import NONE
from rhaipy.syntax.nodes import Block, Constant, Expr, If, Noop, RangeCase, Stmt, Switch, SwitchArm
from rhaipy.values import FnPtr, Range, Value, switch_key

_NOTHING = Block(NONE, NONE, ())


@rewrites_statement(Switch)
def rewrite_switch(rewriter: Rewriter, stmt: Switch, keeps_value: bool) -> Stmt:
    """switch [1] { [1] => a, _ => b } -> a; else subject and arms"""
    if isinstance(stmt.subject, Constant) and _decides(stmt.subject.value):
        return rewriter.changed_to(_taken(rewriter, stmt, stmt.subject.value))
    subject = rewriter.expression(stmt.subject)
    arms = [_rewrite_arm(rewriter, arm) for arm in stmt.arms]
    cases = _cases(rewriter, stmt, arms)
    ranges = _ranges(rewriter, stmt, arms)
    if stmt.default is not None:
        arms[stmt.default] = _with_result(arms[stmt.default], rewriter.expression(arms[stmt.default].result))
    used = {stmt.default, *[case.arm for case in ranges], *[arm for candidates in cases.values() for arm in candidates]}
    kept = same_or_new(stmt.arms, [arm if index in used else _emptied(rewriter, arm) for index, arm in enumerate(arms)])
    if subject is stmt.subject and kept is stmt.arms and cases == stmt.cases and ranges == stmt.ranges:
        return stmt
    return Switch(stmt.at, subject, kept, cases, ranges, stmt.default)


def _decides(value: Value) -> bool:
    """Of known subjects the engine takes folded values only (case "a switch on a literal number stays")."""
    return isinstance(value, list | dict | bytearray | FnPtr | Range)


# --- a known subject ------------------------------------------------------------------------------------------------------


def _taken(rewriter: Rewriter, stmt: Switch, subject: Value) -> Stmt:
    """What is left of the switch; no range holds such a subject.

    Of several arms for one label, those with a guard that is not known are passed over, which changes what the program does; the
    engine does so too (case "a switch on a folded array forgets guards").
    """
    candidates = [stmt.arms[index] for index in stmt.cases.get(switch_key(subject), ())]
    for arm in candidates:
        if is_true(arm.condition):
            return rewriter.statement(as_statement(arm.result), keeps_value=True)
    if len(candidates) == 1:
        return _guarded(rewriter, stmt, candidates[0])
    if stmt.default is None:
        return Block(stmt.at, NONE, ())
    return _default(rewriter, stmt)


def _default(rewriter: Rewriter, stmt: Switch) -> Stmt:
    assert stmt.default is not None
    return rewriter.statement(as_statement(stmt.arms[stmt.default].result), keeps_value=True)


def _guarded(rewriter: Rewriter, stmt: Switch, arm: SwitchArm) -> If:
    """switch [1] { [1] if a => b, _ => c } -> if a { b } else { c }"""
    condition = rewriter.expression(arm.condition)
    otherwise = _NOTHING if stmt.default is None else _as_block(_default(rewriter, stmt))
    return If(start(stmt.subject), condition, _as_block(as_statement(arm.result)), otherwise)


def _as_block(stmt: Stmt) -> Block:
    if isinstance(stmt, Block):
        return stmt
    return Block(stmt.at, stmt.at, ()) if isinstance(stmt, Noop) else Block(stmt.at, NONE, (stmt,))


# --- an unknown subject ---------------------------------------------------------------------------------------------------


def _rewrite_arm(rewriter: Rewriter, arm: SwitchArm) -> SwitchArm:
    condition, result = rewriter.expression(arm.condition), rewriter.expression(arm.result)
    if condition is not arm.condition or result is not arm.result:
        arm = SwitchArm(condition, result)
    return _emptied(rewriter, arm) if is_false(arm.condition) else arm


def _with_result(arm: SwitchArm, result: Expr) -> SwitchArm:
    return arm if result is arm.result else SwitchArm(arm.condition, result)


def _emptied(rewriter: Rewriter, arm: SwitchArm) -> SwitchArm:
    """An arm that is never taken needs no result."""
    return arm if is_unit(arm.result) else rewriter.changed_to(replaced(arm, result=Constant(arm.result.at, None)))


def _cases(rewriter: Rewriter, stmt: Switch, arms: list[SwitchArm]) -> dict[object, tuple[int, ...]]:
    cases: dict[object, tuple[int, ...]] = {}
    for key, candidates in stmt.cases.items():
        reachable = _reachable(candidates, arms)
        rewriter.changed = rewriter.changed or len(reachable) != len(candidates)
        if reachable:
            cases[key] = reachable
    return cases


def _reachable(candidates: tuple[int, ...], arms: list[SwitchArm]) -> tuple[int, ...]:
    """The arms of one label without those whose guard is false and those after one whose guard is true."""
    reachable: list[int] = []
    for index in candidates:
        if not is_false(arms[index].condition):
            reachable.append(index)
        if is_true(arms[index].condition):
            break
    return tuple(reachable)


def _ranges(rewriter: Rewriter, stmt: Switch, arms: list[SwitchArm]) -> tuple[RangeCase, ...]:
    ranges = tuple([case for case in stmt.ranges if not is_false(arms[case.arm].condition)])
    rewriter.changed = rewriter.changed or len(ranges) != len(stmt.ranges)
    return ranges
