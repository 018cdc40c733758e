"""What compiled code calls for things that it does not do itself. All functions leave the meter exact, also where they raise."""

from collections.abc import Iterator
from sys import getsizeof
from typing import Final, TypeAlias

from rhaipy.costs import charge_text_copy, paid_utf8_length
from rhaipy.errors import EvalError, Thrown
from rhaipy.errors import For as NotIterable
from rhaipy.host import host_items
from rhaipy.interpreter.catching import shown
from rhaipy.interpreter.expressions import printed
from rhaipy.interpreter.machine import Machine
from rhaipy.interpreter.methods import call_linked
from rhaipy.interpreter.places import Place
from rhaipy.interpreter.scripts import call_function
from rhaipy.interpreter.variables import qualified_place
from rhaipy.limits import Meter
from rhaipy.modules import ScriptFunction
from rhaipy.optimize.literals import literal
from rhaipy.scope import Scope
from rhaipy.sizes import Sizes, throw_on_size, weigh_part
from rhaipy.source import At
from rhaipy.syntax.nodes import Constant, Expr, QualifiedVariable
from rhaipy.values import Range, Shared, Value, iterate, switch_key

# --- values ---------------------------------------------------------------------------------------------------------------


def literal_value(meter: Meter, node: Expr) -> Value:
    """The value of a literal."""
    return _known(meter, node).value


def literal_index(machine: Machine, node: Expr) -> Value:
    """The value of a literal that is an index."""
    known = _known(machine.meter, node)
    return machine.copy(known.value, known.at)


def _known(meter: Meter, node: Expr) -> Constant:
    known = literal(node, meter)
    while known is None:
        meter.operation(node.at)  # fuel or memory ran out, so there will be no other
    return known


def qualified_value(machine: Machine, node: QualifiedVariable) -> Value:
    """The value of a module's variable, or of a constant of the program."""
    return qualified_place(machine, node).value


def allocate(meter: Meter, size: int, at: At) -> None:
    """Tell of new bytes."""
    meter.allocate(size, at)


def charge(meter: Meter, units: int) -> None:
    """Pay for work."""
    meter.charge(units)


SoFar: TypeAlias = tuple[int, int, int]
"""Items, entries and bytes of a literal that is being made."""
NO_SIZES: Final[SoFar] = 0, 0, 0
FIXED: Final = frozenset({int, bool, float, type(None)})
"""The types whose values have no size beside that of the place that they take."""


def with_item(meter: Meter, total: SoFar, value: Value, at: At) -> SoFar:
    """The sizes of an array literal so far, and `value` that becomes an item of it; DataTooLarge where that is too much."""
    items, entries, size = total if type(value) in FIXED else _with(meter, total, value)
    if 0 < meter.limits.max_array_size <= items or type(value) not in FIXED:
        throw_on_size(Sizes(items + 1, entries, size), meter, at)
    return items + 1, entries, size


def with_entry(meter: Meter, total: SoFar, value: Value, at: At) -> SoFar:
    """The same for a map literal."""
    items, entries, size = total if type(value) in FIXED else _with(meter, total, value)
    if 0 < meter.limits.max_map_size <= entries or type(value) not in FIXED:
        throw_on_size(Sizes(items, entries + 1, size), meter, at)
    return items, entries + 1, size


def _with(meter: Meter, total: SoFar, value: Value) -> SoFar:
    more = weigh_part(value, meter)
    return total[0] + more.items, total[1] + more.entries, total[2] + more.bytes


def text_of(machine: Machine, value: Value, at: At) -> str:
    """The text that an interpolated value becomes."""
    return value if type(value) is str else printed(machine, value, at)


def add_piece(machine: Machine, pieces: list[str], size: int, value: Value, at: At) -> int:
    """Add a part to an interpolated text; its size so far."""
    meter = machine.meter
    text = value if type(value) is str else printed(machine, value, at)
    pieces.append(text)
    size += paid_utf8_length(meter, text)
    meter.string(size, at)
    return size


def add_plain_piece(machine: Machine, pieces: list[str], size: int, value: Value, at: At) -> int:
    """The same where no host says how integers show: then one takes an operation, and the bytes of its text."""
    meter = machine.meter
    if type(value) is int and meter.operations < meter.ceiling and not 0 < meter.limits.max_string_size < SURE_TO_FIT:
        text = str(value)
        if meter.takes(getsizeof(text)):
            meter.operations += 1
            return add_piece(machine, pieces, size, text, at)
    return add_piece(machine, pieces, size, value, at)


SURE_TO_FIT: Final = 128
"""Characters that no integer has."""


def joined(meter: Meter, pieces: list[str], at: At) -> str:
    """The text that the pieces make."""
    made = "".join(pieces)
    charge_text_copy(meter, made)
    meter.allocate(getsizeof(made), at)
    return made


# --- functions ------------------------------------------------------------------------------------------------------------


def call_named(machine: Machine, name: str, args: list[Value], place: Place | None, at: At) -> Value:
    """Call what is no function of the script."""
    value = call_function(machine, name, args, place, at)[0]
    return value.value if type(value) is Shared else value


def call_reference(machine: Machine, function: ScriptFunction, args: list[Value], at: At) -> Value:
    """Call a function that is not compiled."""
    value = call_linked(machine, function, args, None, at)
    return machine.flatten(value)


# --- statements -----------------------------------------------------------------------------------------------------------


def numbers(span: Range) -> range:
    """What `for` runs over in a range."""
    return range(span.start, span.end + span.inclusive)


def items_of(meter: Meter, iterable: Value, start: At, at: At) -> Iterator[Value]:
    """What `for` runs over."""
    items = iterate(iterable)
    if items is None:
        items = host_items(iterable, meter, at)
    if items is None:
        raise NotIterable(start)
    return items


def chosen_case(meter: Meter, cases: dict[object, int], subject: Value) -> int:
    """The number of the cases that `subject` is one of, -1 if there are none."""
    return cases.get(switch_key(subject, meter), -1)


def keep_constant(machine: Machine, name: str, value: Value, at: At) -> None:
    """Make a constant of the program known as `global::NAME`."""
    if machine.constants is None:
        machine.constants = {}
    machine.constants[name] = machine.copy(value, at)


def declare(scope: Scope, name: str, constant: bool) -> None:
    """A variable of the program has its place in the scope; its value comes there when the program ends."""
    scope.add(name, None, constant)


def write_back(scope: Scope, base: int, values: tuple[Value, ...]) -> None:
    """The program ends: the variables that it came to define go to the scope."""
    for index in range(min(len(scope.values) - base, len(values))):
        scope.values[base + index] = values[index]


def thrown(meter: Meter, at: At, value: Value) -> Thrown:
    """`throw value`"""
    limits = meter.limits
    return Thrown(at, value, lambda value: shown(value, limits))


def thrown_on(again: Thrown, error: EvalError) -> EvalError:
    """The error that leaves a `catch` block: what was thrown there, or the one caught where it was `throw` alone."""
    if again.value is not None:
        return again
    error.at = again.at
    return error
