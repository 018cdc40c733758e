"""What happens where the tables have no action for a token: tokens that are not in the text, reductions by default, errors."""

from rhaipy.display import display
from rhaipy.parse_errors import ParseError, is_identifier, lex_error
from rhaipy.source import At
from rhaipy.syntax.build_expressions import qualified_bang
from rhaipy.syntax.builder import CASE, Builder, at_of
from rhaipy.syntax.dialects import CLOSURES, OFF, RANGE_END
from rhaipy.syntax.error_tables import DEFAULTS, DEPTHS, MESSAGES, SYMBOLS, TEXTS, URGENT
from rhaipy.syntax.nodes import QualifiedVariable, Variable
from rhaipy.syntax.tokens import (
    CALLABLE,
    EOF,
    ERROR,
    FLOAT,
    ID,
    INT,
    KEYWORDS,
    METHOD,
    METHOD_WORDS,
    RESERVED_SYMBOL,
    RESERVED_WORD,
    STRING,
    TEXT_HEAD,
    THIS,
    Kind,
)
from rhaipy.typings import Final

Decision = tuple[int, Kind]
"""What to do, and the kind that the next token is taken for."""

_RESERVED: Final = frozenset({RESERVED_WORD, RESERVED_SYMBOL, CALLABLE, METHOD, THIS})
_NO_PARAMETER: Final = KEYWORDS - {"switch"}


def decide(builder: Builder, states: list[int], kind: Kind) -> Decision:
    """What to do in the state on top of `states` about a token of `kind`, which has no action there; ParseError if nothing."""
    key = (states[-1], kind)
    decision = builder.dialect.decided.get(key)
    if decision is None:
        decision = _zero_width(builder, *key)
        if decision is None:
            return fail(builder, states, kind)
        builder.dialect.decided[key] = decision
    return decision


def _zero_width(builder: Builder, state: int, kind: Kind) -> Decision | None:
    row = builder.dialect.rows[state]
    default = DEFAULTS[state]
    if kind in ("..", "..=", RANGE_END) and "ZERO" in row:
        return row["ZERO"], "ZERO"
    if kind == EOF and "NOTHING" in row:
        return row["NOTHING"], "NOTHING"
    if kind in URGENT.get(state, ()):
        return None
    if "END" in row and not (kind == RESERVED_SYMBOL and default >= 0):
        return row["END"], "END"
    return (~default, kind) if default >= 0 else None


def too_deep(builder: Builder, states: list[int], seen: Kind) -> int:
    """A shift that goes too deep: ExprTooDeep, or the reduction of a jump to one without value."""
    return _check_depth(builder, states, DEPTHS[states[-1]][seen])


def _check_depth(builder: Builder, states: list[int], places: tuple[str, ...]) -> int:
    place = places[builder.limit - builder.level]
    if place == "tok" and SYMBOLS[states[-1]] == "jump_word":
        return ~DEFAULTS[states[-1]]
    raise ParseError(_place(builder, states, place), "ExprTooDeep")


def _place(builder: Builder, states: list[int], place: str) -> At:
    if place.startswith("tok"):
        return builder.ats[builder.index]
    return at_of(builder, _pending(builder, states, place))


def _pending(builder: Builder, states: list[int], symbols: str) -> object:
    """The value of the symbol nearest to the top of the stack that is one of `symbols`."""
    names = symbols.split()
    for depth in range(len(states) - 1, 0, -1):
        if SYMBOLS[states[depth]] in names:
            return builder.stack[depth - 1]
    raise AssertionError(f"none of {symbols} on the stack")


def in_case(builder: Builder, error: ParseError) -> ParseError:
    """An error within a switch case only tells that a literal was expected."""
    if any(value is CASE for value in builder.stack):
        return ParseError(error.at, "ExprExpected", "literal")
    return error


# --- messages -------------------------------------------------------------------------------------------------------------


def fail(builder: Builder, states: list[int], kind: Kind) -> Decision:
    """Raise the error of the state on top of `states` for a token of `kind`. A jump that cannot go on is none: it is reduced."""
    state = states[-1]
    for when, what in MESSAGES[URGENT.get(state, {}).get(kind, TEXTS[state])]:
        if (when == "$eof" and kind != EOF) or (when == "id" and kind != ID):
            continue
        if when in ("lex", "parameter") and kind == ERROR:
            raise _lexical(builder)
        if when == "parameter":
            _refuse_parameter(builder, kind)
        if what == "operand":
            places = _levels_to_operand(builder, state, kind)
            if builder.level + len(places) > builder.limit:
                return _check_depth(builder, states, places), kind
        raise _error(builder, states, kind, what)
    raise AssertionError(f"no message for {kind} in state {state}")


def _levels_to_operand(builder: Builder, state: int, kind: Kind) -> tuple[str, ...]:
    """The levels that the engine enters before it finds that a token begins no operand."""
    if SYMBOLS[state] == "??" and kind == OFF and builder.text(builder.index) in ("break", "continue"):
        return ("tok", "tok")  # read as a statement, even when loops are switched off
    return DEPTHS.get(state, {}).get("primary", ())


