"""What is done to a list of statements: flatten, drop what is never reached, rewrite each, drop what nobody could notice.

A pass is repeated until it changes nothing, so that a fold may open the way for the next one.
"""

from collections.abc import Callable

from rhaipy.optimize.literals import literal
from rhaipy.optimize.purity import (
    VARIABLES,
    depends_on_block,
    ends_flow,
    is_constant,
    may_be_idle,
    returns_value,
    start,
)
from rhaipy.optimize.rewriter import Rewriter, same_or_new
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Block, ExprStmt, Noop, Return, Stmt
from rhaipy.typings import Final

Work = list[Stmt]
Pure = Callable[[Stmt], bool]
Quiet = dict[Stmt, int]
"""Statements that a pass left as they were, each with a number for all that this depended on."""


PATIENT: Final = 100
"""Passes over one list of statements before sums are folded at once: no expression of the usual depth takes as many."""


def rewrite_block(rewriter: Rewriter, block: Block, keeps_value: bool) -> Block:
    """`block` with its statements rewritten until nothing changes; the value of the last one may matter if `keeps_value`."""
    statements = rewrite_list(rewriter, block.statements, keeps_value, is_body=False)
    return block if statements is block.statements else Block(block.at, block.end, statements)


def rewrite_list(rewriter: Rewriter, stmts: tuple[Stmt, ...], keeps_value: bool, is_body: bool) -> tuple[Stmt, ...]:
    """`stmts` rewritten until nothing changes; `is_body` for those of a program or function, which a `return` may end."""
    if not stmts:
        return stmts
    settled = (id(stmts), keeps_value, is_body, rewriter.propagates, rewriter.known.state)
    if settled in rewriter.settled:
        return stmts
    work = _flattened(stmts)
    quiet: Quiet = {}
    changed = rewriter.changed or work is not None
    work = list(stmts) if work is None else work
    passes, hurries = 0, rewriter.hurries
    while rewriter.may_go_on():
        passes += 1
        rewriter.hurries = hurries or passes > PATIENT
        if not _pass(rewriter, work, keeps_value, is_body, quiet):
            break
        changed = True
    rewriter.changed, rewriter.hurries = changed, hurries
    if len(work) != len(stmts):
        return tuple(work)
    rewritten = same_or_new(stmts, work)
    if rewritten is stmts and passes == 1:
        rewriter.settled[settled] = stmts
    return rewritten


def _pass(rewriter: Rewriter, work: Work, keeps_value: bool, is_body: bool, quiet: Quiet) -> bool:
    """One pass over `work`; did it change anything? What is `quiet` need not be tried again."""
    rewriter.changed = False
    known, propagates = len(rewriter.known.names), rewriter.propagates
    if len(work) > 1:
        _drop_unreachable(rewriter, work)
    _rewrite_each(rewriter, work, keeps_value, quiet)
    if _may_shrink(work, keeps_value, is_body):
        _drop_idle(rewriter, work, keeps_value, is_body)
    if len(rewriter.known.names) > known:
        rewriter.known.rewind(known)
    rewriter.propagates = propagates
    return rewriter.changed


def _may_shrink(work: Work, keeps_value: bool, is_body: bool) -> bool:
    """May there be something to drop? Not the last statement, if it gives the value."""
    last = type(work[-1]) if work else Noop
    if last is Return and is_body:
        return True
    counted = work[:-1] if keeps_value and last is ExprStmt else work
    return True in [may_be_idle(stmt, is_body) for stmt in counted]


def _drop_idle(rewriter: Rewriter, work: Work, keeps_value: bool, is_body: bool) -> None:
    pure = rewriter.purity.of_statement if is_body else rewriter.purity.inside
    _drop_pure(rewriter, work, keeps_value, pure)
    while _trimmed_to_value(work, is_body, pure) if keeps_value else _trimmed(work, pure):
        rewriter.changed = True


def _flattened(stmts: tuple[Stmt, ...]) -> Work | None:
    """`stmts` with the statements of blocks that define nothing in the place of those blocks; None if there are none."""
    if True not in [type(stmt) is Block and _is_loose(stmt) for stmt in stmts]:
        return None
    work: Work = []
    ahead = list(reversed(stmts))
    while ahead:
        stmt = ahead.pop()
        if isinstance(stmt, Block) and _is_loose(stmt):
            ahead.extend(reversed(stmt.statements))
        else:
            work.append(stmt)
    return work


