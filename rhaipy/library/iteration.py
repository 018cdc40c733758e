"""What `for` runs over: ranges with their properties, ranges with a step, the characters of a string, the bits of an integer."""

from collections.abc import Iterable, Iterator

from rhaipy.costs import charge_text
from rhaipy.errors import Arithmetic, BitFieldBounds, FunctionNotFound, InFunctionCall
from rhaipy.functions import Caller, Package, Ref, function
from rhaipy.integers import fits
from rhaipy.library.spans import index_of, span
from rhaipy.records import record
from rhaipy.source import NONE
from rhaipy.typings import Final
from rhaipy.values import I64_MAX, Char, Range, Stream

ITERATION: Package = []

_MODULE: Final = "rhai::packages::iter_basic::"
STEPS: Final = f"{_MODULE}StepRange"
"""The engine's name of the type of a range with a step, but for the type of its numbers."""
_BITS: Final = 64

# --- ranges ---------------------------------------------------------------------------------------------------------------


@function(ITERATION, "start", getter=True, by_reference=True)
def start(range_: Range) -> int:
    return range_.start


@function(ITERATION, "end", getter=True, by_reference=True)
def end(range_: Range) -> int:
    return range_.end


@function(ITERATION, "is_inclusive", getter=True, by_reference=True)
def is_inclusive(range_: Range) -> bool:
    return range_.inclusive


@function(ITERATION, "is_exclusive", getter=True, by_reference=True)
def is_exclusive(range_: Range) -> bool:
    return not range_.inclusive


@function(ITERATION, "is_empty", getter=True, by_reference=True)
def is_empty(range_: Range) -> bool:
    return range_.start > range_.end - (not range_.inclusive)


@function(ITERATION, "contains", mutates=True)
def contains(range_: Ref[Range], value: int) -> bool:
    return range_.value.start <= value <= range_.value.end - (not range_.value.inclusive)


@function(ITERATION, "range")
def range_from_to(from_: int, to: int) -> Range:
    return Range(from_, to, False)


# --- ranges with a step ---------------------------------------------------------------------------------------------------


@function(ITERATION, "range")
def stepped(from_: int, to: int, step: int) -> Stream:
    if step == 0:
        raise zero_step()
    items = range(from_, to, step)
    if items and not fits(items[-1] + step):
        items = items[:-1]  # the engine loses the last number where the one after it would overflow
    return Stream(f"{STEPS}<i64>", items)


@function(ITERATION, "range")
def stepped_range(range_: Range, step: int) -> Stream:
    if range_.inclusive:
        raise FunctionNotFound(NONE, "range (range=, i64)")
    return stepped(range_.start, range_.end, step)


@record
class _FloatSteps(Iterable[float]):
    """from_, from_ + step, .. up to, or down to, `to`"""

    from_: float
    to: float
    step: float

    def __iter__(self) -> Iterator[float]:
        value = self.from_
        if self.step > 0:
            while value < self.to:
                yield value
                value += self.step
        elif self.step < 0:
            while value > self.to:
                yield value
                value += self.step


@function(ITERATION, "range")
def stepped_floats(from_: float, to: float, step: float) -> Stream:
    if from_ + step == from_:
        raise zero_step()
    return Stream(f"{STEPS}<f64>", _FloatSteps(from_, to, step))


def zero_step() -> InFunctionCall:
    """What is raised where a step leads nowhere."""
    return InFunctionCall(NONE, "range", "", Arithmetic(NONE, "step value cannot be zero"))


# --- characters and bits --------------------------------------------------------------------------------------------------


@record
class _Chars(Iterable[Char]):
    """The characters of `text`."""

    text: str

    def __iter__(self) -> Iterator[Char]:
        for char in self.text:
            yield Char(char)


@function(ITERATION, "chars", getter=True)
def chars(caller: Caller, string: str) -> Stream:
    return chars_part(caller, string, 0, I64_MAX)


@function(ITERATION, "chars")
def chars_from(caller: Caller, string: str, start: int) -> Stream:
    return chars_part(caller, string, start, I64_MAX)


@function(ITERATION, "chars")
def chars_part(caller: Caller, string: str, start: int, len_: int) -> Stream:
    charge_text(caller.meter, string)
    first, after = span(len(string), start, len_)
    return Stream(f"{_MODULE}CharsStream", _Chars(string[first:after]))


@function(ITERATION, "chars")
def chars_range(caller: Caller, string: str, range_: Range) -> Stream:
    return chars_part(caller, string, *_start_and_count(range_))


@function(ITERATION, "bits", getter=True)
def bits(value: int) -> Stream:
    return bits_part(value, 0, I64_MAX)


@function(ITERATION, "bits")
def bits_from(value: int, from_: int) -> Stream:
    return bits_part(value, from_, I64_MAX)


@function(ITERATION, "bits")
def bits_part(value: int, from_: int, len_: int) -> Stream:
    first = index_of(_BITS, from_)
    if first is None:
        raise BitFieldBounds(NONE, _BITS, from_)
    count = min(max(len_, 0), _BITS - first)
    return Stream(f"{_MODULE}BitRange", [bool(value >> first + number & 1) for number in range(count)])


@function(ITERATION, "bits")
def bits_range(value: int, range_: Range) -> Stream:
    return bits_part(value, *_start_and_count(range_))


def _start_and_count(range_: Range) -> tuple[int, int]:
    # Unlike for slices, an inclusive range may be empty.
    first = max(range_.start, 0)
    last = min(range_.end, I64_MAX - 1) if range_.inclusive else range_.end - 1
    return first, max(last - first + 1, 0)
