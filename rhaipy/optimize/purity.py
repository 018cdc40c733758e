"""What the optimiser asks of nodes: is it constant, is it pure, what becomes of it outside its block, where does it start.

Nothing here changes a node. Lists, not generators, answer for many nodes: all of it runs as deep as the tree is.
"""

from rhaipy.source import At
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Expr, Stmt
from rhaipy.typings import Final

CALLS = (nodes.Call, nodes.QualifiedCall, nodes.Unary, nodes.Binary)
"""What is one kind of node in the engine: calls, operators among them."""

LITERALS = frozenset({nodes.Array, nodes.Map, nodes.Interpolation})

_COMPOSED = frozenset({*LITERALS, nodes.And, nodes.Or, nodes.Coalesce, nodes.BlockExpr})

VARIABLES = (nodes.Variable, nodes.QualifiedVariable)


def is_constant(expr: Expr) -> bool:
    """Is the value of `expr` known, literals of constants included?"""
    match expr:
        case nodes.Constant():
            return True
        case nodes.Interpolation() | nodes.Array() | nodes.Map():
            return are_constant(parts(expr))
    return False


def parts(expr: Expr) -> tuple[Expr, ...]:
    """The expressions in a literal of one of the kinds `LITERALS`."""
    match expr:
        case nodes.Interpolation():
            return expr.parts
        case nodes.Array():
            return expr.items
        case nodes.Map():
            return entry_values(expr)
    return ()


def are_constant(exprs: tuple[Expr, ...]) -> bool:
    """Are all of them constant?"""
    return False not in [is_constant(expr) for expr in exprs]


def entry_values(literal: nodes.Map) -> tuple[Expr, ...]:
    """The expressions of a map literal."""
    return tuple([value for _, value in literal.entries])


def is_true(expr: Expr) -> bool:
    """Is it the constant `true`?"""
    return type(expr) is nodes.Constant and expr.value is True


def is_false(expr: Expr) -> bool:
    """Is it the constant `false`?"""
    return type(expr) is nodes.Constant and expr.value is False


def is_unit(expr: Expr) -> bool:
    """Is it the constant `()`?"""
    return type(expr) is nodes.Constant and expr.value is None


class Purity:
    """Can an expression or statement neither fail nor change anything? To read a variable may fail, so it is not pure.

    What is nested is asked for at each level. Answers are kept, so that all of them take no more time than there are nodes.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[int, tuple[Expr | Stmt, bool]] = {}  # by identity; the node with its answer, so that it stays

    def of_expression(self, expr: Expr) -> bool:
        """Is `expr` pure?"""
        kind = type(expr)
        if kind not in _COMPOSED:
            return kind is nodes.Constant
        found = self._known.get(id(expr))
        if found is None:
            found = self._known[id(expr)] = expr, self._composed(expr)
        return found[1]

    def _composed(self, expr: Expr) -> bool:
        match expr:
            case nodes.And() | nodes.Or() | nodes.Coalesce():
                return self.of_expressions(expr.operands)
            case nodes.BlockExpr():
                return self.of_statements(expr.body.statements)
            case nodes.Interpolation() | nodes.Array() | nodes.Map():
                return self.of_expressions(parts(expr))
        return False

    def of_expressions(self, exprs: tuple[Expr, ...]) -> bool:
        """Are all of them pure?"""
        return False not in [self.of_expression(expr) for expr in exprs]

    def of_statement(self, stmt: Stmt) -> bool:
        """Is `stmt` pure, and does it not run for ever?"""
        if type(stmt) in _NEVER_PURE:
            return False
        found = self._known.get(id(stmt))
        if found is None:
            found = self._known[id(stmt)] = stmt, self._statement(stmt)
        return found[1]

    def _statement(self, stmt: Stmt) -> bool:
        match stmt:
            case nodes.Noop():
                return True
            case nodes.ExprStmt():
                return self.of_expression(stmt.expr)
            case nodes.If():
                return self.of_expression(stmt.condition) and self.of_blocks(stmt.body, stmt.otherwise)
            case nodes.Switch():
                return self._switch(stmt)
            case nodes.While():
                return stmt.condition is not None and is_false(stmt.condition)
            case nodes.Do():
                runs_once = is_true(stmt.condition) if stmt.until else is_false(stmt.condition)
                return runs_once and self.of_blocks(stmt.body)
            case nodes.For():
                return self.of_expression(stmt.iterable) and self.of_blocks(stmt.body)
            case nodes.Block():
                return self.of_blocks(stmt)
            case nodes.Try():
                return stmt.name is None and self.of_blocks(stmt.body, stmt.handler)
        return False

    def of_statements(self, stmts: tuple[Stmt, ...]) -> bool:
        """Are all of them pure?"""
        return False not in [self.of_statement(stmt) for stmt in stmts]

    def of_blocks(self, *blocks: nodes.Block) -> bool:
        """Is everything in them pure?"""
        return False not in [self.of_statements(block.statements) for block in blocks]

    def _switch(self, stmt: nodes.Switch) -> bool:
        if stmt.default is None or not self.of_expression(stmt.subject):
            return False
        used = [arm for arms in stmt.cases.values() for arm in arms] + [case.arm for case in stmt.ranges]
        guarded = [stmt.arms[arm] for arm in used]
        inner = [arm.condition for arm in guarded] + [arm.result for arm in guarded] + [stmt.arms[stmt.default].result]
        return self.of_expressions(tuple(inner))

    def inside(self, stmt: Stmt) -> bool:
        """Is the effect of `stmt`, if any, gone at the end of its block? A variable that is made from pure things is."""
        match stmt:
            case nodes.Let():
                return self.of_expression(stmt.value)
            case nodes.ExprStmt(expr=nodes.BlockExpr(body=body)):
                return False not in [self.inside(inner) for inner in body.statements]
            case nodes.Import():
                return self.of_expression(stmt.path)
            case nodes.Export():
                return True
        return self.of_statement(stmt)


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


def may_be_idle(stmt: Stmt, is_body: bool) -> bool:
    """May `stmt` be pure, or a lone variable? Most are neither, as one look at what they begin with tells.

    In a list that `is_body` of a function or program a variable that is made is not pure, whatever its value is.
    """
    kind = type(stmt)
    if kind in _ACTING:
        return False
    if isinstance(stmt, nodes.If):
        return type(stmt.condition) in _MAY_BE_IDLE
    if isinstance(stmt, nodes.ExprStmt):
        return type(stmt.expr) in _MAY_BE_IDLE
    if isinstance(stmt, nodes.For):
        return type(stmt.iterable) in _MAY_BE_IDLE
    return not isinstance(stmt, nodes.Let) or (not is_body and type(stmt.value) in _MAY_BE_IDLE)


def returns_value(stmt: Stmt) -> bool:
    """May `stmt` leave a value, as the last one of a block?"""
    return type(stmt) in _VALUED


def ends_flow(stmt: Stmt) -> bool:
    """Is whatever follows `stmt` in its block never reached?"""
    return type(stmt) in _LEAVING


_LEAVING: Final = frozenset({nodes.Return, nodes.Throw, nodes.Break, nodes.Continue})
_VALUED: Final = frozenset({nodes.If, nodes.Switch, nodes.Block, nodes.ExprStmt, nodes.CallStmt})
_ACTING: Final = _LEAVING | {nodes.Assign, nodes.CallStmt, nodes.Share}
_MAY_BE_IDLE: Final = _COMPOSED | {nodes.Constant, *VARIABLES}
_NEVER_PURE: Final = _ACTING | {nodes.Let, nodes.Import, nodes.Export}


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
