"""Chains. Indexes and properties that are read out of arrays and maps are Python's own; all else is walked by the evaluator."""

import ast
from collections.abc import Callable
from typing import Final

from rhaipy.compiler import code
from rhaipy.compiler.expressions import content, host_node
from rhaipy.compiler.kinds import NAMES
from rhaipy.compiler.known import KNOWN
from rhaipy.compiler.sites import Site
from rhaipy.compiler.unit import Operand, Unit, Unsupported, Variable
from rhaipy.compiler.values import arguments, compiles, kept, value
from rhaipy.costs import SMALL
from rhaipy.interpreter.natives import ANSWERED, GETTER, INDEX_GETTER
from rhaipy.library import STANDARD
from rhaipy.limits import Limits, Meter
from rhaipy.optimize.literals import literal
from rhaipy.source import NONE, At
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Assign, Chain, Expr, IndexLink, Link, MethodLink, PropertyLink, This
from rhaipy.values import UNCHANGING

_SLOW: Final = code.load("SLOW")
_POINTERS: Final = frozenset({"call", "curry", "is_shared"})


@compiles(Chain)
def chain(unit: Unit, node: Chain) -> Operand:
    given = _given(unit, node)
    root = _Root(unit, node.root)
    root.may_change = _may_change(unit, node.links)
    if root.is_plain and _is_path(node.links):
        return _read(unit, node, root, given)
    root.keep()
    called = _known(unit, node, root, given) or _method(unit, node, root, given)
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


def _handed(given: list[Operand]) -> ast.expr:
    """All that the links are given, as the evaluator wants it."""
    return code.list_of(
        [code.list_of(operand.expr.elts) if isinstance(operand.expr, ast.Tuple) else operand.expr for operand in given]
    )


# --- roots ----------------------------------------------------------------------------------------------------------------


class _Root:
    """Where a chain starts. `is_plain`: its value can be had without the evaluator, at `expr`."""

    def __init__(self, unit: Unit, node: Expr) -> None:
        self.unit = unit
        self.node = node
        self.variable: Variable | None = None
        self.is_plain = False
        self.may_change = True
        self.expr: ast.expr = code.constant(None)
        if isinstance(node, nodes.Variable):
            unit.count(node.at)
            self.variable = unit.spot(node.name, node.slot)
            if self.variable is not None:
                self.is_plain = True
                self.expr = content(unit, self.variable)
            elif not unit.is_program:
                raise Unsupported
        elif isinstance(node, This):
            unit.count(node.at)
            if unit.is_program:
                raise Unsupported
            unbound = unit.fail(code.call("UnboundThis", code.constant(node.at)))
            unit.emit(code.if_(code.is_(code.load("this"), code.constant(None)), [unbound]))
            self.is_plain = True
            self.expr = code.attribute(code.load("this"), "value")
        elif isinstance(node, nodes.QualifiedVariable):
            raise Unsupported
        else:
            self.is_plain = True
            self.expr = unit.keep(value(unit, node).expr)

    def keep(self) -> None:
        """It is not only read from."""
        if self.variable is not None:
            self.variable.is_kept = True

    @property
    def kind(self) -> type | None:
        """What is known of the root's value."""
        return self.variable.kind if self.variable is not None else None

    def place(self) -> ast.expr:
        """The root as a place of the evaluator."""
        if self.variable is not None:
            return code.call("Frame", self.variable.load, code.constant(self.variable.constant))
        if isinstance(self.node, This):
            return code.load("this")
        return code.call("Temporary", self.expr)

    def walk(self, node: ast.expr, given: list[Operand], assignment: ast.expr, new: ast.expr) -> ast.expr:
        """Let the evaluator walk the chain; its value."""
        unit = self.unit
        name = unit.temporary()
        if isinstance(self.node, nodes.Variable) and self.variable is None:
            host = host_node(unit, self.node)
            return unit.callout(
                "walk_host", code.load("machine"), code.load("base"), host, node, _handed(given), assignment, new, into=name
            )
        if self.variable is None:
            return unit.callout("walk_flat", code.load("machine"), node, self.place(), _handed(given), assignment, new, into=name)
        self._walk_variable(self.variable, name, [node, _handed(given), assignment, new])
        return code.load(name)

    def _walk_variable(self, variable: Variable, name: str, args: list[ast.expr]) -> None:
        function = "walk_released" if variable.is_cell else "walk_flat"
        machine = code.load("machine")
        self.change(variable, lambda place: self.unit.callout(function, machine, args[0], place, *args[1:], into=name))

    def change(self, variable: Variable, work: Callable[[ast.expr], ast.expr]) -> None:
        """Let `work` be done on the place of the variable, and bring home what it holds then."""
        unit = self.unit
        unit.flush()
        function, owner = ("place_of", [code.load("machine")]) if variable.is_cell else ("Frame", [])
        place = unit.keep(code.call(function, *owner, variable.load, code.constant(variable.constant)))
        with unit.python_block() as lines:
            work(place)
        if not variable.is_cell and not self.may_change:
            unit.lines.extend(lines)
            return
        home = code.assign(variable.code, code.attribute(place, "home"))
        if variable.is_cell:
            home = code.if_(code.negate(code.kind_is(variable.load, "Shared")), [home])
        unit.note(variable, None)
        unit.finally_(lines, home)


