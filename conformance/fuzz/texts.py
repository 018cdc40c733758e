"""Texts for the parser above all: mutated programs, token soups, literals, grammar-shaped programs, deep nests."""

import re
from collections.abc import Sequence
from random import Random
from typing import Final

from conformance.fuzz.templates import forms
from rhaipy.syntax.tokens import KEYWORDS


def _words(text: str) -> list[str]:
    return text.split()


def _holes(text: str) -> list[tuple[str, str]]:
    """Forms with a hole in each: what is before it and what is after it."""
    return [(before, after) for before, _, after in (form.partition("§") for form in forms(text))]


VOCABULARY: Final = _words("""
    let const if else switch do while until loop for in !in fn private import export as return break continue throw try catch
    true false this x y f a::b 1 2.5 'c' "s" `t` `a${ }b` ${ #"r"# _ () ( ) [ ] { } #{ , ; : :: . ?. ?? ?[ .. ..= => = += **
    << + - * / % == != < >= ! && || & | ^ print call type_of match var ~ ++ -> # @ $ === " ' ` /* // é 0x 1e+ _1 |x| ||
    is_shared Fn
""")

CONTEXTS: Final = _holes("""
    §   §;   x §   let x = §;   let § = 1   const §   x.§   x?.§;   x[§]   [1, §]   #{§}   #{a: §}   f(§)   f!(§)   { § }
    fn f(§) {}   fn f() { § }   fn § {}   while true { § }   while § {}   if § {}   if x {} else §   for § in x {}
    for x in § {}   switch x { § }   switch x { 1 => §, _ => 2 }   switch x { § => 1 }   |x| §   f(|§| 1)   `a${§}b`
    return §;   loop { break §; }   throw §   import §;   export §   try { § } catch {}   try {} catch §   do { } § x   x ?? §
    - §   x + § * 2   (§)   a::§   x = §   1..§   x in §   private §   let f = || §;   x; § y
""")

_SPACES: Final = [" ", "\t", "\n", "\r", "\r\n", "\u3000", "\\\n", "\\\r\n"]
_QUOTED: Final = (
    ("-", _words("0 1 9 _ . e E x X o b - + f 8 0x 0b 0o 922337203685477580 1e 1."), ("",)),
    ('"', _words(r'a é 😀 \ n " "" \n \x41 \u00e9 \U0001F600 \ud800 \x4 \" \\ $ {') + _SPACES, ('"', '"', "")),
    ("'", _words(r"""a é 😀 \ \n ' \x41 \U00110000 \' " """) + _SPACES[2:4], ("'", "'", "")),
    ("`", _words(r'a é \ $ `` \$ \${ { } " ${1} ${"x"} ${} ${`y`} ${{2}}') + _SPACES[2:5], ("`", "`", "")),
    ('#"', [*_words(r'a é " # "# "## \ '), "\n", '"\n', "\r"], ('"#', '"#', "")),
    ('##"', [*_words('a " # "# "## x'), "\n", '"#\n'], ('"##', '"##', "")),
)
"""Opening quotes, what may be between, and closing quotes."""

_PIECES = re.compile(r"\s+|\w+|\"[^\"\n]*\"|`[^`$]*`|\.\.=?|=>|::|[-+*/%<>=!&|^]=|&&|\|\||\?\?|.", re.DOTALL)


def pieces_of(text: str) -> list[str]:
    """The text cut into what are tokens, more or less; together they are the text."""
    return _PIECES.findall(text)


def mutation(random: Random, programs: Sequence[str]) -> str:
    """A program with one to three of its tokens dropped, doubled, swapped, replaced or added, or cut off."""
    pieces = pieces_of(random.choice(programs))
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if pieces:
            _mutate(random, pieces)
    return "".join(pieces)


def exchange(random: Random, programs: Sequence[str]) -> str:
    """A program with one to three of its words, literals or operators replaced by others of their sort, found in any program."""
    pieces, others = pieces_of(random.choice(programs)), pieces_of(random.choice(programs))
    sorts = [_sort(piece) for piece in pieces]
    places = [index for index, sort in enumerate(sorts) if sort]
    for index in random.sample(places, min(len(places), random.choice((1, 1, 2, 3)))):
        pieces[index] = random.choice([piece for piece in [*pieces, *others] if _sort(piece) == sorts[index]])
    return "".join(pieces)


_SORTS: Final = re.compile(
    r"(?P<word>[a-z_]\w*)|(?P<number>\d\w*)|(?P<text>[\"`'].*)|(?P<operator>[-+*/%<>=!&|^?.]+)", re.I | re.S
)


def _sort(piece: str) -> str | None:
    if piece in KEYWORDS:
        return "keyword"
    found = _SORTS.fullmatch(piece)
    return found and found.lastgroup


