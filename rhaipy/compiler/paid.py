"""Work on small values where fuel, memory or sizes are bounded: paid and judged as the reference evaluator does, in one call.

`left` is how many operations are left once those that are pending, and the call itself, are taken off. Whoever is not sure that
all is within the bounds says so (None, or a number below zero) before anything has happened, and the slow way does it instead.
"""

from sys import getsizeof
from typing import Any, Final

from rhaipy.costs import COPIED, SMALL
from rhaipy.interpreter.callbacks import WORK
from rhaipy.interpreter.machine import Machine
from rhaipy.interpreter.natives import GROWTH
from rhaipy.limits import Meter
from rhaipy.source import At
from rhaipy.unicode import trim
from rhaipy.values import Value

ABOUT_A_NUMBER: Final = 1 + WORK + 1
"""What the text of a number takes off: the operator is called, and calls back for an operation that is forgotten."""

EMPTY: Final = getsizeof("")
"""Bytes of a text of ASCII beside its characters."""

FREE_TO_TRIM: Final = 31
"""Characters that are taken away for nothing."""


def append_text(meter: Meter, left: int, text: str, more: str) -> int:
    """Pay for `text` += `more`, which may be done in place then; what is left."""
    if left < 0 or not (text and more and text.isascii() and more.isascii()):
        return -1
    size = len(text) + len(more)
    bytes_in_memory = size + EMPTY
    units = bytes_in_memory >> COPIED
    if 0 < meter.limits.max_string_size < size or left < units or not meter.takes(bytes_in_memory):
        return -1
    if units:
        meter.operations = operations = meter.ceiling - left
        meter.charge(units)
        return meter.ceiling - operations
    return left


def join_texts(meter: Meter, left: int, first: str, second: str) -> str | None:
    """first + second"""
    size = len(first) + len(second)
    if left < 0 or size > SMALL or 0 < meter.limits.max_string_size < size * 4:
        return None
    joined = first + second
    return joined if meter.takes(getsizeof(joined)) else None


def join_number(meter: Meter, left: int, text: str, number: int) -> str | None:
    """text + number: a function of the library, which calls back for the text of the number."""
    if left < ABOUT_A_NUMBER or len(text) > SMALL >> 1 or 0 < meter.limits.max_string_size < SMALL * 4:
        return None
    shown = str(number)
    joined = text + shown
    # Three texts are told of: that of the number, the sum, and the sum again as the value of the call.
    if not meter.takes(getsizeof(shown) + 2 * getsizeof(joined)):
        return None
    operations = meter.ceiling - left + 1
    meter.operations = operations + 1
    meter.charge(WORK)
    meter.forget(operations)
    return joined


def trim_text(machine: Machine, left: int, text: Any) -> str | None:
    """text.trim(): what becomes of the text"""
    if left < 0 or type(text) is not str or len(text) > SMALL:
        return None
    trimmed = trim(text)
    meter = machine.meter
    if len(text) - len(trimmed) > FREE_TO_TRIM or 0 < meter.limits.max_string_size < len(trimmed) * 4:
        return None
    if not meter.takes(getsizeof(trimmed)):
        return None
    machine.sizes.add(trimmed)
    return trimmed


def push_item(machine: Machine, left: int, items: Any, item: Value, at: At) -> int:
    """items.push(item); what is left"""
    if left < 0 or type(items) is not list:
        return -1
    meter = machine.meter
    meter.operations = meter.ceiling - left
    items.append(item)
    meter.allocate(GROWTH, at)
    machine.sizes.pushed(items, item, at)
    return meter.ceiling - meter.operations


def length_of(machine: Machine, left: int, value: Any, at: At) -> int:
    """value.len()"""
    if left < 0 or (type(value) is not str and type(value) is not list):
        return -1
    meter = machine.meter
    meter.operations = meter.ceiling - left
    if type(value) is list:
        machine.sizes.check(value, at)
    return len(value)
