"""Where a chain starts, and what the evaluator's own walk from there looks like in compiled code."""

import ast
from collections.abc import Callable

from rhaipy.compiler import code
from rhaipy.compiler.expressions import content, host_node
from rhaipy.compiler.unit import Operand, Unit, Unsupported, Variable
from rhaipy.compiler.values import value
from rhaipy.interpreter.natives import ANSWERED, GETTER, INDEX_GETTER
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Expr, IndexLink, Link, MethodLink, This
from rhaipy.typings import Final

_POINTERS: Final = frozenset({"call", "curry", "is_shared"})


class Root:
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


def may_change(unit: Unit, links: tuple[Link, ...]) -> bool:
    """May a chain that is read change the variable that it starts from?"""
    for link in links:
        if isinstance(link, MethodLink) and not is_native(unit, link.name, len(link.args)):
            return True
        names = {INDEX_GETTER, link.name, GETTER + link.name} if not isinstance(link, IndexLink) else {INDEX_GETTER}
        for name in names:
            if unit.profile.functions.mutates(name):
                return True
    return False


def is_native(unit: Unit, name: str, count: int) -> bool:
    """Is the method `name` certainly none of the script's and none of the language's?"""
    if name in _POINTERS or name in ANSWERED or (name, count) in unit.library.functions:
        return False
    return not [method for method in unit.library.methods if method[1] == name]


def _handed(given: list[Operand]) -> ast.expr:
    """All that the links are given, as the evaluator wants it."""
    return code.list_of(
        [code.list_of(operand.expr.elts) if isinstance(operand.expr, ast.Tuple) else operand.expr for operand in given]
    )
