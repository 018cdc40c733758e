"""Sharing: what a script leaves alone needs no copies.

Values are values in Rhai: who gets one may change it, and nobody else sees that. The evaluators keep that promise by copying
whenever a value gets a second home, containers in containers included. But most scripts change containers only where they
built them: in variables, and no deeper (`kept.push(x)`, `found.name = y`). Then nothing that is inside of a container ever
changes, so that it may be in many at once, and only the variables that are changed need containers of their own.

`sharing_of` proves that of a script, or gives None where it cannot; then everything is copied. Both tiers copy at the same
places, so that copies cost the same fuel. It knows nothing of runs: whether a host could interfere is the engine's to judge.
"""

from collections.abc import Callable, Iterator

from rhaipy.functions import FunctionTable
from rhaipy.library import STANDARD
from rhaipy.modules import Library
from rhaipy.records import record
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Assign, Chain, Expr, Let, MethodLink, Stmt, Variable
from rhaipy.typings import Any, Final
from rhaipy.values import FnPtr, Value

CHANGES_NOTHING: Final = frozenset((
    "contains", "extract", "filter", "for_each", "get", "map", "order", "order_by", "order_desc",
))  # fmt: skip
"""Functions of the library that take their first argument for changing, and leave it as it is. Callbacks could change items
through `this`; but no script that shares has one."""

CHANGES_NO_CONTAINER: Final = frozenset(("crop", "make_lower", "make_upper", "replace", "set_bit", "set_bits", "trim"))
"""Those that put something new where their first argument was, but change no array, map or blob."""

CALLS_BY_NAME: Final = frozenset((
    "all", "dedup", "drain", "filter", "index_of", "map", "reduce", "reduce_rev", "retain", "some", "sort",
))  # fmt: skip
"""Functions of the library that call what a text names: that might be one that changes the items of an array."""

_UNSEEN: Final = frozenset({"Fn", "eval", "parse_json"})
"""Calls by which a script does what its text does not show: what the engine takes for JSON may be `Fn("push")`."""

_NEW: Final = (nodes.Constant, nodes.Array, nodes.Map, nodes.Interpolation, nodes.And, nodes.Or)
"""Expressions whose values have no other home."""


@record
class Sharing:
    """Where a script that shares makes copies nevertheless, of the outermost container only.

    `reads` are the variables that it changes in place, where they are read as a whole; `stores` are the definitions and
    assignments that give them what may have another home.
    """

    reads: frozenset[Variable]
    stores: frozenset[Let | Assign]


class _Unprovable(Exception):
    """Something of the script may change what is inside of a container."""


def sharing_of(statements: tuple[Stmt, ...], library: Library, functions: FunctionTable) -> Sharing | None:
    """How the script shares; None where every copy has to be made, or `functions` are the host's."""
    if functions.has_host_functions:
        return None
    reads: list[Variable] = []
    stores: list[Let | Assign] = []
    try:
        for params, body in _units(statements, library):
            unit = _Unit(library, functions, params)
            unit.read(body)
            if unit.changed & unit.given:
                return None
            reads += [node for node in unit.reads if node.name in unit.changed]
            stores += [node for name, node in unit.stores if name in unit.changed]
    except _Unprovable:
        return None
    return Sharing(frozenset(reads), frozenset(stores))


def _units(statements: tuple[Stmt, ...], library: Library) -> Iterator[tuple[tuple[str, ...], tuple[Stmt, ...]]]:
    """Each set of variables, and what is done with them: the program, and each function. No other sees them."""
    yield (), statements
    for same in library.named.values():
        for function in same:
            yield function.definition.params, function.definition.body.statements


