"""What passes between the host and a run that shares (`rhaipy.sharing`): data that is lent in, values that are handed out."""

from collections.abc import Callable, Mapping, Sequence

from rhaipy.errors import EvalError, Thrown
from rhaipy.host import admit_all, free_meter
from rhaipy.host_types import HostTypes
from rhaipy.records import record
from rhaipy.sizes import Weight
from rhaipy.typings import Final, cast
from rhaipy.values import MUTABLE, FnPtr, Shared, Value, copy

NO_WEIGHTS: Final[Mapping[int, Weight]] = {}


@record
class Lent:
    """An argument that the host lends to `Engine.call_fn`: plain data that it has judged, and that stays as it is for the call.

    A script that does not change what it reads sees the data itself, and what it returns may share parts with it: only read from
    that. A script that may change it gets a copy. `value` consists of None, booleans, integers of 64 bits, floats, texts
    without half surrogates, lists, and dictionaries whose keys are such texts, of exactly these types, and not of itself.
    `weights` are the sizes of what is in it, as far as they are known.
    """

    value: object
    weights: Mapping[int, Weight] = NO_WEIGHTS


def admitted(args: Sequence[object], types: HostTypes, paths: list[str], shares: bool) -> list[Value]:
    """The arguments, if scripts may hold them; what is lent only where the run `shares`, else copies of it."""
    if len(args) == 1 and isinstance(args[0], Lent) and shares:
        return [cast("Value", args[0].value)]
    values = admit_all([None if isinstance(arg, Lent) else arg for arg in args], types, paths)
    for index, arg in enumerate(args):
        if isinstance(arg, Lent):
            value = cast("Value", arg.value)
            values[index] = value if shares else copy(value, free_meter(types))
    return values


def weights(args: Sequence[object]) -> dict[int, Weight]:
    """What is known of the sizes of what is lent."""
    known: dict[int, Weight] = {}
    for arg in args:
        if isinstance(arg, Lent):
            known.update(arg.weights)
    return known


def lends(args: Sequence[object]) -> bool:
    """Is any of the arguments lent?"""
    return Lent in [type(arg) for arg in args]


def are_lendable(args: Sequence[object]) -> bool:
    """May a run that gets these share? Other containers than lent ones the host may go on using."""
    return True not in [type(arg) in _HOLDERS for arg in args]


_HOLDERS: Final = MUTABLE | {FnPtr, Shared}


def handed_out(work: Callable[[], Value], types: HostTypes, lent: bool = False) -> Value:
    """What a run that shares gives, or throws: whatever the host does with it, the script and its data stay as they are.

    Who has `lent` something has promised to do nothing with what it is given.
    """
    try:
        return work() if lent else parted(work(), types)
    except EvalError as error:
        thrown = error.innermost
        if isinstance(thrown, Thrown):
            thrown.value = parted(cast("Value", thrown.value), types)
        raise


def parted(value: Value, types: HostTypes) -> Value:
    """`value` without any part that is elsewhere too. Closures are known by their cells, so those stay the same ones."""
    if type(value) not in _HOLDERS:
        return value
    meter, seen = free_meter(types), set[int]()
    made = copy(value, meter)
    pending: list[Value] = [made]
    while pending:
        holder = pending.pop()
        if type(holder) is list:
            pending.extend([item for item in holder if type(item) in _HOLDERS])
        elif type(holder) is dict:
            pending.extend([item for item in holder.values() if type(item) in _HOLDERS])
        elif id(holder) in seen:
            continue
        elif type(holder) is FnPtr:
            seen.add(id(holder))
            curried = [copy(part, meter) for part in holder.curried]
            object.__setattr__(holder, "curried", tuple(curried))
            pending.extend(curried)
        elif type(holder) is Shared:
            seen.add(id(holder))
            holder.value = copy(holder.value, meter)
            pending.append(holder.value)
    return made