def _error(builder: Builder, states: list[int], kind: Kind, what: str) -> ParseError:
    at = builder.ats[builder.index]
    match what:
        case "operand":
            return _operand(builder, kind)
        case "name":
            return _name(builder, kind)
        case "property":
            return _property(builder, states, kind)
        case "key":
            return _key(builder, kind)
        case "function_name":
            return _reserved(builder) if kind in _RESERVED else ParseError(at, "FnMissingName")
        case "missing_params":
            return ParseError(at, "FnMissingParams", builder.text(builder.stack[-1]))
        case "missing_body":
            return ParseError(at, "FnMissingBody", builder.stack[-1][2])
        case "namespace":
            return lex_error(at, "ImproperSymbol", "::", "")
        case "qualified_bang":
            return qualified_bang(builder, builder.index)
        case "unknown_operator":
            return ParseError(at, "UnknownOperator", builder.text(builder.index))
        case "unexpected":
            return lex_error(at, "UnexpectedInput", shown(builder, builder.index))
        case "impossible":
            raise AssertionError(f"{kind} cannot be in state {states[-1]}")
    _, token, purpose = what.split("'", 2)
    return ParseError(at, "MissingToken", token, _filled(builder, states, purpose[1:]))


def _filled(builder: Builder, states: list[int], purpose: str) -> str:
    """`purpose`, with the name of what is being read filled in."""
    for mark, symbols in (("{callee}", "word path parens name"), ("{fn}", "ID"), ("{key}", "map_key")):
        if mark in purpose:
            value = _pending(builder, states, symbols)
            while isinstance(value, tuple):
                value = value[0]
            if isinstance(value, int):
                return purpose.replace(mark, builder.text(value))
            assert isinstance(value, Variable | QualifiedVariable), "nothing else can be called"
            return purpose.replace(mark, value.name)
    return purpose


def shown(builder: Builder, index: int) -> str:
    """The token as the engine shows it: not its source text."""
    kind, value = builder.kinds[index], builder.values[index]
    if kind == ERROR:
        error = _lexical(builder)
        return f"String is too long (max {error.facts[1]})" if error.parse_kind == "LiteralTooLarge" else error.syntax()
    if kind == STRING:
        return f'"{value}"'
    if kind == TEXT_HEAD:
        return "string"
    if kind == EOF:
        return "{EOF}"
    return display(builder.literal(index)) if kind in (INT, FLOAT) else str(value)


def _lexical(builder: Builder) -> ParseError:
    error = builder.values[builder.index]
    assert isinstance(error, ParseError)
    return error


def _reserved(builder: Builder) -> ParseError:
    return ParseError(builder.ats[builder.index], "Reserved", builder.text(builder.index))


def _operand(builder: Builder, kind: Kind) -> ParseError:
    at = builder.ats[builder.index]
    if kind == EOF:
        return ParseError(at, "UnexpectedEOF")
    if kind == ERROR:
        return _lexical(builder)
    if kind in _RESERVED:
        return _reserved(builder)
    if kind in CLOSURES and builder.options.allow_anonymous_fn and builder.functions_full():
        return ParseError(at, "TooManyFunctions")
    return lex_error(at, "UnexpectedInput", shown(builder, builder.index))


def _name(builder: Builder, kind: Kind) -> ParseError:
    if kind == ERROR:
        return _lexical(builder)
    if kind in _RESERVED and is_identifier(builder.text(builder.index)):
        return _reserved(builder)
    return ParseError(builder.ats[builder.index], "VariableExpected")


def _property(builder: Builder, states: list[int], kind: Kind) -> ParseError:
    if kind not in _RESERVED:
        return ParseError(builder.ats[builder.index], "PropertyExpected")
    if builder.text(builder.index) in METHOD_WORDS and builder.level >= builder.limit:
        return ParseError(_place(builder, states, "period"), "ExprTooDeep")
    return _reserved(builder)


def _key(builder: Builder, kind: Kind) -> ParseError:
    at = builder.ats[builder.index]
    if kind == ERROR:
        return _lexical(builder)
    if kind == TEXT_HEAD:
        return ParseError(at, "PropertyExpected")
    if kind in _RESERVED and is_identifier(builder.text(builder.index)):
        return _reserved(builder)
    if kind == EOF or builder.kinds[builder.stack[-1]] == "#{":
        return ParseError(at, "MissingToken", "}", "to end this object map literal")
    return ParseError(at, "PropertyExpected")


def _refuse_parameter(builder: Builder, kind: Kind) -> None:
    """Raise what a parameter list says about some tokens in particular."""
    if kind in _RESERVED:
        raise _reserved(builder)
    if kind in _NO_PARAMETER or kind == OFF:
        raise ParseError(builder.ats[builder.index], "VariableExpected")
