"""All that compiled code knows by name, beside the constants of its script. There are no builtins of Python."""

from typing import Any, Final

from rhaipy import integers
from rhaipy.compiler import paid, places, runtime, settling, slow
from rhaipy.compiler.sites import Frame, call_site, call_site_on, may_change
from rhaipy.costs import SMALL
from rhaipy.errors import AssignmentToConstant, EvalError, RhaiError, Thrown, UnboundThis
from rhaipy.interpreter.catching import caught_as
from rhaipy.interpreter.methods import curried
from rhaipy.interpreter.places import Temporary
from rhaipy.interpreter.scripts import UNFIT
from rhaipy.interpreter.statements import in_range
from rhaipy.signals import Exit
from rhaipy.unicode import trim
from rhaipy.values import UNCHANGING, Char, FnPtr, Range, Shared


class Slow:
    """The type of `SLOW`."""


_FUNCTIONS: Final = (
    settling.over, settling.settle, settling.failed, settling.too_deep, settling.left_call, settling.not_bool, slow.copied,
    slow.operate, slow.operate_truth, slow.operate_on_one, slow.assign_operated, slow.assign_cell, runtime.literal_value,
    runtime.literal_index, runtime.qualified_value, runtime.allocate, runtime.charge, runtime.with_item, runtime.with_entry,
    runtime.text_of, runtime.add_piece, runtime.add_plain_piece, runtime.joined, runtime.call_named, runtime.call_reference,
    runtime.numbers, runtime.items_of, runtime.chosen_case, runtime.keep_constant, runtime.declare, runtime.write_back,
    runtime.thrown, caught_as, runtime.thrown_on, places.place_of, places.walk_flat, places.walk_released,
    places.walk_host, places.host_value, places.function_named, places.first_place, places.first_value, Frame, call_site,
    call_site_on, curried, in_range, trim, len, Range, Shared, Char, FnPtr, Temporary, UnboundThis, AssignmentToConstant,
    EvalError, Thrown, int, float, bool, str, list, dict, paid.append_text, paid.join_texts, paid.join_number, paid.trim_text,
    paid.push_item, paid.length_of, may_change,
)  # fmt: skip

GLOBALS: Final[dict[str, Any]] = {item.__name__: item for item in _FUNCTIONS} | {
    "NoneType": type(None), "UNCHANGING": UNCHANGING, "SCALARS": frozenset({int, bool, float, type(None)}), "SMALL": SMALL,
    "NO_SIZES": runtime.NO_SIZES, "SLOW": Slow(), "MISSING": (IndexError, KeyError), "LEAVING": (RhaiError, Exit), "UNFIT": UNFIT,
    "add": integers.add, "subtract": integers.subtract, "multiply": integers.multiply,
}  # fmt: skip
"""By name."""
