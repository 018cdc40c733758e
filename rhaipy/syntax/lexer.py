"""Text to tokens. One pattern finds the common tokens; what needs more (quotes, numbers, comments, signs) has a reader.

The lexer never fails: what is no token becomes an ERROR, and lexing ends there, since no parser gets past it.
"""

import re
from collections.abc import Mapping
from sys import maxsize

from rhaipy.parse_errors import ParseError, is_identifier, lex_error
from rhaipy.source import SATURATED, At
from rhaipy.syntax.custom_operators import NO_OPERATORS, mark_operators
from rhaipy.syntax.lexer_comments import read_comment
from rhaipy.syntax.lexer_cursor import Cursor
from rhaipy.syntax.lexer_numbers import read_number
from rhaipy.syntax.lexer_text import read_char, read_more_text, read_raw, read_string, read_text
from rhaipy.syntax.tokens import (
    BEFORE_OPERAND,
    CALLABLE,
    CHAR,
    EOF,
    ERROR,
    FLOAT,
    FUNCTION_WORDS,
    ID,
    INT,
    KEYWORDS,
    METHOD,
    METHOD_WORDS,
    RESERVED_SYMBOL,
    RESERVED_SYMBOLS,
    RESERVED_WORD,
    RESERVED_WORDS,
    STRING,
    SYMBOLS,
    TEXT_HEAD,
    TEXT_MIDDLE,
    TEXT_TAIL,
    THIS,
    UNARY_MINUS,
    UNARY_PLUS,
    Kind,
    Lexed,
    TokenValue,
)
from rhaipy.typings import Final

_TOKEN: Final = re.compile(
    r"""[ \t\r\f]*+ (?:
          (_*[a-zA-Z][a-zA-Z0-9_]*+)                                                      # 1 word
        | ( [;,)\[\]{}~@$] | \([)*]? | _(?![a-zA-Z0-9_]) | \.(?:\.[.=]?)? | =(?:==?|>)? | :(?::<?|=|;)? # 2 symbol
          | <(?:<=?|=|-|\|)? | >(?:>=?|=)? | !(?:==?|\.|in(?![a-zA-Z0-9_]))? | \|[|=>]? | &[&=]? | \^=? | %=?
          | \?[.?\[]? | \*(?:\*=?|=|\))? | /(?![/*])=? | \+[+=]? | -[=>\-]? | \#(?!["\#])(?:\{|\ \{?)? )
        | (\n[ \t\r\f\n]*+)                                                                 # 3 line ends
        | ([0-9]{1,18}(?![0-9_.eExXoObB]))                                                  # 4 plain integer
        | ("[^"\\\r\n]*+"(?!"))                                                             # 5 plain string
        | (_[a-zA-Z0-9_]*+|.|\Z)                                                             # 6 anything else, the end too
    )""",
    re.VERBOSE | re.DOTALL,
)
_WORD, _SYMBOL, _LINES, _INTEGER, _PLAIN_STRING = range(1, 6)

_WORD_KINDS: Final = (
    {word: word for word in KEYWORDS | {THIS}}
    | dict.fromkeys(RESERVED_WORDS, RESERVED_WORD)
    | dict.fromkeys(FUNCTION_WORDS, CALLABLE)
    | dict.fromkeys(METHOD_WORDS, METHOD)
)
_FUNCTIONS: Final = frozenset({CALLABLE, METHOD})
_CALLS: Final = frozenset({"(", "()", "!"})
_BRACES: Final = frozenset({"{", "#{", "}"})
_LOOK_ALIKES: Final = {
    "===": "'===' is not a valid operator. This is not JavaScript! Should it be '=='?",
    "!==": "'!==' is not a valid operator. This is not JavaScript! Should it be '!='?",
    "->": "'->' is not a valid symbol. This is not C or C++!",
    "<-": "'<-' is not a valid symbol. This is not Go! Should it be '<='?",
    ":=": "':=' is not a valid assignment operator. This is not Go or Pascal! Should it be simply '='?",
    ":;": "':;' is not a valid symbol. Should it be '::'?",
    "::<": "'::<>' is not a valid symbol. This is not Rust! Should it be '::'?",
    "(*": "'(* .. *)' is not a valid comment format. This is not Pascal! Should it be '/* .. */'?",
    "*)": "'(* .. *)' is not a valid comment format. This is not Pascal! Should it be '/* .. */'?",
    "# {": "'#' is not a valid symbol. Should it be '#{'?",
}
_SIGNS: Final = {"+": UNARY_PLUS, "-": UNARY_MINUS}
_SPECIAL: Final = RESERVED_SYMBOLS | frozenset(_LOOK_ALIKES) | frozenset(_SIGNS) | {"# "}
_SPECIAL_IN_TEXT: Final = _SPECIAL | _BRACES

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def lex(
    text: str, max_string_size: int = 0, disabled: frozenset[str] = frozenset(), operators: Mapping[str, int] = NO_OPERATORS
) -> Lexed:
    """The tokens of `text`. `max_string_size`: bytes, 0 for no limit. `disabled`: keywords and symbols that mean nothing here.

    `operators`: those that the host registered, with their precedence.
    """
    lexer = _Lexer(text, max_string_size, operators)
    lexed = lexer.lexed
    try:
        _refuse_surrogates(lexer.cursor)
        lexer.run()
        lexer.add(EOF, EOF, lexer.cursor.at(len(text)))
    except ParseError as error:
        lexer.fail(error)
    if len(text) >= SATURATED:
        lexed.ats = [lexer.cursor.packed(at) for at in lexed.ats]
    if operators:
        mark_operators(lexed, operators)
    if disabled:
        _disable(lexed, disabled)
    for kind in _FUNCTIONS.intersection(lexed.kinds):
        _reserve(lexed.kinds, kind)
    return lexed


