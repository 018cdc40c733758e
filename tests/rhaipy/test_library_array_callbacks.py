"""Arrays and functions of the script. The expected values, texts and positions are the real engine's."""

import pytest

from tests.rhaipy.verdicts import verdict


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("[1,2,3].map(|x| x*2)", "array [2, 4, 6]"),
        ("[1,2,3].map(|x,i| x*i)", "array [0, 2, 6]"),
        ("[1,2].map(|| this+1)", "array [2, 3]"),
        ("let a=[1,2]; [a.map(|| {this += 1; 0}), a]", "array [[0, 0], [2, 3]]"),
        (
            "[1].map(|a,b,c| 1)",
            "Function not found: anon$# (i64, i64) (line 1, position 5)\nin call to function 'map' (line 1, position 5)",
        ),
        ('[-1].map(Fn("abs"))', "array [1]"),
        ('fn twice(x) {x*2} [1,2].map("twice")', "array [2, 4]"),
        ("fn twice(x) {x*2} [1,2].map(twice)", "array [2, 4]"),
        ('fn add(a,b) {a+b} [1,2].map(Fn("add").curry(10))', "array [11, 12]"),
        (
            '[1].map("nope")',
            "Function not found: nope (i64, i64) (line 1, position 5)\nin call to function 'map' (line 1, position 5)",
        ),
        ('[1].map("let")', "Syntax error: 'let' is a reserved keyword (line 1, position 5)"),
        ('[1].map("a b")', "Function not found: a b (line 1, position 5)"),
        ('[].map("nope")', "array []"),
        (
            "[1,0].map(|x| 1/x)",
            "Division by zero: 1 / 0 (line 1, position 16)\n"
            "in closure call (line 1, position 7)\n"
            "in call to function 'map' (line 1, position 7)",
        ),
        (
            "[1].map(|x| throw x)",
            "Runtime error: 1 (line 1, position 13)\n"
            "in closure call (line 1, position 5)\n"
            "in call to function 'map' (line 1, position 5)",
        ),
        (
            "[1,2].map(|x| exit(x))",
            "NOT AN ERROR - exit value (line 1, position 7)\nin call to function 'map' (line 1, position 7)",
        ),
        ("[1,2,3].filter(|x| x>1)", "array [2, 3]"),
        ('[1,2,3].filter(|x| "true")', "array []"),
        ("[1,2,3].filter(|x,i| i==0)", "array [1]"),
        ('fn big(x) {x>1} [1,2,3].filter("big")', "array [2, 3]"),
        ("const A=[1]; A.filter(|x| true)", "array [1]"),
        (
            'fn big(x) {x>1} const A=[1]; A.filter("big")',
            "Non-pure method 'filter' cannot be called on constant (line 1, position 32)",
        ),
        ('fn big(x) {x>1} const A=[1]; A.some("big")', "bool false"),
        ("[1,2].some(|x| x==2)", "bool true"),
        ("[].all(|x| false)", "bool true"),
        ("[1,2].all(|x| x>1)", "bool false"),
        ("let a=[1,2]; a.for_each(|| this *= 2); a", "array [2, 4]"),
        ("let a=[1,2]; a.for_each(|i| this += i); a", "array [1, 3]"),
        (
            "[1].for_each(|x,y| 1)",
            "Function not found: anon$# (i64, i64) (line 1, position 5)\nin call to function 'for_each' (line 1, position 5)",
        ),
        ("[1,2,3].reduce(|a,x| a+x, 10)", "i64 16"),
        ("[1,2,3].reduce(|a,x,i| a+x*i, 0)", "i64 8"),
        ("[1,2,3].reduce(|a| a+this, 0)", "i64 6"),
        ("[1,2,3].reduce(|a,x| if a==() {x} else {a*x})", "i64 6"),
        (
            "[1,2].reduce(|a,x| a+x)",
            "Function not found: + ((), i64) (line 1, position 21)\n"
            "in closure call (line 1, position 7)\n"
            "in call to function 'reduce' (line 1, position 7)",
        ),
        ("[1,2,3].reduce_rev(|a,x,i| a*10+x+i, 0)", "i64 531"),
        ('fn add(a,b) {a+b} [1,2].reduce("add", 0)', "i64 3"),
        ("[].reduce(|a,x| a, 7)", "i64 7"),
        ("[1,2,3].find(|x| x>1)", "i64 2"),
        ("[1,2,3].find(|x| x>0, 1)", "i64 2"),
        ("[1].find(|x| false)", "() ()"),
        ("[1,2].find_map(|x| if x>1 {x*2})", "i64 4"),
        ("[1,2,3].index_of(|x| x==3)", "i64 2"),
        ('["x","y"].index_of("y")', "i64 1"),
        ('fn y(e) {e=="x"} ["x","y"].index_of("y")', "i64 0"),
        (
            'fn y(e) {throw e} ["x","y"].index_of("y")',
            "Runtime error: x (line 1, position 10)\n"
            "in call to function 'y' (line 1, position 29)\n"
            "in call to function 'index_of' (line 1, position 29)",
        ),
        ("let a=[1,2,3]; [a.drain(|x| x>1), a]", "array [[2, 3], [1]]"),
        ("let a=[1,2,3]; [a.retain(|x| x>1), a]", "array [[1], [2, 3]]"),
        ('let a=[1,2,3]; try { a.drain(|x| if x==2 {throw "no"} else {true}); } catch {} a', "array [2, 3]"),
        ("let a=[1,1,2,1]; a.dedup(); a", "array [1, 2, 1]"),
        ("let a=[1,2,3,4]; a.dedup(|a,b| b-a==1); a", "array [1, 3]"),
        ('let a=[1,"a",1]; a.dedup(|a,b| throw 1); a', 'array [1, "a", 1]'),
        ("[1,2].zip([3,4,5],|a,b| a+b)", "array [4, 6]"),
        ("[1,2].zip([3,4],|a,b,i| [a,b,i])", "array [[1, 3, 0], [2, 4, 1]]"),
        ("let a=[3,1,2]; a.sort(|x,y| x-y); a", "array [1, 2, 3]"),
        ("let a=[3,1,2]; a.sort(|x,y| x<y); a", "array [1, 2, 3]"),
        ('let a=[3,1,2]; a.sort(|x,y| "z"); a', "array [3, 1, 2]"),
        ("let a=[\"z\",1,'c',()]; a.sort(|x,y| throw 1); a", "array [1, 'c', (), \"z\"]"),
        ("let a=[1,2,3]; a.sort(|x,y| {print(`${x}${y}`); y-x}); a", "array [3, 2, 1] > 21 > 31 > 32"),
        ("let a=[3,1,2]; [a.order_by(|x,y| x-y), a]", "array [[1, 2, 3], [3, 1, 2]]"),
        (
            "let a=[]; for i in 0..50 {a.push(i*7%50);} a.sort(|x,y| x-y); a.extract(0,3) + a.extract(-2)",
            "array [0, 1, 2, 48, 49]",
        ),
        ("let n=[2,1]; let f=|x| n.len(); n.map(f)", "Data race detected on argument #1 of function 'map'"),
    ],
)
def test_the_library_gives(source: str, expected: str) -> None:
    assert verdict(source) == expected
