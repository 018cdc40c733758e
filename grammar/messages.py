"""Which message each state has for a token that does not fit, and which reductions a state makes by default."""

from grammar.annotations import Annotations, Message, plain
from grammar.automaton import Item, Production, State

Cases = tuple[tuple[str, str], ...]


class Messages:
    """For states, by `id`: `default` reductions, `text` where no token fits, `urgent` texts for kinds of tokens."""

    def __init__(self, states: list[State], notes: Annotations) -> None:
        self.notes = notes
        self.used: set[str] = set()
        self.default = {id(state): self._default(state) for state in states}
        self.text = {id(state): self._text(state) for state in states}
        self.urgent = {id(state): self._urgent(state) for state in states}
        unused = [message.line for message in notes.messages if message.line not in self.used]
        if unused:
            raise ValueError(f"annotations used by no state: {unused}")

    def _default(self, state: State) -> Production | None:
        complete = [item.production for item in state.closure if not item.after and item.production.left[0] != "$"]
        wanted = [production for production in complete if production.left not in self.notes.never_by_default]
        if len(wanted) > 1:
            raise ValueError(f"two reductions by default: {wanted}")
        return wanted[0] if wanted else None

    def _text(self, state: State) -> Cases:
        finished = state.kernel[0].production.left.startswith("$") and not state.kernel[0].after
        if finished or self.default[id(state)] is not None or "END" in state.shifts or "END" in state.reductions:
            return ()
        texts = self._matching(state, urgent=False)
        if not texts:
            raise ValueError(f"nothing to say where {' and '.join(str(item) for item in state.kernel)}")
        return self._only(texts, state)

    def _urgent(self, state: State) -> dict[str, Cases]:
        found: dict[str, Cases] = {}
        for message in self._bound(state, urgent=True):
            self.used.add(message.line)
            found.update(dict.fromkeys(message.urgent, message.cases))
        return found

    def _only(self, messages: list[Message], state: State) -> Cases:
        if len({message.cases for message in messages}) > 1:
            raise ValueError(f"two messages in state {state.kernel}: {[message.line for message in messages]}")
        self.used.update(message.line for message in messages)
        return messages[0].cases

    def _matching(self, state: State, urgent: bool) -> list[Message]:
        """Messages after a symbol of an unfinished rule, else those for a token expected next, else for a symbol expected."""
        expected = {plain(item.after) for item in state.kernel if item.after}
        within = {plain(item.after) for item in state.closure if item.after and item.after.islower()}
        return (
            self._bound(state, urgent)
            or [message for message in self.notes.messages if not message.bound and message.symbol in expected]
            or [message for message in self.notes.messages if not message.bound and message.symbol in within]
        )

    def _bound(self, state: State, urgent: bool) -> list[Message]:
        return [
            message
            for message in self.notes.messages
            if message.bound and bool(message.urgent) == urgent and any(_after(item, message) for item in state.kernel)
        ]


def _after(item: Item, message: Message) -> bool:
    return bool(item.dot) and plain(item.production.left) == message.rule and plain(item.before) == message.symbol
