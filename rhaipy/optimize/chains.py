"""The rewrites of chains: an item of a literal, a property of a constant map, and the expressions inside links."""

from rhaipy.optimize.expressions import rewrite_arguments
from rhaipy.optimize.literals import from_value, literal, moved
from rhaipy.optimize.purity import VARIABLES, entry_values, is_constant, is_unit
from rhaipy.optimize.rewriter import Rewriter, rewrites, same_or_new
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Chain, Constant, Expr, IndexLink, Link, MethodLink, PropertyLink
from rhaipy.values import Char, type_name

BITS = 64
_KEPT_ROOTS = frozenset({*VARIABLES, nodes.This})
"""Roots that stay as they are; but a link on a constant of the scope may be known."""


@rewrites(Chain)
def rewrite_chain(rewriter: Rewriter, expr: Chain) -> Expr:
    """One link on something known may be known itself; else the root, unless it is a variable, and the links."""
    root, links = expr.root, expr.links
    if type(root) in _KEPT_ROOTS:
        if rewriter.known.constants and len(links) == 1:
            known = _known(rewriter, root, links[0])
            if known is not None:
                return rewriter.changed_to(known)
        rewritten = _rewrite_links(rewriter, links)
        return expr if rewritten is links else Chain(expr.at, root, rewritten)
    if links[0].optional and is_unit(root):
        return rewriter.changed_to(root)
    if len(links) == 1:
        known = _known(rewriter, root, links[0])
        if known is not None:
            return rewriter.changed_to(known)
    return _with_links(rewriter, expr, rewriter.expression(root))


def _with_links(rewriter: Rewriter, expr: Chain, root: Expr) -> Chain:
    links = _rewrite_links(rewriter, expr.links)
    return expr if root is expr.root and links is expr.links else Chain(expr.at, root, links)


def _known(rewriter: Rewriter, root: Expr, link: Link) -> Expr | None:
    match link:
        case PropertyLink():
            return _property(rewriter, root, link.name)
        case MethodLink(name="type_of", args=()):
            constant = literal(root, rewriter.meter) if is_constant(root) else None
            return None if constant is None else Constant(link.name_at, type_name(constant.value, rewriter.meter.types))
        case MethodLink(name="is_shared", args=()):
            return Constant(link.name_at, False) if is_constant(root) else None
        case IndexLink(index=Constant(value=value)):
            if type(value) is int:
                return _item(rewriter, root, value)
            if type(value) is str:
                return _entry(rewriter, root, value)
    return None


def _entry(rewriter: Rewriter, root: Expr, key: str) -> Expr | None:
    """As a property, but for maps that are folded already: only this way of reading looks into them."""
    if isinstance(root, Constant) and isinstance(root.value, dict):
        return from_value(root.value.get(key), root.at)
    return _property(rewriter, root, key)


def _property(rewriter: Rewriter, root: Expr, name: str) -> Expr | None:
    """#{a: 1}.a -> 1; MAP.a -> its value"""
    if isinstance(root, nodes.Map) and rewriter.purity.of_expressions(entry_values(root)):
        for key, value in root.entries:
            if key == name:
                return moved(value, root.at)
        return Constant(root.at, None)
    if isinstance(root, VARIABLES):
        known = rewriter.constant(root.name)
        if known is not None and isinstance(known.value, dict):
            return from_value(known.value.get(name), root.at)
    return None


def _item(rewriter: Rewriter, root: Expr, index: int) -> Expr | None:
    """[a, b][1] -> b; "abc"[1] -> 'b'; 5[0] -> true"""
    match root:
        case nodes.Array() if -len(root.items) <= index < len(root.items) and rewriter.purity.of_expressions(root.items):
            return moved(root.items[index], root.at)
        case Constant(value=value) if type(value) is int and -BITS <= index < BITS:
            return Constant(root.at, bool(value >> index % BITS & 1))
        case Constant(value=value) if type(value) is str and -len(value) <= index < len(value):
            return Constant(root.at, Char(value[index]))
    return None


def _rewrite_links(rewriter: Rewriter, links: tuple[Link, ...]) -> tuple[Link, ...]:
    """The arguments and indexes; what follows an index `()` optionally is dropped, as in the engine."""
    for link in links:
        if type(link) is not PropertyLink:
            break
    else:
        return links
    if len(links) == 1:
        link = _rewrite_link(rewriter, links[0], is_last=True)
        return links if link is links[0] else (link,)
    done: list[Link] = []
    for place, link in enumerate(links):
        after = links[place + 1] if place + 1 < len(links) else None
        if after is not None and after.optional and isinstance(link, IndexLink) and is_unit(link.index):
            rewriter.changed = True
            return (*done, link)
        done.append(_rewrite_link(rewriter, link, is_last=after is None))
    return same_or_new(links, done)


def _rewrite_link(rewriter: Rewriter, link: Link, is_last: bool) -> Link:
    if isinstance(link, MethodLink):
        args = rewrite_arguments(rewriter, link.args)
        return link if args is link.args else MethodLink(link.at, link.name, link.name_at, args, link.optional)
    if isinstance(link, IndexLink):
        inner = link.index
        index = _rewrite_last_index(rewriter, inner) if is_last and type(inner) is Chain else rewriter.expression(inner)
        return link if index is inner else IndexLink(link.at, index, link.optional)
    return link


def _rewrite_last_index(rewriter: Rewriter, expr: Chain) -> Expr:
    """The engine takes a chain as last index, `a[b.c]`, for more links of the outer one: nothing is folded, all is rewritten."""
    if expr.links[0].optional and is_unit(expr.root):
        return rewriter.changed_to(expr.root)
    return _with_links(rewriter, expr, rewriter.expression(expr.root))
