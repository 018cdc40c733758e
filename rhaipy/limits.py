"""What a script may use: `Limits` and `Options` (frozen: what is allowed) and `Meter` (one for each call: what is left).

Two meters are Rhai's own (operations, call levels). `fuel` and `memory` are ours, because operations bound neither time nor
memory, in the real engine too: a native callback's operations are forgotten there, and one operation may touch a megabyte.
Both are off unless asked for, so that a plain engine counts just as Rhai does.
"""

from collections.abc import Callable
from sys import maxsize

from rhaipy.errors import LimitError
from rhaipy.host_types import NO_HOST_TYPES
from rhaipy.limit_errors import DataTooLarge, OutOfFuel, OutOfMemory, Terminated, TooManyOperations
from rhaipy.records import frozen
from rhaipy.source import NONE, At
from rhaipy.typings import Any, Final

STRING: Final = "Length of string"
ARRAY: Final = "Size of array/BLOB"
MAP: Final = "Size of object map"
FAR_BEYOND: Final = 2**16
"""Characters of a text that is not finished, beyond what is allowed."""


@frozen
class Limits:
    """What one call may use; 0 is "no limit". The defaults are those of Rhai's release build, and `fuel` and `memory` off."""

    max_operations: int = 0
    max_call_levels: int = 64
    max_expr_depth: int = 64
    max_function_expr_depth: int = 32
    max_string_size: int = 0  # UTF-8 bytes
    max_array_size: int = 0  # items, bytes of blobs included, nested ones too
    max_map_size: int = 0
    max_variables: int = 0
    max_functions: int = 0
    max_modules: int = 0
    fuel: int = 0  # units of about one microsecond of work
    memory: int = 0  # live bytes in variables

    @property
    def sizes_limited(self) -> bool:
        """Is the size of any kind of data limited?"""
        return bool(self.max_string_size or self.max_array_size or self.max_map_size)


@frozen
class Options:
    """The language options of the real engine, with its defaults."""

    strict_variables: bool = False
    allow_shadowing: bool = True
    allow_looping: bool = True
    allow_if_expression: bool = True
    allow_switch_expression: bool = True
    allow_loop_expressions: bool = True
    allow_statement_expression: bool = True
    allow_anonymous_fn: bool = True
    fast_operators: bool = True
    fail_on_invalid_map_property: bool = False
    disabled_symbols: frozenset[str] = frozenset()
    custom_operators: tuple[tuple[str, int], ...] = ()  # of the host: each with its precedence


Progress = Callable[[int], object]
"""`on_progress`: gets the counter; anything but None ends the script with that as token."""


