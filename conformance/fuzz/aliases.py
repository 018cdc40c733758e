"""Values that are put into several places and changed in one of them: whoever shares what it had to copy gives itself away.

Most of these programs change containers in variables only, and nothing inside of containers (`rhaipy.sharing`); the others just
not. At the end they show all their variables.
"""

from random import Random
from typing import Final

from conformance.fuzz.templates import Templates, needed

_STARTS: Final = {
    "a": ("let a = [[1, 2], #{k: [3]}, `x`];", "let a = [];", "let a = [[0], [0]];", "let a = [3, 1, 2];", "let a = [g, h];"),
    "b": ("let b = [[5], `yy`, 7];", "let b = [#{k: 1}];", "let b = a;", "let b = [a, a];", "let b = [];"),
    "m": ("let m = #{k: [1], s: ` t `};", "let m = #{};", "let m = #{k: g, l: h};", "let m = #{k: #{k: 1}};", "let m = h;"),
    "n": ("let n = m;", "let n = #{k: m, s: `q`};", "let n = #{s: 4};", "let n = #{k: [[9]], l: 2};"),
    "p": ("let p = blob(2, 65);", "let p = blob();"),
    "x": ("let x = [1];", "let x = `ab`;", "let x = a;", "let x = 5;", "let x = ();"),
    "g": ("let g = [[1], 2];", "let g = [#{k: [8]}, `u`];", "const g = [[4], [4]];"),
    "h": ("let h = #{k: [6], s: `w`};", "let h = #{k: g, l: g};", "const h = #{k: [[7]]};"),
}
"""How each variable begins. Those before are there already."""

_ORDER: Final = ("g", "h", "a", "m", "b", "n", "p", "x")

_FUNCTIONS: Final = {
    "id": "fn id(v) { v }",
    "both": "fn both(v, w) { [v, w, v] }",
    "grown": "fn grown(v) { let a = v; a.push(9); a }",
    "named": "fn named(v) { let m = #{k: v}; m.l = v; m.k = [v, 1]; m }",
    "last": "fn last(v) { for x in v { if x == 2 { return x; } } v }",
    "deep": "fn deep(n, v) { if n < 1 { return v; } let b = [v]; b.push(n); deep(n - 1, b) }",
    "thrown": "fn thrown(v) { try { throw v; } catch (e) { return [e, v]; } }",
    "part": "fn part(v) { v[0] }",
    "fixed": "fn fixed() { let a = [[1], 2]; a[1] = [3]; a.push(4); a }",
    "chosen": "fn chosen(v, w) { let a = if v.len() > 1 { v } else { w }; a.insert(0, 0); [a, v, w] }",
    "maker": "fn maker(v) { |w| [v, w] }",
    "called": "fn called(f, v) { let r = f.call(v); [r, v] }",
    "method": "fn method(v) { [v] }",
    "swap": "fn swap(v, w) { let t = v; v = w; w = t; t = [t]; t.push(w); [v, w, t] }",
    "spoil": "fn spoil(v) { v.push(0); v }",
    "spoils": "fn spoils() { this.push(0); this }",
}

