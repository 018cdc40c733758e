"""Blobs and bit-fields. The expected values, texts and positions are the real engine's."""

import pytest

from tests.rhaipy.verdicts import verdict


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("let x=5; [x.get_bit(0), x.get_bit(-1)]", "array [true, false]"),
        ("5.get_bit(64)", "Bit-field index 64 out of bounds: only 64 bits in bit-field (line 1, position 3)"),
        ("let x=5; x.set_bit(1,true); x.set_bit(-1,true); x", "i64 -9223372036854775801"),
        ("(-1).get_bits(1..4)", "i64 7"),
        ("(-1).get_bits(60,99)", "i64 15"),
        ("5.get_bits(0..=64)", "Bit-field index 64 out of bounds: only 64 bits in bit-field (line 1, position 3)"),
        ("let x=0; x.set_bits(1..=3,15); x.set_bits(62,9,1); x", "i64 4611686018427387918"),
        ("let x=5; x[1]=true; x[0..2]", "i64 3"),
    ],
)
def test_the_library_gives(source: str, expected: str) -> None:
    assert verdict(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("for x in blob(1, 200) { x + x }", "Addition overflow: 200 + 200 (line 1, position 27)"),
        ("for x in blob(1, 200) { x + 1 }", "Function not found: + (u8, i64) (line 1, position 27)"),
        ("for x in blob(1, 200) { x == 200 }", "Function not found: == (u8, i64) (line 1, position 27)"),
        ("let a = []; for x in blob(1, 3) { a.push(x); a += x.to_int(); } [a, a[0] == a[1]]", "Function not found: == (u8, i64)"),
        ("let r = []; for x in blob(1, 3) { for y in range(x, x * x, x) { r.push(y); } } r", "array [3, 6]"),
        (
            "let r = []; for x in blob(1, 3) { r.push([x << 7, x >> 1, x ** 2, x % x, x.is_odd]); } r",
            "array [[128, 1, 9, 0, true]]",
        ),
    ],
)
def test_running_over_a_blob_yields_bytes(source: str, expected: str) -> None:
    assert verdict(source).startswith(expected)
