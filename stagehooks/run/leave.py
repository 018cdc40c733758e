"""Which tools need not be asked about, as whoever drives a run says it."""

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from stagehooks.run.effects import Effects


class Leave(AbstractSet[str]):
    """The names of these tools. A look at them is an effect of the run: where it is resumed, it may have been given less."""

    def __init__(self, names: Iterable[str], effects: Effects) -> None:
        self._names = frozenset(names)
        self._effects = effects

    def __contains__(self, name: object) -> bool:
        return self._effects.noted("leave", str(name), lambda: name in self._names) is True

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
