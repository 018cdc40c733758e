"""The kinds of fuzzed programs: each makes a request of the verdict protocol, without `opt`, from a source of randomness.

All are cheap to run: few operations, and sizes bounded wherever something may be repeated.
"""

import re
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, Final

from conformance.cases import load
from conformance.fuzz import aliases, expressions, library, places, texts, values
from conformance.fuzz.frames import framed
from conformance.fuzz.programs import Programs
from conformance.fuzz.templates import Templates, needed

Request = dict[str, Any]

MAX_OPERATIONS: Final = 3000
LARGE: Final = {"max_string_size": 10_000, "max_array_size": 2_000, "max_map_size": 500}
"""Sizes that only a program that repeats itself reaches."""
SMALL: Final = {"max_string_size": 400, "max_array_size": 120, "max_map_size": 40}

_REPEATS: Final = re.compile(r"\b(for|while|do|loop|fn|pad|blob|until|import)\b|\|")
_UNREPEATABLE: Final = re.compile(r"\b(timestamp|elapsed|sleep)\b")


def request(source: str, **more: Any) -> Request:
    """A request for `source` with limits that end it soon."""
    limits = {"max_operations": MAX_OPERATIONS, **(LARGE if _REPEATS.search(source) else {}), **more.pop("limits", {})}
    return {"src": source, **{key: value for key, value in more.items() if value}, "limits": limits}


# --- whole programs -------------------------------------------------------------------------------------------------------


def _programs(random: Random) -> Request:
    programs = Programs(random)
    return request(programs.program(), **programs.circumstances())


def _expressions(random: Random) -> Request:
    if random.random() < 0.08:
        return request(expressions.expression(random), expression=True, scope=_scope(random), vars=True)
    return request(expressions.program(random), vars=random.random() < 0.1)


def _library(random: Random) -> Request:
    huge = random.random() < 0.5
    return request(library.program(random, huge), limits=SMALL if huge else {})


def _places(random: Random) -> Request:
    """A value somewhere; now and then at a limit of size, with slow operators, or where a missing property is an error."""
    odd = random.sample(("max_string_size", "max_array_size", "max_map_size"), random.choice((0, 0, 1, 2)))
    asked = request(places.access(random), limits={name: random.randrange(1, 7) for name in odd})
    return {**asked, "options": _now_and_then(random)}


def _aliases(random: Random) -> Request:
    """Values in several places that are changed in one; now and then with slow operators, or where sizes are small."""
    tiny = {name: random.randrange(3, 50) for name in SMALL}
    asked = request(aliases.program(random), limits=random.choice((LARGE, LARGE, SMALL, tiny)))
    return {**asked, "options": _now_and_then(random)}


def _growth(random: Random) -> Request:
    """A value at a limit of size, and beyond it."""
    sizes = random.sample(("max_string_size", "max_array_size", "max_map_size"), random.choice((1, 2, 3)))
    asked = request(places.growth(random), limits={name: random.randrange(1, 9) for name in sizes})
    return {**asked, "options": _now_and_then(random)}


def _now_and_then(random: Random) -> dict[str, bool]:
    found = {}
    if random.random() < 0.2:
        found["fast_operators"] = False
    if random.random() < 0.2:
        found["fail_on_invalid_map_property"] = True
    return found


@cache
def _cases() -> list[Request]:
    asked: list[Request] = [dict(case.request) for case in load()]
    return [one for one in asked if not _UNREPEATABLE.search(one["src"]) and len(one["src"]) < 4000]


@cache
def _case_texts() -> list[str]:
    return [one["src"] for one in _cases()]


def _mutations(random: Random) -> Request:
    """A case with its own circumstances and a few tokens changed; it runs to its end."""
    asked = random.choice(_cases())
    change = random.choice((texts.exchange, texts.exchange, texts.exchange, texts.mutation, texts.graft))
    source = change(random, [asked["src"]] if random.random() < 0.5 else [asked["src"], random.choice(_cases())["src"]])
    return _limited({**asked, "src": source})


def _frames(random: Random) -> Request:
    """A case somewhere else: in a function, a loop, a module."""
    return _limited(framed(random, random.choice(_cases())))


def _limited(asked: Request) -> Request:
    """The request with its own limits or those of all."""
    own = dict(asked.get("limits", {}))
    own["max_operations"] = min(own.get("max_operations", 0) or MAX_OPERATIONS, MAX_OPERATIONS)
    for name, most in LARGE.items() if _REPEATS.search(asked["src"]) else ():
        own[name] = min(own.get(name, 0) or most, most)
    return {**asked, "limits": own}


# --- circumstances --------------------------------------------------------------------------------------------------------

_OPTIONS: Final = (
    "allow_shadowing", "allow_looping", "allow_if_expression", "allow_switch_expression", "allow_loop_expressions",
    "allow_statement_expression", "allow_anonymous_fn", "fast_operators",
)  # fmt: skip
_LIMITS: Final = {
    "max_operations": 90, "max_call_levels": 6, "max_expr_depth": 14, "max_function_expr_depth": 10, "max_string_size": 14,
    "max_array_size": 7, "max_map_size": 4, "max_variables": 16, "max_functions": 9,
}  # fmt: skip


