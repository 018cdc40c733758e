"""The meters: off unless asked for, the same each time, gone for good; and the table of prices is what is charged."""

import subprocess
import sys
from contextlib import suppress
from typing import Final

import pytest

from bench import charges
from rhaipy import Engine, Limits, RhaiError
from rhaipy.tiers import Tier
from tests.attacks.children import ROOT
from tests.attacks.tiers import TIERS, engine_for

SCRIPT: Final = (
    "let m = #{}; for i in 0..99 { m[`k${i % 9}`] = [i, m.len()]; } m.to_string(); m.keys().sort(|a, b| a < b); m.to_json()"
)


def test_the_table_of_prices_is_up_to_date() -> None:
    text = charges.PAGE.read_text(encoding="utf-8")
    assert charges.page(text) == text, "`make pages` writes it anew"


def test_fuel_and_memory_are_off_unless_asked_for() -> None:
    assert Engine().limits == Limits()
    assert (Limits().fuel, Limits().memory) == (0, 0)


def test_the_same_script_uses_the_same_fuel_each_time_and_on_each_tier() -> None:
    found = set()
    for tier in TIERS:
        for _ in range(3):
            engine = engine_for(tier)
            meter = engine.meter()
            engine.eval(SCRIPT, meter=meter)
            found.add((meter.operations, meter.fuel))
    assert len(found) == 1


@pytest.mark.parametrize("tier", TIERS)
def test_the_seed_of_hashes_changes_nothing(tier: Tier) -> None:
    code = f"""
from tests.attacks.tiers import engine_for
engine = engine_for({tier!r})
meter = engine.meter()
print(engine.eval({SCRIPT!r}, meter=meter), meter.operations, meter.fuel)
"""
    said = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(said) == 1


@pytest.mark.parametrize("tier", TIERS)
def test_fuel_that_is_gone_stays_gone(tier: Tier) -> None:
    engine = engine_for(tier)
    meter = engine.meter()
    for _ in range(2):
        with pytest.raises(RhaiError, match="Out of fuel"):
            engine.eval("let a = []; a.pad(9000, 1); loop { a.sort(|x, y| { loop {} }); }", meter=meter)


@pytest.mark.parametrize("tier", TIERS)
def test_memory_that_is_gone_stays_gone(tier: Tier) -> None:
    engine = engine_for(tier)
    meter = engine.meter()
    fill = 'let s = ""; s.pad(900000, "y"); let kept = []; for i in 0..900 { let t = s + 1; kept.push(|| t); }'
    with pytest.raises(RhaiError, match="Out of memory"):  # and not the value: a comparer that fails is one that lies
        engine.eval(f"let a = [3, 2, 1]; a.sort(|x, y| {{ {fill} x - y }}); a", meter=meter)
    with pytest.raises(RhaiError, match="Out of memory"):
        engine.eval("1 + 1", meter=meter)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    "code",
    [
        "for i in 0..100 { try { throw i } catch { } }",
        "for i in 0..100 { try { i.nothing() } catch (e) { e.message } }",
        "let a = []; a.pad(101, 1); a.dedup(|| 1);",
        'let a = []; a.pad(101, 0); a.dedup(Fn("range").curry(1));',
        "for i in 0..100 { [1, 1].sort(|| 1); }",
    ],
)
def test_each_error_that_is_caught_or_swallowed_is_paid_for(code: str, tier: Tier) -> None:
    engine = engine_for(tier)
    meter = engine.meter()
    engine.eval(code, meter=meter)
    assert meter.fuel - meter.operations >= 8 * 100


@pytest.mark.parametrize("tier", TIERS)
def test_the_meters_only_go_up(tier: Tier) -> None:
    engine = engine_for(tier)
    meter = engine.meter()
    seen = [0]
    for source in (
        "1 + 1",
        "[1, 2].map(|x| x + 1)",
        "let s = `x`; s.pad(90000, `y`); s.len()",
        "try { throw 1 } catch { }",
        "throw 2",
    ):
        with suppress(RhaiError):
            engine.eval(source, meter=meter)
        seen.append(meter.fuel)
    assert seen == sorted(set(seen))
