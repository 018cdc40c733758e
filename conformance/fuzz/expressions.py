"""Programs aimed at operators on values of every type, at chains that write back, at `this`, and at closures that share."""

import re
from collections.abc import Mapping
from random import Random
from typing import Final

from conformance.fuzz import values
from conformance.fuzz.templates import Templates, needed

EXPRESSIONS: Final = Templates(
    {
        "int": """
            <integer>   0   1   2   -1   3   7   63   64   9223372036854775807   (-9223372036854775807 - 1)   y   y
            <place>   0x7f   s.len   a.len()   <int> + <int>   -<int>   <int> * <int>   (<int> << <int>)   <int> ** <int>
            y.sign()   <int> % <int>   f.call(<int>)   id(<int>)   r.start   0b101   1_000
        """,
        "float": """
            0.0   -0.0   1.5   2.0   -0.5   1e308   1e-320   (0.0 / 0.0)   (1.0 / 0.0)   1e16   123456.789   1e-7   d   d
            d
        """,
        "text": """
            <quoted>   ""   "abc"   "é😀x"   "0"   `a${<expr>}b`   s   s   s + <expr>   <place>   "\\n\\t"   s[<range>]
            <expr>.to_string()   to_debug(<expr>)   type_of(<expr>)   "1" + <char>
        """,
        "char": "'a'   'é'   '😀'   '0'   c   c   s[0]",
        "bool": """
            true   false   t   <expr> == <expr>   <expr> != <expr>   <expr> < <expr>   !<bool>   <bool> && <bool>
            <bool> || <bool>   <expr> in <expr>   <expr> !in <expr>   is_shared(<name>)   <expr> >= <expr>
            <bool> & <bool>   <bool> ^ <bool>
        """,
        "array": """
            []   [1, 2, 3]   [<expr>, <expr>]   [[1], #{a: [2]}]   a   a   <place>   a + <expr>   a[<range>]   [x, y, s]
            m.keys()
        """,
        "map": """
            #{}   #{a: 1, b: 2}   #{a: <expr>, b: <expr>}   #{a: #{b: [1, 2]}}   m   m   <place>   #{"é": <expr>}
            m + <map>
        """,
        "blob": "blob(3, 65)   b   b   b + <expr>   blob()",
        "range": "0..2   1..=2   -1..3   <int>..<int>   <int>..=<int>   r   r   0..",
        "closure": """
            |p| p   || 1   |p| p + 1   |p, q| p + q   || x   || { x += 1; x }   |p| { y += p; this }   Fn("id")
            Fn("add")   f   g   |p| { this.a = p; p }   |p| <expr>   || { <place> <assign> <expr>; <expr> }
            Fn("len").curry(<expr>)   f.curry(<expr>)   || { a.push(x); x }   || { m.a = y; y }   |p| || p   Fn("+")   id
            Fn("nope")
        """,
        "expr": """
            <int>   <int>   <float>   <text>   <char>   <bool>   ()   <array>   <map>   <blob>   <range>   <closure>
            <place>   <place>   <expr> <binary> <expr>   <expr> <binary> <expr>   <expr> <binary> <expr>   (<expr>)
            -<expr>   !<expr>   +<expr>   <expr>[<index>]   <expr>.<key>   <expr>?.<key>   <place>.<method>
            <place>.<method>   <expr>.<method>   if <bool> { <expr> } else { <expr> }   { <expr> }   <expr> ?? <expr>
            (<closure>).call(<expr>)   call(<closure>, <expr>)   f.call(<expr>)   g.call()   f(<expr>)   id(<expr>)
            id(<expr>)   { let x = <expr>; x }   [<expr>].map(<closure>)   a.filter(<closure>)
            a.reduce(<closure>, <expr>)   <place>.call(<expr>)   switch <expr> { <case>, _ => <expr> }   K
            loop { break <expr>; }   twice(<closure>, <expr>)   <place>.<own>   id(<name>).<key>   1   2   `abc`   a   m
            s   x   y   u   [1]   #{a: 1}   |p| p   0..2   true   'c'   2.5   -1   g   (<name>)[<index>]
        """,
        "case": """
            <int> => <expr>   <text> => <expr>   <range> => <expr>   'a' => 1   [1, 2, 3] => 2   <int> if <bool> => <expr>
            () => 3   1 | 2 => <expr>   1.5 => <expr>   0..5 => <expr>   true => <expr>   -1..=1 if <bool> => <expr>
        """,
        "binary": """
            +   -   *   /   %   **   <<   >>   &   |   ^   &&   ||   ==   !=   <   <=   >   >=   ??   in   !in   +   -   *
            ==   <   ..
        """,
        "assign": "=   =   =   +=   +=   -=   *=   /=   %=   **=   <<=   >>=   &=   |=   ^=",
        "name": "a   m   s   x   y   b   c   d   t   r   f   g   u",
        "index": '0   1   -1   2   -3   "a"   "b"   <int>   <range>   <expr>   y   99   -99',
        "key": "a   a   b   len   x",
        "place": """
            a   m   s   x   y   <name>   a[<index>]   a[0]   a[-1]   m.a   m.b   m.<key>   m["a"]   m[<index>]
            a[<index>][<index>]   m.a[<index>]   a[0].<key>   m.a.<key>   m?.<key>   a?[<index>]   s[<index>]   y[<index>]
            b[<index>]   x.<key>   x[<index>]   m.a.b[<index>]   a[1].a[0]   m["a"]["b"]   u.a   u[0]   r[<int>]
            m.<key>?.<key>   a[<index>]?.<key>?[<index>]
        """,
        "method": """
            len()   len   to_string()   push(<expr>)   pop()   is_shared()   type_of()   keys()   insert(<index>, <expr>)
            remove(<index>)   append(<expr>)   clear()   contains(<expr>)   to_upper()   trim()   set(<index>, <expr>)
            get(<index>)   make_upper()   extract(<index>)   reverse()   mixin(<expr>)   truncate(<int>)   shift()
            call(<expr>)   to_float()   abs()   index_of(<expr>)   is_empty   sort()   take()   split(<expr>)   <own>
            <own>   is_anonymous   name   curry(<expr>)   bits(<expr>)
        """,
        "own": "own(<expr>)   add(<expr>)   put(<expr>)   item(<expr>)   same()   deep(<expr>)",
        "iterable": "a   m   s   b   r   0..3   <array>   <expr>   range(0, 6, 2)   s.chars()   y.bits()   m.values()",
        "statement": """
            <place> <assign> <expr>;   <place> <assign> <expr>;   <place> <assign> <expr>;   <place> <assign> <expr>;
            let <name> = <expr>;   <expr>;   print(<expr>);   debug(<expr>);   <place>.<method>;   <place>.<method>;
            let f = |p| <expr>;   let g = <closure>;   u = <closure>;   a.push(|p| [p, x]);   m.b = |p| p + y;
            for p in <iterable> { <statement> }   f.call(<expr>);   g.call();
            for (p, q) in <iterable> { print(p); <statement> }   if <bool> { <statement> } else { <statement> }
            m.b(<expr>);   try { <statement> } catch (e) { print(e); }   while y < 3 { y += 1; <statement> }
            { <statement> <statement> }   const K = <expr>;   switch <expr> { <case>, <case>, _ => { <statement> } }
            <place>.call(<expr>);   <place>.<own>;   let <name> = <name>;   eval("let x = 9; x");
            eval("x += 1; fn id(v) { 7 }");   eval(`<expr>`);   let h = |p| { <statement> p };   a.for_each(<closure>);
            a.for_each(|p, i| { <statement> this = i; });   a.retain(<closure>);   m.map(|k, v| { <statement> v });
            x = a.map(|p| { a[0] });   loop { if y > 4 { break; } y += 1; continue; <statement> }
            switch <expr> { <case>, _ if <bool> => (), _ => { <statement> } }   h.call(<expr>);   throw <expr>;
            return <expr>;   do { <statement> } until true;   m.<key>.<method>;   a[0].<method>;
        """,
        "program": """
            <statement> <statement>   <statement> <statement> <statement>
            <statement> <statement> <statement> <statement>   <statement>
        """,
    },
    {"integer": values.integer, "real": values.real, "quoted": values.quoted},
)

