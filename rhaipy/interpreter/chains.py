"""Chains of properties, indexes and methods, read or assigned to.

First all arguments are evaluated, then the chain is walked from its root, one place after the other. What came through a getter
or an indexer is no place, so it is written back when something further on may have changed it.
"""

from collections.abc import Callable

from rhaipy.errors import IndexingType, RhaiError, UnboundThis
from rhaipy.interpreter.assignments import assign_to
from rhaipy.interpreter.direct import NOWHERE, put, reach
from rhaipy.interpreter.indexing import indexed
from rhaipy.interpreter.machine import Machine, handles
from rhaipy.interpreter.methods import run_method
from rhaipy.interpreter.natives import index_getter, index_setter
from rhaipy.interpreter.operands import arguments
from rhaipy.interpreter.places import Local, Place, Temporary
from rhaipy.interpreter.properties import assign_property, get_property, write_back_index, write_back_property
from rhaipy.interpreter.scripts import Called
from rhaipy.interpreter.variables import qualified_place, release, variable_place, variable_value
from rhaipy.optimize.literals import literal
from rhaipy.optimize.purity import start
from rhaipy.source import At
from rhaipy.syntax.nodes import Assign, Chain, Expr, IndexLink, Link, MethodLink, PropertyLink, QualifiedVariable, This, Variable
from rhaipy.typings import Any, Final, TypeAlias
from rhaipy.values import UNCHANGING, Value

Given: TypeAlias = Any
"""What was evaluated for a link: an index, a list of arguments, nothing for a property."""


@handles(Chain)
def read_chain(machine: Machine, node: Chain) -> Value:
    given = _evaluate_links(machine, node.links)
    last = node.links[-1]
    value = NOWHERE if type(last) is MethodLink else reach(machine, node.root, node.links, given)
    if value is NOWHERE:
        return _run(machine, node, given, None, None)
    machine.meter.operations += 1 + len(given)
    if type(value) in UNCHANGING:
        return value
    return machine.copy(value, last.name_at if type(last) is PropertyLink else last.at)


def assign_chain(machine: Machine, node: Assign, target: Chain, value: Value) -> None:
    """target = value, target += value"""
    given = _evaluate_links(machine, target.links)
    if not put(machine, node, target, given, value):
        _run(machine, target, given, node, value)


def _run(machine: Machine, node: Chain, given: list[Given], assignment: Assign | None, value: Value) -> Value:
    place = _root_place(machine, node.root)
    try:
        return walk(machine, node, place, given, assignment, value)
    finally:
        if type(node.root) is Variable:
            release(machine, place)


def _root_place(machine: Machine, root: Expr) -> Place:
    if type(root) is Variable:
        machine.meter.operation(root.at)
        return variable_place(machine, root)
    if type(root) is This:
        machine.meter.operation(root.at)
        if machine.this is None:
            raise UnboundThis(root.at)
        return machine.this
    if type(root) is QualifiedVariable:
        machine.meter.operation(root.at)
        return qualified_place(machine, root)
    return Temporary(machine.value_of(root))


# --- arguments ------------------------------------------------------------------------------------------------------------


def _evaluate_links(machine: Machine, links: tuple[Link, ...]) -> list[Given]:
    """What each link is given, from left to right: one operation for each link, none for one that needs nothing."""
    if len(links) == 1:
        only = links[0]
        if type(only) is PropertyLink or (type(only) is MethodLink and not only.args):
            return [[]]
        if type(only) is IndexLink and type(only.index) is not Variable:
            known = literal(only.index, machine.meter)
            if known is not None:
                return [machine.copy(known.value, known.at)]
    meter = machine.meter
    given: list[Given] = []
    for number, link in enumerate(links, 1):
        meter.operations = count = meter.operations + 1
        if count > meter.ceiling:
            meter.judge(links[number].at if number < len(links) else _at(link))
        if type(link) is IndexLink:
            index = link.index
            given.append(variable_value(machine, index) if type(index) is Variable else machine.value_of(index))
        elif type(link) is MethodLink:
            given.append(arguments(machine, link.args))
        else:
            given.append(None)
    return given


def _at(link: Link) -> At:
    return link.index.at if isinstance(link, IndexLink) else link.name_at


# --- the walk -------------------------------------------------------------------------------------------------------------

WriteBack: TypeAlias = tuple[Place, Link, Value, Place]
"""Where a value was got from, through which link and index, and where it is now."""


