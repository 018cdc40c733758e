"""The rewrites of statements, but for `switch`: branches that are decided, blocks that need no block, calls."""

from rhaipy.optimize.blocks import rewrite_block
from rhaipy.optimize.purity import CALLS, depends_on_block, is_false, is_true, start
from rhaipy.optimize.rewriter import Rewriter, rewrites_statement
from rhaipy.records import replaced
from rhaipy.source import NONE
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Block, Expr, ExprStmt, Noop, Stmt
from rhaipy.syntax.tokens import ASSIGNMENTS

_ASSIGNABLE = frozenset(ASSIGNMENTS.values())


@rewrites_statement(nodes.Assign)
def rewrite_assign(rewriter: Rewriter, stmt: nodes.Assign, keeps_value: bool) -> Stmt:
    """a = a + b -> a += b; else target and value"""
    value, target = stmt.value, stmt.target
    if not stmt.operator and isinstance(target, nodes.Variable) and isinstance(value, nodes.Binary):
        if value.operator in _ASSIGNABLE and isinstance(value.left, nodes.Variable) and value.left.name == target.name:
            return rewriter.changed_to(nodes.Assign(value.at, value.operator, target, value.right))
    if isinstance(target, nodes.Chain):
        target = _rewrite_target(rewriter, target)
    value = rewriter.expression(value)
    return stmt if value is stmt.value and target is stmt.target else nodes.Assign(stmt.at, stmt.operator, target, value)


def _rewrite_target(rewriter: Rewriter, target: nodes.Chain) -> nodes.Chain:
    """Where the engine folds the target itself it panics later on; the chain as it is written fails then, as it should."""
    changed = rewriter.changed
    rewritten = rewriter.expression(target)
    if isinstance(rewritten, nodes.Chain):
        return rewritten
    rewriter.changed = changed
    return target


@rewrites_statement(nodes.If)
def rewrite_if(rewriter: Rewriter, stmt: nodes.If, keeps_value: bool) -> Stmt:
    """if true { a } else { b } -> { a }, if false .. likewise; if a { if b { c } } -> if a && b { c }"""
    if not stmt.body.statements and not stmt.otherwise.statements:
        return rewriter.changed_to(_only_condition(rewriter, stmt, keeps_value))
    if type(stmt.condition) is nodes.Constant:
        if is_false(stmt.condition):
            if not stmt.otherwise.statements:
                return rewriter.changed_to(Noop(stmt.condition.at))
            return rewriter.changed_to(_branch(rewriter, stmt.otherwise, keeps_value))
        if is_true(stmt.condition):
            return rewriter.changed_to(_branch(rewriter, stmt.body, keeps_value))
    if len(stmt.body.statements) == 1 and not stmt.otherwise.statements:
        inner = stmt.body.statements[0]
        if isinstance(inner, nodes.If) and not inner.otherwise.statements:
            return rewriter.changed_to(_joined_if(rewriter, stmt, inner, keeps_value))
    condition = rewriter.expression(stmt.condition)
    body, otherwise = rewrite_block(rewriter, stmt.body, keeps_value), rewrite_block(rewriter, stmt.otherwise, keeps_value)
    same = condition is stmt.condition and body is stmt.body and otherwise is stmt.otherwise
    return stmt if same else nodes.If(stmt.at, condition, body, otherwise)


def _only_condition(rewriter: Rewriter, stmt: nodes.If, keeps_value: bool) -> Stmt:
    """if a {} -> a, which need not even be a boolean then (case "an empty if of a number")"""
    at = start(stmt.condition)
    condition = as_statement(rewriter.expression(stmt.condition))
    return Block(at, NONE, (condition, Noop(at))) if keeps_value else condition


def _branch(rewriter: Rewriter, branch: Block, keeps_value: bool) -> Stmt:
    branch = rewrite_block(rewriter, branch, keeps_value)
    return branch if branch.statements else Noop(branch.at)


def _joined_if(rewriter: Rewriter, stmt: nodes.If, inner: nodes.If, keeps_value: bool) -> nodes.If:
    body = replaced(stmt.body, statements=rewrite_block(rewriter, inner.body, keeps_value).statements)
    second = rewriter.expression(inner.condition)
    first = stmt.condition
    if isinstance(first, nodes.And):
        both = replaced(first, operands=(*first.operands, second))
    else:
        both = nodes.And(stmt.at, (rewriter.expression(first), second))
    return nodes.If(stmt.at, both, body, stmt.otherwise)


@rewrites_statement(nodes.While)
def rewrite_while(rewriter: Rewriter, stmt: nodes.While, keeps_value: bool) -> Stmt:
    """while false .. -> nothing; while true .. -> loop .."""
    condition = stmt.condition
    if condition is not None:
        if is_false(condition):
            return rewriter.changed_to(Noop(condition.at))
        condition = rewriter.expression(condition)
        condition = None if is_true(condition) else condition
    body = rewrite_block(rewriter, stmt.body, keeps_value=False)
    return stmt if condition is stmt.condition and body is stmt.body else nodes.While(stmt.at, condition, body)


