"""Maps. The expected values, texts and positions are the real engine's."""

import pytest

from tests.rhaipy.verdicts import verdict


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("#{a:1}.len()", "i64 1"),
        ("#{a:1}.is_empty()", "bool false"),
        ('"a" in #{a:1}', "bool true"),
        ("1 in #{a:1}", "Function not found: contains (map, i64) (line 1, position 3)"),
        ('#{a:[1]}.get("a")', "array [1]"),
        ('#{}.get("a")', "() ()"),
        ('let m=#{}; m.set("b",1); m', 'map #{"b": 1}'),
        ('let m=#{a:1}; [m.remove("a"), m.remove("a"), m]', "array [1, (), #{}]"),
        ("let m=#{a:1}; m.clear(); m", "map #{}"),
        ("let m=#{a:1}; m.mixin(#{b:2,a:9}); m", 'map #{"a": 9, "b": 2}'),
        ("let m=#{a:1}; m += #{b:2}; m", 'map #{"a": 1, "b": 2}'),
        ("#{a:1}+#{a:2,b:3}", 'map #{"a": 2, "b": 3}'),
        ("let m=#{a:1}; m.fill_with(#{a:9,b:2}); m", 'map #{"a": 1, "b": 2}'),
        ('#{b:1,a:2,B:3,"é":4}.keys()', 'array ["B", "a", "b", "\u00e9"]'),
        ("#{b:1,a:2}.values()", "array [2, 1]"),
        ("#{a:1,b:[2]} == #{b:[2],a:1.0}", "bool true"),
        ('#{a:1} == #{a:"x"}', "bool false"),
        ("#{a:1} != #{b:1}", "bool true"),
        ('#{a:Fn("x")} == #{a:Fn("x")}', "Function not found: == (Fn, Fn) (line 1, position 14)"),
        ("#{b:1,a:2}.map(|k,v| k+v)", 'map #{"a": "a2", "b": "b1"}'),
        ("#{a:1}.map(|k| this+1)", 'map #{"a": 2}'),
        (
            "#{a:1}.map(|| 1)",
            "Function not found: anon$# (&str | ImmutableString | String, i64) (line 1, position 8)\n"
            "in call to function 'filter' (line 1, position 8)",
        ),
        (
            "#{a:1}.map(|k,v| throw k)",
            "Runtime error: a (line 1, position 18)\n"
            "in closure call (line 1, position 8)\n"
            "in call to function 'filter' (line 1, position 8)",
        ),
        ("#{a:1,b:2}.filter(|k,v| v>1)", 'map #{"b": 2}'),
        ("let m=#{a:1,b:2}; [m.drain(|k,v| v>1), m]", 'array [#{"b": 2}, #{"a": 1}]'),
        ("let m=#{a:1,b:2,c:3}; [m.retain(|k,v| v>1), m]", 'array [#{"a": 1}, #{"b": 2, "c": 3}]'),
        ('let m=#{a:1,b:2,c:3}; try { m.drain(|k,v| if k=="b" {throw 1} else {true}); } catch {} m', 'map #{"c": 3}'),
        ("const M=#{a:1}; M.keys()", 'array ["a"]'),
        ("const M=#{a:1}; M.clear()", "Non-pure method 'clear' cannot be called on constant (line 1, position 19)"),
        ("#{a:[1,\"x\",1.0,(),true,'c'],b:#{}}.to_json()", 'string "{\\"a\\":[1,\\"x\\",1.0,null,true,\'c\'],\\"b\\":{}}"'),
        ('#{"q\\"\\n\\u0301":"\u00e9"}.to_json()', 'string "{\\"q\\\\\\"\\\\n\\\\u{301}\\":\\"\u00e9\\"}"'),
        ('let x=5; #{f:Fn("g").curry(1,"a")}.to_json()', 'string "{\\"f\\":[\\"g\\",1,\\"a\\"]}"'),
    ],
)
def test_the_library_gives(source: str, expected: str) -> None:
    assert verdict(source) == expected