def walk(machine: Machine, node: Chain, place: Place, given: list[Given], assignment: Assign | None, value: Value) -> Value:
    pending: list[WriteBack] = []
    result, changed = None, False
    last = len(node.links) - 1
    for number, link in enumerate(node.links):
        if link.optional and place.value is None:
            break
        if number < last:
            place = _STEPS[type(link)](machine, place, link, given[number], pending)
        elif assignment is None:
            result, changed = _ENDS[type(link)](machine, place, link, given[number])
        else:
            result, changed = _assign_end(machine, assignment, node.root, place, link, given[number], value)
    if changed and pending:
        _write_back(machine, pending)
    return result


def _write_back(machine: Machine, pending: list[WriteBack]) -> None:
    for source, link, index, item in reversed(pending):
        if isinstance(link, PropertyLink):
            write_back_property(machine, source, link, item.value)
        else:
            write_back_index(machine, source, index, item.value, link.at)


# --- links in between -----------------------------------------------------------------------------------------------------


def _step_index(machine: Machine, place: Place, link: IndexLink, index: Value, pending: list[WriteBack]) -> Place:
    item = indexed(machine, place, index, start(link.index), link.at)
    if item.temporary:
        pending.append((place, link, index, item))
    return item


def _step_property(machine: Machine, place: Place, link: PropertyLink, given: Given, pending: list[WriteBack]) -> Place:
    if type(place.value) is dict:
        return indexed(machine, place, link.name, link.name_at, link.at)
    got = Local(get_property(machine, place, link))
    pending.append((place, link, None, got))
    return got


def _step_method(machine: Machine, place: Place, link: MethodLink, args: list[Value], pending: list[WriteBack]) -> Place:
    return Temporary(machine.flatten(run_method(machine, place, link, args)[0]))


_STEPS: Final[dict[type, Callable[..., Place]]] = {
    IndexLink: _step_index,
    PropertyLink: _step_property,
    MethodLink: _step_method,
}

# --- the last link --------------------------------------------------------------------------------------------------------


def _end_index(machine: Machine, place: Place, link: IndexLink, index: Value) -> Called:
    return _taken(machine, indexed(machine, place, index, start(link.index), link.at), link.at), False


def _end_property(machine: Machine, place: Place, link: PropertyLink, given: Given) -> Called:
    if type(place.value) is dict:
        item = indexed(machine, place, link.name, link.name_at, link.at, False, False)
        return _taken(machine, item, link.name_at), False
    return get_property(machine, place, link), False


def _end_method(machine: Machine, place: Place, link: MethodLink, args: list[Value]) -> Called:
    return run_method(machine, place, link, args)


def _taken(machine: Machine, item: Place, at: At) -> Value:
    return machine.copy(item.value, at) if item.refers else item.value


_ENDS: Final[dict[type, Callable[..., Called]]] = {
    IndexLink: _end_index,
    PropertyLink: _end_property,
    MethodLink: _end_method,
}


def _assign_end(machine: Machine, node: Assign, root: Expr, place: Place, link: Link, index: Value, value: Value) -> Called:
    if isinstance(link, PropertyLink):
        if type(place.value) is not dict:
            return assign_property(machine, node, root, place, link, value), True
        item = indexed(machine, place, link.name, link.name_at, link.at, True, False)
        assign_to(machine, node, root, item, value)
        machine.sizes.check(place.value, node.at)
    elif isinstance(link, IndexLink):
        _assign_index(machine, node, root, place, link, index, value)
    return None, True


def _assign_index(machine: Machine, node: Assign, root: Expr, place: Place, link: IndexLink, index: Value, value: Value) -> None:
    try:
        item = indexed(machine, place, index, start(link.index), link.at, True, False)
    except IndexingType:
        _assign_through_indexer(machine, node, root, place, link, index, value)
        return
    assign_to(machine, node, root, item, value)
    machine.sizes.check(item.value, node.at)


def _assign_through_indexer(
    machine: Machine, node: Assign, root: Expr, place: Place, link: IndexLink, index: Value, value: Value
) -> None:
    if node.operator:
        try:
            changed: Place | None = Temporary(index_getter(machine, place, index, link.at))
        except RhaiError:
            if machine.meter.exhausted:
                raise
            changed = None
        if changed is not None:
            assign_to(machine, node, root, changed, value)
            value = changed.value
            machine.sizes.check(value, node.at)
    index_setter(machine, place, index, value, link.at)
