"""Paths: indexes and properties that are read out of arrays and maps, which are Python's own, and methods at their ends."""

import ast

from rhaipy.compiler import code
from rhaipy.compiler.roots import Root, is_native, may_change
from rhaipy.compiler.sites import Site
from rhaipy.compiler.unit import Operand, Unit
from rhaipy.costs import SMALL
from rhaipy.source import NONE, At
from rhaipy.syntax.nodes import Chain, IndexLink, Link, MethodLink, PropertyLink
from rhaipy.typings import Final

SLOW: Final = code.load("SLOW")


def is_path(links: tuple[Link, ...]) -> bool:
    """Is it nothing but indexes and properties?"""
    for link in links:
        if isinstance(link, MethodLink) or link.optional:
            return False
        if isinstance(link, PropertyLink) and len(link.name) > SMALL:
            return False
    return True


def read(unit: Unit, node: Chain, root: Root, given: list[Operand]) -> Operand:
    before = list(unit.pending)
    name = unit.temporary()
    made = code.load(name)
    lines: list[ast.stmt] = []
    current = root.expr
    for link, index in zip(node.links, given, strict=True):
        unit.count(NONE)
        lines.append(code.assign(name, part(unit, link, index, current)))
        current = made
    after, unit.pending = unit.pending, before
    with unit.branch() as slow:
        walked = root.walk(unit.pool.add(node), given, code.constant(None), code.constant(None))
        unit.emit(code.assign(name, walked))
        unit.dead = True
        _restore(unit, after)
    unit.pending = after
    unit.need_block()
    unit.emit(code.try_(lines, "MISSING", None, [code.assign(name, SLOW)]))
    unit.emit(code.if_(code.is_(made, SLOW), slow))
    last = node.links[-1]
    if unit.sharing is not None:
        return Operand(made, None)
    return Operand(made, None, last.at if isinstance(last, IndexLink) else last.name_at)


def _restore(unit: Unit, after: list[At]) -> None:
    # The walk counted all, and nothing is pending; on the other way all is pending.
    owed = len(after) - len(unit.pending)
    if owed:
        unit.emit(code.subtract_left(-owed))


def part(unit: Unit, link: Link, index: Operand, owner: ast.expr) -> ast.expr:
    """The part of `owner` that `link` names, or SLOW."""
    if isinstance(link, PropertyLink):
        return code.choose(code.kind_is(owner, "dict"), code.item(owner, code.constant(link.name)), SLOW)
    got = code.item(owner, index.expr)
    if index.kind is int:
        return code.choose(code.kind_is(owner, "list"), got, SLOW)
    if index.kind is str and isinstance(index.expr, ast.Constant):
        return code.choose(code.kind_is(owner, "dict"), got, SLOW)
    number = code.all_of([code.kind_is(index.expr, "int"), code.kind_is(owner, "list")])
    if index.kind is not None and index.kind is not str:
        return SLOW
    text = [code.kind_is(index.expr, "str"), code.kind_is(owner, "dict")]
    if unit.profile.metered:
        text.append(code.compare(code.call("len", index.expr), ast.LtE(), code.load("SMALL")))
    return code.choose(code.any_of([number, code.all_of(text)]), got, SLOW)


def read_method(unit: Unit, node: Chain, root: Root, given: list[Operand]) -> Operand | None:
    """path.name(args), where none but native functions can be meant"""
    path, link = node.links[:-1], node.links[-1]
    if not path or not isinstance(link, MethodLink) or link.optional or root.variable is None or root.variable.is_cell:
        return None
    if not is_path(path) or may_change(unit, path) or not is_native(unit, link.name, len(link.args)):
        return None
    unit.flush()
    owner, result = unit.temporary(), unit.temporary()
    current = root.expr
    lines: list[ast.stmt] = []
    for step, index in zip(path, given[:-1], strict=True):
        lines.append(code.assign(owner, part(unit, step, index, current)))
        current = code.load(owner)
    with unit.branch() as slow:
        walked = root.walk(unit.pool.add(node), given, code.constant(None), code.constant(None))
        unit.emit(code.assign(result, walked))
    machine, site, args = code.load("machine"), unit.pool.add(Site(link)), given[-1].expr
    with unit.branch() as fast:
        for _ in path:
            unit.count(NONE)
        unit.callout("call_site", machine, site, current, args, code.constant(root.variable.constant), into=result)
    unit.need_block()
    unit.emit(code.try_(lines, "MISSING", None, [code.assign(owner, SLOW)]))
    # A map may hold a function of that name. Where some function of the name changes things, it is hardly the one that is meant.
    changes = code.call("may_change", machine, site, current, args) if root.may_change else code.kind_is(current, "dict")
    unit.emit(code.if_(code.any_of([code.is_(current, SLOW), changes]), slow, fast))
    return Operand(code.load(result), None)
