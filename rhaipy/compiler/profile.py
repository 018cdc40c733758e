"""What compiled code may rely on: the parts of an engine that decide which code is right for it."""

from typing import NamedTuple

from rhaipy.functions import FunctionTable
from rhaipy.library import STANDARD
from rhaipy.limits import Limits, Options


class Profile(NamedTuple):
    """Scripts are compiled once for each profile.

    `metered`: fuel or memory are bounded; `sized`: the sizes of data are. `own_ranges`: the host says what `..` makes of its
    types; `own_sums`: what a text and a number make. `shares`: the script is one that shares (`rhaipy.sharing`), and may.
    `functions` is the table itself, which does not change while scripts run.
    """

    metered: bool
    sized: bool
    max_call_levels: int
    own_ranges: bool
    own_sums: bool
    shares: bool
    functions: FunctionTable


def profile_of(limits: Limits, options: Options, functions: FunctionTable, shares: bool = False) -> Profile | None:
    """The profile of an engine; None where its scripts stay with the reference evaluator."""
    if not options.fast_operators or limits.max_variables or not options.allow_shadowing:
        return None
    return Profile(
        bool(limits.fuel or limits.memory),
        limits.sizes_limited,
        limits.max_call_levels,
        functions.registers("..") or functions.registers("..="),
        _differs(functions, "+", (str, int)) or _differs(functions, "to_string", (int,)),
        shares,
        functions,
    )


def _differs(functions: FunctionTable, name: str, kinds: tuple[type, ...]) -> bool:
    return functions.find(name, kinds) is not STANDARD.find(name, kinds)
