"""Attempts to make the compiled tier differ from the reference evaluator: each script, as a program and as a function."""

from itertools import product
from typing import Any, Final

import pytest

from conformance.subject import answer

SCRIPTS: Final = r"""
let a = 1; let b = 2; let r = (a < b) == { a = 10; true }; r
let a = 1; let b = 2; [a < b, { a = 10; 1 }, a < b]
fn f(x, y) { [x, y] } let a = 1; let b = 2; f(a < b, { a = 10; 1 })
let a = 1; let b = 2; #{x: a < b, y: { a = 10; 1 }}
let i = 0; let a = [1, 2, 3]; ({ i = 2; a })[i]
let i = 0; let a = [1, 2, 3]; ({ i = 2; a })[i] = i; a
let i = 0; let a = [1, 2, 3]; let b = { i = 2; a }.contains(i); [b, i]
let i = 3; let b = { i = 2; [3, i] }.index_of(i); b
let i = 0; let a = [[1, 2, 3]]; a[{ i = 1; 0 }][i]
let i = 0; let a = [[1, 2, 3]]; a[i][{ i = 1; i }]
let x = -0.0; let y = 0.0; [x, y, 1.0 / x, 1.0 / y]
let x = [1, 1.0, true, -0.0, 0.0, 0, false, 'a', "a"]; x
let x = 1; let y = 1.0; let z = true; switch x { 1.0 => "f", true => "b", 1 => "i" }
switch true { 1 => "i", 1.0 => "f", true => "b" }
switch 1.0 { 1 => "i", true => "b", 1.0 => "f" }
switch -0.0 { 0.0 => 1, -0.0 => 2, _ => 3 }
switch 'a' { "a" => 1, 'a' => 2 }
let v = 5; switch v { 1..3 => 1, 3..=5 if v > 5 => 2, 5 if v < 4 => 3, 0..10 => 4, _ => 5 }
let s = "x"; s += s; s += s; [s, s + 1, 1 + s]
let a = [1]; a.push(a); a.push(a); a[1][0] = 5; a
let a = [1]; let b = a; b[0] = 2; [a, b]
fn f(a) { a[0] = 9; a } let a = [1]; [f(a), a]
fn f(a) { a[0] } let a = [[1]]; let b = f(a); b[0] = 5; [a, b]
fn f(a) { let b = a[0]; b[0] = 7; a[0] } let a = [[1]]; [f(a), a]
fn f(a) { a.x } let m = #{x: [1]}; let y = f(m); y.push(2); [m, y]
let a = [[1], [2]]; let b = a.map(|x| x); b[0][0] = 9; [a, b]
let a = [[1], [2]]; let b = a.filter(|x| x[0] > 0); b[0][0] = 9; [a, b]
let a = [[1], [2]]; let b = a.map(|x| { x[0] = 5; x }); [a, b]
let a = [[1], [2]]; for x in a { x[0] = 5; } a
let a = [[1], [2]]; let c = []; for x in a { c.push(x); x[0] = 5; } [a, c]
let a = [1]; let f = || a; let b = f.call(); b[0] = 5; [a, b]
let a = [1]; let f = || { a.push(1); a }; let b = f.call(); b[0] = 5; [a, b, f.call()]
let fs = []; for i in 0..3 { fs.push(|| i); } fs.map(|f| f.call())
let fs = []; for (x, i) in [5,6] { fs.push(|| [x, i]); } fs.map(|f| f.call())
let fs = []; let i = 0; while i < 3 { let j = i; fs.push(|| j); i += 1; } fs.map(|f| f.call())
let x = 1; let f = || { x += 1; x }; let x = 10; [f.call(), x, f.call()]
let x = 1; { let x = 2; { let x = 3; x += 1; } x += 10; } x
let x = 1; let x = "a"; let x = [x]; const x = 5; x = 7;
const x = 5; let x = 6; x = 7; x
let x = 1; { let x = x + 1; let x = x + 1; x }
let r = []; for i in 0..5 { if i == 3 { break; } if i == 1 { continue; } r.push(i); } r
let r = []; for i in 0..5 { r.push(if i == 3 { break } else { i }); } r
let x = loop { let y = loop { break 5; }; break y + 1; }; x
let x = while true { break if true { 5 } else { 6 }; }; x
let r = []; for i in 0..5 { try { if i == 2 { continue; } if i == 4 { break; } throw i; } catch (e) { r.push(e); continue; } } r
let r = []; for i in 0..5 { try { throw i; } catch (e) { if e == 3 { break; } r.push(e); continue; } r.push("no"); } r
fn f() { try { return 5; } catch { } 6 } f()
fn f() { try { throw 1; } catch { return 5; } 6 } f()
fn f() { for i in 0..5 { while true { try { throw i } catch (e) { if e == 2 { return e } break; } } } } f()
try { throw 1 } catch (e) { try { throw 2 } catch (e) { print(e); } throw e }
try { throw } catch (e) { throw }
try { throw 5 } catch { throw }
try { let x = 1 / 0; } catch (e) { e }
fn f() { throw #{a: 1} } try { f() } catch (e) { e.a += 1; e }
let a = [1, 2]; try { a[5] = 1; } catch (e) { a.push(e.index); } a
let a = [1,2]; try { a.push({ throw 1 }); } catch (e) { a.push(e); } a
let x = 1; try { x += { x = 5; throw 1 }; } catch { } x
let x = [1]; try { x.push({ x = [5]; 2 }); } catch { } x
let x = [1]; x.push({ x.push(2); 3 }); x
let x = [1]; x[{ x.push(2); 1 }] = { x.push(7); x.len() }; x
let x = 1; x = { x = 2; x + 1 } + x; x
let x = 1; x + { x = 2; x } + x
let x = 1; [x, { x = 2; x }, x]
let x = "a"; `${x}${{ x = "b"; x }}${x}`
let x = "a"; x + { x = "b"; x } + x
let x = [1]; x + { x = [2]; x } + x
let x = 1; x == { x = 2; 1 }
let x = 1; let y = x ?? { x = 5 }; y
let x = (); let y = x ?? { x = 5; x } ?? 6; [x, y]
let x = true; (x && { x = false; true }) || x
let x = true; if x && { x = false; x } { 1 } else { 2 }
let x = 5; if (x < 10) == { x = 20; false } { 1 } else { 2 }
let x = 5; !(x < 10) || { x = 20; x < 10 }
let x = 5; let f = -x; let m = -9223372036854775807 - 1; [f, -m]
let m = -9223372036854775807 - 1; m / -1
let m = -9223372036854775807 - 1; m % -1
let m = 9223372036854775807; m * 2
let m = 5; [m / 2, -m / 2, m % 3, -m % 3, m % -3, m / -2]
let m = 5; m / 0
let m = 5; m % 0
5.0 / 0.0
let x = 5.0; [x % 0.0, x / 0.0, x == x, (0.0/0.0) == (0.0/0.0), 0.0/0.0 != 0.0/0.0]
let x = 1.0; [x < 2, x == 1, 1 == x, x > 0, true == 1, 1 == true, "a" == 'a']
let r = 1..5; for i in r { } [r, r == (1..5), r == (1..=4)]
for i in 9223372036854775806..=9223372036854775807 { print(i) }
let t = 0; for i in 5..1 { t += 1 } t
let t = 0; for i in 'a' { t += 1 } t
let t = []; for i in "abc" { t.push(i) } t
for x in 5 { }
for (x, i) in #{a: 1} { x }
let m = #{a: [1]}; let a = m.a; a.push(2); [m, a]
let m = #{a: [1]}; m.a.push(2); m.b = m.a; m.b.push(3); m
let m = #{a: 1}; m.a += { m.a = 10; 1 }; m
let m = #{a: #{b: [1, 2]}}; m.a.b[0] += 5; m["a"]["b"][1] = m.a.b; m
let m = #{}; m.__class__ = 1; m["__dict__"] = m.__class__; m
let m = #{len: || 5}; [m.len(), m.len.call()]
let m = #{push: |x| x + 1}; m.push(4)
let m = #{f: |x| { this.n = x; this.n }}; m.f(5); m
fn inc() { this += 1; } let x = 5; x.inc(); x
fn inc() { this.push(this.len()); this } let x = [5]; let y = x.inc(); y.push(1); [x, y]
fn inc() { let t = this; t.push(1); this } let x = [5]; [x.inc(), x]
fn g() { this } g()
fn g(a) { this.push(a); a.push(1); this[1] } let x = []; x.push(1); let a = [0]; let r = x.g(a); r.push(8); [x, a, r]
let x = 1; let f = |y| { this += y; this }; x.f(3)
let x = 1; let f = |y| { this += y; this }; f.call(3)
"x".eval()
let x = 1; "x".eval()
let x = 5; eval("x = 6; let y = 7;"); [x, y]
let x = 5; "x".is_def_var()
let x = 5; is_def_var("x")
let x = 5; { let y = 1; is_def_var("y") }
fn f() { let y = 1; is_def_var("y") } f()
fn f(s) { let y = 1; eval(s); y } f("y = 5;")
let f = Fn("eval"); let x = 3; f.call("x")
let x = 3; ["x"].map(Fn("eval"))
let x = 3; call(Fn("eval"), "x")
let x = 1; let f = || x; is_shared(x)
let x = 1; let f = || x; x.is_shared()
let x = 1; let f = || x; x = x; x += x; f.call()
let x = [1]; let f = |y| { x.push(y); }; x.push(x); f.call(3); f.call(x); x
let x = [1]; let f = || x.push(x.len()); x.map(|y| f.call())
let x = #{a: 1}; let f = || x.a; x.a = { x.a = 5; f.call() } + 1; x
let x = 1; let f = |n| if n == 0 { x } else { x += 1; x }; f.call(1) + f.call(0) + x
fn f(n) { if n == 0 { 0 } else { 1 + f(n - 1) } } f(60)
fn f(n) { if n == 0 { 0 } else { 1 + f(n - 1) } } f(63)
fn f(n) { if n == 0 { 0 } else { 1 + f(n - 1) } } f(64)
fn f(n) { if n == 0 { 0 } else { 1 + f(n - 1) } } f(65)
fn f(n) { try { f(n + 1) } catch (e) { n } } f(0)
fn f(n) { [1].map(|x| f(n + 1)) } f(0)
loop { try { loop { } } catch { } }
const A = 5; fn f() { global::A } f()
const A = [5]; fn f() { global::A } let x = f(); x.push(1); [x, f()]
const A = [5]; A.push(1)
const A = [5]; A[0] = 1;
const A = #{x: 1}; A.x = 1;
const A = 5; let f = || A; f.call()
const A = 5; let f = || { A = 1; }; f.call()
let x = 1; switch x { 1 => { x = 2; x } 2 => 5 } + x
let x = 3; switch x { 1 | 2 | 3 if x > 2 => { x = 9; 1 }, 3 => 2, _ => 4 }
let x = 3; let r = 0; for i in 0..5 { switch i { 2 => continue, 4 => break, _ => r += i } } r
let x = 3; for i in 0..5 { switch i { 2 => { x = i; continue; } 3 => return x, _ => () } }
if 1 { }
while 1 { }
let x = "a"; if x { }
let x = 1; x && true
let x = 1; true && x
let x = 1; !x
let x = "a"; -x
let x = 1; x.foo
let x = 1; x.foo()
let x = 1; foo(x)
let x = 1; foo(x, 2, "a")
let x = [1]; x.foo = 1
let x = 1; x[0]
let x = 5; x[0] = true; x
let x = "abc"; x[0] = 'd'; x[-1] = 'e'; x
let x = [1,2,3]; x[-1] = 5; x[-1] + x[-2]
let x = [1,2,3]; x[1.0]
let x = [1,2,3]; x["a"]
let x = [1,2,3]; x[0..2]
let x = #{}; x[1]
let x = #{}; x["a"]
let x = #{a: ()}; x.a.b
let x = #{a: ()}; x.a?.b
let x = (); x?.b?.c ?? 5
let x = [1]; x?[0]
let x = #{}; x.a.b = 5;
let x = [[1]]; x[0][0] += 5; x[0][0] -= 1; x
let x = 1; x.type_of() + type_of(x)
let a = [3,1,2]; a.sort(|x, y| x - y); a.sort(); a
let a = [1,2,3]; a.retain(|x| x > 1); a.drain(|x| x > 2); a
let a = [1,2,3]; a.for_each(|| this += 1); a
let a = [1]; let b = [a, a]; b[0].push(2); [a, b]
let a = [1]; let b = #{x: a, y: a}; b.x.push(2); [a, b]
let a = [1]; let f = |x| x; let g = f.curry(a); a.push(2); let r = g.call(); r.push(3); [a, r, g.call()]
let a = [1]; let f = |x, y| { x.push(y); x }; let g = f.curry(a); [g.call(1), g.call(2), a]
let a = 1; let f = |x| |y| x + y + a; f.call(1).call(2)
let a = []; for i in 0..3 { let f = |x| { i += x; i }; a.push(f.call(10)); a.push(i); } a
let x = { let y = 5; let z = || y; z }; x.call()
let x = 1; { let y = || x; x = 5; y.call() }
fn f(x) { let g = || x; x += 1; g.call() } f(5)
fn f(x) { let g = || { x.push(1); x.len() }; g.call(); x } let a = [5]; [f(a), a]
fn f(x) { x.push(1); } let a = [5]; f(a); a
let a = [1]; a.push(1) ; push(a, 2); a
let s = " a "; s.trim(); trim(s); s.len() + len(s)
let s = " a "; let f = || s; s.trim(); [s, f.call()]
do { let x = 1; continue; } until true
let x = 0; do { x += 1; if x == 3 { break x } } while x < 10
let x = 0; let y = do { x += 1; if x == 3 { break x } } while x < 10; y
let y = for i in 0..3 { if i == 1 { break i; } }; y
let y = for i in 0..3 { }; y
return 5;
let x = 5; return x + 1; x
{ let x = 5; return x; }
let x = 5; let y = { return x; }; 1
exit(5)
fn f() { exit(6); } f(); 7
let x = 1; { { { x = 2; let x = 9; } } } x
let __builtins__ = 5; let None = 1; __builtins__
let print = 5; print(print)
let len = [1]; len(len)
fn print(x) { x } print(5)
fn len(x) { 99 } [1].len() + len([1,2])
fn to_string(x) { "no" } `${5}` + 5
fn push(x) { this = 5; } let a = [1]; a.push(3); a
let x = "\ud800"; x
let x = 0x7fffffffffffffff; x + 0
let a = 1; let b = a; a += 1; b += a; [a, b]
let a = [1]; let b = a; a += 1; a += [b]; a
let a = #{x: 1}; a += #{y: a}; a
let a = "x"; a += 'c'; a += 1; a += true; a += (); a += [1]; a
let a = 'c'; a += 'd'; a
let a = 'c'; a += "d"; a
let a = 1; a += 1.5; a
let a = 1; a += "x"; a
let a = 5; a <<= 65; a
let a = 5; a >>= -1; a
let a = 5; a **= 2; a **= -1; a
let a = 2; [a ** 62, a ** 63]
let a = 5; a &= 4; a |= 3; a ^= 1; [a, a & 2.0]
let a = true; a &= false; a |= true; a ^= true; a
5 in [1, 5]
let a = [1, 5]; 5 in a && !(6 in a) && 'a' in "abc" && "x" in #{x: 1}
let a = 1; let b = 5; a..b
let a = 1.0; a..5
let a = [1,2]; [a == [1,2], a != [1.0, 2.0], a == [1.0, 2.0]]
let x = 10; let y = x; { let x = || y; x.call() } + y
import "a" as b;
let x = 1; try { import "a" as b; } catch (e) { x = 2; } x
let a = [0]; a[0] = a; a[0][0] = a; a
let m = #{a: 1}; let k = "a"; m[k] += 1; k += "b"; m[k] = k; m
let m = #{a: 1}; for k in m.keys() { m[k + "x"] = m; } m
let a = [1, 2, 3]; let i = 0; a[i] = { i = 2; 9 }; a
let a = [1, 2, 3]; let i = 0; a[{ i += 1; i }] += { i += 1; i }; a
let a = [1, 2, 3]; a[{ a = [7, 8]; 1 }]
let a = [1, 2, 3]; a[{ a = "xyz"; 1 }]
let a = [1, 2, 3]; a[{ a = 5; 1 }] = 3; a
let a = 5; let b = a + { a = "x"; 1 }; [a, b]
let a = 5; a += { a = "x"; "y" }; a
let x = 5; let r = x - { x = 1.0; 1 }; [r, x]
let a = []; a.push(a.len()); a.push(a.len() + { a.push(9); a.len() }); a
let a = [1]; a.len() + { a = "abcd"; a.len() }
let a = 1; if a == 1 { let b = 2; a = b; } else { let b = "x"; a = b; } a
let a = 1; loop { let b = a; a = "x"; if b == "x" { break; } } a
let x = if false { 1 }; x
let x = if true { let y = [1]; y }; x
let x; x
let x; x = 5; x
let a = 1; let a = || a; a.call()
let a = 1; let b = || a; let a = 2; let c = || a; a = 3; [b.call(), c.call(), a]
let n = 0; while { n += 1; n < 5 } { if n == 2 { continue; } } n
let n = 0; while n < 5 { n += 1; while { if n == 3 { break; } false } { } } n
fn f(n) { while n > 0 { n -= 1; if n == 2 { return [n]; } } } f(5)
fn f(a, b) { if a > b { return a; } else { return b; } } f(1, 2) + f(4, 3)
fn f(a) { a = 5; a } let x = 1; [f(x), x]
fn f(a) { switch a { 1 => return "one", _ if a > 5 => "big", _ => throw a } } [f(1), f(9), f(2)]
fn f() { } [f(), f() == ()]
fn f(x) { x.y = 1; x } let m = #{}; [m.f(m), m]
fn f() { 1 } fn f(x) { 2 } fn f(x, y) { 3 } [f(), f(1), f(1, 2)]
fn int.f() { this + 1 } fn string.f() { this + "!" } [5.f(), "a".f()]
fn f() { g() } fn g() { h(1) } fn h(x) { throw x } f()
fn f() { g() } fn g() { 1.0 / [] } try { f() } catch (e) { e }
let x = 9223372036854775807; try { x + 1 } catch (e) { `${e}` }
print(1); debug("x"); print([1, "a", 'c', 1.0]);
let f = |x| x; f.call(1, 2)
let f = |x| x; f.call()
let f = |x| x; call(f, 5)
let f = |x| { x += 1; x }; let y = 5; [f.call(y), y]
fn f(x) { x += 1; x } let y = 5; [Fn("f").call(y), y]
let a = ["a", "b"]; a.map(|x, i| `${x}${i}`)
let a = [[1,2],[3]]; a.map(|x| x.len()).reduce(|s, x| s + x)
let a = [[1,2],[3]]; a.reduce(|s, x| { s.push(x); s }, [])
let a = [1,2,3]; a.some(|x| { a.push(1); false })
let a = [[1]]; let k = []; a.map(|x| { k.push(x); k[0][0] = 7; x }) + a + k
let a = [[1]]; let k = []; a.for_each(|i| { k.push(this); this[0] = 7; }); a + k
let m = #{a: [1]}; m.map(|k, v| { v }).a
let a = [[1]]; let b = a.find(|x| x[0] == 1); b[0] = 5; [a, b]
let a = [[1]]; let b = a.get(0); b[0] = 5; [a, b]
let a = [[1]]; let b = a[0]; let c = a.pop(); c[0] = 5; [a, b, c]
let a = [1]; let b = (a); b.push(2); let c = { a }; c.push(3); [a, b, c]
let a = [1]; let d = if true { a } else { 1 }; d.push(4); let e = switch 1 { _ => a }; e.push(5); [a, d, e]
let a = [1]; let d = a ?? 1; d.push(4); let e = loop { break a; }; e.push(5); [a, d, e]
let a = [1]; let c = try { a } catch { }; let f = || a; [a, c]
let a = [1]; try { throw a } catch (e) { e.push(2); a.push(3); [e, a] }
fn f(a) { let g = |x| { a.push(x); a }; let r = g.call(1); r.push(9); a } f([0])
""".strip().splitlines()
"""One script a line."""

SIZES: Final = {"max_string_size": 200, "max_array_size": 50, "max_map_size": 50}
PROFILES: Final[tuple[tuple[dict[str, int], int], ...]] = (({}, 0), (SIZES, 0), (SIZES, 100_000))
"""Limits of sizes, and fuel: compiled code is another for each of these."""


def _sources() -> list[str]:
    inside = [
        "fn whole() { " + source + " }\nlet out = whole(); out" for source in SCRIPTS if not source.startswith(("fn ", "import"))
    ]
    return SCRIPTS + [source for source in inside if " fn " not in source[3:] and "import" not in source]


@pytest.mark.parametrize("source", _sources())
def test_both_give_the_same(source: str) -> None:
    for level, (limits, fuel) in product(("none", "simple"), PROFILES):
        request: dict[str, Any] = {"src": source, "opt": level, "vars": True, "limits": {"max_operations": 5_000, **limits}}
        compiled, reference = [answer({**request, "tier": tier}, fuel, fuel and 2**24) for tier in ("compiled", "reference")]
        assert compiled == reference, (level, limits, fuel)