def options(random: Random) -> Request:
    """Language options other than usual; often none."""
    chosen: Request = dict.fromkeys(random.sample(_OPTIONS, random.randrange(3)), False)
    if random.randrange(3) == 0:
        chosen["strict_variables"] = True
    if random.randrange(4) == 0:
        chosen["fail_on_invalid_map_property"] = True
    if random.randrange(5) == 0:
        chosen["disable_symbols"] = random.sample(texts.VOCABULARY, random.randrange(1, 4))
    return chosen


def limits(random: Random) -> dict[str, int]:
    """One to three limits so tiny that programs meet them."""
    names = random.sample(list(_LIMITS), random.choice((1, 1, 2, 3)))
    return {name: random.randrange(1, _LIMITS[name]) for name in names}


def _limits(random: Random) -> Request:
    """A program of another kind under tiny limits, now and then with odd options."""
    asked = random.choice((_programs, _expressions, _library, _mutations))(random)
    asked["limits"] = {**asked["limits"], **limits(random)}
    if random.random() < 0.4:
        asked["options"] = {**asked.get("options", {}), **options(random)}
    return asked


def _scope(random: Random) -> Request:
    names = random.sample(("a", "m", "s", "x", "y", "u", "f"), random.randrange(7))
    return {name: values.host_value(random) for name in names}


def _consts(random: Random) -> Request:
    return {name: values.host_value(random) for name in random.sample(("K", "L", "x", "z"), random.randrange(3))}


# --- calls from the host, modules -----------------------------------------------------------------------------------------


def _calls(random: Random) -> Request:
    """A function of the script called by the host, with values of the host; or a script that finds them in its scope."""
    names = ("a", "x", "y")[: random.randrange(4)]
    body = " ".join(expressions.statement(random) for _ in range(random.randrange(1, 3)))
    asked: Request = {"scope": _scope(random), "consts": _consts(random), "vars": random.random() < 0.5}
    if random.random() < 0.25:
        used = ", ".join(sorted({*asked["scope"], *asked["consts"]}))
        return request(f"{needed(expressions.FUNCTIONS, body)} {body} [{used}]", **asked)
    ending = random.choice(("this", "x", "a", "[a, x, y]", "global::K", "this.a", f"[{', '.join(names)}]"))
    first = random.choice(("", "", "let y = 1; ", "const K = 2; ", "print(x); ", expressions.statement(random) + " "))
    unknown = [name for name in "amsxyubcdtrfg" if name not in names]
    known = needed({name: f"let {name} = {random.choice(_GIVEN)};" for name in unknown}, body) if random.random() < 0.8 else ""
    functions = needed(expressions.FUNCTIONS, first + body)
    source = f"{first}{functions} fn called({', '.join(names)}) {{ {known} {body} {ending} }}"
    return {**request(source, **asked), "call": _call(random, len(names))}


_GIVEN: Final = ("1", "[1, 2]", "#{a: [1], b: 2}", "`abc`", "2.5", "|p| p")


def _call(random: Random, count: int) -> Request:
    count = count if random.random() < 0.95 else random.randrange(4)
    call: Request = {"fn": "called" if random.random() < 0.95 else random.choice(("id", "nope", "own"))}
    call["args"] = [values.host_value(random) for _ in range(count)]
    if random.random() < 0.5:
        call["this"] = values.host_value(random)
    if random.random() < 0.3:
        call["eval_ast"] = False
    return call


