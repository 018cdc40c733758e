"""The attacks as data: those of attacks.toml, those made for each function that calls back, and what is expected of each."""

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

SECONDS: Final = 2.0
MEBIBYTES: Final = 192.0
LIMITS: Final = frozenset(
    {"ErrorTooManyOperations", "ErrorDataTooLarge", "ErrorStackOverflow", "ErrorOutOfFuel", "ErrorOutOfMemory"}
)  # fmt: skip
"""The kinds that `limit` stands for."""


@dataclass(frozen=True, slots=True)
class Attack:
    """A script, and what may become of it: `kinds` are the errors allowed ("value" for none), `value` what must come out."""

    id: str
    source: str
    kinds: frozenset[str]
    value: str | None = None
    profile: str = "hook"
    limits: dict[str, int] = field(default_factory=dict)
    seconds: float = SECONDS
    mebibytes: float = MEBIBYTES
    tier: str = "reference"

    def request(self) -> dict[str, Any]:
        """What the child is given."""
        return {"source": self.source, "profile": self.profile, "limits": self.limits, "tier": self.tier}


def written() -> list[Attack]:
    """The rows of attacks.toml."""
    table = tomllib.loads((Path(__file__).parent / "attacks.toml").read_text(encoding="utf-8"))
    return [_attack(row) for row in table["attack"]]


_HALF: Final = {"limits": {"max_operations": 50_000, "fuel": 500_000}, "seconds": SECONDS / 2}
"""For attacks that go on until a limit stops them: half of what there is, in half of the time. It shows the same in less time."""


def _attack(row: dict[str, Any]) -> Attack:
    build = row.pop("build", None)
    source = row.pop("source", None) or eval(build)  # our own data: large sources are made, not stored
    expected = row.pop("expect", "value")
    kinds = {expected} if isinstance(expected, str) else set(expected)
    if "limit" in kinds:
        kinds |= LIMITS
        row = _HALF | row
    return Attack(source=source, kinds=frozenset(kinds), **row)


# --- functions that call back ---------------------------------------------------------------------------------------------

_CALLS: Final = {
    "map": "a.map(|x| {})",
    "filter": "a.filter(|x| {})",
    "for_each": "a.for_each(|| {})",
    "some": "a.some(|x| {})",
    "all": "a.all(|x| {})",
    "zip": "a.zip(a, |x, y| {})",
    "reduce": "a.reduce(|sum, x| {})",
    "reduce from": "a.reduce(|sum, x| {}, 0)",
    "reduce_rev": "a.reduce_rev(|sum, x| {})",
    "index_of": "a.index_of(|x| {})",
    "find": "a.find(|x| {})",
    "find_map": "a.find_map(|x| {})",
    "drain": "a.drain(|x| {})",
    "retain": "a.retain(|x| {})",
    "dedup": "a.dedup(|x, y| {})",
    "sort": "a.sort(|x, y| {})",
    "sort_by": "a.sort_by(|x, y| {})",
    "order": "a.order(|x, y| {})",
    "map of a map": "m.map(|k, v| {})",
    "filter of a map": "m.filter(|k, v| {})",
    "drain of a map": "m.drain(|k, v| {})",
    "retain of a map": "m.retain(|k, v| {})",
}
"""Each function with a callback; its body is put in."""

_BODIES: Final = {
    "works": ("{ let i = 0; while i < 400 { i += 1; } true }", {"value", "ErrorOutOfFuel"}),
    "loops": ("{ loop {} }", {"value", "ErrorTooManyOperations", "ErrorOutOfFuel"}),
    "throws": ("{ throw 1 }", {"value", "ErrorRuntime", "ErrorOutOfFuel"}),
    "lies": ('{ "neither true nor a number" }', {"value", "ErrorOutOfFuel"}),
    "exits": ("{ exit(1) }", {"value", "Exit", "ErrorOutOfFuel"}),
    "calls itself": ("{ again(1) }", {"value", "ErrorStackOverflow", "ErrorOutOfFuel"}),
    "changes what it is called on": ("{ a.push(1); m.x = 1; true }", {"value", "ErrorDataRace", "ErrorOutOfFuel"}),
    "makes long texts": ("{ s + 1 }", {"value", "ErrorDataTooLarge", "ErrorOutOfFuel", "ErrorOutOfMemory"}),
}

_BEFORE: Final = """
fn again(n) { let a = [1, 2]; a.map(|x| again(x)) }
let a = []; for i in 0..1500 { a.push(i); }
let m = #{}; for i in 0..900 { m[`k${i}`] = i; }
let s = "x"; s.pad(500000, "y");
"""


def callbacks() -> list[Attack]:
    """Every function that calls back, with every kind of callback."""
    return [
        Attack(
            f"B3 {function} with a callback that {what}",
            _BEFORE + call.replace("{}", body) + ";",
            frozenset(kinds),
            limits={"fuel": 125_000},
            seconds=SECONDS / 5,
        )
        for function, call in _CALLS.items()
        for what, (body, kinds) in _BODIES.items()
    ]


def every(tier: str = "reference") -> list[Attack]:
    """All attacks that are scripts, for one tier of the engine."""
    return [replace(attack, id=f"{attack.id} ({tier})", tier=tier) for attack in written() + callbacks()]