_ROWS: Final = {
    "line": """
        <change>   <change>   <change>   <change>   <copy>   <copy>   <copy>   <nested>   <nested>   <put>   <put>
    """,
    "change": """
        <arr_var>.push(<any>);   push(<arr_var>, <any>);   <arr_var>.insert(0, <any>);   insert(<arr_var>, 1, <any>);
        <arr_var>.pop();   shift(<arr_var>);   <arr_var>.remove(0);   <arr_var>.splice(0, 1, <arr>);
        splice(<arr_var>, 0..1, <arr>);   <arr_var>.drain(|v| v == 2);   <arr_var>.drain(0..1);
        <arr_var>.retain(|v| v != 1);   <arr_var>.retain(0..2);   <arr_var>.append(<arr>);   append(<arr_var>, <arr>);
        <arr_var> += <any>;   <arr_var> += <arr>;   <arr_var>.truncate(1);   <arr_var>.chop(1);   <arr_var>.reverse();
        <arr_var>.pad(4, <any>);   <arr_var>.clear();   <arr_var>.sort(|v, w| v.len() - w.len());   <arr_var>.dedup();
        <arr_var>.set(0, <any>);   <arr_var>[0] = <any>;   <arr_var>[0] = <any>;   <arr_var>[-1] = <arr_var>;
        <arr_var>[0] += <any>;   <arr_var>[1] += 1;   <arr_var>[0] += [<any>];   <arr_var>[0] += #{q: <any>};
        x = <arr_var>.take();   x = take(<arr_var>);   x = <arr_var>.split(1);
        <map_var>.k = <any>;   <map_var>.k = <any>;   <map_var>["k"] = <any>;   <map_var>.l = <map_var>;
        <map_var>.k += [<any>];   <map_var>.k += <arr>;   <map_var>["k"] += <any>;   <map_var>.k += #{q: <any>};
        <map_var>.mixin(<map>);   mixin(<map_var>, <map>);   <map_var> += <map>;   <map_var>.fill_with(<map>);
        <map_var>.remove("k");   <map_var>.set("k", <any>);   set(<map_var>, "l", <any>);   <map_var>.clear();
        <map_var>.drain(|k| k == "k");   <map_var>.retain(|k, v| k == "k");   <map_var>.s.trim();   <map_var>.s.replace("q", "z");
        <map_var>.s.make_upper();   <arr_var>[2].crop(0, 1);   <arr_var>[0].make_upper();   <map_var>.s += "!";
        <map_var>.s.set_bit(1, true);   p.push(7);   p[0] = 9;   p += 5;   p.append(p);   p.reverse();   x = p;
    """,
    "copy": """
        <arr_var> = <arr>;   <arr_var> = <arr>;   <map_var> = <map>;   <map_var> = <map>;   x = <any>;   x = <any>;
        let b = <arr>;   let n = <map>;   let a = <arr>;   let m = <map>;   let x = <any>;   const x = <any>;
        <arr_var> = if <test> { <arr> } else { <arr> };   <map_var> = switch x { 5 => <map>, _ => <map> };
        <arr_var> = { let z = <arr>; z };   <arr_var> = { let z = <arr>; z.push(<any>); z };
        <arr_var> = loop { break <arr>; };   <arr_var> = x ?? <arr>;   x = <arr_var> ?? 1;
        x = [<any>, <any>];   x = #{k: <any>, l: <any>};   x = [[1, [2]], <any>];   x = <closure>;   x = global::g;
    """,
    "put": """
        x = [<arr_var>, <arr_var>, <map_var>];   x = #{k: <arr_var>, l: <map_var>};   <map_var>.k = <arr_var>;
        <arr_var>.push(<arr_var>);   <arr_var>.push(<map_var>);   push(<arr_var>, <arr_var>);   <map_var>["l"] = <map_var>;
        <arr_var>[0] = <map_var>;   <arr_var> += [<arr_var>];   <map_var> += #{k: <arr_var>};   x = both(<arr_var>, <map_var>);
        x = <closure>.call(<arr_var>);   x = call(<closure>, <map_var>);   x = curry(|v, w| [v, w], <arr_var>); x = x.call(<any>);
        x = maker(<arr_var>); x = [x.call(<any>), x.call(<any>)];   x = called(<closure>, <any>);
        x = #{f: |v| [v, 1], d: <any>}; x = [x.f(<any>), x.d];   x = <arr_var>.method(<any>);   x = #{f: <closure>}.f(<arr_var>);
        let f = || [g, h]; x = [f.call(), f.call()];   let f = |v| { g = [v, g.len()]; g }; x = f.call(<any>);
        x = chosen(<arr_var>, <arr>);   x = swap(<arr_var>, <any>);   x = <arr_var>.len() + p.len();
    """,
    "nested": """
        for v in <arr> { <simple> }   for v in <arr> { x = [x.type_of(), v]; }   for (v, i) in <arr> { <arr_var>[i] = v; }
        for (v, i) in <arr> { <arr_var>.push(v); if i > 2 { break; } }   for v in 0..3 { <simple> }
        for v in <arr_var> { <arr_var>.push(v); }   for v in <arr_var> { <arr_var>.pop(); x = v; }
        for v in <arr_var> { let c = v; c += <any>; x = c; }   for k in <map>.keys() { <map_var>[k] = <any>; }
        for v in <map>.values() { x = v; <map_var>.k = v; }   for v in 0..3 { let b = [v]; b.push(<any>); x = [b, <arr_var>]; }
        for v in 0..3 { let c = [[v], 1]; c[0] = v; c.push(2); <arr_var>.push(c); }
        let i = 0; while i < 3 { let c = #{k: [0]}; c.l = i; i += 1; <arr_var>.push(c); }
        try { throw <any>; } catch (e) { x = e; <simple> }   try { <simple> throw <arr_var>; } catch (e) { <simple> x = [e, e]; }
        try { <simple> <simple> nope(); } catch { <simple> }   { let a = <arr>; <simple> x = a; }
        { let m = <map>; <simple> x = m; }
        if <test> { <simple> } else { <simple> }   switch <any> { 5 => { <simple> } [1] => { <simple> } _ => { <simple> } }
        <arr>.for_each(|v| { let c = v; c += 1; c });   x = <arr>.map(|v| { let c = [v]; c.push(1); c });
        x = <arr>.map(|v| { let c = [[0]]; c.push(v); c[0] = c; c });
        x = <arr>.reduce(|s, v| { let c = s; c.push(v); c }, <arr>);
        x = <arr>.reduce(|s, v| [s, v]);   x = <arr>.reduce(|s, v| s + [v], []);   x = <arr>.filter(|v| v != 1);
        x = <arr>.find(|v| v != 1);   x = <arr>.zip(<arr>, |v, w| [v, w]);   x = <arr>.index_of(<any>);
        x = <arr>.find_map(|v| v);   x = <arr>.some(|v| v == 1);   x = <arr>.extract(0..2);
        x = { <simple> <any> };   let f = |v| { let a = v; a.push(1); [a, v] }; x = [f.call(<arr>), f.call(<arr>)];
    """,
    "simple": "<change>   <change>   <change>   <put>   <copy>",
    "any": """
        <arr>   <arr>   <map>   <map>   <item>   <item>   1   `t`   2.5   p   x   x   <arr_var>   <map_var>   g   h   <arr>[0]
        both(<any>, <any>)   deep(2, <any>)   named(<any>)   thrown(<any>)   swap(<any>, <any>)   <arr_var>.pop()   x.call(<any>)
        #{k: <any>}   [<any>]   chosen(<arr>, <arr>)   called(<closure>, <any>)
    """,
    "item": "<arr_var>[0]   <arr_var>[1]   <map_var>.k   <map_var>.l   g[0]   h.k   g[0][0]   h.k[0]   a[0]   <arr_var>[0].k",
    "arr": """
        <arr_var>   <arr_var>   <arr_var>   g   [<any>, <any>]   [<any>]   [[1], `c`]   []   [[1, 2], [3]]   <arr_var> + <arr>
        g + []   [] + g   <map_var>.k   <map_var>.k   id(<arr>)   grown(<arr>)   last(<arr>)   fixed()   part(<arr>)
        <map>.values()   <map>.keys()   <arr_var>.map(|v| v)   <arr_var>.filter(|v| true)   <arr_var>.extract(0..)   x
        <arr_var>.get(0)   maker(<arr>).call(<any>)   <arr_var>.drain(|v| true)   <arr_var>.split(1)   a ?? b   [g, g]
    """,
    "map": """
        <map_var>   <map_var>   <map_var>   h   #{k: <any>}   #{k: <any>, l: <any>}   #{k: [1], s: `u`}   #{}   <map_var> + <map>
        id(<map>)   named(<any>)   <arr_var>[0]   h + #{}   <map_var>.filter(|k, v| true)   x   <map_var>.k   #{k: g, l: g}
    """,
    "arr_var": "a   b",
    "map_var": "m   n",
    "closure": "|v| v   |v| [v, v]   |v| { let c = v; c += 1; c }   |v| { let a = [v]; a[0] = [a, v]; a }   |v| #{k: v, l: g}",
    "test": "true   <arr>.len() > 1   x == <any>   <any> == <any>   false",
}  # fmt: skip

