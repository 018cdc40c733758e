"""Chains. Indexes and properties that are read out of arrays and maps are Python's own; all else is walked by the evaluator."""

import ast
from typing import Final

from rhaipy.compiler import code
from rhaipy.compiler.kinds import NAMES
from rhaipy.compiler.known import KNOWN
from rhaipy.compiler.paths import SLOW, is_path, part, read, read_method
from rhaipy.compiler.roots import Root, is_native, may_change
from rhaipy.compiler.sites import Site
from rhaipy.compiler.unit import Operand, Unit
from rhaipy.compiler.values import arguments, compiles, kept, value
from rhaipy.library import STANDARD
from rhaipy.limits import Limits, Meter
from rhaipy.optimize.literals import literal
from rhaipy.source import NONE, At
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Assign, Chain, Expr, IndexLink, Link, MethodLink, PropertyLink
from rhaipy.values import UNCHANGING


@compiles(Chain)
def chain(unit: Unit, node: Chain) -> Operand:
    given = _given(unit, node)
    root = Root(unit, node.root)
    root.may_change = may_change(unit, node.links)
    if root.is_plain and is_path(node.links):
        return read(unit, node, root, given)
    root.keep()
    called = _known(unit, node, root, given) or _method(unit, node, root, given) or read_method(unit, node, root, given)
    if called is not None:
        return called
    return Operand(root.walk(unit.pool.add(node), given, code.constant(None), code.constant(None)), None)


# --- what links are given -------------------------------------------------------------------------------------------------


def _given(unit: Unit, node: Chain) -> list[Operand]:
    """What each link is given: an index, a tuple of arguments; from left to right, and before there is a root."""
    links = node.links
    nothing = Operand(code.constant(None), type(None))
    if len(links) == 1:
        only = links[0]
        if isinstance(only, PropertyLink):
            return [nothing]
        if isinstance(only, MethodLink) and not only.args:
            return [Operand(code.tuple_of([]), tuple)]
        if isinstance(only, IndexLink):
            known = literal(only.index, Meter(Limits()))
            if known is not None:
                return [_literal_index(unit, only.index, known)]
    given: list[Operand] = []
    for number, link in enumerate(links, 1):
        unit.count(links[number].at if number < len(links) else _at(link))
        later = (*[part for after in links[number:] for part in _parts(after)], node.root)
        if isinstance(link, IndexLink):
            given.append(kept(unit, value(unit, link.index), later))
        elif isinstance(link, MethodLink):
            args = [kept(unit, arg, later).expr for arg in arguments(unit, link.args)]
            given.append(Operand(code.tuple_of(args), tuple))
        else:
            given.append(nothing)
    return given


def _literal_index(unit: Unit, node: Expr, known: nodes.Constant) -> Operand:
    if type(known.value) in UNCHANGING and not isinstance(node, nodes.Interpolation):
        return Operand(unit.constant(known.value), type(known.value))
    made = unit.callout("literal_index", code.load("machine"), unit.pool.add(node))
    return Operand(made, type(known.value))


def _at(link: Link) -> At:
    return link.index.at if isinstance(link, IndexLink) else link.name_at


def _parts(link: Link) -> tuple[Expr, ...]:
    if isinstance(link, IndexLink):
        return (link.index,)
    return link.args if isinstance(link, MethodLink) else ()


# --- methods --------------------------------------------------------------------------------------------------------------


def _known(unit: Unit, node: Chain, root: Root, given: list[Operand]) -> Operand | None:
    """variable.name(args), where Python does the same in a word, or a single call"""
    link, variable = node.links[0], root.variable
    if len(node.links) > 1 or not isinstance(link, MethodLink) or link.optional or variable is None or variable.is_cell:
        return None
    method = KNOWN.get((link.name, len(link.args)))
    if method is None or not is_native(unit, link.name, len(link.args)):
        return None
    is_limited = unit.profile.metered or unit.profile.sized
    wanted = [kind for kind in method.kinds if variable.kind in (None, kind)]
    kinds = [kind for kind in wanted if is_standard(unit, link, kind)]
    if not kinds or (variable.constant and method.changes) or (is_limited and kinds != wanted):  # a single call takes all kinds
        return None
    assert isinstance(given[0].expr, ast.Tuple)
    unit.flush()
    result = unit.temporary()
    if is_limited:
        left = code.binary(code.load(code.LEFT), ast.Sub(), code.constant(1))
        paid = method.paid(variable.code, given[0].expr.elts, result, link.name_at, left)
        unit.emit(code.assign(result, paid.call))
        with unit.branch() as slow:
            called = _method(unit, node, root, given)
            assert called is not None
            unit.emit(code.assign(result, called.expr))
        unit.emit(code.if_(paid.is_done, paid.then, slow))
        return Operand(code.load(result), None)
    with unit.branch() as slow:
        walked = root.walk(unit.pool.add(node), given, code.constant(None), code.constant(None))
        unit.emit(code.assign(result, walked))
    with unit.branch() as fast:
        unit.count(link.name_at)
        unit.flush()
        fast.extend(method.lines(variable.code, given[0].expr.elts, result))
    unit.emit(code.if_(code.any_of([code.kind_is(variable.load, NAMES[kind]) for kind in kinds]), fast, slow))
    return Operand(code.load(result), None)


