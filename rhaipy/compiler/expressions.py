"""Constants, variables, literals with code in them, and blocks as expressions."""

import ast

from rhaipy.compiler import code
from rhaipy.compiler.statements import block
from rhaipy.compiler.unit import Operand, Unit, Unsupported, Variable
from rhaipy.compiler.values import compiles, kept, value
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Array, BlockExpr, Constant, Interpolation, Map, QualifiedVariable, This
from rhaipy.values import UNCHANGING


@compiles(Constant)
def constant(unit: Unit, node: Constant) -> Operand:
    kind = type(node.value)
    return Operand(unit.constant(node.value), kind, -1 if kind in UNCHANGING else node.at)


@compiles(nodes.Variable)
def variable(unit: Unit, node: nodes.Variable) -> Operand:
    found = unit.find(node.name, node.slot)
    if found is not None:
        return Operand(content(unit, found), found.kind, unit.owed(node), found.load if found.is_cell else None)
    if unit.is_program:
        held = unit.callout("host_value", code.load("machine"), code.load("base"), host_node(unit, node))
        return Operand(held, None, unit.owed(node))
    if node.slot:
        raise Unsupported
    return Operand(unit.callout("function_named", code.load("machine"), host_node(unit, node)), None)


def host_node(unit: Unit, node: nodes.Variable) -> ast.expr:
    """The node of a variable that was there before the program, with a slot that counts from where the program began.

    Where only the name is known, it is the number of variables since then, and not above 0: who searches pays for all.
    """
    return unit.pool.add(nodes.Variable(node.at, node.name, node.slot - len(unit.scope)))


def content(unit: Unit, found: Variable) -> ast.expr:
    """The value of a variable, out of its cell if it has one."""
    if not found.is_cell:
        return found.load
    inside = code.attribute(found.load, "value")
    return unit.keep(code.choose(code.kind_is(found.load, "Shared"), inside, found.load))


@compiles(This)
def this(unit: Unit, node: This) -> Operand:
    if unit.is_program:
        raise Unsupported
    unbound = unit.fail(code.call("UnboundThis", code.constant(node.at)))
    unit.emit(code.if_(code.is_(code.load("this"), code.constant(None)), [unbound]))
    return Operand(unit.keep(code.attribute(code.load("this"), "value")), None, node.at)


@compiles(QualifiedVariable)
def qualified_variable(unit: Unit, node: QualifiedVariable) -> Operand:
    return Operand(unit.callout("qualified_value", code.load("machine"), unit.pool.add(node)), None)


@compiles(BlockExpr)
def block_value(unit: Unit, node: BlockExpr) -> Operand:
    name = unit.temporary()
    block(unit, node.body.statements, name)
    return Operand(code.load(name), None)


@compiles(Array)
def array(unit: Unit, node: Array) -> Operand:
    total = unit.keep(code.load("NO_SIZES")) if unit.profile.sized and node.items else None
    items: list[ast.expr] = []
    for number, part in enumerate(node.items):
        made = kept(unit, value(unit, part), node.items[number + 1 :]).expr
        if total is not None:
            _grow(unit, total, made, "with_item", part)
        items.append(made)
    if unit.profile.metered:
        size = code.constant(56 + 8 * len(items))
        unit.callout("allocate", code.load("meter"), size, code.constant(node.at))
    return Operand(unit.keep(code.list_of(items)), list)


def _grow(unit: Unit, total: ast.expr, made: ast.expr, function: str, part: nodes.Expr) -> None:
    assert isinstance(total, ast.Name)
    unit.callout(function, code.load("meter"), total, made, code.constant(part.at), into=total.id)


@compiles(Map)
def map_(unit: Unit, node: Map) -> Operand:
    total = unit.keep(code.load("NO_SIZES")) if unit.profile.sized and node.entries else None
    parts = tuple([part for _, part in node.entries])
    values: list[ast.expr] = []
    for number, part in enumerate(parts):
        made = kept(unit, value(unit, part), parts[number + 1 :]).expr
        if total is not None:
            _grow(unit, total, made, "with_entry", part)
        values.append(made)
    keys: list[ast.expr | None] = [code.constant(key) for key, _ in node.entries]
    made = unit.keep(code.Dict(keys, values))
    if unit.profile.metered:
        size = code.binary(code.constant(64), ast.Add(), code.binary(code.constant(100), ast.Mult(), code.call("len", made)))
        unit.callout("allocate", code.load("meter"), size, code.constant(node.at))
    return Operand(made, dict)


@compiles(Interpolation)
def interpolation(unit: Unit, node: Interpolation) -> Operand:
    if not unit.profile.sized and not unit.profile.metered:
        return _joined(unit, node)
    pieces = unit.keep(code.list_of([]))
    function = "add_piece" if unit.profile.own_sums else "add_plain_piece"
    size: ast.expr = code.constant(0)
    for part in node.parts:
        made = value(unit, part)
        size = unit.callout(function, code.load("machine"), pieces, size, made.expr, code.constant(part.at))
    return Operand(unit.callout("joined", code.load("meter"), pieces, code.constant(node.at)), str)


def _joined(unit: Unit, node: Interpolation) -> Operand:
    pieces: list[ast.expr] = []
    for part in node.parts:
        operand = value(unit, part)
        if operand.kind is str:
            pieces.append(kept(unit, operand, node.parts).expr)
        else:
            pieces.append(unit.callout("text_of", code.load("machine"), operand.expr, code.constant(part.at)))
    return Operand(unit.keep(code.JoinedStr([code.FormattedValue(piece, -1, None) for piece in pieces])), str)