_WILD: Final = """
    <arr_var>[0].push(<any>);   <map_var>.k.push(<any>);   <map_var>.k[0] = <any>;   <arr_var>[0].k = <any>;
    push(<arr_var>[0], 1);
    g.push(<any>);   h.k = <any>;   h.k += [1];   g[0] = <any>;   h.k.pop();   <map_var>.k.k.clear();   <arr_var>[0][0] += 1;
    for v in <arr> { v.push(1); }   for v in <arr> { v += 1; x = v; }   x = spoil(<arr>);   <arr_var>.spoils();
    <arr_var>[0].spoils();
    x = Fn("push").call(<arr_var>, 1);   let f = Fn("spoil"); x = f.call(<arr>);   <arr>.map("clear");
    <arr_var>.for_each(|| this += 1);
    <arr>.filter("pop");   <arr_var>.retain("shift");   <arr>.map(spoil);   let f = || { a.push(1); a }; x = [f.call(), a];
    let f = |v| { m.k = v; m }; x = [f.call(<any>), m];   x = <arr>.map(|v| { v.push(5); v });   [1, [2]].push(3);
    fixed().push(1);
    try { throw <any>; } catch (e) { e.push(1); x = e; }   x = eval("a.push(1); a");
    x = #{l: <any>, f: || { this.l = 1; }}; x.f();
    x = call(Fn("insert"), <arr_var>, 0, 1);   <arr>.sort("push");   x = <arr>.reduce("push", <arr>);   <arr_var>[0].k[0] = 1;
    x = |v| { v[0] = 1; v }; x = x.call(<arr>);   x = <arr>.reduce(|s, v| { s.push(v); s }, <arr>);   <map_var>.k.sort();
    g += 1;
    <arr_var>.pop().push(1);   x = curry(|v, w| { v.push(w); v }, <arr>); x = [x.call(1), x.call(2)];
    <map_var>.values().push(1);
"""

