"""The census of memory: how many bytes the variables of a run hold just now. An object counts once, however often it is held."""

from sys import getsizeof

from rhaipy.limits import Meter
from rhaipy.scope import Scope
from rhaipy.values import FnPtr, Shared, Value


def live_bytes(scopes: list[Scope], constants: dict[str, Value] | None, meter: Meter) -> int:
    """The bytes that the variables in `scopes`, and `constants`, hold; the meter pays for the counting."""
    counted: set[int] = set()
    total = 0
    pending = [value for scope in scopes for value in scope.values]
    pending.extend((constants or {}).values())
    while pending:
        value = pending.pop()
        if id(value) in counted:
            continue
        counted.add(id(value))
        total += getsizeof(value)
        if type(value) is list:
            pending.extend(value)
        elif type(value) is dict:
            pending.extend(value.values())
            total += sum([len(key) for key in value])
        elif type(value) is FnPtr:
            pending.extend(value.curried)
        elif type(value) is Shared:
            pending.append(value.value)
    meter.charge(len(counted) >> 3)
    return total