@rewrites_statement(nodes.Do)
def rewrite_do(rewriter: Rewriter, stmt: nodes.Do, keeps_value: bool) -> Stmt:
    """condition, then body"""
    condition, body = rewriter.expression(stmt.condition), rewrite_block(rewriter, stmt.body, keeps_value=False)
    return stmt if condition is stmt.condition and body is stmt.body else nodes.Do(stmt.at, body, condition, stmt.until)


@rewrites_statement(nodes.For)
def rewrite_for(rewriter: Rewriter, stmt: nodes.For, keeps_value: bool) -> Stmt:
    """The loop's variable is not told to the pass (case "a loop variable does not hide a constant of its name")."""
    iterable, body = rewriter.expression(stmt.iterable), rewrite_block(rewriter, stmt.body, keeps_value=False)
    if iterable is stmt.iterable and body is stmt.body:
        return stmt
    return nodes.For(stmt.at, stmt.name, stmt.name_at, stmt.counter, stmt.counter_at, iterable, body)


@rewrites_statement(nodes.Block)
def rewrite_inner_block(rewriter: Rewriter, stmt: Block, keeps_value: bool) -> Stmt:
    """{} -> nothing; { a } -> a, unless it defines something"""
    block = rewrite_block(rewriter, stmt, keeps_value)
    match block.statements:
        case ():
            return rewriter.changed_to(Noop(block.at))
        case (only,) if not depends_on_block(only):
            return rewriter.changed_to(only)
    return block


@rewrites_statement(nodes.Try)
def rewrite_try(rewriter: Rewriter, stmt: nodes.Try, keeps_value: bool) -> Stmt:
    """try { pure } catch .. -> { pure }, whose value is lost (case "a try of something pure loses its value")"""
    body = rewrite_block(rewriter, stmt.body, keeps_value=False)
    if rewriter.purity.of_blocks(stmt.body):
        return rewriter.changed_to(body)
    handler = rewrite_block(rewriter, stmt.handler, keeps_value=False)
    return stmt if body is stmt.body and handler is stmt.handler else replaced(stmt, body=body, handler=handler)


def as_statement(expr: Expr) -> ExprStmt:
    """`expr` as a statement."""
    return ExprStmt(start(expr), expr)


@rewrites_statement(ExprStmt)
def rewrite_expression_statement(rewriter: Rewriter, stmt: ExprStmt, keeps_value: bool) -> Stmt:
    """A block is a statement by itself; a call or operator becomes a call statement, which costs one operation less."""
    expr = stmt.expr
    if isinstance(expr, nodes.BlockExpr):
        if not expr.body.statements:
            return rewriter.changed_to(Noop(expr.at))
        return rewriter.changed_to(rewrite_block(rewriter, expr.body, keeps_value=True))
    if isinstance(expr, CALLS):
        return rewriter.changed_to(nodes.CallStmt(expr.at, expr))
    rewritten = rewriter.expression(expr)
    return stmt if rewritten is expr else as_statement(rewritten)


@rewrites_statement(nodes.CallStmt)
def rewrite_call_statement(rewriter: Rewriter, stmt: nodes.CallStmt, keeps_value: bool) -> Stmt:
    """The call, or what is left of it"""
    expr = rewriter.expression(stmt.call)
    if expr is stmt.call:
        return stmt
    return nodes.CallStmt(expr.at, expr) if isinstance(expr, CALLS) else as_statement(expr)


@rewrites_statement(nodes.Break, nodes.Return, nodes.Throw)
def rewrite_leaving(rewriter: Rewriter, stmt: nodes.Break | nodes.Return | nodes.Throw, keeps_value: bool) -> Stmt:
    """break a, return a, throw a"""
    value = None if stmt.value is None else rewriter.expression(stmt.value)
    return stmt if value is stmt.value else replaced(stmt, value=value)


@rewrites_statement(nodes.Import)
def rewrite_import(rewriter: Rewriter, stmt: nodes.Import, keeps_value: bool) -> Stmt:
    """import path as name"""
    path = rewriter.expression(stmt.path)
    return stmt if path is stmt.path else replaced(stmt, path=path)


@rewrites_statement(nodes.Share)
def rewrite_share(rewriter: Rewriter, stmt: nodes.Share, keeps_value: bool) -> Stmt:
    """Constants that stand as literals are not shared; nothing to share is nothing to do."""
    if not stmt.variables:
        return rewriter.changed_to(Noop(NONE))
    shared = tuple([variable for variable in stmt.variables if rewriter.constant(variable.name) is None])
    if len(shared) == len(stmt.variables):
        return stmt
    return rewriter.changed_to(nodes.Share(shared[0].at if shared else NONE, shared))
