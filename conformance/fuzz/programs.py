"""Programs that are made to be optimised: constants, literals that are read from, branches that are decided, empty blocks.

Most of them fail somewhere; where and how is compared too.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from conformance.fuzz.templates import needed

DEFINITIONS = {
    "n": "let n = 0;", "a": "let a = 1;", "i": "let i = 5;", "t": "let t = true;", "s": "let s = `ab`;", "b": "let b = [1, [2]];",
    "c": "let c = #{a: 1};", "q": "let q = ();", "X": "const X = 2;", "M": "const M = #{a: 3};", "L": "const L = [1, 2];",
    "B": "const B = false;", "T": "const T = `xy`;", "f": "fn f(x) { x }", "g": "fn g(X) { X + 1 }", "h": "fn h() { return; }",
}  # fmt: skip

NAMES = {
    "int": ("a", "n", "X", "i", "M.a", "X"),
    "bool": ("t", "t", "B"),
    "text": ("s", "s", "T"),
    "array": ("b", "b", "L"),
    "map": ("c", "c", "M"),
    "any": ("a", "X", "t", "s", "b", "c", "M", "q", "i", "L", "h", "none"),
}
VARIABLES = {"int": ("a", "n", "i"), "bool": ("t",), "text": ("s",), "array": ("b",), "map": ("c",), "any": ("q", "a", "s", "X")}
LITERALS = {
    "int": ("0", "1", "2", "-1", "3", "9223372036854775807"),
    "bool": ("true", "false"),
    "text": ('"ab"', '""', "`t`", '"x"'),
    "array": ("[]", "[1, 2]", "[[1], 2]", "[a]"),
    "map": ("#{}", "#{a: 1}", "#{a: X, b: [1]}"),
    "any": ("()", "1.5", "'x'", "(1..3)", "(0..=2)", "{}", "|| 1"),
}
KINDS = tuple(NAMES)
RANGES = ("1..3", "0..=9")
LABELS = ("1", "2", '"ab"', "[1, 2]", "[]", "true", "()", "#{a: 1}", "1.5", "[[1], 2]", "'x'", *RANGES)
IN_LOOP = "n += 1; if n > 9 { break; }"


class Programs:
    """Random programs. Most expressions are of the type that their place asks for."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._loops = 0

    def program(self) -> str:
        """One program."""
        text = " ".join(self._statement(3) for _ in range(self._random.choice((1, 1, 2, 2, 3, 4))))
        return f"{needed(DEFINITIONS, text)} {text}"

    def circumstances(self) -> dict[str, Any]:
        """What is special about the requests that run a program."""
        return self._random.choice(
            [
                {},
                {"limits": {"max_operations": self._random.randint(1, 80)}},
                {"limits": {"max_string_size": 6, "max_array_size": 4, "max_map_size": 2}},
                {"limits": {"max_call_levels": 2, "max_variables": 14}},
                {"options": {"fast_operators": False}},
                {"options": {"strict_variables": True, "fail_on_invalid_map_property": True}},
                {"consts": {"X": 7, "L": [1, 2], "k": "k"}, "scope": {"z": {"b": 1}}},
                {"profile": "hook"},
            ]
        )

    def _often(self, chance: float) -> bool:
        return self._random.random() < chance

    # --- statements ---------------------------------------------------------------------------------------------------

    def _statement(self, depth: int) -> str:
        simple: list[Statement] = [self._define, self._define, self._assign, self._assign, self._plain, self._plain, self._leave]
        nested: list[Statement] = [
            self._if, self._if, self._if, self._switch, self._switch, self._while, self._do, self._for, self._try, self._block,
        ]  # fmt: skip
        make = self._random.choice(simple + nested if depth > 0 else simple)
        return make(depth - 1)

    def _define(self, depth: int) -> str:
        kind = self._random.choice(KINDS)
        name = self._random.choice(NAMES[kind]).replace("M.a", "X")
        return f"{self._random.choice(['let', 'const'])} {name} = {self._expression(kind, depth)};"

    def _assign(self, depth: int) -> str:
        kind = self._random.choice(["int", "int", "text", "array", "bool", "any"])
        name = self._random.choice(VARIABLES[kind])
        value = self._expression(kind, depth)
        if self._often(0.4):
            return f"{name} = {name} {self._random.choice(['+', '-', '*', '/', '**', '<<', '&', '==', '..'])} {value};"
        target = self._random.choice([name, name, "c.a", "b[0]", 'c["a"]', f"b[{self._expression('int', 0)}]", "c.b"])
        return f"{target} {self._random.choice(['=', '=', '+=', '-=', '*='])} {value};"

    def _plain(self, depth: int) -> str:
        return f"{self._expression(self._random.choice(KINDS), depth)};"

    def _leave(self, depth: int) -> str:
        words = ["return", "throw", "break", "continue", "break"] if self._loops else ["return", "throw"]
        word = self._random.choice(words)
        bare = word == "continue" or self._often(0.4)
        return f"{word};" if bare else f"{word} {self._expression('any', depth)};"

    def _if(self, depth: int) -> str:
        text = f"if {self._expression('bool', depth)} {self._block(depth)}"
        if self._often(0.4):
            text += f" else {self._if(depth - 1) if depth > 0 and self._often(0.3) else self._block(depth)}"
        return text

    def _switch(self, depth: int) -> str:
        labels = self._random.sample(LABELS, self._random.randint(0, 4))
        labels.sort(key=RANGES.__contains__)
        arms = [self._arm(label, depth) for label in labels]
        if self._often(0.6):
            arms.append(f"_ => {self._result(depth)}")
        return f"switch {self._expression(self._random.choice(['any', 'any', 'int', 'array']), depth)} {{ {', '.join(arms)} }}"

    def _arm(self, label: str, depth: int) -> str:
        guard = f" if {self._expression('bool', depth)}" if self._often(0.4) else ""
        label = f"{label} | {self._random.choice(LABELS[:5])}" if self._often(0.1) else label
        return f"{label}{guard} => {self._result(depth)}"

    def _result(self, depth: int) -> str:
        return self._block(depth) if self._often(0.4) else self._expression("any", depth)

    def _while(self, depth: int) -> str:
        return f"while {self._expression('bool', depth)} {self._loop_body(depth)}"

    def _do(self, depth: int) -> str:
        return f"do {self._loop_body(depth)} {self._random.choice(['while', 'until'])} {self._expression('bool', depth)};"

    def _for(self, depth: int) -> str:
        names = self._random.choice(["i", "X", "a", "(i, k)"])
        return (
            f"for {names} in {self._random.choice(['0..3', 'b', 's', self._expression('array', depth)])} {self._loop_body(depth)}"
        )

    def _try(self, depth: int) -> str:
        name = f" ({self._random.choice(['e', 'X', 'a'])})" if self._often(0.5) else ""
        return f"try {self._block(depth)} catch{name} {self._block(depth)}"

    def _loop_body(self, depth: int) -> str:
        self._loops += 1
        body = self._block(depth, "" if self._often(0.1) else IN_LOOP)
        self._loops -= 1
        return body

    def _block(self, depth: int, first: str = "") -> str:
        statements = [self._statement(depth) for _ in range(self._random.choice([0, 0, 1, 1, 1, 2, 3]))]
        if statements and self._often(0.5):
            statements[-1] = statements[-1].removesuffix(";")
        return "{ " + " ".join([first, *statements]).strip() + " }"

    # --- expressions --------------------------------------------------------------------------------------------------

    def _expression(self, kind: str, depth: int) -> str:
        if self._often(0.03) or (kind == "any" and self._often(0.7)):
            kind = self._random.choice(KINDS)
        if depth <= 0 or self._often(0.25):
            return self._random.choice(LITERALS[kind]) if self._often(0.6) else self._random.choice(NAMES[kind])
        make = self._random.choice([*self._makers(kind), self._nested, self._item])
        return make(kind, depth - 1)

    def _makers(self, kind: str) -> "list[Expression]":
        makers: dict[str, list[Expression]] = {
            "int": [self._arithmetic, self._arithmetic, self._negative, self._length, self._call],
            "bool": [self._comparison, self._logic, self._logic, self._not, self._within, self._call],
            "text": [self._interpolation, self._joined, self._type_of],
            "array": [self._array, self._array, self._mapped],
            "map": [self._map],
            "any": [self._coalesce, self._closure, self._pointer, self._called, self._range],
        }
        return makers[kind]

    def _arithmetic(self, kind: str, depth: int) -> str:
        operator = self._random.choice(["+", "-", "*", "/", "%", "**", "&", "|", "^", "<<"])
        return f"({self._expression(kind, depth)} {operator} {self._expression(kind, depth)})"

    def _negative(self, kind: str, depth: int) -> str:
        return f"{self._random.choice(['-', '+'])}({self._expression(kind, depth)})"

    def _length(self, _kind: str, depth: int) -> str:
        return f"{self._expression(self._random.choice(['array', 'text']), depth)}.{self._random.choice(['len', 'len()'])}"

    def _call(self, kind: str, depth: int) -> str:
        other = self._random.choice(["is_shared", "print", "to_string", "len", "eval"])
        name = self._random.choice(["f", "g", "f", "g", other])
        return f"{name}({self._expression(kind, depth)})"

    def _comparison(self, _kind: str, depth: int) -> str:
        kind = self._random.choice(KINDS)
        return f"({self._expression(kind, depth)} {self._random.choice(['==', '!=', '<', '>='])} {self._expression(kind, depth)})"

    def _logic(self, kind: str, depth: int) -> str:
        operands = [self._expression(kind, depth) for _ in range(self._random.randint(2, 3))]
        return "(" + self._random.choice([" && ", " || "]).join(operands) + ")"

    def _not(self, kind: str, depth: int) -> str:
        return f"!({self._expression(kind, depth)})"

    def _within(self, _kind: str, depth: int) -> str:
        container = self._expression(self._random.choice(["array", "text", "any"]), depth)
        return f"({self._expression('any', depth)} {self._random.choice(['in', '!in'])} {container})"

    def _interpolation(self, _kind: str, depth: int) -> str:
        parts = [
            self._random.choice(["", "-", f"${{{self._expression('any', depth)}}}"]) for _ in range(self._random.randint(1, 4))
        ]
        return f"`{''.join(parts)}`"

    def _joined(self, kind: str, depth: int) -> str:
        return f"({self._expression(kind, depth)} + {self._expression('any', depth)})"

    def _type_of(self, _kind: str, depth: int) -> str:
        value = self._expression("any", depth)
        return f"type_of({value})" if self._often(0.5) else f"({value}).type_of()"

    def _array(self, _kind: str, depth: int) -> str:
        return f"[{', '.join(self._expression('any', depth) for _ in range(self._random.randint(0, 3)))}]"

    def _mapped(self, kind: str, depth: int) -> str:
        call = self._random.choice(["map(f)", "map(|x| [x])", "filter(|x| x == 1)", "filter(|X| X)"])
        return f"{self._expression(kind, depth)}.{call}"

    def _map(self, _kind: str, depth: int) -> str:
        values = [self._expression("any", depth) for _ in range(self._random.randint(0, 3))]
        return "#{" + ", ".join(f"{key}: {value}" for key, value in zip("abc", values, strict=False)) + "}"

    def _coalesce(self, _kind: str, depth: int) -> str:
        operands = [self._random.choice(["()", self._expression("any", depth)]) for _ in range(self._random.randint(2, 3))]
        return f"({' ?? '.join(operands)})"

    def _closure(self, _kind: str, depth: int) -> str:
        return f"|{self._random.choice(['', 'a', 'X', 'x, y'])}| {self._result(depth)}"

    def _pointer(self, kind: str, depth: int) -> str:
        pointer = self._random.choice(['Fn("f")', 'Fn("g")', "f", 'Fn("if")', 'Fn("none")'])
        return f"curry({pointer}, {self._expression(kind, depth)})" if self._often(0.4) else pointer

    def _called(self, kind: str, depth: int) -> str:
        closure = self._closure(kind, depth)
        argument = self._random.choice(["", "1", self._expression("any", depth)])
        return (
            f"({closure}).call({argument})" if self._often(0.5) else f"call({', '.join([closure, argument]).removesuffix(', ')})"
        )

    def _range(self, _kind: str, depth: int) -> str:
        return f"({self._expression('int', depth)}{self._random.choice(['..', '..='])}{self._expression('int', depth)})"

    def _item(self, _kind: str, depth: int) -> str:
        kind = self._random.choice(["array", "array", "map", "text", "int", "any"])
        root = self._expression(kind, depth)
        root = root if self._often(0.7) else f"({root})"
        return root + "".join(self._link(kind, depth) for _ in range(self._random.choice([1, 1, 1, 2])))

    def _link(self, kind: str, depth: int) -> str:
        question = "?" if self._often(0.15) else ""
        if kind == "map" or self._often(0.1):
            return f"{question}{self._random.choice(['.a', '.b', '.a', '[`a`]', '.len()', '.type_of()', '.is_shared()'])}"
        return f"{question}[{self._expression('int', depth)}]"

    def _nested(self, _kind: str, depth: int) -> str:
        make: Statement = self._random.choice([self._if, self._switch, self._block])
        return make(depth)


Statement = Callable[[int], str]
Expression = Callable[[str, int], str]