FUNCTIONS: Final = {
    "own": "fn own(v) { this = v; this }",
    "add": "fn add(v) { this += v; v }",
    "put": "fn put(v) { this.a = v; }",
    "item": "fn item(v) { this[0] = v; }",
    "same": "fn same() { this }",
    "deep": "fn deep(v) { this.a.b = v; this.a }",
    "twice": "fn twice(f, v) { f.call(f.call(v)) }",
    "id": "fn id(v) { v }",
}
_SETUPS: Final = (
    {"a": "[1, 2, 3]", "m": "#{a: 1, b: 2}", "s": "`abc`", "x": "5", "u": "()"},
    {"a": "[[1, 2], #{a: [3]}]", "m": "#{a: #{b: [4]}}", "s": "`é😀x`", "x": "[1]", "u": "'z'"},
    {"a": "[#{a: 1}, 2.5]", "m": "#{a: [1, [2]], b: ()}", "s": "``", "x": "#{a: 1}", "u": "|| 1", "h": "|| x"},
    {"a": "[]", "m": "#{}", "s": "`x`", "x": "`text`", "u": "1..3", "h": "|| { a; m }"},
)
_OTHERS: Final = {
    "y": "2", "c": "'c'", "d": "2.5", "t": "true", "b": "blob(2, 7)", "r": "0..=2", "f": "|p| p", "g": "|| x"
}  # fmt: skip


def _lets(given: Mapping[str, str], text: str) -> str:
    return needed({name: f"let {name} = {value};" for name, value in given.items()}, text)


def program(random: Random) -> str:
    """One program; its value shows what became of the variables, unless it ends before."""
    body = EXPRESSIONS.text(random, "program", random.choice((2, 3, 3, 4)))
    functions = needed(FUNCTIONS, body)
    if random.random() < 0.1:
        return f"{functions} {body.removesuffix(';')}"
    variables = {**random.choice(_SETUPS), **_OTHERS}
    shown = [name for name in ("a", "m", "s", "x", "y", "u", "b", "f", "g", "r", "c") if re.search(rf"\b{name}\b", body)]
    end = random.choice((f"[{', '.join(shown)}]", f"[{', '.join(shown)}]", *shown))
    constant = "const K = #{a: [1]};" if "K" in body else ""
    return f"{functions} {_lets(variables, f'x {body}')} {constant} {body} {end}"


def expression(random: Random) -> str:
    """One expression."""
    return EXPRESSIONS.text(random, "expr", random.choice((1, 2, 3, 4)))


def statement(random: Random, depth: int = 2) -> str:
    """One statement, over the variables of all programs here."""
    return EXPRESSIONS.text(random, "statement", depth)
