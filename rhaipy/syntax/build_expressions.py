"""Reductions of operands: literals, names, calls, arrays, maps, interpolated text."""

from rhaipy.parse_errors import ParseError, lex_error
from rhaipy.source import NONE, At
from rhaipy.syntax.builder import Builder, Values, reduces, reduces_spread
from rhaipy.syntax.nodes import (
    Block,
    BlockExpr,
    Call,
    Chain,
    Constant,
    Expr,
    QualifiedCall,
    QualifiedVariable,
    Stmt,
    This,
    Unary,
    Variable,
)
from rhaipy.typings import Any

NO_CALL = "NO_CALL"
"""The kind of a token that would call what cannot be called; no state accepts it."""

_CALLS = frozenset({"(", "()", "!", "::"})
_TAILS = frozenset({".", "?.", "[", "?["})

Path = tuple[int, tuple[str, ...], At]
"""Of a::b::name: the index of the name, the namespace, and where it starts."""


@reduces_spread("literal")
def literal(builder: Builder, index: int) -> Constant:
    return Constant(builder.ats[index], builder.values[index])


@reduces("true")
def true(builder: Builder, values: Values) -> Constant:
    return Constant(builder.ats[values[0]], True)


@reduces("false")
def false(builder: Builder, values: Values) -> Constant:
    return Constant(builder.ats[values[0]], False)


@reduces("unit")
def unit(builder: Builder, values: Values) -> Constant:
    return Constant(builder.ats[values[0]], None)


@reduces("zero")
def zero(builder: Builder, values: Values) -> Constant:
    """The missing start of ..end."""
    return Constant(builder.ats[values[0]], 0)


@reduces_spread("variable")
def variable(builder: Builder, index: int) -> Variable:
    name, at = builder.values[index], builder.ats[index]
    slot = builder.scope.slot(name)
    return Variable(at, name, slot) if slot else named_variable(builder, name, at)


def named_variable(builder: Builder, name: str, at: At) -> Variable:
    """The variable `name` used at `at`. A closure notes the names that it does not know, but for those of functions."""
    scope = builder.scope
    slot = scope.slot(name)
    if not slot and name not in builder.function_names:
        if scope.is_closure:
            scope.captured.setdefault(name, at)
        elif scope.strict and name not in builder.outside:
            raise ParseError(at, "VariableUndefined", name)
    return Variable(at, name, slot)


@reduces("this_value")
def this_value(builder: Builder, values: Values) -> This:
    at = builder.ats[values[0]]
    if not builder.scope.is_function:
        raise lex_error(at, "ImproperSymbol", "this", "'this' can only be used in functions")
    return This(at)


@reduces("path")
def path(builder: Builder, values: Values) -> Path:
    return values[2], (builder.text(values[0]),), builder.ats[values[0]]


@reduces("longer_path")
def longer_path(builder: Builder, values: Values) -> Path:
    (last, namespace, start), _, name = values
    return name, (*namespace, builder.text(last)), start


@reduces("parens_path")
def parens_path(builder: Builder, values: Values) -> Path:
    inner, _, name = values
    if isinstance(inner, QualifiedVariable):
        return name, (*inner.namespace, inner.name), inner.namespace_at
    return name, (inner.name,), inner.at


@reduces("qualified_variable", moving=True)
def qualified_variable(builder: Builder, values: Values) -> QualifiedVariable:
    name, namespace, start = values[0]
    node = QualifiedVariable(builder.ats[name], namespace, start, builder.text(name))
    if builder.scope.strict and builder.kinds[builder.index] not in _TAILS:
        know_module(builder, node)
    return node


def know_module(builder: Builder, node: QualifiedVariable | QualifiedCall) -> None:
    """With strict variables, a module must have been imported."""
    root = node.namespace[0]
    if builder.scope.strict and not builder.scope.knows_module(root) and root not in builder.modules:
        raise ParseError(node.namespace_at, "ModuleUndefined", node.namespace[0])


