"""The kinds of tokens, and a lexed text. Every kind is a plain string; keywords and symbols are named by their own text.

    "let", "=>", "?.", "!in", "()", "_", ..   keywords and symbols; the value is the text again
    UNARY_PLUS, UNARY_MINUS                   a sign right after a token that cannot end an operand: never a binary operator
                                              (plain "+" and "-" may be either)
    ID                                        a name; the value is the name
    INT, FLOAT, CHAR, STRING                  a literal; the value is the script's value (a sign may be folded into a number)
    TEXT_HEAD, TEXT_MIDDLE, TEXT_TAIL         `head${..}middle${..}tail`: each piece a string, the code between them follows as
                                              ordinary tokens from "{" to "}". A back-tick text without code is a STRING
    "this"                                    a reserved word that has an own place in the grammar
    CUSTOM                                    an operator that the host registered; the value is its text
    CALLABLE, METHOD                          a reserved word that may be called ("print", "eval"), or called as a method too
                                              ("call", "type_of"), and that "(", "()" or "!" follows; elsewhere it is reserved
    RESERVED_WORD, RESERVED_SYMBOL            what Rhai keeps for itself ("match", "~"), and disabled keywords and symbols
    ERROR                                     no token; the value is a ParseError, raised if the parser gets so far. Nothing is
                                              lexed after it
    EOF                                       always last (an EOF follows an ERROR too)

"{", "}" and "#{" come in pairs inside of interpolated text as far as the lexer can see; that they match is the parser's concern.
Comments are no tokens; doc-comments are kept in `Lexed.docs`.
"""

from rhaipy.parse_errors import ParseError
from rhaipy.source import At
from rhaipy.typings import Final, TypeAlias

Kind: TypeAlias = str

ID: Final = "ID"
INT: Final = "INT"
FLOAT: Final = "FLOAT"
CHAR: Final = "CHAR"
STRING: Final = "STRING"
TEXT_HEAD: Final = "TEXT_HEAD"
TEXT_MIDDLE: Final = "TEXT_MIDDLE"
TEXT_TAIL: Final = "TEXT_TAIL"
UNARY_PLUS: Final = "UNARY_PLUS"
UNARY_MINUS: Final = "UNARY_MINUS"
CALLABLE: Final = "CALLABLE"
CUSTOM: Final = "CUSTOM"
METHOD: Final = "METHOD"
RESERVED_WORD: Final = "RESERVED_WORD"
RESERVED_SYMBOL: Final = "RESERVED_SYMBOL"
ERROR: Final = "ERROR"
EOF: Final = "EOF"
THIS: Final = "this"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


KEYWORDS: Final = _words(
    "true false let const if else switch do while until loop for in fn private return break continue throw try catch"
    " import export as"
)

ASSIGNMENTS: Final = {
    "+=": "+", "-=": "-", "*=": "*", "/=": "/", "%=": "%", "**=": "**", "<<=": "<<", ">>=": ">>", "&=": "&", "|=": "|", "^=": "^",
}  # fmt: skip
"""Compound assignments, each with its operator."""

SYMBOLS: Final = frozenset(ASSIGNMENTS) | _words(
    "{ } ( ) [ ] () + - * / % ** << >> ; : :: => _ , . ?. ?? ?[ .. ..= #{ = < > <= >= == != ! !in | || ^ & &&"
)

RESERVED_SYMBOLS: Final = _words("? # #! ++ -- ... ~ @ $ !. <| |>")
"""Symbols that mean nothing. Those with a message of their own (`===`, `->`, `:=` ..) are ERROR tokens instead."""

RESERVED_WORDS: Final = _words(
    "static shared goto go match case public protected new use with is module package thread spawn sync async await yield default"
    " void null nil var super"
)

FUNCTION_WORDS: Final = _words("print debug eval Fn is_def_var is_def_fn")
METHOD_WORDS: Final = _words("type_of call curry is_shared")

KINDS: Final = (
    KEYWORDS
    | SYMBOLS
    | {
        ID, INT, FLOAT, CHAR, STRING, TEXT_HEAD, TEXT_MIDDLE, TEXT_TAIL, UNARY_PLUS, UNARY_MINUS, THIS, CALLABLE, METHOD,
        CUSTOM, RESERVED_WORD, RESERVED_SYMBOL, ERROR, EOF,
    }
)  # fmt: skip
"""All kinds there are."""

BEFORE_OPERAND: Final = (
    frozenset(ASSIGNMENTS)
    | {UNARY_PLUS, UNARY_MINUS}
    | _words("; : , ?? .. ..= { ( [ ?[ + - * / % ** << >> = == != < > <= >= ! | || & && ^ if while until in !in return throw")
)
"""After these a sign is unary. The set is the engine's, oddities included: "=>", "#{", "else", "do" are not in it, "|" is."""

TokenValue: TypeAlias = str | int | float | ParseError
"""What a token carries; a CHAR carries a `Char`, which is a str."""


class Lexed:
    """A lexed text: three parallel lists, one entry for each token, and the doc-comments.

    `docs` maps the index of a token to the lines of the doc-comments right before it, with their marks (`/// ..`, `/** .. */`).
    """

    __slots__ = ("ats", "docs", "kinds", "values")

    def __init__(self) -> None:
        self.kinds: list[Kind] = []
        self.values: list[TokenValue] = []
        self.ats: list[At] = []
        self.docs: dict[int, list[str]] = {}
