"""The census of memory: how many bytes a run holds just now, in its variables and in what it is in the middle of.

Values in between (arguments that wait for the last of them, the left operand while the right one is evaluated) are nowhere but in
local variables of the evaluator, so those are looked through, too: that costs nothing until memory is short. It needs what is
held while something else is evaluated to be in a local variable, not just on the stack of an expression.
"""

from collections.abc import Iterable
from sys import _getframe, getsizeof
from types import FrameType

from rhaipy.errors import Thrown
from rhaipy.functions import Ref
from rhaipy.interpreter.boundary import guarded
from rhaipy.limits import Meter
from rhaipy.scope import Scope
from rhaipy.typings import Any, Final
from rhaipy.values import Char, FnPtr, Shared, Value

_SMALL: Final = 64
"""A small value counts wherever it is held, a large one once: to remember millions of small ones would take as much again."""

_LEAVES: Final[dict[type, int]] = {type(None): 0, bool: 0, int: 32, float: 24, Char: 112}
_BRANCHES: Final = frozenset({str, list, dict, tuple, bytearray, FnPtr, Shared})


def live_bytes(scopes: list[Scope], constants: dict[str, Value] | None, meter: Meter) -> int:
    """The bytes that the variables in `scopes`, `constants` and unfinished work hold; the meter pays for the counting."""
    counted: set[int] = set()
    pending: list[Any] = [scope.values for scope in scopes]
    pending.append(constants or {})
    pending.extend(_unfinished())
    total = work = 0
    while pending:
        held = pending.pop()
        if id(held) in counted:
            continue
        counted.add(id(held))
        total += getsizeof(held)
        work += 1
        for part in _parts(held):
            work += 1
            kind = type(part)
            if kind in _LEAVES:
                total += _LEAVES[kind]
            elif kind is str and len(part) < _SMALL:
                total += _SMALL
            elif kind in _BRANCHES:
                pending.append(part)
    meter.charge(work >> 3)
    return total


def _parts(held: Any) -> Iterable[Any]:
    """What `held` is made of."""
    if type(held) is list or type(held) is tuple:
        return held
    if type(held) is dict:
        return [*held.values(), *held]
    if type(held) is FnPtr:
        return held.curried
    return (held.value,) if type(held) is Shared else ()


def _unfinished() -> list[Any]:
    """What the evaluator's frames hold, from here to where the run began."""
    found: list[Any] = []
    frame: FrameType | None = _getframe(2)  # not the counting itself
    while frame is not None and frame.f_code is not guarded.__code__:
        names = frame.f_locals
        for value in [*names.values()]:
            if type(value) in _BRANCHES:
                found.append(value)
            elif isinstance(value, Ref | Thrown):
                found.append((value.value,))
        if type(names) is dict:
            names.clear()  # a copy that the frame keeps, until Python 3.12
        frame = frame.f_back
    return found
