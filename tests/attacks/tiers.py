"""The evaluators that every attack is run on: the reference, and the compiled one."""

from dataclasses import replace
from typing import Any, Final

from rhaipy import Engine, Limits
from rhaipy.tiers import Tier
from stagehooks.scripts.hardened import LIMITS, hardened_engine

TIERS: Final[tuple[Tier, ...]] = ("reference", "compiled")


def engine_for(tier: Tier, profile: str = "hook", limits: dict[str, Any] | None = None) -> Engine:
    """An engine of that tier with the profile "hook" or "plain", some of its limits changed."""
    plain = profile == "plain"
    changed = replace(Limits() if plain else LIMITS, **(limits or {}))
    engine = Engine(changed) if plain else hardened_engine(changed)
    engine.tier = tier
    return engine