class _Unit:
    """One function, or the program.

    `changed` are the variables that it changes in place; `given` those that get what may have another home and cannot be copied
    for them: parameters, what loops and `catch` make, and what closures capture.
    """

    def __init__(self, library: Library, functions: FunctionTable, params: tuple[str, ...]) -> None:
        self.library = library
        self.functions = functions
        self.given = set(params)
        self.changed: set[str] = set()
        self.reads: list[Variable] = []
        self.stores: list[tuple[str, Let | Assign]] = []

    def read(self, root: Any) -> None:
        """Take note of all nodes in `root`. Trees may be deep, so it keeps a stack of its own."""
        pending = [root]
        while pending:
            node = pending.pop()
            if type(node) is tuple:
                pending.extend(node)
            elif hasattr(node, "_fields"):
                look = _LOOKS.get(type(node))
                if look is not None:
                    look(self, node)
                if type(node) is not nodes.Constant:
                    pending.extend(node._fields())

    def call(self, name: str, count: int) -> None:
        """A function of this name is called; a profile may have a `parse_json` of its own, which knows of no functions."""
        if name in _UNSEEN:
            kinds = (str,) * count
            own = self.functions.find(name, kinds)
            if name != "parse_json" or own is None or own is STANDARD.find(name, kinds):
                raise _Unprovable

    def change(self, target: Expr, links: int, name: str) -> None:
        """The native function `name` is called on what so many links lead to from `target`."""
        if name in CHANGES_NOTHING or not self.functions.mutates(name):
            return
        only_place = name in CHANGES_NO_CONTAINER
        if only_place and not links:
            return
        if not isinstance(target, Variable) or links > only_place:
            raise _Unprovable
        self.changed.add(target.name)


# --- what each node does --------------------------------------------------------------------------------------------------


def _look_at_let(unit: _Unit, node: Let) -> None:
    if not isinstance(node.value, _NEW):
        unit.stores.append((node.name, node))


def _look_at_assign(unit: _Unit, node: Assign) -> None:
    target = node.target
    if isinstance(target, Variable):
        if node.operator == "+":
            unit.changed.add(target.name)
        elif not node.operator and not isinstance(node.value, _NEW):
            unit.stores.append((target.name, node))
    elif isinstance(target, Chain) and len(target.links) == 1 and isinstance(target.root, Variable):
        unit.changed.add(target.root.name)
    else:
        raise _Unprovable


def _look_at_chain(unit: _Unit, node: Chain) -> None:
    for number, link in enumerate(node.links):
        if isinstance(link, MethodLink):
            unit.call(link.name, 1 + len(link.args))
            unit.change(node.root, number, link.name)
            _judge_callbacks(link.name, link.args[:1])


def _look_at_call(unit: _Unit, node: nodes.Call) -> None:
    unit.call(node.name, len(node.args))
    if node.in_caller_scope:
        raise _Unprovable
    if node.args:
        unit.change(node.args[0], 0, node.name)
    _judge_callbacks(node.name, node.args[1:2])


def _judge_callbacks(name: str, args: tuple[Expr, ...]) -> None:
    if name in CALLS_BY_NAME and False in [_is_no_text(arg) for arg in args]:
        raise _Unprovable


def _is_no_text(node: Expr) -> bool:
    if isinstance(node, nodes.Constant):
        return type(node.value) is not str
    if isinstance(node, nodes.BlockExpr):
        return nodes.Share in [type(statement) for statement in node.body.statements]  # a closure that captures
    return isinstance(node, nodes.Binary) and node.operator in ("..", "..=")


def _look_at_constant(unit: _Unit, node: nodes.Constant) -> None:
    pending: list[Value] = [node.value]
    while pending:
        value = pending.pop()
        if type(value) is FnPtr and not value.is_anonymous:
            raise _Unprovable
        if type(value) is list:
            pending.extend(value)
        elif type(value) is dict:
            pending.extend(value.values())


def _look_at_variable(unit: _Unit, node: Variable) -> None:
    if node.name in unit.library.named:
        raise _Unprovable  # it may stand for the function
    unit.reads.append(node)


def _look_at_for(unit: _Unit, node: nodes.For) -> None:
    unit.given.add(node.name)


def _look_at_try(unit: _Unit, node: nodes.Try) -> None:
    if node.name is not None:
        unit.given.add(node.name)


def _look_at_share(unit: _Unit, node: nodes.Share) -> None:
    unit.given.update([variable.name for variable in node.variables])


def _give_up(unit: _Unit, node: Any) -> None:
    raise _Unprovable


_LOOKS: Final[dict[type, Callable[[_Unit, Any], None]]] = {
    Let: _look_at_let,
    Assign: _look_at_assign,
    Chain: _look_at_chain,
    nodes.Call: _look_at_call,
    nodes.Constant: _look_at_constant,
    Variable: _look_at_variable,
    nodes.For: _look_at_for,
    nodes.Try: _look_at_try,
    nodes.Share: _look_at_share,
    nodes.This: _give_up,
    nodes.QualifiedCall: _give_up,
    nodes.Import: _give_up,
    nodes.Export: _give_up,
}
