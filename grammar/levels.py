"""How deep each token leads: the levels of nesting that a shift enters, and where the engine reports one too many."""

from typing import TypeAlias

from grammar.automaton import Automaton, State

Places: TypeAlias = tuple[str, ...]
"""One entry for each level entered, in order (see rhai.lark)."""


class Levels:
    """`of[state][symbol]` are the levels entered on the way from the state to the first token of `symbol`, or to that token."""

    def __init__(self, automaton: Automaton, entered: dict[str, Places]) -> None:
        self.entered = entered
        for symbol in entered:
            if symbol not in automaton.nonterminals:
                raise ValueError(f"levels for {symbol}, which is no rule")
        self.empty = {production.left for production in automaton.productions if not production.right}
        self.of = {id(state): self._ways(state) for state in automaton.states}

    def count(self, nonterminal: str) -> int:
        """The levels that a reduction to `nonterminal` gives back."""
        return len(self.entered.get(nonterminal, ()))

    def _ways(self, state: State) -> dict[str, Places]:
        found: dict[str, Places] = {}
        pending: list[tuple[str, Places]] = [(item.after, ()) for item in state.kernel if item.after]
        while pending:
            symbol, places = pending.pop()
            places = places + self.entered.get(symbol, ())
            if symbol in found:
                if found[symbol] != places:
                    raise ValueError(f"two numbers of levels on the ways to {symbol}: {found[symbol]} and {places}")
                continue
            found[symbol] = places
            if symbol in self.empty and places:
                raise ValueError(f"levels {places} before {symbol}, which may be empty")
            pending += [
                (item.after, places) for item in state.closure if item.production.left == symbol and not item.dot and item.after
            ]
        return found