_TAME = Templates(_ROWS)
_BOTH = Templates({**_ROWS, "line": _ROWS["line"] + "   <wild>   <wild>", "wild": _WILD})


def program(random: Random) -> str:
    """A program that has aliases, and changes some of them."""
    rows = _BOTH if random.random() < 0.3 else _TAME
    lines = [_safe(random, rows.text(random, "line", random.choice((2, 3, 4)))) for _ in range(random.choice((2, 3, 4, 6)))]
    if random.random() < 0.25:
        middle = random.randrange(1, len(lines))
        lines[:middle] = [f"for round in 0..2 {{ {' '.join(lines[:middle])} }}"]
    text = " ".join(lines)
    start = " ".join([random.choice(_STARTS[name]) for name in _ORDER])
    if random.random() < 0.5:
        return f"{_functions(text)} {start} {text} [{', '.join(_ORDER)}]"
    ending = random.choice(("[all(), all()]", "all()", "let r = all(); r.push(all()); r"))
    return f"{_functions(text)} fn all() {{ {start} {text} [{', '.join(_ORDER)}] }} {ending}"


def _safe(random: Random, line: str) -> str:
    return f"try {{ {line} }} catch {{ }}" if random.random() < 0.5 else line


def _functions(text: str) -> str:
    return needed(_FUNCTIONS, needed(_FUNCTIONS, text) + text)
