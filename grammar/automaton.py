"""The LALR(1) automaton of the grammar, as Lark proves it, in an order that is the same in every build."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from lark.common import ParserConf
from lark.grammar import Rule, Symbol
from lark.load_grammar import load_grammar
from lark.parsers.grammar_analysis import RulePtr
from lark.parsers.lalr_analysis import LALR_Analyzer

END_OF_TEXT: Final = "EOF"
STARTS: Final = ("program", "expression")

_load: Callable[..., Any] = load_grammar


@dataclass(frozen=True, order=True)
class Production:
    """`left: right`; `action` names the function that builds its value, and is empty where the only symbol is passed on."""

    left: str
    right: tuple[str, ...]
    action: str


@dataclass(frozen=True, order=True)
class Item:
    """A production with a dot: the symbols before it are on the stack."""

    production: Production
    dot: int

    def __str__(self) -> str:
        right = self.production.right
        return f"{self.production.left}: {' '.join([*right[: self.dot], '.', *right[self.dot :]])}"

    @property
    def before(self) -> str:
        """The symbol before the dot, or an empty text."""
        return self.production.right[self.dot - 1] if self.dot else ""

    @property
    def after(self) -> str:
        """The symbol after the dot, or an empty text where the item is complete."""
        right = self.production.right
        return right[self.dot] if self.dot < len(right) else ""


@dataclass
class State:
    """What may follow: `shifts` and `gotos` lead to other states, `reductions` are those that a token asks for."""

    kernel: tuple[Item, ...]
    closure: tuple[Item, ...]
    symbol: str = ""
    shifts: dict[str, "State"] = field(default_factory=dict)
    gotos: dict[str, "State"] = field(default_factory=dict)
    reductions: dict[str, Production] = field(default_factory=dict)


@dataclass
class Automaton:
    """All productions, sorted, and all states, breadth first from the starts."""

    productions: list[Production]
    states: list[State]
    starts: dict[str, State]

    @property
    def nonterminals(self) -> list[str]:
        """The symbols that have productions, sorted."""
        return sorted({production.left for production in self.productions})


def automaton(text: str) -> Automaton:
    """The automaton of the Lark grammar `text`; Lark's GrammarError if the grammar has a conflict."""
    grammar, _ = _load(text, "rhai.lark", [], True)
    terminals, rules, _ = grammar.compile(list(STARTS), "*")
    kinds = {str(terminal.name): str(terminal.pattern.value) for terminal in terminals if terminal.pattern is not None}
    kinds["$END"] = END_OF_TEXT
    analyzer = LALR_Analyzer(ParserConf(rules, {}, list(STARTS)), debug=True, strict=True)
    compute: Callable[[], None] = analyzer.compute_lalr
    compute()

    def name(symbol: Symbol) -> str:
        return kinds.get(str(symbol.name), str(symbol.name))

    def production(rule: Rule) -> Production:
        right = tuple(name(symbol) for symbol in rule.expansion)
        passed_on = rule.options.expand1 and len(right) == 1 and not rule.alias
        return Production(str(rule.origin.name), right, "" if passed_on else rule.alias or str(rule.origin.name))

    def items(pointers: Iterable[RulePtr]) -> tuple[Item, ...]:
        return tuple(sorted(Item(production(pointer.rule), pointer.index) for pointer in pointers))

    states = {itemset: State(items(itemset.kernel), items(itemset.closure)) for itemset in analyzer.lr0_itemsets}
    for itemset, state in states.items():
        for symbol, target in sorted(itemset.transitions.items(), key=lambda pair: name(pair[0])):
            (state.shifts if symbol.is_term else state.gotos)[name(symbol)] = states[target]
            states[target].symbol = name(symbol)
        for symbol, lookahead_rules in itemset.lookaheads.items():
            state.reductions[kinds.get(symbol.name, symbol.name)] = production(next(iter(lookahead_rules)))
    starts = {start: states[analyzer.lr0_start_states[start]] for start in STARTS}
    return Automaton(sorted({production(rule) for rule in rules}), _breadth_first(list(starts.values())), starts)


def _breadth_first(starts: list[State]) -> list[State]:
    found = {id(state): state for state in starts}
    queue = deque(starts)
    while queue:
        state = queue.popleft()
        for target in [*state.shifts.values(), *state.gotos.values()]:
            if id(target) not in found:
                found[id(target)] = target
                queue.append(target)
    return list(found.values())