_OURS: Final = frozenset(STANDARD)


def is_standard(unit: Unit, link: MethodLink, kind: type) -> bool:
    """Does a method of the standard library answer, whatever the arguments are?"""
    functions = unit.profile.functions
    if link.args and functions is not STANDARD and [item for item in functions if item.name == link.name and item not in _OURS]:
        return False
    kinds = (kind, *[object] * len(link.args))
    found = functions.find(link.name, kinds)
    return found is not None and found is STANDARD.find(link.name, kinds)


def _method(unit: Unit, node: Chain, root: Root, given: list[Operand]) -> Operand | None:
    """variable.name(args), where none but native functions can be meant"""
    link, variable = node.links[0], root.variable
    if len(node.links) > 1 or not isinstance(link, MethodLink) or link.optional or variable is None or variable.is_cell:
        return None
    if not is_native(unit, link.name, len(link.args)):
        return None
    site = unit.pool.add(Site(link))
    machine, args = code.load("machine"), given[0].expr
    if not root.may_change:
        return Operand(unit.callout("call_site", machine, site, variable.load, args, code.constant(variable.constant)), None)
    name = unit.temporary()
    root.change(variable, lambda place: unit.callout("call_site_on", machine, site, place, args, into=name))
    return Operand(code.load(name), None)


# --- assignment -----------------------------------------------------------------------------------------------------------


def assign_chain(unit: Unit, node: Assign, target: Chain, new: Operand) -> None:
    """target = new, target += new"""
    new = new._replace(expr=unit.keep(new.expr)) if not isinstance(new.expr, ast.Constant) else new
    given = _given(unit, target)
    root = Root(unit, target.root)
    root.keep()
    if node.operator or not is_path(target.links) or not _is_assignable(unit, root, target.links[-1]):
        root.walk(unit.pool.add(target), given, unit.pool.add(node), new.expr)
        return
    _assign_part(unit, node, target, root, given, new)


def _is_assignable(unit: Unit, root: Root, last: Link) -> bool:
    if root.variable is None or root.variable.is_cell or root.variable.constant:
        return False
    return not unit.profile.sized or isinstance(last, IndexLink)


def _assign_part(unit: Unit, node: Assign, target: Chain, root: Root, given: list[Operand], new: Operand) -> None:
    unit.flush()
    with unit.branch() as slow:
        root.walk(unit.pool.add(target), given, unit.pool.add(node), new.expr)
    with unit.branch() as fast:
        for _ in target.links:
            unit.count(NONE)
        unit.flush()
    owner = unit.temporary()
    lines: list[ast.stmt] = [code.assign(owner, root.expr)]
    for link, index in zip(target.links[:-1], given[:-1], strict=True):
        lines.append(code.assign(owner, part(unit, link, index, code.load(owner))))
    unit.need_block()
    unit.emit(code.try_(lines, "MISSING", None, [code.assign(owner, SLOW)]))
    last, index = target.links[-1], given[-1]
    key = code.constant(last.name) if isinstance(last, PropertyLink) else index.expr
    fast.append(code.assign_item(code.load(owner), key, new.expr))
    tests = _can_assign(unit, last, index, code.load(owner))
    if unit.profile.sized:
        fast.append(code.Expr(code.method(code.attribute(code.load("machine"), "sizes"), "add", new.expr)))
        if new.kind not in SCALARS:
            tests.append(code.kind_in(new.expr, "SCALARS"))
    unit.emit(code.if_(code.all_of(tests), fast, slow))


def _can_assign(unit: Unit, link: Link, index: Operand, owner: ast.expr) -> list[ast.expr]:
    if isinstance(link, PropertyLink):
        return [code.kind_is(owner, "dict")]
    low = code.compare(code.constant(0), ast.LtE(), index.expr)
    high = code.compare(index.expr, ast.Lt(), code.call("len", owner))
    return [*unit.test(index, int), code.kind_is(owner, "list"), low, high]


SCALARS: Final = frozenset({int, bool, float, type(None)})
"""Values whose size is that of the place that they take."""
