"""Mathematics, and numbers from text. The expected values, texts and positions are the real engine's."""

import pytest

from tests.rhaipy.verdicts import verdict


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("sin(1.0)", "f64 0.8414709848078965"),
        ("(1.0/0.0).cos()", "f64 NaN"),
        ("asin(2.0)", "f64 NaN"),
        ("atan(1.0,-1.0)", "f64 2.356194490192345"),
        ("cosh(1000.0)", "f64 inf"),
        ("sinh(-1000.0)", "f64 -inf"),
        ("acosh(0.5)", "f64 NaN"),
        ("atanh(1.0)", "f64 inf"),
        ("asinh(-2.5)", "f64 -1.6472311463710958"),
        ("hypot(3.0,4.0)", "f64 5.0"),
        ("to_degrees(PI())", "f64 180.0"),
        ("E()", "f64 2.718281828459045"),
        ("sqrt(-1.0)", "f64 NaN"),
        ("exp(1000.0)", "f64 inf"),
        ("ln(0.0)", "f64 -inf"),
        ("log(1000.0)", "f64 3.0"),
        ("log(8.0,2.0)", "f64 3.0"),
        ("(-2.5).round()", "f64 -3.0"),
        ("0.49999999999999994.round", "f64 0.0"),
        ("(-0.5).ceiling", "f64 -0.0"),
        ("(-1.5).floor()", "f64 -2.0"),
        ("(-1.5).int", "f64 -1.0"),
        ("(-1.5).fraction", "f64 -0.5"),
        ("(0.0/0.0).is_nan", "bool true"),
        ("1e300.is_finite()", "bool true"),
        ("(1.0/0.0).is_infinite", "bool true"),
        ("(-2.9).to_int()", "i64 -2"),
        ("(0.0/0.0).to_int()", "i64 0"),
        ("1e20.to_int()", "Integer overflow: to_int(100000000000000000000) (line 1, position 6)"),
        ("9223372036854775807.0.to_int()", "i64 9223372036854775807"),
        ("(-1.0/0.0).to_int()", "Integer overflow: to_int(-inf) (line 1, position 12)"),
        ("5.to_float()", "f64 5.0"),
        ("'a'.to_int()", "i64 97"),
        ('parse_int(" -12 ")', "i64 -12"),
        ('parse_int("ff",16)', "i64 255"),
        ('parse_int("1",37)', "Invalid radix: '37' (line 1, position 1)"),
        ('parse_int("")', "Error parsing integer number '': cannot parse integer from empty string (line 1, position 1)"),
        ('parse_int("-")', "Error parsing integer number '-': invalid digit found in string (line 1, position 1)"),
        ('parse_int("1_000")', "Error parsing integer number '1_000': invalid digit found in string (line 1, position 1)"),
        (
            'parse_int("\\u0661\\u0662")',
            "Error parsing integer number '\u0661\u0662': invalid digit found in string (line 1, position 1)",
        ),
        (
            'parse_int("9223372036854775808")',
            "Error parsing integer number '9223372036854775808': number too large to fit in target type (line 1, position 1)",
        ),
        (
            'parse_int("-9223372036854775809")',
            "Error parsing integer number '-9223372036854775809': number too small to fit in target type (line 1, position 1)",
        ),
        (
            'parse_int("99999999999999999999x")',
            "Error parsing integer number '99999999999999999999x': number too large to fit in target type (line 1, position 1)",
        ),
        ('parse_float(" 1.5e3 ")', "f64 1500.0"),
        ('parse_float(".5")', "f64 0.5"),
        ('parse_float("1e400")', "f64 inf"),
        ('parse_float("-inf")', "f64 -inf"),
        ('parse_float("NaN")', "f64 NaN"),
        ('parse_float("1_0")', "Error parsing floating-point number '1_0': invalid float literal (line 1, position 1)"),
        ('parse_float("")', "Error parsing floating-point number '': cannot parse float from empty string (line 1, position 1)"),
        ('parse_float("1e")', "Error parsing floating-point number '1e': invalid float literal (line 1, position 1)"),
    ],
)
def test_the_library_gives(source: str, expected: str) -> None:
    assert verdict(source) == expected