def graft(random: Random, programs: Sequence[str]) -> str:
    """A program with a few tokens of another in the place of some of its own."""
    pieces, others = pieces_of(random.choice(programs)), pieces_of(random.choice(programs))
    at, start = random.randrange(len(pieces) + 1), random.randrange(len(others) + 1)
    pieces[at : at + random.randrange(4)] = others[start : start + random.randrange(1, 12)]
    return "".join(pieces)


def _mutate(random: Random, pieces: list[str]) -> None:
    index = random.randrange(len(pieces))
    match random.randrange(7):
        case 0:
            del pieces[index]
        case 1:
            pieces.insert(index, pieces[index])
        case 2:
            other = random.randrange(len(pieces))
            pieces[index], pieces[other] = pieces[other], pieces[index]
        case 3:
            pieces[index] = random.choice(VOCABULARY)
        case 4:
            pieces.insert(index, f" {random.choice(VOCABULARY)} ")
        case 5:
            pieces.insert(index, random.choice(pieces))
        case _:
            if random.randrange(4) == 0:
                del pieces[index:]
            else:
                del pieces[index : index + random.randrange(1, 5)]


def soup(random: Random) -> str:
    """Random tokens, in a random context."""
    before, after = random.choice(CONTEXTS)
    words = random.choices(VOCABULARY, k=random.randrange(1, 9))
    return f"{before}{random.choice(('', ' ', ' ', chr(10))).join(words)}{after}"


def literal(random: Random) -> str:
    """An odd number or quoted text, before or after a token that shows where it ends."""
    quote, pieces, closings = random.choice(_QUOTED)
    text = "".join(random.choices(pieces, k=random.randrange(10)))
    made = quote + text + random.choice(closings)
    if quote == "-":
        made = random.choice(("", "-")) + (text or "1")
    before = random.choice(("", "", "\n ", "/* x\n */", "// c\n", "/// d\r", "- ", "[", "x + ", "#{a: ", "`${"))
    return before + made + random.choice((" @", "\n@", "@", "", ";", " x", "}b`", ".f()"))


def sequence(random: Random) -> str:
    """One token or two in a context."""
    before, after = random.choice(CONTEXTS)
    return before + " ".join(random.choices(VOCABULARY, k=random.choice((1, 2, 2)))) + after


class Shapes:
    """Random programs that follow the grammar, more or less: `program()` makes one."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def program(self) -> str:
        """A few statements and functions; now and then a token is wrong."""
        text = "".join(self.statement(3) for _ in range(self.random.randrange(1, 5)))
        if self.random.randrange(3) == 0:
            pieces = pieces_of(text) or [""]
            _mutate(self.random, pieces)
            text = "".join(pieces)
        return text

    def statement(self, depth: int) -> str:
        """One statement with its semicolon, sometimes without."""
        forms = _STATEMENTS if depth > 0 else _STATEMENTS[:4]
        if self.random.randrange(4 if depth == 3 else 40) == 0:
            forms = _GLOBAL
        end = "" if self.random.randrange(12) == 0 else self.random.choice((";", ";", "; ", ";\n"))
        text = self.fill(self.random.choice(forms), depth)
        return text + ("" if text.endswith("}") and self.random.randrange(2) else end)

    def expression(self, depth: int) -> str:
        """One expression."""
        return self.fill(self.random.choice(_EXPRESSIONS if depth > 0 else _ATOMS), depth)

    def block(self, depth: int) -> str:
        """Statements in braces."""
        return "{" + "".join(self.statement(depth - 1) for _ in range(self.random.randrange(3))) + "}"

    def fill(self, form: str, depth: int) -> str:
        """`form` with its letters replaced: E expression, I condition, S statement, B block, N name, O operator, C cases, P
        parameters.
        """
        return re.sub("[EISBNOCP]", lambda found: self.part(found[0], depth), form)

    def part(self, letter: str, depth: int) -> str:
        """What a letter stands for."""
        random = self.random
        match letter:
            case "E":
                return self.expression(depth - 1)
            case "S":
                return self.statement(depth - 1)
            case "B":
                return self.block(depth - 1)
            case "N":
                return random.choice(_NAMES if random.randrange(8) else _ODD_NAMES)
            case "I":
                return random.choice(_ODD) if random.randrange(15) == 0 else self.fill(random.choice(_CONDITIONS), depth)
            case "O":
                return random.choice(_OPERATORS)
            case "C":
                return "".join(self.case(depth) for _ in range(random.randrange(4)))
            case _:
                return random.choice(_PARAMETERS)

    def case(self, depth: int) -> str:
        """One arm of a switch."""
        label = self.fill(random_label(self.random), depth)
        return f"{label} => {self.part(self.random.choice('EESB'), depth)}{self.random.choice((',', ',', ', ', ''))}"


def random_label(random: Random) -> str:
    """What stands before the arrow of a switch arm."""
    label = random.choice(
        ("1", "2", "-1", "1..3", "5..=7", "'a'", '"s"', "1 | 2", "true", "()", "E", "[1, 2]", "_", "_", "1.5", "3 | 'b'")
    )
    return label + random.choice(("", "", "", " if E"))


_NAMES: Final = _words("x x y z f g K")
_ODD_NAMES: Final = _words("this print call a::b type_of _ match")
_OPERATORS: Final = _words("+ - * / % ** << >> == != < > <= >= && || & | ^ ?? in !in .. ..=")
_ATOMS: Final = _words("""
    N N x y 1 0 -5 2.5 'c' "s" `t` true false () [] #{} this x 9223372036854775808
