"""What a hook call (W1) is made of: its parts by themselves, as shares of the whole, and what each kind of limit adds."""

import statistics
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import stagehooks
from bench.ablation import FUEL, MEMORY, NONE, OPERATIONS, SIZES
from bench.contestant import here
from bench.measuring import Pace, rounds
from bench.rhaipys import HOOK_LIMITS
from bench.workloads import CTX, WORKLOADS
from rhaipy import Limits
from stagehooks.scripts.boundary import lent, to_json
from stagehooks.scripts.hardened import hardened_engine

WHOLE: Final = "the whole call"
HOOK: Final = "on_tool_call"
WARM: Final = 200
"""Calls after which a script is compiled."""


def shares(pace: Pace) -> dict[str, float]:
    """Each part's time as a share of the whole call's, by what it is: the median of the rounds."""
    jobs = {name: here(work) for name, work in _parts().items()}
    samples = rounds(jobs, pace)
    whole = samples[WHOLE]
    return {
        name: statistics.median([mine / all_ for mine, all_ in zip(own, whole, strict=True)]) for name, own in samples.items()
    }


def _parts() -> dict[str, Callable[[], Any]]:
    work = next(work for work in WORKLOADS if work.key == "W1")
    script = stagehooks.compile("hook.rhai", work.rhai(True))
    empty = stagehooks.compile("empty.rhai", f"fn {HOOK}(ctx) {{ true }}")
    for _ in range(WARM):
        stagehooks.run(script, HOOK, CTX)
        stagehooks.run(empty, HOOK, {})
    answer = _called(script, HOOK_LIMITS)()
    return {
        WHOLE: lambda: stagehooks.run(script, HOOK, CTX),
        "an empty call: `fn on_tool_call(ctx) { true }`, nothing in `ctx`": lambda: stagehooks.run(empty, HOOK, {}),
        "judging the data": lambda: lent(CTX, HOOK_LIMITS),
        "writing the answer": lambda: to_json(answer),
        "the script, nothing limited": _called(script, NONE),
        "the script, operations limited": _called(script, OPERATIONS),
        "and sizes": _called(script, SIZES),
        "and fuel": _called(script, FUEL),
        "and memory": _called(script, MEMORY),
        "plain Python, and a copy of the data": work.python,
    }


def _called(script: stagehooks.HookScript, limits: Limits) -> Callable[[], Any]:
    """The script's own part, on an engine that is there."""
    engine = hardened_engine(replace(limits, max_call_levels=HOOK_LIMITS.max_call_levels))
    engine.tier = "compiled"
    given = lent(CTX, limits)
    return lambda: engine.call_fn(script.ast, HOOK, given)
