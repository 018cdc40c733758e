"""Which tokens may begin an operand: all that can, but for those that the language options rule out."""

from collections.abc import Mapping, Sequence

from rhaipy.limits import Options
from rhaipy.parse_errors import lex_error
from rhaipy.syntax.error_tables import OPERANDS, PRIMARIES
from rhaipy.syntax.tables import ROWS
from rhaipy.syntax.tokens import (
    CALLABLE,
    ERROR,
    FUNCTION_WORDS,
    METHOD,
    METHOD_WORDS,
    RESERVED_WORD,
    TEXT_HEAD,
    Kind,
    Lexed,
)
from rhaipy.typings import Final, TypeAlias

CLOSURES: Final = frozenset({"|", "||"})
ONLY: Final = "ONLY"
"""The kind of a `{` that opens a block in expression mode."""
RANGE_END: Final = "RANGE_END"
"""The kind of a `..` or `..=` that has nothing behind it."""
OFF: Final = "OFF"
"""The kind of a word that the options switch off."""
_LOOPS: Final = frozenset({"while", "loop", "do", "for"})
_LOOP_WORDS: Final = _LOOPS | {"break", "continue"}
_FUNCTION_WORDS: Final = dict.fromkeys(FUNCTION_WORDS, CALLABLE) | dict.fromkeys(METHOD_WORDS, METHOD)
_CALLS: Final = frozenset({"(", "()", "!"})
_AFTER_OPEN_RANGE: Final = frozenset({"]", ")", "}", ",", ";", "=>"})


Target: TypeAlias = tuple[int, int, int]
"""Where a reduction leads: the state, the levels that are given back on the way, and what to do there."""


class Dialect:
    """The rows of the tables as some options leave them, and what the parser found out about them.

    `targets` are by the nonterminal that was reduced to, the state below it and the next token.
    """

    __slots__ = ("decided", "rows", "targets")

    def __init__(self, rows: Sequence[Mapping[Kind, int]]) -> None:
        self.rows = rows
        self.decided: dict[tuple[int, Kind], tuple[int, Kind]] = {}
        self.targets: dict[int, dict[int, dict[Kind, Target]]] = {}


_dialects: Final[dict[frozenset[Kind], Dialect]] = {frozenset(): Dialect(ROWS)}


def dialect(without: frozenset[Kind]) -> Dialect:
    """The language without operands that begin with a token of these kinds."""
    if without not in _dialects:
        rows = list(ROWS)
        for states, kinds in ((OPERANDS, without - CLOSURES), (PRIMARIES, without & CLOSURES)):
            for state in states if kinds else ():
                rows[state] = {kind: action for kind, action in rows[state].items() if kind not in kinds}
        _dialects[without] = Dialect(rows)
    return _dialects[without]


def ruled_out(options: Options, expression: bool) -> frozenset[Kind]:
    """The kinds of tokens that begin no operand. In expression mode, neither blocks nor loops are operands."""
    kinds: set[Kind] = set()
    if expression or not options.allow_statement_expression:
        kinds |= {"{", ONLY}
    if expression or not options.allow_loop_expressions:
        kinds |= _LOOPS
    if not options.allow_if_expression:
        kinds.add("if")
    if not options.allow_switch_expression:
        kinds.add("switch")
    if not options.allow_anonymous_fn:
        kinds |= CLOSURES
    return frozenset(kinds)


def read_as_json(lexed: Lexed, has_null: bool = True) -> None:
    """Take braces for maps and `null` for unit (an error without `has_null`). Refuse some of what is no JSON."""
    for index, kind in enumerate(lexed.kinds):
        value = lexed.values[index]
        if kind == "{":
            lexed.kinds[index] = lexed.values[index] = "#{"
        elif kind == RESERVED_WORD and value == "null":
            lexed.kinds[index] = lexed.values[index] = "()"
            if not has_null:
                lexed.kinds[index] = ERROR
                lexed.values[index] = lex_error(lexed.ats[index], "ImproperSymbol", "null", "")
        elif kind in ("()", "#{", TEXT_HEAD):
            what = "interpolated string" if kind == TEXT_HEAD else kind
            lexed.kinds[index] = ERROR
            lexed.values[index] = lex_error(lexed.ats[index], "ImproperSymbol", what, "")
    _find_calls(lexed)


def _find_calls(lexed: Lexed) -> None:
    """Function words are called where what stands behind them says so, which has changed: `()` is none, `null` is one."""
    for index, kind in enumerate(lexed.kinds):
        if kind in (CALLABLE, METHOD, RESERVED_WORD) and lexed.values[index] in _FUNCTION_WORDS:
            called = lexed.kinds[index + 1] in _CALLS
            lexed.kinds[index] = _FUNCTION_WORDS[str(lexed.values[index])] if called else RESERVED_WORD


def mark_kinds(lexed: Lexed, options: Options, expression: bool) -> None:
    """Name the tokens that stand for something else here as the grammar does."""
    kinds = lexed.kinds
    if ".." in kinds or "..=" in kinds:
        for index, kind in enumerate(kinds):
            if kind in ("..", "..=") and kinds[index + 1] in _AFTER_OPEN_RANGE:
                kinds[index] = RANGE_END
    if expression:
        lexed.kinds = kinds = [ONLY if kind == "{" else kind for kind in kinds]
    if not options.allow_looping:
        lexed.kinds = [OFF if kind in _LOOP_WORDS else kind for kind in kinds]