def _is_loose(stmt: Stmt) -> bool:
    return isinstance(stmt, Block) and True not in [depends_on_block(inner) for inner in stmt.statements]


def _drop_unreachable(rewriter: Rewriter, work: Work) -> None:
    for index, stmt in enumerate(work[:-1]):
        if ends_flow(stmt):
            del work[index + 1 :]
            rewriter.changed = True
            return


def _rewrite_each(rewriter: Rewriter, work: Work, keeps_value: bool, quiet: Quiet) -> None:
    known, changed, last = rewriter.known, rewriter.changed, len(work) - 1
    for index, stmt in enumerate(work):
        if type(stmt) is nodes.Let:
            work[index] = _rewrite_definition(rewriter, stmt)
            continue
        keeps = keeps_value and index == last
        before = known.state << 2 | rewriter.propagates << 1 | keeps
        if quiet and quiet.get(stmt) == before:
            continue
        changed = changed or rewriter.changed
        rewriter.changed = False
        work[index] = rewritten = rewriter.statement(stmt, keeps)
        if rewritten is stmt and not rewriter.changed and known.state << 2 | rewriter.propagates << 1 | keeps == before:
            quiet[stmt] = before
    rewriter.changed = rewriter.changed or changed


def _rewrite_definition(rewriter: Rewriter, stmt: nodes.Let) -> nodes.Let:
    """From here on the constant stands for its literal; any other variable hides a constant of its name."""
    value = rewriter.expression(stmt.value)
    rewriter.known.add(stmt.name, literal(value, rewriter.meter) if stmt.constant and is_constant(value) else None)
    if value is stmt.value:
        return stmt
    return nodes.Let(stmt.at, stmt.name, stmt.name_at, value, stmt.constant, stmt.exported, stmt.slot)


def _drop_pure(rewriter: Rewriter, work: Work, keeps_value: bool, pure: Pure) -> None:
    """Drop statements that do nothing: pure ones, lone variables, and at the end of a block also what ends with it.

    That a lone variable may not exist goes unnoticed (case "an unknown variable in the middle is not noticed").
    """
    pures = [pure(stmt) for stmt in work]
    if True not in pures and True not in [_is_lone_variable(stmt) for stmt in work]:
        return
    last_impure = max([index for index, is_pure_here in enumerate(pures) if not is_pure_here], default=0)
    idle = [
        _is_lone_variable(stmt) or (is_pure_here and (index >= last_impure or rewriter.purity.of_statement(stmt)))
        for index, (stmt, is_pure_here) in enumerate(zip(work, pures, strict=True))
    ]
    if keeps_value and work:
        idle[-1] = False
    if True in idle:
        work[:] = [stmt for stmt, is_idle in zip(work, idle, strict=True) if not is_idle]
        rewriter.changed = True


def _is_lone_variable(stmt: Stmt) -> bool:
    return isinstance(stmt, ExprStmt) and isinstance(stmt.expr, VARIABLES)


def _trimmed_to_value(work: Work, is_body: bool, pure: Pure) -> bool:
    """Take one step to shorten the end of `work` without changing its value; was there one to take?"""
    match work:
        case [Return(value=None)] if is_body:
            work.clear()
        case [only] if not returns_value(only) and pure(only):
            work.clear()
        case [*_, before, Return(value=None)] if is_body and not returns_value(before):
            work.pop()
        case [*_, Return(at=at, value=value)] if is_body:
            work[-1] = Noop(at) if value is None else ExprStmt(start(value), value)
        case [*_, before, Noop()] if returns_value(before):
            return False
        case [*_, before, last] if not returns_value(last) and pure(last):
            if returns_value(before):
                work[-1] = Noop(last.at)
            else:
                work.pop()
        case _:
            return False
    return True


def _trimmed(work: Work, pure: Pure) -> bool:
    """Take one step to shorten the end of `work`, whose value nobody reads; was there one to take?"""
    if not work or not pure(work[-1]):
        return False
    work.pop()
    return True
