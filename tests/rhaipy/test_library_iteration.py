"""Ranges and iterators. The expected values, texts and positions are the real engine's."""

import pytest

from tests.rhaipy.verdicts import verdict


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("(1..5).start", "i64 1"),
        ("(1..=5).end", "i64 5"),
        ("(1..5).end()", "i64 5"),
        ("(1..5).is_inclusive", "bool false"),
        ("(1..=5).is_exclusive()", "bool false"),
        ("(5..5).is_empty", "bool true"),
        ("(5..=5).is_empty()", "bool false"),
        ("(1..5).contains(5)", "bool false"),
        ("5 in 1..=5", "bool true"),
        ("1.5 in 1..3", "Function not found: contains (range, f64) (line 1, position 5)"),
        ("const R=1..3; R.contains(2)", "Non-pure method 'contains' cannot be called on constant (line 1, position 17)"),
        ("const R=1..3; R.start", "i64 1"),
        ("range(1,5)", "range 1..5"),
        ("let r=[]; for x in range(0,10,3) {r.push(x);} r", "array [0, 3, 6, 9]"),
        ("let r=[]; for x in range(5,0,-2) {r.push(x);} r", "array [5, 3, 1]"),
        ("let r=[]; for x in range(0,5,-1) {r.push(x);} r", "array []"),
        ("let r=[]; for x in range(0..5,2) {r.push(x);} r", "array [0, 2, 4]"),
        ("range(0..=5,2)", "Function not found: range (range=, i64) (line 1, position 1)"),
        ("range(0,10,0)", "step value cannot be zero\nin call to function 'range' (line 1, position 1)"),
        ("let r=[]; for x in range(0,9223372036854775807,9223372036854775806) {r.push(x);} r", "array [0]"),
        ("let r=[]; for x in range(0.0,1.0,0.25) {r.push(x);} r", "array [0.0, 0.25, 0.5, 0.75]"),
        ("let r=[]; for x in range(1.0,0.0,-0.5) {r.push(x);} r", "array [1.0, 0.5]"),
        ("range(0.0,1.0,0.0)", "step value cannot be zero\nin call to function 'range' (line 1, position 1)"),
        ('let r=[]; for c in "añ" {r.push(c);} r', "array ['a', '\u00f1']"),
        ('let r=[]; for c in "abcdef".chars(-3,2) {r.push(c);} r', "array ['d', 'e']"),
        ('let r=[]; for c in "abcdef".chars(1..=1) {r.push(c);} r', "array ['b']"),
        ('let r=[]; for c in "abcdef".chars(3..=1) {r.push(c);} r', "array []"),
        ('let r=[]; for c in "abc".chars {r.push(c);} r', "array ['a', 'b', 'c']"),
        ("let r=[]; for b in bits(5,0..3) {r.push(b);} r", "array [true, false, true]"),
        ("let r=[]; for b in 5.bits(-2) {r.push(b);} r", "array [false, false]"),
        ("let r=[]; for b in bits(5,0,2) {r.push(b);} r", "array [true, false]"),
        ("bits(5,64)", "Bit-field index 64 out of bounds: only 64 bits in bit-field (line 1, position 1)"),
        ("bits(5).type_of()", 'string "range"'),
        ('let s="ab".chars(); let r=[]; for c in s {r.push(c);} for c in s {r.push(c);} r', "array ['a', 'b', 'a', 'b']"),
        ('"ab".chars() == "ab".chars()', "Function not found: == (range, range) (line 1, position 14)"),
        ('"ab".chars() == range(0,9,3)', "bool false"),
        ('"ab".chars() != 1', "bool true"),
    ],
)
def test_the_library_gives(source: str, expected: str) -> None:
    assert verdict(source) == expected
