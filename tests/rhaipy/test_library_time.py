"""Points in time. The clock is held still, so that what the conformance cases cannot know is known here."""

import pytest

from rhaipy import Engine, Instant
from rhaipy.library import time
from tests.rhaipy.verdicts import verdict

NOW = 1_500_000_000


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic_ns", lambda: NOW)


def test_timestamp_is_what_the_clock_says():
    assert Engine().eval("timestamp()") == Instant(NOW)


@pytest.mark.parametrize(
    ("source", "nanoseconds"),
    [
        ("timestamp() + 2", NOW + 2_000_000_000),
        ("timestamp() - 2", NOW - 2_000_000_000),
        ("timestamp() + 0.0019", NOW + 1_000_000),
        ("timestamp() - 0.25", NOW - 250_000_000),
        ("timestamp() + -0.25", NOW - 250_000_000),
        ("timestamp() + 0.0/0.0", NOW),
        ("let t = timestamp(); t += 1; t -= 0.5; t", NOW + 500_000_000),
        ("timestamp() + 1e18", NOW + (2**64 - 1) * 1_000_000),
        ("timestamp() - 9223372036854775807", NOW - (2**63 - 1) * 1_000_000_000),
    ],
)
def test_seconds_later_and_earlier(source: str, nanoseconds: int):
    assert Engine().eval(source) == Instant(nanoseconds)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("let t = timestamp() - 2; [t.elapsed, elapsed(t)]", "array [2.0, 2.0]"),
        ("(timestamp() + 1).elapsed", "Time-stamp is later than now (line 1, position 19)"),
        (
            "timestamp() + 9223372036854775807",
            "Timestamp overflow when adding 9223372036854775807 second(s) (line 1, position 13)",
        ),
        ("timestamp() - -1e19", "Integer overflow for timestamp add: 10000000000000000000 (line 1, position 13)"),
        ("let t = timestamp(); [t - (t + 5), (t + 0.1) - t, t == t, t < t + 1]", "array [-5.0, 0.1, true, true]"),
        ("[timestamp()].to_string()", 'string "[<timestamp>]"'),
    ],
)
def test_the_library_gives(source: str, expected: str):
    assert verdict(source) == expected


def test_a_difference_of_many_seconds_is_rounded_as_the_engine_rounds_it():
    assert time.difference(Instant(9_007_199_254_740_993 * 10**9 + 1), Instant(0)) == 9_007_199_254_740_992.0
