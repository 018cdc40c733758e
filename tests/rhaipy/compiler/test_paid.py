"""Work on small values that compiled code pays for itself: the same as the reference wherever a run is cut."""

from typing import Any, Final

import pytest

from conformance.subject import answer

SCRIPTS: Final = r"""
let t = ""; for i in 0..12 { t += "  line " + i + "  \n"; } let a = []; for l in t.split("\n") { l.trim(); a.push(l); } a.len()
fn f(t, n) { let s = t + n + t; s += n + "x"; s += t; s += "é"; s += s; s.len() } f("ab", 7) + f("é", -9223372036854775808)
let s = "a"; for i in 0..8 { s += s; s += s; s.trim(); } s.len()
let s = "a"; let n = 0; while n < 40 { s += "0123456789012345678901234567890123456789"; n += 1; } s + "x" + 1
let a = []; let m = #{k: "v", l: [1, 2]}; for i in 0..9 { a.push(m); a.push("text" + i); a.push(i); a.len(); } a.is_empty()
let a = [[]]; for i in 0..9 { a[0].push(a); a.push(a[0].len()); a.push("é" + i + "é"); } a.len()
fn f(a) { a.push(1); a.push("x" + 1); a.len() + a[1].len() } let a = [1, "y"]; a.push(f(a)); a.is_empty() || a.len() > 3
let s = "                                             x                                             "; s.trim(); s + s.len()
fn f(s) { s.trim(); s.len() } let m = #{push: 1}; m.len() + f(" a ") + f("") + "".len() + (if "".is_empty() { 1 } else { 2 })
let s = "a" + 1; let c = 'x'; let u = (); [s + c, s + u, s + 1.5, s + true, s + [1], c + s, 1 + s, s + "é"]
let b = blob(3); b.push(7); let r = b.len(); let x = [b]; x.push(b); x.push(x); x.len() + r
let x = []; for i in 0..30 { let y = [i]; y.push(x); y.push("abc"); x.push(y.len()); } x
let t = ""; for i in 0..9 { t += `<${i}>${t}${-i}${[i]}`; if i > 4 { t = `é${i}`; } } `${t}${1}${true}${9223372036854775807}`
let s = "x"; let f = || s += "y"; f.call(); s += "z"; s.trim(); s + 1
const S = " x "; try { S.trim(); } catch (e) { print(e.message); } let a = []; try { a.push(S + nope); } catch { a.push(S); } a
let s = "abc"; s.contains("b"); s.index_of("c"); s.to_upper(); s.sub_string(1); let p = s.split("b"); p.push(s.len()); p.join("-")
let a = [3, 1, 2]; a.sort(); a.reverse(); a.insert(1, "é"); a.append([4]); a.pop(); a.shift(); a.contains(1); a.index_of(2); a
""".strip().splitlines()  # fmt: skip

LIMITS: Final[list[tuple[dict[str, int], int]]] = [
    ({}, 2**27),
    ({"max_string_size": 2_000_000, "max_array_size": 10_000, "max_map_size": 10_000}, 2**27),
    ({"max_string_size": 1_000, "max_array_size": 24, "max_map_size": 9}, 0),
    ({"max_string_size": 60}, 2**27),
    ({"max_array_size": 5}, 0),
]


def _same(source: str, limits: dict[str, int], fuel: int, memory: int) -> bool:
    """Do both tiers give the same? Also tells whether there was an end before the limits on steps."""
    request: dict[str, Any] = {"src": source, "vars": True, "limits": {"max_operations": 5_000, **limits}}
    compiled, reference = [answer({**request, "tier": tier}, fuel, memory) for tier in ("compiled", "reference")]
    assert compiled == reference, (limits, fuel, memory)
    return bool(reference["ok"]) or reference["kind"] not in ("ErrorTooManyOperations", "ErrorOutOfFuel")


@pytest.mark.parametrize("source", SCRIPTS)
@pytest.mark.parametrize(("limits", "memory"), LIMITS)
def test_fuel_may_run_out_anywhere(source: str, limits: dict[str, int], memory: int) -> None:
    fuel = 1
    while not _same(source, limits, fuel, memory):
        fuel += 1 + fuel // 60


@pytest.mark.parametrize("source", SCRIPTS)
@pytest.mark.parametrize(("limits", "memory"), LIMITS)
def test_operations_may_run_out_anywhere(source: str, limits: dict[str, int], memory: int) -> None:
    most = 1
    while not _same(source, {**limits, "max_operations": most}, 100_000, memory):
        most += 1 + most // 60


@pytest.mark.parametrize("source", SCRIPTS)
def test_a_limit_on_sizes_is_noticed_at_the_same_place(source: str) -> None:
    for size in [*range(1, 60), *range(60, 2_000, 97)]:
        _same(source, {"max_string_size": size}, 100_000, 2**27)
        _same(source, {"max_array_size": size}, 100_000, 2**27)