class Meter:
    """What one call has used. `operations` is Rhai's counter, exact; fuel and memory are ours and never go down.

    Operations and fuel share one comparison: beyond `ceiling` operations the nearer of the two has run out, or somebody wants
    to be told of each. The evaluators make that comparison themselves, and call `judge` when it fails.
    """

    __slots__ = (
        "_allocated", "_back_to", "_charged", "_forgotten", "_fuel_ceiling", "_max_operations", "_seen", "_spent", "ceiling",
        "census", "dropped", "gave_shared", "limits", "measure", "nesting", "operations", "progress", "shares", "types",
        "weights",
    )  # fmt: skip

    def __init__(self, limits: Limits, progress: Progress | None = None) -> None:
        self.limits = limits
        self.progress = progress
        self.operations = 0
        self.nesting = 0  # of containers, in builtins that ask about what is in them
        self.census: Callable[[], int] | None = None
        self.measure: Callable[[Any, Any], None] | None = None  # of a container that something was put into
        self.gave_shared = False  # is the value of the run that of a variable which closures share?
        self.shares = False  # does nothing in the run change what is inside of containers? Then values are not copied
        self.weights: dict[int, tuple[object, int, int, int]] = {}  # of parts of containers, by identity, in a run that shares
        self.types = NO_HOST_TYPES  # what the engine of the run knows of the host's classes
        self._max_operations = limits.max_operations or maxsize
        self._charged = 0
        self._forgotten = 0
        self._allocated = 0
        self._back_to = self._seen = 0
        self.dropped = -1  # operations that were left when compiled code last left out one that would be forgotten
        self._spent: LimitError | None = None
        self._fuel_ceiling = limits.fuel or maxsize
        self.ceiling = 0
        self._set_ceiling()

    def operation(self, at: At) -> None:
        """Count one operation; TooManyOperations or OutOfFuel at `at` when it is the one too many."""
        self.operations += 1
        if self.operations > self.ceiling:
            self.judge(at)

    def judge(self, at: At) -> None:
        """Judge the operation just counted, which is beyond the ceiling."""
        if self.operations > self._ceiling():
            self.operations -= 1
            self._exceeded(at)
        if self.progress is not None:
            token = self.progress(self.operations)
            if token is not None:
                raise Terminated(at, token)

    def charge(self, units: int, at: At = NONE) -> None:
        """Count `units` of work done by a builtin; OutOfFuel at `at` when they are too many."""
        if self.limits.fuel:
            self._charged += units
            self._fuel_ceiling = left = self._fuel_ceiling - units
            if left < self.ceiling:
                self.ceiling = left
            if left < self.operations:
                self._out(self._spent or OutOfFuel(at))

    def allocate(self, size: int, at: At = NONE) -> None:
        """Tell of `size` new bytes. When those told of pass the limit, the live ones are counted (`census`) and judged."""
        limit = self.limits.memory
        if not limit:
            return
        self._allocated += size
        if self._allocated > limit:
            self._allocated = self.census() if self.census is not None else self._allocated
            if self._allocated > limit:
                self._out(OutOfMemory(at))

    def takes(self, size: int) -> bool:
        """Tell of `size` new bytes, if that needs no count of those alive; else nothing is told."""
        allocated = self._allocated + size
        if 0 < self.limits.memory < allocated:
            return False
        self._allocated = allocated
        return True

    def forget(self, operations: int) -> None:
        """Go back to `operations`: what a native function's callback counted is forgotten by the real engine, not by fuel."""
        more = self.operations - operations
        self._seen = self.last_operation
        self._back_to = operations
        self._forgotten += more
        self.operations = operations
        if self.limits.fuel:
            self._fuel_ceiling -= more
            self._set_ceiling()

    @property
    def last_operation(self) -> int:
        """The counter as `on_progress` saw it last; differs from `operations` right after a forgotten callback."""
        if self.dropped >= 0 and self.operations == self.ceiling - self.dropped:
            return self.operations + 1
        return self._seen if self._back_to == self.operations else self.operations

    @property
    def exhausted(self) -> bool:
        """Is fuel or memory gone for good? Whoever swallows errors must not swallow those any more."""
        return self._spent is not None

    @property
    def fuel(self) -> int:
        """The units used so far: every operation, forgotten ones too, and what builtins were charged."""
        return self.operations + self._forgotten + self._charged

    def string(self, size: int, at: At = NONE) -> None:
        """DataTooLarge when a string of `size` UTF-8 bytes is too long."""
        if self.limits.max_string_size and size > self.limits.max_string_size:
            raise DataTooLarge(at, STRING)

    def growing(self, size: int) -> None:
        """Judge a text while it is made. The engine judges it when it is whole, with a position; so only far beyond the limit."""
        if self.limits.max_string_size and size > self.limits.max_string_size + FAR_BEYOND:
            raise DataTooLarge(NONE, STRING)

    def array(self, size: int, at: At = NONE) -> None:
        """DataTooLarge when an array (or blob) of `size` items is too long."""
        if self.limits.max_array_size and size > self.limits.max_array_size:
            raise DataTooLarge(at, ARRAY)

    def map(self, size: int, at: At = NONE) -> None:
        """DataTooLarge when a map of `size` entries is too large."""
        if self.limits.max_map_size and size > self.limits.max_map_size:
            raise DataTooLarge(at, MAP)

    def _set_ceiling(self) -> None:
        self.ceiling = -1 if self.progress is not None else self._ceiling()

    def _ceiling(self) -> int:
        if self._spent is not None:
            return -1
        return min(self._max_operations, self._fuel_ceiling)

    def _exceeded(self, at: At) -> None:
        if self._spent is None and self.operations >= self._max_operations:
            raise TooManyOperations(at)
        self._out(self._spent or OutOfFuel(at))

    def _out(self, error: LimitError) -> None:
        # Sticky: once spent, every further operation fails, so that a comparator whose errors `sort` swallows cannot go on.
        self._spent = error
        self.ceiling = -1
        raise type(error)(error.at)
