"""Random calls of every function of the library, with arguments that are right, odd or wrong, in every style of call there is."""

import re
from collections.abc import Callable
from random import Random
from types import NoneType
from typing import Final

from conformance.fuzz import values
from conformance.fuzz.templates import forms, needed
from rhaipy import STANDARD, Char, FnPtr, Function, Range
from rhaipy.syntax.tokens import KEYWORDS

_UNREPEATABLE: Final = frozenset({"timestamp", "elapsed", "sleep"})
_NAME = re.compile(r"(get\$|set\$)?([a-z]\w*)", re.IGNORECASE)
Kind = type[object] | None

_VALUES: Final[dict[Kind, list[str]]] = {
    int: forms("0   1   -1   2   3   5   7   8   -2   -5   16   63   64   -64   255   256   97   1114111   55296"),
    float: forms("""
        0.0   -0.0   1.0   -1.5   2.5   0.5   1e10   1e-10   1e308   (0.0 / 0.0)   (1.0 / 0.0)   (-1.0 / 0.0)   9.3e18
        -9.3e18   123456.789   0.1   9007199254740993.0
    """),
    Char: forms(r"""
        'a'   'Z'   'é'   'ß'   'İ'   '😀'   ' '   '0'   '\n'   '\0'   'ǅ'   ','
    """),
    str: forms(r"""
        ""   "a"   "abc"   "a,b,,c"   "  x y  "   "é😀ß"   "İI"   "12"   "-7"   "1.5e3"   "ff"   "0x1F"   "+1"   "1_0"
        "inf"   "[1, {\"a\": null}]"   "{\"a\": [1, 2.5, \"x\"]}"   "abcabc"   "ΑΣ"   "\u{a0}x"   "id"   "two"   "+"
        "nope"
    """),
    bool: forms("true   false"),
    NoneType: forms("()"),
    list: forms("""
        []   [1]   [1, 2, 3]   [3, 1, 2, 1]   ["b", "a", "b"]   [1, 2.5, `x`, 'c', ()]   [[1], [2, [3]]]   [true, false]
        [#{a: 1}]   [1.5, 0.5, -0.0, 0.0]   ['z', 'a']   [1, 1, 2, 2, 1]   [(), ()]   [1, 1.0, `1`]
    """),
    dict: forms("""
        #{}   #{a: 1}   #{a: 1, b: 2, c: ()}   #{b: #{c: [1]}, a: `x`}   #{"é": 1.5, "": true}   #{a: 'c', b: 0..3}
    """),
    bytearray: forms("blob()   blob(3)   blob(4, 65)   blob(9, 200)   blob(1, 255)   `aé😀`.to_blob()"),
    FnPtr: forms("""
        |x| x   |x| x > 1   |x, i| i   |a, b| a - b   |a, b| if a > b { 1 } else { -1 }   |a, b| a == b   |a, b| a < b
        || 1   || this   |x| this   |i| this + i   |x| { throw x }   |x| nope   |a, b| [a, b]   |x| w   |x| { w += 1; w }
        |a, b, i| i   |k, v| v == 1   |k| k == `a`   || { this += 1; this }   |x| ()   |x| x.type_of()   |x| `${x}`
        Fn("id")   Fn("two")   Fn("len")   Fn("+")   Fn("nope")   Fn("to_string")   Fn("abs")   id   two   own
        Fn("two").curry(1)   |a, b, c, d| 1
    """),
    Range: forms("0..2   0..=2   1..9   -2..0   -3..=-1   2..1   5..5   0..   ..2   1..=1   3..=0   0..100"),
}
_HUGE: Final = ("9223372036854775807", "(-9223372036854775807 - 1)", "-9223372036854775807", "4294967296", "1000000", "300")
_ANY: Final[dict[Kind, list[Callable[[Random], str]]]] = {
    float: [values.real],
    str: [
        values.quoted,
        values.quoted,
        values.json_text,
        lambda random: f'"{values.integer(random)}"',
        lambda random: f'"{values.real(random)}"',
    ],
    Char: [values.character],
}
_KINDS: Final = tuple(_VALUES)
_DEFINITIONS: Final = {
    "id": "fn id(x) { x }",
    "two": "fn two(a, b) { [a, b] }",
    "own": "fn own() { this }",
    "w": "let w = 10;",
    "k": "let k = #{v: 0, l: [0, 0]};",
}