class _Lexer:
    """The state of one run. Braces are counted while inside of back-tick text only, to find the end of its code."""

    __slots__ = ("braces", "cursor", "lexed", "operators", "texts")

    def __init__(self, text: str, limit: int, operators: Mapping[str, int]) -> None:
        self.cursor = Cursor(text, limit)
        self.operators = operators
        self.lexed = Lexed()
        self.braces = 0
        self.texts: list[int] = []  # for each back-tick text we are in the code of: the open braces around it

    def run(self) -> None:
        """Read everything; leaves out the EOF."""
        cursor, lexed = self.cursor, self.lexed
        kinds, values, ats = lexed.kinds, lexed.values, lexed.ats
        unlimited = cursor.limit // 4 if cursor.limit else maxsize
        while cursor.offset < len(cursor.text):
            base = cursor.base()
            special = _SPECIAL_IN_TEXT if self.texts else _SPECIAL
            for match in _TOKEN.finditer(cursor.text, cursor.offset):
                group = match.lastindex or 0
                value: TokenValue
                value = found = match[group]
                if group == _WORD:
                    kinds.append(_WORD_KINDS.get(found, ID))
                elif group == _SYMBOL and (found not in special or (found in _SIGNS and self.is_binary())):
                    kinds.append(found)
                elif group == _LINES:
                    cursor.line += found.count("\n")
                    cursor.line_start = match.end() - len(found) + found.rindex("\n") + 1
                    base = cursor.base()
                    continue
                elif group == _INTEGER:
                    kinds.append(INT)
                    value = int(found)
                elif group == _PLAIN_STRING and len(found) <= unlimited:
                    kinds.append(STRING)
                    value = found[1:-1]
                else:
                    cursor.offset = match.start(group)
                    self.special(found)
                    break
                values.append(value)
                ats.append(base + match.start(group))

    def add(self, kind: Kind, value: TokenValue, at: At) -> None:
        """One token more."""
        self.lexed.kinds.append(kind)
        self.lexed.values.append(value)
        self.lexed.ats.append(at)

    def fail(self, error: ParseError) -> None:
        """The last token is none."""
        self.add(ERROR, error, error.at)
        self.add(EOF, EOF, error.at)
        error.at = self.cursor.packed(error.at)

    def special(self, found: str) -> None:
        """Read the token that begins with `found`, at the cursor."""
        cursor = self.cursor
        at = cursor.at(cursor.offset)
        match found[:1]:
            case "":
                pass
            case '"':
                self.add(STRING, read_string(cursor), at)
            case "'":
                self.add(CHAR, read_char(cursor), at)
            case "`":
                self.text(*read_text(cursor), at)
            case "#" if found == "#" and cursor.text[cursor.offset + 1 : cursor.offset + 2] in ('"', "#"):
                self.add(STRING, read_raw(cursor), at)
            case "/":
                self.comment()
            case "_":
                raise lex_error(at, "MalformedIdentifier", found)
            case digit if "0" <= digit <= "9":
                self.number(at, "")
            case _ if found in _SPECIAL_IN_TEXT:
                cursor.offset += len(found)
                self.symbol(found, at)
            case char:
                raise lex_error(at, "UnexpectedInput", char)

    def symbol(self, found: str, at: At) -> None:
        """A sign, a brace within text, or a symbol that means nothing; the cursor is behind it."""
        if found in _SIGNS:
            self.sign(found, at)
        elif found in _BRACES:
            self.brace(found, at)
        elif found in _LOOK_ALIKES and found not in self.operators:
            raise lex_error(at, "ImproperSymbol", found, _LOOK_ALIKES[found])
        elif found == "#" and self.cursor.text.startswith("!", self.cursor.offset):
            self.add(RESERVED_SYMBOL, "#!", at)  # only the "#" is passed, as in the engine
        else:
            self.add(RESERVED_SYMBOL, found.rstrip(), at)

    def is_binary(self) -> bool:
        """Is a sign that comes now an operator between two operands?"""
        kinds = self.lexed.kinds
        return bool(kinds) and kinds[-1] not in BEFORE_OPERAND

    def sign(self, sign: str, at: At) -> None:
        """+ or -; where it is unary, a minus right before a digit is part of the number."""
        cursor = self.cursor
        if self.is_binary():
            self.add(sign, sign, at)
        elif sign == "-" and "0" <= cursor.text[cursor.offset : cursor.offset + 1] <= "9":
            self.number(at, sign)
        else:
            self.add(_SIGNS[sign], sign, at)

    def number(self, at: At, sign: str) -> None:
        """A number literal from the cursor on; `sign` is before it."""
        value = read_number(self.cursor, at, sign)
        self.add(INT if isinstance(value, int) else FLOAT, value, at)

    def brace(self, brace: str, at: At) -> None:
        """A brace in the code within a back-tick text; the last one goes back to the text."""
        self.add(brace, brace, at)
        if brace != "}":
            self.braces += 1
            return
        self.braces -= 1
        if self.braces == self.texts[-1]:
            value, goes_on, first = read_more_text(self.cursor)
            self.add(TEXT_MIDDLE if goes_on else TEXT_TAIL, value, first)
            if not goes_on:
                self.texts.pop()

    def text(self, value: str, goes_on: bool, at: At) -> None:
        """Back-tick text, or its head up to the first code in it."""
        self.add(TEXT_HEAD if goes_on else STRING, value, at)
        if goes_on:
            self.texts.append(self.braces)

    def comment(self) -> None:
        """Pass a comment; keep it where it documents what follows."""
        lines = read_comment(self.cursor)
        if lines:
            self.lexed.docs.setdefault(len(self.lexed.kinds), []).extend(lines)


