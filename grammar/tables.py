"""The automaton as the parser wants it: numbered states, rows of plain integers, no steps that only pass a symbol on."""

from collections.abc import Iterable
from typing import Generic, TypeVar

from grammar.annotations import plain
from grammar.automaton import END_OF_TEXT, STARTS, Automaton, State
from grammar.levels import Levels
from grammar.messages import Cases, Messages

WIDTH = 128
LEVEL = 1 << 10
"""A shift or goto is the number of the target plus this for each level."""

_T = TypeVar("_T")


class Tables:
    """`states` are those in use, in order, `number` their numbers by `id`; `rows` and `gotos` are theirs, in the same order."""

    def __init__(self, automaton: Automaton, levels: Levels) -> None:
        self.levels = levels
        self.productions = automaton.productions
        self.rule = {production: number for number, production in enumerate(self.productions)}
        self.nonterminals = automaton.nonterminals
        self.starts = automaton.starts
        self.states = [automaton.starts[start] for start in STARTS]
        self.number = {id(state): number for number, state in enumerate(self.states)}
        self.rows: list[dict[str, int]] = []
        self.gotos: list[dict[int, int]] = []
        for state in self.states:  # grows while it is read
            self.rows.append(self._row(state))
            self.gotos.append(self._goto(state))

    def _row(self, state: State) -> dict[str, int]:
        row = {}
        for symbol, target in state.shifts.items():
            if symbol != END_OF_TEXT:
                entered = len(self.levels.of[id(state)][symbol])
                row[symbol] = self._numbered(self._beyond(state, target)) + entered * LEVEL
        for symbol, production in state.reductions.items():
            row[symbol] = ~self.rule[production]
        return dict(sorted(row.items()))

    def _goto(self, state: State) -> dict[int, int]:
        found = {}
        for symbol, target in state.gotos.items():
            last = self._beyond(state, target)
            found[self.nonterminals.index(symbol)] = self._numbered(last)
        return found

    def _beyond(self, source: State, target: State) -> State:
        """The state in which the parser is once all that only passes a symbol on (and costs no level) is done."""
        while True:
            item = target.kernel[0]
            passed_on = len(target.kernel) == 1 and not item.after and not item.production.action
            if not passed_on or self.levels.count(item.production.left):
                return target
            target = source.gotos[item.production.left]

    def _numbered(self, state: State) -> int:
        if id(state) not in self.number:
            self.number[id(state)] = len(self.states)
            self.states.append(state)
        return self.number[id(state)]


def tables_text(tables: Tables) -> str:
    """The text of tables.py."""
    rules = tuple(
        (
            production.action,
            tables.nonterminals.index(production.left),
            len(production.right),
            tables.levels.count(production.left),
        )
        for production in tables.productions
    )
    rows, gotos = _Pool(tables.rows), _Pool(tables.gotos)
    return "\n".join(
        [
            '"""The parser\'s tables, written by grammar/build.py from grammar/rhai.lark: do not edit."""\n',
            "# fmt: off\nfrom rhaipy.typings import Final\n",
            _constant(
                "RULES", rules, "Action (empty: pass the only value on), nonterminal, number of symbols, levels given back."
            ),
            _constant("STARTS", _starts(tables), "Where to begin, and which nonterminal is the end."),
            _constant("_ROWS", rows.values, kind="tuple[dict[str, int], ...]"),
            _constant("_ROW_OF", rows.places),
            _constant("_GOTOS", gotos.values, kind="tuple[dict[int, int], ...]"),
            _constant("_GOTO_OF", gotos.places),
            "ROWS: Final = tuple(_ROWS[place] for place in _ROW_OF)",
            '"""For each state: kind of token to shift (state + levels << 10) or to ~rule."""\n',
            "GOTOS: Final = tuple(_GOTOS[place] for place in _GOTO_OF)",
            '"""For each state: nonterminal to state."""\n',
        ]
    )