""")
_PARAMETERS: Final = ("", "x", "x", "x, y", "x, y", "y, z, x", "x,", "x, x")
_CONDITIONS: Final = forms("""
    x   x == E   E < E   !x   true   N(E)   E in x   x && y   (E == E) || N   x[E]   x.y   x.f(E)
""")
_ODD: Final = forms("""
    E   1   x = E   { E }   'c'   if I B   ()   ++E   (E)(E)   E.y   E[E]   -> E   x.f!(E)   |x, x| E   E ?? break
""")
_EXPRESSIONS: Final = _ATOMS + forms("""
    E O E   E O E   E + E   -E   !I   (E)   [E, E]   [E]   #{a: E, b: E}   #{"k": E}   N(E)   N(E, E)   N!(E)   N()   N.x
    x.y   x.f(E)   x?.y   x[E]   x?[E]   x.y[E].z   x[E][E]   (E).y   (E)[E]   `a${E}b`   `${S}`   if I B else B   B
    switch E {C}   |P| E   |x| B   || E   loop B   while I B   E ?? E   E..E   ..E   E..   a::b(E)   a::x   x in E   E !in E
    for N in x B   do B while I   if I B   f(|x| E)   (x)(E)   I && I   I || I   x ?? return E   loop { x ?? break }   I
""")
_STATEMENTS: Final = forms("""
    E   E   let N = E   x = E   let x   const K = E   x.y = E   x[E] = E   x += E   y -= E   x.y.z **= E   x.f(E).y = E
    if I B   if I B else B   if I B else if I B else B   while I B   loop B   do B while I   do B until I   for N in x B
    for (x, y) in x B   switch E {C}   try B catch B   try B catch (N) B   if I B   if I B else B   for N in N(E) B   ;   B
    return E   return   throw E   loop { break E; }   while I { continue; S }   import E as x   import "m" as a   let f = |P| E
    loop { S break; }   this.x = E   E = E   break E   fn f() { this }
""")
_GLOBAL: Final = forms("""
    fn N(P) B   fn f(P) B   private fn g(P) B   fn int.N(P) B   fn "i64".f(P) B   /** doc */ fn f(P) B   fn h() { this.x = E; S }
    export x   export N as N   export let N = E   export const K = E   fn k(x, y) { S S S }   fn int.m(x) { this + x }
""")
_NESTS: Final = _holes("""
    (§)   [§]   #{a: §}   -§   !§   f(§)   x[§]   x.f(§)   1 + §   1 * 2 + §   `${§}`   { § }   if true { § }   if § { 1 }
    if x { } else { § }   if x {} else §   |x| §   while § {}   loop { § }   do { § } while x   for i in § {}
    for i in x { § }   switch x { 1 => § }   switch § { }   switch x { § => 1 }   try { § } catch {}   try {} catch { § }
    fn f() { § }   let x = §;   x = §;   return §;   throw §;   loop { break §; }   import §;   x ?? §   x in §   2 ** §
    x.y.§   a::§   ..§   1..§   §[1]   §.y   §.f(1)   § + 1   export let x = §;   switch x { 1 if § => 2 }   { 1; § }   x.y[§]
    f!(§)   g(1, §)   [1, §]
""")


def nest(random: Random, deepest: int) -> str:
    """Constructs nested in each other up to `deepest` times, a few kinds only."""
    kinds = random.sample(_NESTS, random.choice((1, 1, 2, 3, 6)))
    text = random.choice(("1", "x", "", "x = 1", "()", "1 2", "break", "return 1", ";", "let", ")", "é"))
    for _ in range(random.randrange(1, deepest + 1)):
        before, after = random.choice(kinds)
        text = before + text + after
    before, after = random.choice((("", ""), ("", ""), ("fn f() { ", " }"), ("|x| ", ""), ("let y = ", ";"), ("x.f(", ")")))
    return before + text + after
