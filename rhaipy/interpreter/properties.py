"""Properties of values that are no maps: getters and setters, and indexers with the property's name where there are none."""

from rhaipy.errors import DotExpr, IndexingType
from rhaipy.interpreter.assignments import assign_to
from rhaipy.interpreter.machine import Machine
from rhaipy.interpreter.natives import GETTER, SETTER, call_native, index_getter, index_setter
from rhaipy.interpreter.places import Local, Place
from rhaipy.source import At
from rhaipy.syntax.nodes import Assign, Expr, PropertyLink
from rhaipy.values import Value


def get_property(machine: Machine, place: Place, link: PropertyLink) -> Value:
    """place.name"""
    try:
        return call_native(machine, GETTER + link.name, [place.value], place, link.name_at)[0]
    except DotExpr as error:
        missing = error
    try:
        return index_getter(machine, place, link.name, link.at)
    except IndexingType:
        raise missing from None


def set_property(machine: Machine, place: Place, link: PropertyLink, value: Value) -> Value:
    """place.name = value"""
    try:
        return call_native(machine, SETTER + link.name, [place.value, value], place, link.name_at)[0]
    except DotExpr as error:
        missing = error
    try:
        return index_setter(machine, place, link.name, value, link.at)
    except IndexingType:
        raise missing from None


def write_back_property(machine: Machine, place: Place, link: PropertyLink, value: Value) -> None:
    """place.name = value, where value was got from there and changed; nothing happens if the property cannot be set."""
    try:
        call_native(machine, SETTER + link.name, [place.value, value], place, link.name_at)
    except DotExpr:
        write_back_index(machine, place, link.name, value, link.at)


def write_back_index(machine: Machine, place: Place, index: Value, value: Value, at: At) -> None:
    """place[index] = value, where value was got from there and changed; nothing happens if there is no indexer."""
    try:
        index_setter(machine, place, index, value, at)
    except IndexingType:
        return


def assign_property(machine: Machine, node: Assign, root: Expr, place: Place, link: PropertyLink, value: Value) -> Value:
    """place.name = value, place.name += value"""
    if node.operator:
        changed = Local(get_property(machine, place, link))
        assign_to(machine, node, root, changed, value)
        value = changed.value
    return set_property(machine, place, link, value)