def _refuse_surrogates(cursor: Cursor) -> None:
    """The engine's texts hold Unicode scalar values only; so do our strings."""
    surrogate = None if cursor.text.isascii() else _SURROGATE.search(cursor.text)
    if surrogate is not None:
        if "\n" in cursor.text[: surrogate.start()]:
            cursor.new_lines(0, surrogate.start())
        raise lex_error(cursor.at(surrogate.start()), "UnexpectedInput", f"\\u{ord(surrogate[0]):04x}")


def _disable(lexed: Lexed, disabled: frozenset[str]) -> None:
    """Make disabled keywords and symbols reserved; a reserved one is an error then, and the last token."""
    for index, kind in enumerate(lexed.kinds):
        value = lexed.values[index]
        if value not in disabled:
            continue
        if kind in KEYWORDS or kind in SYMBOLS or kind in _SIGNS.values():
            lexed.kinds[index] = RESERVED_WORD if kind in KEYWORDS else RESERVED_SYMBOL
        elif kind in (RESERVED_WORD, RESERVED_SYMBOL, CALLABLE, METHOD, THIS):
            what = "keyword" if is_identifier(str(value)) else "symbol"
            error = lex_error(lexed.ats[index], "ImproperSymbol", str(value), f"reserved {what} '{value}' is disabled")
            lexed.kinds[index:] = [ERROR, EOF]
            lexed.values[index:] = [error, EOF]
            lexed.ats[index:] = [error.at, error.at]
            return


def _reserve(kinds: list[Kind], kind: Kind) -> None:
    """Function words that are not called are just reserved words."""
    index = -1
    for _ in range(kinds.count(kind)):
        index = kinds.index(kind, index + 1)
        if kinds[index + 1] not in _CALLS:
            kinds[index] = RESERVED_WORD
