"""What the reductions share: the tokens, where the parser is in them, the names in reach, and the registry of reductions.

A reduction takes the values of a rule's symbols and gives the value of the whole. The value of a token is its index. Most need
the builder for the tokens only; those marked `moving` may read and change where the parser is (level, kind of the next token).
"""

from collections.abc import Callable, Collection
from sys import maxsize

from rhaipy.limits import Limits, Options
from rhaipy.parse_errors import ParseError
from rhaipy.source import At
from rhaipy.syntax.dialects import CLOSURES, dialect, ruled_out
from rhaipy.syntax.program import Function
from rhaipy.syntax.scopes import FunctionScope
from rhaipy.syntax.tokens import Kind, Lexed
from rhaipy.typings import Any, Final, TypeAlias, TypeVar

Values: TypeAlias = list[Any]
"""The values of a rule's symbols: token indices, nodes, lists of nodes. The grammar says which; no type could."""

DefineFilter: TypeAlias = Callable[[str, bool, int, bool], bool]
"""May a variable be defined? Gets its name, is it a constant, how deep it is nested, does it shadow another."""

CASE_PIPE: Final = "CASE_PIPE"
CASE: Final = "the start of a switch case"
"""The value that stands on the stack while a switch case is read."""


class Builder:
    """The state of one parse. `level` and `limit` count nesting; `index` is the next token, `seen` the kind it was taken for."""

    __slots__ = (
        "_case_kinds", "_in_functions", "_plain_kinds", "ats", "define_filter", "dialect", "docs", "function_names", "functions",
        "index", "keeps_kind", "kinds", "level", "limit", "limits", "modules", "operators", "options", "outside", "quoted_keys",
        "salt", "saved", "scope", "seen", "stack", "switches", "values", "without",
    )  # fmt: skip

    def __init__(
        self, lexed: Lexed, limits: Limits, options: Options, outside: Collection[str], expression: bool, salt: int
    ) -> None:
        self.kinds: list[Kind] = lexed.kinds
        self.values: Values = lexed.values
        self.ats: list[At] = lexed.ats
        self.docs = lexed.docs
        self.limits = limits
        self.options = options
        self.outside = outside
        self.salt = salt
        self.modules: Collection[str] = ()  # of the host, which need no import
        self.operators: dict[str, int] = dict(options.custom_operators)
        self.define_filter: DefineFilter | None = None
        self.level = 0
        self.limit = limits.max_expr_depth or maxsize
        self.index = 0
        self.seen: Kind = ""
        self.keeps_kind = False
        self.quoted_keys = False
        self.stack: Values = []
        self.saved: Values = []
        self.switches: Values = []
        self.scope = FunctionScope(None, False, options.strict_variables)
        self.functions: dict[tuple[str, int, str | None], Function] = {}
        self.function_names: set[str] = set()
        self.without = ruled_out(options, expression)
        self._in_functions: frozenset[Kind] | None = None
        self.dialect = dialect(self.without)
        self._plain_kinds = self.kinds
        self._case_kinds: list[Kind] | None = None

    def text(self, index: int) -> str:
        """The text of the name or symbol at `index`."""
        return str(self.values[index])

    def literal(self, index: int) -> str | int | float:
        """The value of the literal at `index`."""
        value: str | int | float = self.values[index]
        return value

    def go_deeper(self, at: At) -> None:
        """One level deeper; ExprTooDeep at `at` if that is one too many."""
        if self.level >= self.limit:
            raise ParseError(at, "ExprTooDeep")
        self.level += 1

    def enter_function(self, strict: bool) -> None:
        """A function begins: its levels count from 1."""
        self._enter(strict, False)
        self.level = 1
        self.limit = self.limits.max_function_expr_depth or maxsize

    def leave_function(self) -> None:
        """The function is over."""
        self._leave()

    def enter_closure(self) -> None:
        """A closure begins, one level deeper. Unknown names are captured, so strict variables are for whoever is around."""
        self._enter(False, True)

    def leave_closure(self) -> dict[str, At]:
        """The closure is over: the names that it captured, and where they were used first."""
        captured = self.scope.captured
        self._leave()
        return captured

    def _enter(self, strict: bool, is_closure: bool) -> None:
        self.saved.append((self.level, self.limit, self.reading_case(), self.scope, self.without))
        self.read_case(False)
        if self._in_functions is None:
            self._in_functions = ruled_out(self.options, False)
        self._use_dialect(self._in_functions)
        self.scope = FunctionScope(self.scope, is_closure, strict)

    def _leave(self) -> None:
        self.level, self.limit, case, self.scope, without = self.saved.pop()
        self.read_case(case)
        self._use_dialect(without)

    def define(self, function: Function) -> None:
        """One function more."""
        self.functions[(function.name, len(function.params), function.this_type)] = function
        self._use_dialect(self.without)

    def functions_full(self) -> bool:
        """Are there as many functions as may be?"""
        limit = self.limits.max_functions
        return bool(limit) and len(self.functions) >= limit

    def _use_dialect(self, without: frozenset[Kind]) -> None:
        self.without = without
        self.dialect = dialect(without | CLOSURES if self.functions_full() else without)

    def reading_case(self) -> bool:
        """Does `|` separate switch cases here?"""
        return self.kinds is self._case_kinds

    def read_case(self, on: bool) -> None:
        """From here on `|` does, or does not, separate switch cases."""
        if on and self._case_kinds is None:
            self._case_kinds = [CASE_PIPE if kind == "|" else kind for kind in self._plain_kinds]
        self.kinds = (self._case_kinds if on else None) or self._plain_kinds


Reduction: TypeAlias = Callable[[Builder, Values], Any]
_SpreadReduction = TypeVar("_SpreadReduction", bound=Callable[..., Any])

MOVING: Final = 1
SPREAD: Final = 2

REDUCTIONS: Final[dict[str, tuple[Callable[..., Any], int]]] = {}
"""By the names in the grammar: each reduction; and is it `MOVING` or `SPREAD`, or neither (0)?"""


def reduces(*names: str, moving: bool = False) -> Callable[[Reduction], Reduction]:
    """The decorated function reduces the rules or aliases `names`. It gets the values of their symbols as a list."""

    def register(reduction: Reduction) -> Reduction:
        REDUCTIONS.update(dict.fromkeys(names, (reduction, MOVING if moving else 0)))
        return reduction

    return register


def reduces_spread(*names: str) -> Callable[[_SpreadReduction], _SpreadReduction]:
    """The decorated function reduces the rules or aliases `names`, of one to three symbols. It gets their values one by one.

    That is a tenth of a microsecond faster, which is something where most reductions are the same dozen. It must not look at the
    stack, where the value of the first symbol still is.
    """

    def register(reduction: _SpreadReduction) -> _SpreadReduction:
        REDUCTIONS.update(dict.fromkeys(names, (reduction, SPREAD)))
        return reduction

    return register


def at_of(builder: Builder, value: Any) -> At:
    """Where a value on the stack is reported: a token, a node, or a group that begins with a token."""
    while isinstance(value, (tuple, list)):
        value = value[0]
    at: At = builder.ats[value] if isinstance(value, int) else value.at
    return at
