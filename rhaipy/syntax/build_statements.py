"""Reductions of statements: blocks, assignments, variables, modules. Names come into reach, and leave it, right here."""

from rhaipy.parse_errors import ParseError, lex_error
from rhaipy.source import NONE, At
from rhaipy.syntax.builder import Builder, Values, reduces, reduces_spread
from rhaipy.syntax.nodes import (
    And,
    Array,
    Assign,
    Block,
    Chain,
    Coalesce,
    Constant,
    Export,
    Expr,
    ExprStmt,
    Import,
    Interpolation,
    Let,
    Map,
    MethodLink,
    Or,
    QualifiedVariable,
    Stmt,
    This,
    Variable,
)
from rhaipy.syntax.program import start
from rhaipy.syntax.tokens import ASSIGNMENTS

TYPO = "Possibly a typo of '=='?"

Statements = list[Stmt]


@reduces("nothing")
def nothing(_builder: Builder, _values: Values) -> Statements:
    return []


@reduces("keep")
def keep(_builder: Builder, values: Values) -> object:
    return values[0]


@reduces("append")
def append(_builder: Builder, values: Values) -> Statements:
    statements: Statements = values[0]
    statements.append(values[1])
    return statements


@reduces("program")
def program(_builder: Builder, values: Values) -> tuple[Stmt, ...]:
    return (*values[0], *values[1:])


@reduces("expression")
def expression(_builder: Builder, values: Values) -> tuple[Stmt, ...]:
    return (ExprStmt(start(values[0]), values[0]),)


# --- blocks and expression statements -------------------------------------------------------------------------------------


@reduces_spread("brace")
def brace(builder: Builder, index: int) -> int:
    builder.scope.enter_block()
    return index


@reduces("block")
def block(builder: Builder, values: Values) -> Block:
    builder.scope.leave_block()
    ats = builder.ats
    return Block(ats[values[0]], ats[values[-1]], (*values[1], *values[2:-1]))


@reduces("only_block")
def only_block(builder: Builder, values: Values) -> Block:
    opening, statement, closing = values
    return Block(builder.ats[opening], builder.ats[closing], (statement,))


@reduces_spread("expression_statement")
def expression_statement(_builder: Builder, expr: Expr) -> ExprStmt:
    return ExprStmt(start(expr), expr)


@reduces("assignment")
def assignment(builder: Builder, values: Values) -> Assign:
    target, index, value = values
    operator = ASSIGNMENTS.get(builder.kinds[index], "")
    at = builder.ats[index]
    if isinstance(target, Variable):
        if target.slot and builder.scope.is_constant(target.slot):
            raise ParseError(target.at, "AssignmentToConstant", target.name)
    elif isinstance(target, Chain):
        _assignable_chain(target)
    elif not isinstance(target, (This, QualifiedVariable)):
        raise _unassignable(target, at, operator)
    return Assign(at, operator, target, value)


def _assignable_chain(chain: Chain) -> None:
    """Nothing behind a method call can be assigned to, and the root must be a variable."""
    for link in chain.links:
        if type(link) is MethodLink:
            raise ParseError(link.name_at, "AssignmentToInvalidLHS", "")
    if not isinstance(chain.root, (Variable, QualifiedVariable, This)):
        raise ParseError(chain.root.at, "AssignmentToInvalidLHS", "")


def _unassignable(target: Expr, at: At, operator: str) -> ParseError:
    if is_constant(target):
        return ParseError(start(target), "AssignmentToConstant", "")
    if isinstance(target, (And, Or, Coalesce)) and not operator:
        return lex_error(at, "ImproperSymbol", "=", TYPO)
    return ParseError(target.at, "AssignmentToInvalidLHS", "")


def is_constant(node: Expr) -> bool:
    """Is `node` a literal, with nothing but literals in it?"""
    pending = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, Array):
            pending += part.items
        elif isinstance(part, Map):
            pending += [value for _, value in part.entries]
        elif isinstance(part, Interpolation):
            pending += part.parts
        elif not isinstance(part, Constant):
            return False
    return True


# --- variables and modules ------------------------------------------------------------------------------------------------


@reduces("let_name", moving=True)
def let_name(builder: Builder, values: Values) -> tuple[int, int]:
    word, index = values
    if not builder.options.allow_shadowing and builder.scope.slot(builder.text(index)):
        raise ParseError(builder.ats[index], "VariableExists", builder.text(index))
    if builder.define_filter is not None:
        name, constant = builder.text(index), builder.kinds[word] == "const"
        if not builder.define_filter(name, constant, builder.level, builder.scope.slot(name) > 0):
            raise ParseError(builder.ats[index], "ForbiddenVariable", name)
    return word, index


@reduces("let")
def let(builder: Builder, values: Values) -> Let:
    word, index = values[0]
    name = builder.text(index)
    constant = builder.kinds[word] == "const"
    value = values[2] if len(values) == 3 else Constant(NONE, None)
    exported = bool(builder.stack) and isinstance(builder.stack[-1], int) and builder.kinds[builder.stack[-1]] == "export"
    slot = builder.scope.define(name, constant)
    if exported:
        builder.scope.alias(1)
    return Let(builder.ats[word], name, builder.ats[index], value, constant, exported, slot)


@reduces("import_module")
def import_module(builder: Builder, values: Values) -> Import:
    name, name_at = (builder.text(values[3]), builder.ats[values[3]]) if len(values) == 4 else ("", NONE)
    builder.scope.imports.append(name)
    return Import(builder.ats[values[0]], values[1], name, name_at)


@reduces("export_word", moving=True)
def export_word(builder: Builder, values: Values) -> int:
    index: int = values[0]
    if not builder.scope.is_global:
        raise ParseError(builder.ats[index], "WrongExport")
    builder.go_deeper(builder.ats[index])
    return index


@reduces("exported", moving=True)
def exported(builder: Builder, values: Values) -> Let:
    builder.level -= 1
    definition: Let = values[1]
    return definition


@reduces("export_name", moving=True)
def export_name(builder: Builder, values: Values) -> Export:
    builder.level -= 1
    word, index, *rest = values
    alias, alias_at = (builder.text(rest[1]), builder.ats[rest[1]]) if rest else ("", NONE)
    name = builder.text(index)
    slot = builder.scope.slot(name)
    if slot:
        builder.scope.alias(slot)
    return Export(builder.ats[word], name, builder.ats[index], alias, alias_at)
