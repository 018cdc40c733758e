"""Numbers, booleans, and the language's own functions. The expected values, texts and positions are the real engine's."""

import pytest

from tests.rhaipy.verdicts import verdict


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("abs(-9223372036854775808)", "Negation overflow: --9223372036854775808 (line 1, position 1)"),
        ("abs(-5)", "i64 5"),
        ("abs(-1.5)", "f64 1.5"),
        ("sign(-3)", "i64 -1"),
        ("sign(0.0)", "i64 0"),
        ("sign(-2.5)", "i64 -1"),
        ("sign(0.0/0.0)", "Sign of NaN is undefined (line 1, position 1)"),
        ("0.is_zero", "bool true"),
        ("(-0.0).is_zero()", "bool true"),
        ("3.is_odd", "bool true"),
        ("(-4).is_even()", "bool true"),
        ("max(1,2)", "i64 2"),
        ("max(1,2.5)", "f64 2.5"),
        ("min(1.0,2)", "f64 1.0"),
        ("min(3,-1)", "i64 -1"),
        ("+5", "i64 5"),
        ('+"a"', "Function not found: + (&str | ImmutableString | String) (line 1, position 1)"),
        ('-"a"', "Function not found: - (&str | ImmutableString | String) (line 1, position 1)"),
        ("!1", "Function not found: ! (i64) (line 1, position 1)"),
        ("exit(5)", "i64 5"),
        ("fn f() {exit(7)} f(); 1", "i64 7"),
        ("let x=[1]; [take(x), x]", "array [[1], ()]"),
        ("const X=1; take(X)", "i64 1"),
        ('Fn("foo").name', 'string "foo"'),
        ("(|x| x).is_anonymous", "bool true"),
        ("1.tag", "i64 0"),
        ('parse_json("{\\"a\\":[1,null,true,-1.5e3],\\"b\\":{}}")', 'map #{"a": [1, (), true, -1500.0], "b": #{}}'),
        ('parse_json("[1]")', "Output type incorrect: array (expecting map) (line 1, position 1)"),
        ('parse_json("{a:1}")', "Syntax error: Expecting name of a property (line 1, position 2)"),
        ('parse_json("{\\"a\\":1+1}")', 'map #{"a": 2}'),
        ('parse_json("{\\"a\\":()}")', "Syntax error: Invalid symbol encountered: '()' (line 1, position 6)"),
        ('parse_json("xx")', "Variable not found: xx (line 1, position 1)"),
        ('parse_json("")', "Syntax error: Script is incomplete (line 1, position 1)"),
        (
            'fn f(a) {} private fn g() {} get_fn_metadata_list("f")',
            'array [#{"access": "public", "is_anonymous": false, "name": "f", "params": ["a"]}]',
        ),
        ('get_fn_metadata_list("nope", 1)', "array []"),
        ("sleep(0)", "() ()"),
    ],
)
def test_the_library_gives(source: str, expected: str) -> None:
    assert verdict(source) == expected