def callable_functions() -> list[tuple[str, Function]]:
    """The functions that a script can call by a name, and the properties, with the plain name; but for what tells the time."""
    found = []
    for item in STANDARD:
        match = _NAME.fullmatch(item.name)
        if match and match[2] not in _UNREPEATABLE and match[2] not in KEYWORDS:
            found.append((match[2], item))
    return found


_FUNCTIONS: Final = callable_functions()
_NAMES: Final = sorted({name for name, _ in _FUNCTIONS})
_BY_NAME: Final = {name: [item for other, item in _FUNCTIONS if other == name] for name in _NAMES}


def program(random: Random, huge: bool) -> str:
    """Calls of one to four functions. `huge` numbers are for runs with limits of size."""
    if random.random() < 0.35:
        text = _one(random, huge)
    else:
        calls = [_caught(_call(random, huge), random) for _ in range(random.randint(1, 4))]
        text = " ".join([*calls, random.choice(("w", "k", "0"))])
    return f"{needed(_DEFINITIONS, text)} {text}"


def _one(random: Random, huge: bool) -> str:
    setup, call = _call(random, huge)
    return f"{setup}let r = {call}; [r, v]" if random.random() < 0.6 else f"{setup}{call}"


def _caught(parts: tuple[str, str], random: Random) -> str:
    setup, call = parts
    shown = random.choice(("r", "[r, v]", "[r, v]", "r.type_of()"))
    return f"try {{ {setup}let r = {call}; print({shown}); }} catch (e) {{ print(e); }}"


def _call(random: Random, huge: bool) -> tuple[str, str]:
    """What comes before a call, a variable `v` among it, and the call."""
    name = random.choice(_NAMES)
    item = random.choice(_BY_NAME[name])
    args = [_argument(random, kind, huge) for kind in item.params]
    if random.random() < 0.06:
        args = args[:-1] if random.random() < 0.5 else [*args, _argument(random, None, huge)]
    first = args[0] if args else _argument(random, None, huge)
    word = random.choice(("let", "let", "let", "const"))
    setup, rest = f"{word} v = {first}; ", ", ".join(args[1:])
    if item.name != name and random.random() < 0.8:
        return setup, random.choice((f"v.{name}", f"({first}).{name}", f"v?.{name}", f'v["{name}"]', f"v.{name} = {rest or 1}"))
    if not args:
        return setup, f"{name}()"
    return _styled(random, name, first, rest, setup)


def _styled(random: Random, name: str, first: str, rest: str, setup: str) -> tuple[str, str]:
    comma = f", {rest}" if rest else ""
    match random.randrange(12):
        case 0 | 1 | 2 | 3:
            return setup, f"v.{name}({rest})"
        case 4 | 5:
            return setup, f"{name}(v{comma})"
        case 6:
            return setup, f"({first}).{name}({rest})"
        case 7:
            return setup, f"{name}({first}{comma})"
        case 8:
            return f"{setup}k.v = v; ", f"[k.v.{name}({rest}), k]"
        case 9:
            return f"{setup}k.l[1] = v; ", f"[k.l[-1].{name}({rest}), k]"
        case 10:
            return f"{setup}let c = || v; ", f"v.{name}({rest})"
        case _:
            return setup, random.choice((f'call(Fn("{name}"), v{comma})', f"v?.{name}({rest})", f'v.call(Fn("{name}"){comma})'))


def arguments_of(random: Random, item: Function) -> list[str]:
    """One argument for each parameter, most often of its type."""
    return [_argument(random, kind, False) for kind in item.params]


def _argument(random: Random, kind: Kind, huge: bool) -> str:
    if kind is None or kind not in _VALUES or random.random() < 0.08:
        kind = random.choice(_KINDS)
    if kind is int and huge and random.random() < 0.2:
        return random.choice((*_HUGE, values.integer(random)))
    if kind in _ANY and random.random() < 0.25:
        return random.choice(_ANY[kind])(random)
    return random.choice(_VALUES[kind])
