"""What the optimiser asks of nodes: is it constant, is it pure, what becomes of it outside its block, where does it start.

Nothing here changes a node. Lists, not generators, answer for many nodes: all of it runs as deep as the tree is.
"""

from rhaipy.source import At
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Expr, Stmt

CALLS = (nodes.Call, nodes.QualifiedCall, nodes.Unary, nodes.Binary)
"""What is one kind of node in the engine: calls, operators among them."""

VARIABLES = (nodes.Variable, nodes.QualifiedVariable)


def is_constant(expr: Expr) -> bool:
    """Is the value of `expr` known, literals of constants included?"""
    match expr:
        case nodes.Constant():
            return True
        case nodes.Interpolation():
            return are_constant(expr.parts)
        case nodes.Array():
            return are_constant(expr.items)
        case nodes.Map():
            return are_constant(entry_values(expr))
    return False


def are_constant(exprs: tuple[Expr, ...]) -> bool:
    """Are all of them constant?"""
    return False not in [is_constant(expr) for expr in exprs]


def entry_values(literal: nodes.Map) -> tuple[Expr, ...]:
    """The expressions of a map literal."""
    return tuple([value for _, value in literal.entries])


def is_true(expr: Expr) -> bool:
    """Is it the constant `true`?"""
    return isinstance(expr, nodes.Constant) and expr.value is True


def is_false(expr: Expr) -> bool:
    """Is it the constant `false`?"""
    return isinstance(expr, nodes.Constant) and expr.value is False


def is_unit(expr: Expr) -> bool:
    """Is it the constant `()`?"""
    return isinstance(expr, nodes.Constant) and expr.value is None


def is_pure_expression(expr: Expr) -> bool:
    """Can `expr` neither fail nor change anything? To read a variable may fail, so it is not pure."""
    match expr:
        case nodes.Interpolation():
            return are_pure_expressions(expr.parts)
        case nodes.Array():
            return are_pure_expressions(expr.items)
        case nodes.Map():
            return are_pure_expressions(entry_values(expr))
        case nodes.And() | nodes.Or() | nodes.Coalesce():
            return are_pure_expressions(expr.operands)
        case nodes.BlockExpr():
            return are_pure(expr.body.statements)
    return is_constant(expr)


def are_pure_expressions(exprs: tuple[Expr, ...]) -> bool:
    """Are all of them pure?"""
    return False not in [is_pure_expression(expr) for expr in exprs]


def is_pure(stmt: Stmt) -> bool:
    """Can `stmt` neither fail nor change anything, nor run for ever?"""
    match stmt:
        case nodes.Noop():
            return True
        case nodes.ExprStmt():
            return is_pure_expression(stmt.expr)
        case nodes.If():
            return is_pure_expression(stmt.condition) and are_pure(stmt.body.statements) and are_pure(stmt.otherwise.statements)
        case nodes.Switch():
            return _is_pure_switch(stmt)
        case nodes.While():
            return stmt.condition is not None and is_false(stmt.condition)
        case nodes.Do():
            runs_once = is_true(stmt.condition) if stmt.until else is_false(stmt.condition)
            return runs_once and are_pure(stmt.body.statements)
        case nodes.For():
            return is_pure_expression(stmt.iterable) and are_pure(stmt.body.statements)
        case nodes.Block():
            return are_pure(stmt.statements)
        case nodes.Try():
            return stmt.name is None and are_pure(stmt.body.statements) and are_pure(stmt.handler.statements)
    return False


def are_pure(stmts: tuple[Stmt, ...]) -> bool:
    """Are all of them pure?"""
    return False not in [is_pure(stmt) for stmt in stmts]


def _is_pure_switch(stmt: nodes.Switch) -> bool:
    if stmt.default is None or not is_pure_expression(stmt.subject):
        return False
    used = [arm for arms in stmt.cases.values() for arm in arms] + [case.arm for case in stmt.ranges]
    guarded = [stmt.arms[arm] for arm in used]
    parts = [arm.condition for arm in guarded] + [arm.result for arm in guarded] + [stmt.arms[stmt.default].result]
    return are_pure_expressions(tuple(parts))


def is_pure_inside(stmt: Stmt) -> bool:
    """Is the effect of `stmt`, if any, gone at the end of its block? A variable that is made from pure things is."""
    match stmt:
        case nodes.Let():
            return is_pure_expression(stmt.value)
        case nodes.ExprStmt(expr=nodes.BlockExpr(body=body)):
            return False not in [is_pure_inside(inner) for inner in body.statements]
        case nodes.Import():
            return is_pure_expression(stmt.path)
        case nodes.Export():
            return True
    return is_pure(stmt)


def depends_on_block(stmt: Stmt) -> bool:
    """Would `stmt` do something else if it stood one block further out? What defines variables would, and so may `eval`."""
    match stmt:
        case nodes.Let() | nodes.Import() | nodes.Export():
            return True
        case nodes.ExprStmt(expr=nodes.BlockExpr(body=body)):
            return False not in [depends_on_block(inner) for inner in body.statements]
        case nodes.ExprStmt(expr=nodes.Call(name=name)) | nodes.CallStmt(call=nodes.Call(name=name)):
            return name == "eval"
    return False


def returns_value(stmt: Stmt) -> bool:
    """May `stmt` leave a value, as the last one of a block?"""
    return isinstance(stmt, nodes.If | nodes.Switch | nodes.Block | nodes.ExprStmt | nodes.CallStmt)


def ends_flow(stmt: Stmt) -> bool:
    """Is whatever follows `stmt` in its block never reached?"""
    return isinstance(stmt, nodes.Return | nodes.Throw | nodes.Break | nodes.Continue)


def start(expr: Expr) -> At:
    """Where `expr` starts: for chains and logic at their first operand, for operators and calls at the operator or name."""
    while True:
        match expr:
            case nodes.And() | nodes.Or() | nodes.Coalesce():
                expr = expr.operands[0]
            case nodes.Chain():
                expr = expr.root
            case nodes.QualifiedVariable():
                return expr.namespace_at
            case _:
                return expr.at