def _may_change(unit: Unit, links: tuple[Link, ...]) -> bool:
    """May a chain that is read change the variable that it starts from?"""
    for link in links:
        if isinstance(link, MethodLink) and not is_native(unit, link.name, len(link.args)):
            return True
        names = {INDEX_GETTER, link.name, GETTER + link.name} if not isinstance(link, IndexLink) else {INDEX_GETTER}
        for name in names:
            if unit.profile.functions.mutates(name):
                return True
    return False


# --- reading --------------------------------------------------------------------------------------------------------------


def _is_path(links: tuple[Link, ...]) -> bool:
    """Is it nothing but indexes and properties?"""
    for link in links:
        if isinstance(link, MethodLink) or link.optional:
            return False
        if isinstance(link, PropertyLink) and len(link.name) > SMALL:
            return False
    return True


def _read(unit: Unit, node: Chain, root: _Root, given: list[Operand]) -> Operand:
    before = list(unit.pending)
    name = unit.temporary()
    made = code.load(name)
    lines: list[ast.stmt] = []
    current = root.expr
    for link, index in zip(node.links, given, strict=True):
        unit.count(NONE)
        lines.append(code.assign(name, _part(unit, link, index, current)))
        current = made
    after, unit.pending = unit.pending, before
    with unit.branch() as slow:
        walked = root.walk(unit.pool.add(node), given, code.constant(None), code.constant(None))
        unit.emit(code.assign(name, walked))
        unit.dead = True
        _restore(unit, after)
    unit.pending = after
    unit.need_block()
    unit.emit(code.try_(lines, "MISSING", None, [code.assign(name, _SLOW)]))
    unit.emit(code.if_(code.is_(made, _SLOW), slow))
    last = node.links[-1]
    return Operand(made, None, last.at if isinstance(last, IndexLink) else last.name_at)


def _restore(unit: Unit, after: list[At]) -> None:
    # The walk counted all, and nothing is pending; on the other way all is pending.
    owed = len(after) - len(unit.pending)
    if owed:
        unit.emit(code.subtract_left(-owed))


def _part(unit: Unit, link: Link, index: Operand, owner: ast.expr) -> ast.expr:
    """The part of `owner` that `link` names, or SLOW."""
    if isinstance(link, PropertyLink):
        return code.choose(code.kind_is(owner, "dict"), code.item(owner, code.constant(link.name)), _SLOW)
    got = code.item(owner, index.expr)
    if index.kind is int:
        return code.choose(code.kind_is(owner, "list"), got, _SLOW)
    if index.kind is str and isinstance(index.expr, ast.Constant):
        return code.choose(code.kind_is(owner, "dict"), got, _SLOW)
    number = code.all_of([code.kind_is(index.expr, "int"), code.kind_is(owner, "list")])
    if index.kind is not None and index.kind is not str:
        return _SLOW
    text = [code.kind_is(index.expr, "str"), code.kind_is(owner, "dict")]
    if unit.profile.metered:
        text.append(code.compare(code.call("len", index.expr), ast.LtE(), code.load("SMALL")))
    return code.choose(code.any_of([number, code.all_of(text)]), got, _SLOW)


