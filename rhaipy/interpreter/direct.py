"""The short way through a chain: properties of maps and items of arrays in a variable, where nothing is out of the ordinary.

Most chains are such, and need no places. Until it is sure that the whole way is short, nothing is counted or changed; if it is
not, `chains` takes the long way from the start.
"""

from rhaipy.costs import SMALL
from rhaipy.interpreter.assignments import result_of
from rhaipy.interpreter.machine import Machine
from rhaipy.syntax.nodes import Assign, Chain, Expr, Link, PropertyLink, This, Variable
from rhaipy.typings import Any, Final
from rhaipy.values import Shared, Value

NOWHERE: Final[Value] = Shared(None)
"""Where no short way leads. No cell is ever found in a container."""


def reach(machine: Machine, root: Expr, links: tuple[Link, ...], given: list[Any], changes: bool = False) -> Value:
    """What `links` lead to, not copied and not counted; NOWHERE if the way is not short.

    `given` is what was evaluated for all links of the chain: there are operations for the root and each of them. `changes`: the
    value will be changed.
    """
    meter = machine.meter
    if meter.operations + len(given) >= meter.ceiling:
        return NOWHERE
    if type(root) is Variable:
        scope, slot = machine.scope, root.slot
        if not 0 < slot <= len(scope.names) or machine.always_search or machine.on_var is not None:
            return NOWHERE
        value = scope.values[-slot]
        if changes and scope.constants[-slot]:
            return NOWHERE
        if type(value) is Shared:
            if changes or value.locked:
                return NOWHERE
            value = value.value
    elif type(root) is This and machine.this is not None and not (changes and machine.this.constant):
        value = machine.this.value
    else:
        return NOWHERE
    for link, index in zip(links, given, strict=False):
        if type(value) is list:
            if type(index) is not int or not -len(value) <= index < len(value):
                return NOWHERE
            value = value[index]
        elif type(value) is dict:
            key = link.name if type(link) is PropertyLink else index
            if type(key) is not str or len(key) > SMALL or key not in value:
                return NOWHERE
            value = value[key]
        else:
            return NOWHERE
    return value


def put(machine: Machine, node: Assign, target: Chain, given: list[Any], value: Value) -> bool:
    """target = value, target += value, counted; False if the way is not short."""
    container = reach(machine, target.root, target.links[:-1], given, True)
    link, key = target.links[-1], given[-1]
    if type(container) is list:
        if type(key) is not int or not -len(container) <= key < len(container):
            return False
    elif type(container) is dict:
        key = link.name if type(link) is PropertyLink else key
        if type(key) is not str or len(key) > SMALL:
            return False
    else:
        return False
    machine.meter.operations += 1 + len(given)
    if node.operator:
        if type(container) is dict and key not in container:
            container[key] = None
        old = container[key] if machine.sharing is None else machine.copy_changed(container[key], node.at)
        changed = result_of(machine, node, target.root, old, value)
    else:
        changed = value
    container[key] = changed
    if machine.sizes.limited:
        machine.sizes.add(value)
        machine.sizes.check(container if type(link) is PropertyLink else changed, node.at)
    return True
