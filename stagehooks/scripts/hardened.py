"""The engine that every script of an agent runs on: bounded in everything, and with no way to the host.

No file, no network, no module, no `eval`, no clock, no sleep, no output. The functions are Rhai's own and those of
`functions`; their table is built once, so that a fresh engine for each call costs next to nothing.
"""

from rhaipy import STANDARD, Engine, Limits, Options, Package, replaced
from rhaipy.typings import Final, Literal
from stagehooks.scripts.functions import HOOK_FUNCTIONS

LIMITS: Final = Limits(
    max_operations=100_000,
    max_call_levels=64,
    max_expr_depth=128,
    max_function_expr_depth=128,
    max_string_size=1_000_000,
    max_array_size=10_000,
    max_map_size=10_000,
    fuel=1_000_000,
    memory=128 * 1024 * 1024,
)
"""What one call of a hook may use. Fuel and memory are bounds that the original engine lacks."""

PARITY_LIMITS: Final = replaced(LIMITS, fuel=0, memory=0)
"""The same without those two: for comparing with the original engine, never for running hooks."""

ABSENT: Final = frozenset({"sleep", "timestamp"})
"""Standard functions that scripts of an agent do not have: they would hold the run up, or make it depend on the clock."""

_OPTIONS: Final = Options(disabled_symbols=frozenset({"eval"}))
_FUNCTIONS: Final = STANDARD.copy(HOOK_FUNCTIONS, without=ABSENT)


def hardened_engine(
    limits: Limits = LIMITS, optimize: Literal["none", "simple"] = "simple", functions: Package | None = None
) -> Engine:
    """A fresh engine of the hook profile, and `functions` beside those. It finds no modules and prints nowhere."""
    return Engine(limits, _OPTIONS, optimize, _FUNCTIONS.copy(functions) if functions else _FUNCTIONS)
