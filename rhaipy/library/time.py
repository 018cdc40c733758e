"""Points in time: what the clock says, how far apart two of them are, and what lies some seconds before or after one.

The clock is the monotonic one: a point in time tells nothing about the date.
"""

from time import monotonic_ns

from rhaipy.display import plain_float
from rhaipy.errors import Arithmetic
from rhaipy.functions import Package, Ref, function
from rhaipy.source import NONE
from rhaipy.typings import Final
from rhaipy.values import I64_MAX, I64_MIN, Instant

TIME: Package = []

_SECOND: Final = 1_000_000_000
_MILLISECOND: Final = 1_000_000
_LONGEST_MILLISECONDS: Final = 2**64 - 1
_INSTANTS: Final = range(I64_MIN * _SECOND, (I64_MAX + 1) * _SECOND)
"""Nanoseconds: the operating system counts the seconds with 64 bits."""


@function(TIME, "timestamp", volatile=True)
def timestamp() -> Instant:
    return Instant(monotonic_ns())


@function(TIME, "elapsed", getter=True)
def elapsed(instant: Instant) -> float:
    now = monotonic_ns()
    if instant.nanoseconds > now:
        raise Arithmetic(NONE, "Time-stamp is later than now")
    return _seconds(now - instant.nanoseconds)


def _seconds(nanoseconds: int) -> float:
    # Whole seconds and the rest are rounded apart, as the engine does it.
    whole, rest = divmod(nanoseconds, _SECOND)
    return whole + rest / _SECOND


@function(TIME, "-")
def difference(left: Instant, right: Instant) -> float:
    if right.nanoseconds > left.nanoseconds:
        return -_seconds(right.nanoseconds - left.nanoseconds)
    return _seconds(left.nanoseconds - right.nanoseconds)


# --- seconds later or earlier ---------------------------------------------------------------------------------------------


@function(TIME, "+")
def add(instant: Instant, seconds: int | float) -> Instant:
    if isinstance(seconds, int):
        return _moved(instant, seconds * _SECOND, f"adding {seconds}")
    return _earlier(instant, -seconds) if seconds < 0 else _later(instant, seconds)


@function(TIME, "-")
def subtract(instant: Instant, seconds: int | float) -> Instant:
    if isinstance(seconds, int):
        return _moved(instant, -seconds * _SECOND, f"subtracting {seconds}")
    return _later(instant, -seconds) if seconds < 0 else _earlier(instant, seconds)


@function(TIME, "+=", mutates=True)
def add_assign(instant: Ref[Instant], seconds: int | float) -> None:
    instant.value = add(instant.value, seconds)


@function(TIME, "-=", mutates=True)
def subtract_assign(instant: Ref[Instant], seconds: int | float) -> None:
    instant.value = subtract(instant.value, seconds)


def _later(instant: Instant, seconds: float) -> Instant:
    return _moved(instant, _nanoseconds(seconds, "add"), f"adding {plain_float(seconds)}")


def _earlier(instant: Instant, seconds: float) -> Instant:
    return _moved(instant, -_nanoseconds(seconds, "subtract"), f"subtracting {plain_float(seconds)}")


def _nanoseconds(seconds: float, doing: str) -> int:
    # Less than a millisecond is dropped; what is not a number counts as nothing.
    if seconds > float(I64_MAX):
        raise Arithmetic(NONE, f"Integer overflow for timestamp {doing}: {plain_float(seconds)}")
    milliseconds = int(seconds * 1000) if seconds == seconds else 0
    return min(milliseconds, _LONGEST_MILLISECONDS) * _MILLISECOND


def _moved(instant: Instant, nanoseconds: int, doing: str) -> Instant:
    moved = instant.nanoseconds + nanoseconds
    if moved not in _INSTANTS:
        raise Arithmetic(NONE, f"Timestamp overflow when {doing} second(s)")
    return Instant(moved)


# --- earlier or later -----------------------------------------------------------------------------------------------------


@function(TIME, "==")
def equal(left: Instant, right: Instant) -> bool:
    return left.nanoseconds == right.nanoseconds


@function(TIME, "!=")
def unequal(left: Instant, right: Instant) -> bool:
    return left.nanoseconds != right.nanoseconds


@function(TIME, "<")
def less(left: Instant, right: Instant) -> bool:
    return left.nanoseconds < right.nanoseconds


@function(TIME, "<=")
def less_or_equal(left: Instant, right: Instant) -> bool:
    return left.nanoseconds <= right.nanoseconds


@function(TIME, ">")
def greater(left: Instant, right: Instant) -> bool:
    return left.nanoseconds > right.nanoseconds


@function(TIME, ">=")
def greater_or_equal(left: Instant, right: Instant) -> bool:
    return left.nanoseconds >= right.nanoseconds
