"""Values of every type in every kind of place, read, written and changed there; and values that outgrow a limit of size."""

from random import Random
from typing import Final

from conformance.fuzz.library import arguments_of, callable_functions
from conformance.fuzz.templates import forms

_VALUES: Final = forms("""
    1   0b1011   -1   2.5   'a'   'é'   ""   "ab"   "aé😀"   []   [1, 2]   [[1], "ab"]   #{}   #{a: 1}
    #{a: #{b: [1]}, "": 2}   blob(0)   blob(3, 65)   ()   true   0..3   1..=2   |x| x
""")
_GIVEN: Final = forms("""
    1   300   -1   2.5   'x'   'é'   "xyz"   ""   []   [7]   #{}   #{q: 1}   blob(1)   ()   true   false   0..2   |x| x   v
""")
_INDEXES: Final = forms("""
    0   1   -1   5   -9   64   9223372036854775807   1.0   'a'   "a"   ""   "zz"   ()   true   [0]   0..1   0..=1   1..0   -2..1
    0..   ..1   0..100   |x| x   #{}   blob(1)
""")
_PROPERTIES: Final = forms("""
    a   b   len   start   end   bits   chars   is_empty   name   is_inclusive   floor   int   is_odd   bytes   is_exclusive
""")
_OPERATORS: Final = forms("=   =   =   +=   +=   -=   *=   /=   %=   **=   <<=   >>=   &=   |=   ^=")
_LINKS: Final = ("[{index}]", "[{index}]", ".{name}", '["{name}"]', "?[{index}]", "?.{name}", "", "")
_HOMES: Final = (
    ("let v = {value}; ", "v", " v"),
    ("let v = {value}; ", "v", " v"),
    ("let v = 5; let m = #{{v: {value}}}; ", "m.v", " m"),
    ("let v = 5; let a = [{value}]; ", "a[0]", " a"),
    ("let v = {value}; let f = || v; ", "v", " [v, f.call()]"),
    ("const V = {value}; let v = 1; ", "V", " V"),
    ("fn f(v) {{ ", "this", " this }} let y = {value}; y.f(5); y"),
    ("let v = 2; ", "({value})", ""),
)
"""What comes before, the place of the value, and what comes after."""


def access(random: Random) -> str:
    """A value somewhere, read, written, or changed by an operator or a method, itself or something in it."""
    before, place, after = random.choice(_HOMES)
    links = "".join([random.choice(_LINKS) for _ in range(random.choice((1, 1, 2)))])
    target = place + _filled(random, links)
    match random.randrange(8):
        case 0 | 1:
            deed = f"{target};" if random.random() < 0.5 else f"print({target});"
        case 2:
            deed = f"{target}.{random.choice(('len()', 'push(1)', 'type_of()', 'clear()', 'to_string()', 'append(`x`)'))};"
        case _:
            deed = f"{target} {random.choice(_OPERATORS)} {random.choice(_GIVEN)};"
    value = random.choice(_VALUES)
    return (before + deed + after).replace("{value}", value).replace("{{", "{").replace("}}", "}")


def _filled(random: Random, links: str) -> str:
    return links.replace("{index}", random.choice(_INDEXES)).replace("{name}", random.choice(_PROPERTIES))


_GROWN: Final[dict[type, list[str]]] = {
    str: forms("let o = 'é'; o += 'é';   let o = 'a'; o += 'b';   let o = '😀'; o += \"x\";   let o = `ab`; o[0..1] = `wxyz`;"),
    bytearray: forms("let o = blob(0); o += '😀';   let o = blob(1, 9); o += 'é';"),
    list: forms("let o = [1]; o += [2, 3];   let o = []; o += [`a`, 2]; o += [3];   let o = [[1]]; o[0] += [5, 6];"),
    dict: forms("let o = #{}; o[`a`] = 1; o[`b`] = 2; o[`c`] = 3;   let o = #{a: 1}; o[`z`] = [1];"),
}
"""Ways in which the engine does not notice at once that something has grown beyond its limit."""


def growth(random: Random) -> str:
    """A value that may be too large, as an operand, or among the arguments of a function of the library."""
    kind = random.choice(list(_GROWN))
    if random.random() < 0.4:
        made, other = random.choice(_GROWN[kind]), random.choice(_VALUES)
        left, right = random.choice((("o", other), (other, "o"), ("o", "o")))
        operator = random.choice(forms("+   -   ==   +=   +=   in   ??   <"))
        if operator == "+=":
            return f"{made} let v = {left}; v += {right}; [v, o]"
        return f"{made} let v = ({left}) {operator} {right}; [v, o]"
    name, item = random.choice(callable_functions())
    args = arguments_of(random, item)
    places = [index for index, param in enumerate(item.params) if param is None or param in _GROWN]
    if not places:
        return access(random)
    index = random.choice(places)
    made = random.choice(_GROWN[item.params[index] or kind])  # a parameter for anything takes this kind too
    args[index] = "o"
    first, rest = args[0] if args[0] == "o" else f"({args[0]})", ", ".join(args[1:])
    call = random.choice((f"{first}.{name}({rest})", f"{name}({', '.join(args)})"))
    return f"let w = 10; {made} let r = {call}; [r, o]"
