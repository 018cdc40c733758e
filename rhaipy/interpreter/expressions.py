"""Literals: constants, arrays, maps, text with code in it, and blocks as expressions. Sizes are judged while they fill."""

from sys import getsizeof

from rhaipy.costs import charge_text_copy, paid_utf8_length
from rhaipy.display import display
from rhaipy.errors import RhaiError
from rhaipy.interpreter.machine import Machine, handles
from rhaipy.interpreter.natives import call_native
from rhaipy.interpreter.places import Local
from rhaipy.sizes import Sizes, throw_on_size, weigh_part
from rhaipy.source import At
from rhaipy.syntax.nodes import Array, BlockExpr, Constant, Interpolation, Map
from rhaipy.values import UNCHANGING, Value, type_name


@handles(Constant)
def constant(machine: Machine, node: Constant) -> Value:
    value = node.value
    return value if type(value) in UNCHANGING else machine.copy_of(node, value)


@handles(BlockExpr)
def run_block(machine: Machine, node: BlockExpr) -> Value:
    return machine.block(node.body.statements)


@handles(Array)
def make_array(machine: Machine, node: Array) -> Value:
    array: list[Value] = []
    total = Sizes(0, 0, 0)
    for item in node.items:
        value = machine.value_of(item)
        if machine.sizes.limited:
            more = weigh_part(value, machine.meter)
            total = Sizes(total.items + more.items + 1, total.entries + more.entries, total.bytes + more.bytes)
            throw_on_size(total, machine.meter, item.at)
        array.append(value)
    machine.meter.allocate(56 + 8 * len(array), node.at)
    return array


@handles(Map)
def make_map(machine: Machine, node: Map) -> Value:
    made: dict[str, Value] = {}
    total = Sizes(0, 0, 0)
    for key, item in node.entries:
        value = machine.value_of(item)
        if machine.sizes.limited:
            more = weigh_part(value, machine.meter)
            total = Sizes(total.items + more.items, total.entries + more.entries + 1, total.bytes + more.bytes)
            throw_on_size(total, machine.meter, item.at)
        made[key] = value
    machine.meter.allocate(64 + 100 * len(made), node.at)
    return made


@handles(Interpolation)
def interpolate(machine: Machine, node: Interpolation) -> Value:
    meter = machine.meter
    pieces: list[str] = []
    size = 0
    for part in node.parts:
        value = machine.value_of(part)
        text = value if type(value) is str else printed(machine, value, part.at)
        pieces.append(text)
        size += paid_utf8_length(meter, text)
        meter.string(size, part.at)
    made = "".join(pieces)
    charge_text_copy(meter, made)
    meter.allocate(getsizeof(made), node.at)
    return made


def printed(machine: Machine, value: Value, at: At) -> str:
    """The text of `value` as `to_string` gives it; its display text where that fails."""
    machine.level += 1
    try:
        text = call_native(machine, "to_string", [value], Local(value), at)[0]
    except RhaiError:
        if machine.meter.exhausted:
            raise
        return display(value, machine.meter)
    finally:
        machine.level -= 1
    return text if type(text) is str else type_name(text, machine.meter.types)