_MODULES: Final = Templates(
    {
        "first": "<always> <part> <part>   <always> <part>   <always> <part> <part> <part>   <part>",
        "second": """
            import "a" as sub; import "a" as a; <always> <part> <of_a>   import "a" as a; <always> <part> <of_a>
            <always> <part> <part>   import "a" as a; <always> <of_a> <of_a>
        """,
        "always": """
            fn f(x) { <inner> } export const K = <value>;
            fn f(x) { x + 1 } export let v = <value>; fn k() { K } export const K = 3;
        """,
        "part": """
            private fn g(x) { x } fn h(x) { g(x) }   export let w = <value>;   let h = <value>; export h as w;
            fn t() { this += 1; this }   const P = <value>; fn p() { P }   print("loading");   fn q() { global::K }
            throw <value>;   fn c2(f) { f.call(2) }   fn f(x, y) { [f(x), y] }   fn p() { || 1 }   fn p() { |x| f(x) }
            export let c = |x| x + 1;   let y = 1; export y;   fn p(x) { || x }   fn int.m() { this + 1 }
            fn m() { this }   let z = f(1); export z;   fn r(n) { if n < 1 { 0 } else { r(n - 1) } }
            fn e() { eval("f(1)") }   fn n() { Fn("f") }   fn n() { f }   fn o() { import "a" as a; a::K }
            fn l() { [1].map(|x| f(x)) }
        """,
        "of_a": """
            fn m(x) { a::f(x) }   fn deep() { sub::f(1) }   export let k = a::K;   export let ak = a::K;
            fn d() { sub::K }   fn d() { a::p() }   fn z() { a::v }   a::f(<value>);   export const S = sub::f(2);
            fn y() { a::f }   fn x() { [3].map(a::f) }
        """,
        "value": "1   2   2.5   `t`   [1, 2]   #{a: 1}   |x| x   'c'   ()   true",
        "inner": "x   x   x + 1   [x]   K   global::K   this   f(x, 1)   |y| x + y   nope   nope(x)   { x += 1; x }   throw x",
        "program": """
            <start> <line> <line> <end>   <start> <line> <end>   <start> <end>   <start> <line> <line> <line> <end>
            <line> <end>
        """,
        "start": """
            import "a" as a; import "b" as b;   import "b" as b; import "a" as a;   import "a" as a; import "b" as b;
            import "b" as a;   import "a" as a; import "a" as b;   import "a" as a; fn f(x) { x * 10 }
            import "a" as a; import "b" as b; fn g() { a::K } const K = 9;
        """,
        "line": """
            print(a::f(<value>));   print(b::f(<value>));   let x = a::f(1);   a::v = 2;
            { import "a" as z; print(z::f(2)); }   b::deep();   for i in 0..2 { import "b" as b; print(b::K); }
            import "nope" as n;   import <value> as q;   if true { import "a" as z; }
            try { a::f(<value>) } catch (e) { print(e) }   let c = a::c;   let y = 1; y.t();   print([1, 2].map(a::f));
            export let e = 1;   try { import "nope" as n; } catch (e) { print(e) }   let x = 1; print(a::c2(|y| x + y));
            import "a";   let p = a::p();   a = 1;
        """,
        "end": """
            a::f(1)   b::f(1)   a::K   b::v   b::sub::f(1)   b::a::K   a::g(1)   a::p().call()   a::p().call(1)
            [1, 2].map(a::f)   1.t()   let f = Fn("f"); f.call(1)   call(Fn("a::f"), 1)   let y = 1; y.t(); y   a::k()
            b::w   a::c.call(1)   a::nope()   f(1)   a::c2(|x| x)   K   b::m(1)   z::f(1)   eval("a::f(1)")
            eval(`import "a" as e; e::f(1)`)   b::k   b::k()   g()   global::K   fn h() { import "a" as a; a::K } h()
            fn h() { a::K } h()   a::f(1, 2)   let x = 1; x.m()   a::m()   a::r(3)   b::d()   b::x()   a::n().call(1)
            a::l()   a::e()   a::h(3)   b::y().call(1)   a::f.call(1)   [a::K, b::K]   a::q()   a::y   b::ak
            a::p(3).call()
        """,
    }
)


def _modules(random: Random) -> Request:
    """A program that imports, and what it finds."""
    modules = {"a": _MODULES.text(random, "first", 4), "b": _MODULES.text(random, "second", 4)}
    more = {"limits": {"max_modules": random.randrange(1, 4)}} if random.random() < 0.1 else {}
    return request(_MODULES.text(random, "program", 4), modules=modules, **more)


# --- texts that are hardly programs ---------------------------------------------------------------------------------------


def _read(source: str, **more: Any) -> Request:
    """Nothing but the parser runs."""
    return request(source, **{**more, "limits": {"max_operations": 1, **more.get("limits", {})}})


def _nests(random: Random) -> Request:
    return _read(texts.nest(random, 75), limits=random.choice(({}, {}, {"max_expr_depth": 0, "max_function_expr_depth": 0})))


def _dialects(random: Random) -> Request:
    """Any text under odd language options, with names that are known from outside, under tiny limits, or as an expression."""
    text = random.choice((texts.soup(random), texts.Shapes(random).program(), texts.mutation(random, _case_texts())))
    known = {"scope": {"x": 1, "y": [2]}, "consts": {"K": 3}} if random.randrange(2) else {}
    tiny = limits(random) if random.randrange(3) == 0 else {}
    return _read(text, options=options(random), limits=tiny, expression=random.randrange(3) == 0, **known)


KINDS: Final[dict[str, Callable[[Random], Request]]] = {
    "programs": _programs,
    "expressions": _expressions,
    "library": _library,
    "places": _places,
    "growth": _growth,
    "aliases": _aliases,
    "mutations": _mutations,
    "frames": _frames,
    "limits": _limits,
    "calls": _calls,
    "modules": _modules,
    "soups": lambda random: _read(texts.soup(random)),
    "sequences": lambda random: _read(texts.sequence(random)),
    "literals": lambda random: _read(texts.literal(random)),
    "shapes": lambda random: request(texts.Shapes(random).program()),
    "nests": _nests,
    "dialects": _dialects,
}
"""What there is to fuzz, by name."""


def made(kind: str, seed: int, index: int) -> Request:
    """The program number `index` of a kind: always the same for the same seed."""
    return KINDS[kind](Random(f"{kind} {seed} {index}"))
