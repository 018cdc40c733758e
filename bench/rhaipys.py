"""rhaipy on its tiers and in its profiles, and plain Python: what is timed in this process."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal

import stagehooks
from bench.contestant import Job, Unable, here
from bench.rhai import HOOK, PLAIN, Sizes
from bench.workloads import Workload
from rhaipy import AST, Engine, Lent, Limits, RhaiError
from stagehooks.scripts.boundary import lent, to_json
from stagehooks.scripts.hardened import LIMITS, hardened_engine

FUEL: Final = 10**9
"""Enough for all of the work, and counted all the same."""

_SIZES: Final = {name: value for name, value in asdict(HOOK).items() if name != "hook"}
HOOK_LIMITS: Final = replace(LIMITS, **_SIZES, fuel=FUEL)
_PLAIN_LIMITS: Final = Limits(max_operations=PLAIN.max_operations)


@dataclass(frozen=True)
class Native:
    """CPython itself."""

    name: str = "CPython"

    def prepare(self, work: Workload) -> Job:
        """See `Contestant`."""
        return here(work.python)


@dataclass(frozen=True)
class Rhaipy:
    """rhaipy on one tier, in one profile. The hook profile has all limits on, fuel and memory too."""

    name: str
    tier: Literal["reference", "compiled"]
    sizes: Sizes

    def prepare(self, work: Workload) -> Job:
        """See `Contestant`."""
        try:
            return here(self._work(work))
        except RhaiError as error:
            raise Unable(str(error)) from None

    def _work(self, work: Workload) -> Callable[[], Any]:
        source, engine = work.rhai(self.sizes.hook), self.engine()
        if work.kind == "compile":
            if self.tier == "compiled":
                raise Unable("compiles a function when it is first called")
            return lambda: engine.compile(source) and None
        ast = engine.compile(source)
        if work.kind == "fresh":
            return lambda: self._fresh(ast, work.argument)
        if work.kind == "call":
            return lambda: engine.call_fn(ast, "on_tool_call", Lent(work.argument))
        return lambda: engine.eval(ast)

    def _fresh(self, ast: AST, ctx: Any) -> Any:
        """A hook call as `stagehooks` makes it, but on a tier of our choice."""
        engine = self.engine()
        return to_json(engine.call_fn(ast, "on_tool_call", lent(ctx, engine.limits)))

    def engine(self) -> Engine:
        """A fresh engine."""
        engine = hardened_engine(HOOK_LIMITS) if self.sizes.hook else Engine(_PLAIN_LIMITS)
        engine.tier = self.tier
        return engine


@dataclass(frozen=True)
class Hooks:
    """`stagehooks.run`, as an agent calls it."""

    name: str = "stagehooks.run"

    def prepare(self, work: Workload) -> Job:
        """See `Contestant`."""
        if work.kind != "fresh":
            raise Unable("calls hooks only")
        script = stagehooks.compile("hook.rhai", work.rhai(True))
        return here(lambda: decision(stagehooks.run(script, "on_tool_call", work.argument)))


def decision(outcome: stagehooks.HookOutcome) -> Any:
    """An outcome as the script wrote it."""
    if isinstance(outcome, stagehooks.Modify):
        return {"action": "modify", "value": outcome.value}
    return isinstance(outcome, stagehooks.Allow)


COMPILED: Final = Rhaipy("rhaipy compiled", "compiled", PLAIN)
COMPILED_HOOK: Final = Rhaipy("rhaipy compiled, hook profile", "compiled", HOOK)
REFERENCE: Final = Rhaipy("rhaipy reference", "reference", PLAIN)
REFERENCE_HOOK: Final = Rhaipy("rhaipy reference, hook profile", "reference", HOOK)