def _starts(tables: Tables) -> dict[str, tuple[int, int]]:
    return {start: (tables.number[id(tables.starts[start])], tables.nonterminals.index(start)) for start in STARTS}


def error_tables_text(tables: Tables, levels: Levels, messages: Messages) -> str:
    """The text of error_tables.py."""
    texts: _Pool[Cases] = _Pool([messages.text[id(state)] for state in tables.states])
    urgent = {
        number: {kind: texts.place(cases) for kind, cases in sorted(messages.urgent[id(state)].items())}
        for number, state in enumerate(tables.states)
        if messages.urgent[id(state)]
    }
    productions = [messages.default[id(state)] for state in tables.states]
    default = [-1 if production is None else tables.rule[production] for production in productions]
    depths = {}
    for number, state in enumerate(tables.states):
        ways = {
            kind: places
            for kind, places in sorted(levels.of[id(state)].items())
            if places and (kind in state.shifts or kind == "primary")
        }
        if ways:
            depths[number] = ways
    places = _Pool(list(depths.values()))
    return "\n".join(
        [
            '"""What the parser needs where a text is wrong, written by grammar/build.py from rhai.lark: do not edit."""\n',
            "# fmt: off\nfrom rhaipy.typings import Final\n",
            _constant(
                "SYMBOLS", [plain(state.symbol) for state in tables.states], "For each state: the symbol on top of the stack."
            ),
            _constant("DEFAULTS", default, "For each state: the rule to reduce by where no token fits, or -1."),
            _constant("OPERANDS", _expecting(tables, "operand"), "The states in which a block may be an operand."),
            _constant("PRIMARIES", _expecting(tables, "primary"), "The states in which an operand may begin."),
            _constant("MESSAGES", texts.values, "The cases of each message.", "tuple[tuple[tuple[str, str], ...], ...]"),
            _constant("TEXTS", texts.places, "For each state: the number of its message."),
            _constant(
                "URGENT",
                urgent,
                "For some states: kinds of tokens with a message that comes before any reduction.",
                "dict[int, dict[str, int]]",
            ),
            _constant("_DEPTHS", places.values, kind="tuple[dict[str, tuple[str, ...]], ...]"),
            _constant("_DEPTH_OF", dict(zip(depths, places.places, strict=True))),
            "DEPTHS: Final = {state: _DEPTHS[place] for state, place in _DEPTH_OF.items()}",
            '"""For states: where the levels are entered on the way to a kind of token, or to an operand ("primary")."""\n',
        ]
    )


def _expecting(tables: Tables, symbol: str) -> list[int]:
    """The states in which `symbol` may come next."""
    return [number for number, state in enumerate(tables.states) if symbol in tables.levels.of[id(state)]]


class _Pool(Generic[_T]):
    """Values without repetition, and for each given value its place among them."""

    def __init__(self, given: Iterable[_T]) -> None:
        self.values: list[_T] = []
        self.places = [self.place(value) for value in given]

    def place(self, value: _T) -> int:
        """Where `value` is, or is put."""
        if value not in self.values:
            self.values.append(value)
        return self.values.index(value)


def _constant(name: str, value: object, doc: str = "", kind: str = "") -> str:
    """The source text that defines a constant; lists become tuples."""
    if isinstance(value, list):
        value = tuple(value)
    typed = f"Final[{kind}]" if kind else "Final"
    return f"{name}: {typed} = (\n{_wrapped(value)}\n)" + (f'\n"""{doc}"""' if doc else "") + "\n"


def _wrapped(value: object) -> str:
    """`value` as source text in lines that are not too long. No text in it has a comma before a blank."""
    lines = [""]
    for part in repr(value).split(", "):
        if len(lines[-1]) + len(part) > WIDTH:
            lines.append("")
        lines[-1] += part + ", "
    return "\n".join(line.rstrip() for line in lines).removesuffix(",")