# --- methods --------------------------------------------------------------------------------------------------------------


def is_native(unit: Unit, name: str, count: int) -> bool:
    """Is the method `name` certainly none of the script's and none of the language's?"""
    if name in _POINTERS or name in ANSWERED or (name, count) in unit.library.functions:
        return False
    return not [method for method in unit.library.methods if method[1] == name]


def _known(unit: Unit, node: Chain, root: _Root, given: list[Operand]) -> Operand | None:
    """variable.name(args), where Python does the same in a word, and nothing has to be measured"""
    link, variable = node.links[0], root.variable
    if len(node.links) > 1 or not isinstance(link, MethodLink) or link.optional or variable is None or variable.is_cell:
        return None
    method = KNOWN.get((link.name, len(link.args)))
    if method is None or not is_native(unit, link.name, len(link.args)) or unit.profile.metered or unit.profile.sized:
        return None
    kinds = [kind for kind in method.kinds if variable.kind in (None, kind) and is_standard(unit, link, kind)]
    if not kinds or (variable.constant and method.changes):
        return None
    assert isinstance(given[0].expr, ast.Tuple)
    unit.flush()
    result = unit.temporary()
    with unit.branch() as slow:
        walked = root.walk(unit.pool.add(node), given, code.constant(None), code.constant(None))
        unit.emit(code.assign(result, walked))
    with unit.branch() as fast:
        unit.count(link.name_at)
        unit.flush()
        fast.extend(method.lines(variable.code, given[0].expr.elts, result))
    unit.emit(code.if_(code.any_of([code.kind_is(variable.load, NAMES[kind]) for kind in kinds]), fast, slow))
    return Operand(code.load(result), None)


def is_standard(unit: Unit, link: MethodLink, kind: type) -> bool:
    """Does a method of the standard library answer, whatever the arguments are?"""
    functions = unit.profile.functions
    if link.args and functions is not STANDARD and [item for item in functions if item.host and item.name == link.name]:
        return False
    kinds = (kind, *[object] * len(link.args))
    found = functions.find(link.name, kinds)
    return found is not None and found is STANDARD.find(link.name, kinds)


def _method(unit: Unit, node: Chain, root: _Root, given: list[Operand]) -> Operand | None:
    """variable.name(args), where none but native functions can be meant"""
    link, variable = node.links[0], root.variable
    if len(node.links) > 1 or not isinstance(link, MethodLink) or link.optional or variable is None or variable.is_cell:
        return None
    if not is_native(unit, link.name, len(link.args)):
        return None
    profile = unit.profile
    site = unit.pool.add(Site(link, not profile.metered and not profile.sized))
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
    root = _Root(unit, target.root)
    root.keep()
    if node.operator or not _is_path(target.links) or not _is_assignable(unit, root, target.links[-1]):
        root.walk(unit.pool.add(target), given, unit.pool.add(node), new.expr)
        return
    _assign_part(unit, node, target, root, given, new)


def _is_assignable(unit: Unit, root: _Root, last: Link) -> bool:
    if root.variable is None or root.variable.is_cell or root.variable.constant:
        return False
    return not unit.profile.sized or isinstance(last, IndexLink)


def _assign_part(unit: Unit, node: Assign, target: Chain, root: _Root, given: list[Operand], new: Operand) -> None:
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
        lines.append(code.assign(owner, _part(unit, link, index, code.load(owner))))
    unit.need_block()
    unit.emit(code.try_(lines, "MISSING", None, [code.assign(owner, _SLOW)]))
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