@reduces("no_args")
def no_args(_builder: Builder, _values: Values) -> tuple[Expr, ...]:
    return ()


@reduces("args")
def args(_builder: Builder, values: Values) -> tuple[Expr, ...]:
    return tuple(values[1])


@reduces_spread("one")
def one(_builder: Builder, item: Any) -> Values:
    return [item]


@reduces_spread("more")
def more(_builder: Builder, items: Values, _comma: int, item: Any) -> Values:
    items.append(item)
    return items


@reduces_spread("call")
def call(builder: Builder, name: int, arguments: tuple[Expr, ...]) -> Call:
    return Call(builder.ats[name], builder.text(name), arguments)


@reduces("call_in_caller_scope")
def call_in_caller_scope(builder: Builder, values: Values) -> Call:
    name, _, arguments = values
    return Call(builder.ats[name], builder.text(name), arguments, True)


@reduces("qualified_call")
def qualified_call(builder: Builder, values: Values) -> QualifiedCall:
    (name, namespace, start), arguments = values
    node = QualifiedCall(builder.ats[name], namespace, start, builder.text(name), arguments)
    know_module(builder, node)
    return node


@reduces("call_parens")
def call_parens(builder: Builder, values: Values) -> Call | QualifiedCall:
    callee, arguments = values
    if isinstance(callee, Variable):
        return Call(callee.at, callee.name, arguments)
    node = QualifiedCall(callee.at, callee.namespace, callee.namespace_at, callee.name, arguments)
    know_module(builder, node)
    return node


@reduces("call_parens_in_caller_scope")
def call_parens_in_caller_scope(_builder: Builder, values: Values) -> Call:
    callee, _, arguments = values
    return Call(callee.at, callee.name, arguments, True)


@reduces("parens", moving=True)
def parens(builder: Builder, values: Values) -> Expr:
    """(expr); only a name in parentheses can be called."""
    inner: Expr = values[1]
    index = builder.index
    if builder.kinds[index] in _CALLS:
        if isinstance(inner, QualifiedVariable) and builder.kinds[index] == "!":
            raise qualified_bang(builder, index)
        if not isinstance(inner, (Variable, QualifiedVariable)):
            builder.kinds[index] = NO_CALL
    return inner


def qualified_bang(builder: Builder, index: int) -> ParseError:
    """The error for the `!` at `index` in a::b!"""
    if builder.kinds[index + 1] in ("(", "()"):
        return lex_error(builder.ats[index], "UnexpectedInput", "!")
    return lex_error(builder.ats[index], "ImproperSymbol", "!", "'!' cannot be used to call module functions")


@reduces("unary")
def unary(builder: Builder, values: Values) -> Expr:
    """A sign; those before numbers are folded at once."""
    index, operand = values
    at, sign = builder.ats[index], builder.text(index)
    if type(operand) is Constant and sign != "!":
        number = operand.value
        if type(number) is int:
            return operand if sign == "+" else Constant(at, -number if number != -(2**63) else float(2**63))
        if type(number) is float:
            return operand if sign == "+" else Constant(at, -number)
    return Unary(at, sign, operand)


@reduces("blocky")
def blocky(_builder: Builder, values: Values) -> BlockExpr:
    return block_of(values[0])


def block_of(statement: Stmt) -> BlockExpr:
    """A statement as operand."""
    return BlockExpr(statement.at, as_block(statement))


def as_block(statement: Stmt) -> Block:
    """A statement as block."""
    return statement if type(statement) is Block else Block(statement.at, NONE, (statement,))


@reduces_spread("chain")
def chain(builder: Builder, root: Any, links: Values) -> Chain:
    """root.name[index]; the links come last one first. A chain in parentheses simply goes on."""
    links.reverse()
    if type(root) is Chain:
        return Chain(root.at, root.root, (*root.links, *links))
    if type(root) is QualifiedVariable:
        know_module(builder, root)
    return Chain(links[0].at, root, tuple(links))
