"""Random texts from templates: each symbol has forms, and a form has holes, `<symbol>`, that forms of other symbols fill."""

import re
from collections.abc import Callable, Mapping
from random import Random

_HOLE = re.compile(r"<(\w+)>")
_GAP = re.compile(r"   +|\n *")


def forms(text: str) -> list[str]:
    """Forms, set apart by a wide gap or a line end."""
    return _GAP.split(text.strip())


class Templates:
    """The forms of all symbols. A form written twice is chosen twice as often. `makers` make symbols that have no forms."""

    def __init__(self, rules: Mapping[str, str], makers: Mapping[str, Callable[[Random], str]] | None = None) -> None:
        self._makers = makers or {}
        self._forms = {symbol: forms(text) for symbol, text in rules.items()}
        self._ends = {symbol: [form for form in each if not _HOLE.search(form)] or each for symbol, each in self._forms.items()}

    def text(self, random: Random, symbol: str, depth: int) -> str:
        """A text for `symbol`; below `depth` the forms without holes are used where there are such."""
        if symbol in self._makers:
            return self._makers[symbol](random)
        form = random.choice((self._forms if depth > 0 else self._ends)[symbol])
        return _HOLE.sub(lambda hole: self.text(random, hole[1], depth - 1), form)


def needed(definitions: Mapping[str, str], text: str) -> str:
    """Those of the definitions, by name, that `text` seems to use. Short programs are most of what makes fuzzing fast."""
    words = set(re.findall(r"\w+", text))
    return " ".join(definition for name, definition in definitions.items() if name in words)
