"""The evaluators that every attack is run on: the reference, and the compiled one where the engine has it."""

import inspect
from dataclasses import replace
from typing import Any, Final

from rhaipy import Engine, Limits
from stagehooks.scripts.hardened import LIMITS, hardened_engine

_TIER: Final = "tier"
TIERS: Final = ("reference", "compiled") if _TIER in inspect.signature(Engine).parameters else ("reference",)


def engine_for(tier: str, profile: str = "hook", limits: dict[str, Any] | None = None) -> Engine:
    """An engine of that tier with the profile "hook" or "plain", some of its limits changed."""
    plain = profile == "plain"
    changed = replace(Limits() if plain else LIMITS, **(limits or {}))
    engine = Engine(changed) if plain else hardened_engine(changed)
    if len(TIERS) > 1:
        setattr(engine, _TIER, tier)
    return engine
