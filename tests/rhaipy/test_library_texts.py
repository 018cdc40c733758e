"""Values as text. The expected values, texts and positions are the real engine's."""

import pytest

from tests.rhaipy.verdicts import verdict


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("to_string(())", 'string ""'),
        ("[1,'c',\"s\",()].to_string()", 'string "[1, c, \\"s\\", ()]"'),
        ("#{b:1,\"a b\":'c'}.to_string()", 'string "#{\\"a b\\": c, \\"b\\": 1}"'),
        ("[[1.0,'c'],#{x:\"y\"}].to_debug()", 'string "[[1.0, c], #{\\"x\\": \\"y\\"}]"'),
        ("to_debug('a')", 'string "a"'),
        ('to_debug("it\'s \\u00e9 \\t\\u0301")', 'string "\\"it\'s \u00e9 \\\\t\\\\u{301}\\""'),
        ("to_debug(())", 'string "()"'),
        ("to_debug(1e21)", 'string "1e21"'),
        ("(1e15).to_debug()", 'string "1000000000000000.0"'),
        ("(0.0).to_string()", 'string "0.0"'),
        ('Fn("a").to_string()', 'string "Fn(a)"'),
        ('Fn("abc").curry(1).to_debug()', 'string "Fn(abc)"'),
        ('[Fn("a")].to_string()', 'string "[Fn(a)]"'),
        ("(1..3).to_string()", 'string "1..3"'),
        ("(1..).to_debug()", 'string "1.."'),
        ('"ab".chars().to_string()', 'string "range"'),
        ("[range(0,9,3)].to_string()", 'string "[range]"'),
        ('`${"ab".chars()}`', 'string "range"'),
        ("255.to_hex()", 'string "ff"'),
        ("(-1).to_hex()", 'string "ffffffffffffffff"'),
        ("8.to_octal()", 'string "10"'),
        ("5.to_binary()", 'string "101"'),
        ("'a'.to_int()", "i64 97"),
        ("true.to_string()", 'string "true"'),
        ("print([1,'c',\"s\"])", '() () > [1, c, "s"]'),
        ("print(())", "() () > "),
        ("print(1.0)", "() () > 1.0"),
        ('debug("x")', '() () >> "x"'),
        ("debug([1,'c'])", "() () >> [1, c]"),
        ("debug(())", "() () >> ()"),
        ("print()", "() () > "),
        ("print(1,2)", "Function not found: print (i64, i64) (line 1, position 1)"),
    ],
)
def test_the_library_gives(source: str, expected: str) -> None:
    assert verdict(source) == expected
