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
