"""What the library costs, and what it refuses before it does it."""

import tracemalloc

import pytest

from rhaipy.engine import Engine
from rhaipy.limit_errors import OutOfFuel
from rhaipy.limits import Limits
from tests.rhaipy.verdicts import verdict

SMALL = Limits(max_string_size=1000, max_array_size=1000, max_map_size=1000)
HOOK = Limits(max_operations=100_000, max_string_size=1_000_000, max_array_size=10_000, max_map_size=10_000, fuel=1_000_000)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('let s="a"; s.pad(1000000000, "b")', "Length of string too large (line 1, position 14)"),
        ('let s="a"; s.pad(1000, "\u00e9")', "Length of string too large (line 1, position 14)"),
        ("let a=[]; a.pad(1000000000, 0)", "Size of array/BLOB too large (line 1, position 13)"),
        ("let a=[]; a.pad(100, [1,2,3,4,5,6,7,8,9,0])", "Size of array/BLOB too large (line 1, position 13)"),
        ("blob(1000000000)", "Size of array/BLOB too large (line 1, position 1)"),
        ("let b=blob(); b.pad(1000000000,1)", "Size of BLOB too large (line 1, position 17)"),
        (
            'let s="a"; s.pad(900,"a"); let t="b"; t.pad(900,"b"); s.replace("a", t)',
            "Length of string too large (line 1, position 57)",
        ),
    ],
)
def test_what_would_be_too_large_is_refused_before_it_is_made(source: str, expected: str) -> None:
    tracemalloc.start()
    try:
        assert verdict(source, SMALL) == expected
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_splitting_counts_the_pieces_first() -> None:
    source = 'let s=","; s.pad(100000, ","); s.split(",")'
    assert verdict(source, HOOK) == "Size of array/BLOB too large (line 1, position 34)"


@pytest.mark.parametrize(
    "body",
    [
        "s.contains(`zz`)", "s.to_upper()", "s.replace(`a`,`c`)", "s.split(`zz`)", "s.sub_string(1,9)", "s.chars()", "s - `a`",
        "s.index_of(`zz`)", "s.to_debug()", "a == a", "7 in a", "a.to_string()", "a.map(|x| x)", "a.sort(|x,y| 0)", "a.order()",
        "a.reduce(|x,y| x, 0)", "m.keys()", "m.to_json()", "m == m", "m.map(|k,v| v)", "parse_json(`{}`)",
    ],
)  # fmt: skip
def test_no_function_works_for_nothing(body: str) -> None:
    prepared = "let s=`ab`; while s.len < 200000 {s += s;} let a=[]; a.pad(5000,1); let m=#{}; for i in 0..500 {m[`k`+i]=i;} "
    with pytest.raises(OutOfFuel):
        Engine(limits=HOOK).eval(f"{prepared} loop {{ {body}; {body}; {body}; {body}; {body}; {body}; {body}; {body} }}")


def test_what_is_nested_too_deep_to_ask_about_is_shown_without_asking() -> None:
    source = "let a=[]; for i in 0..2000 { a=[a]; } a.to_string().len()"
    assert verdict(source) == "i64 4002"


def test_what_is_nested_too_deep_is_not_compared() -> None:
    source = "let a=#{}; for i in 0..2000 { a=#{a:a}; } a == a"
    assert verdict(source) == "Size of array/BLOB too large (line 1, position 45)"


def test_a_comparer_that_fails_is_swallowed_but_not_when_the_fuel_is_gone() -> None:
    assert verdict("let a=[2,1]; a.sort(|x,y| throw 1); a") == "array [2, 1]"
    assert "Out of fuel" in verdict("let a=[2,1]; a.sort(|x,y| {loop {}}); a", Limits(fuel=10_000))
