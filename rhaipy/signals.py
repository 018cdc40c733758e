"""Control flow: how `break`, `continue`, `return` and `exit` leave what they are in. They are no errors; no script catches them.

The evaluators raise and catch them; the library knows `Exit` alone, which its function `exit` raises.
"""

from rhaipy.source import NONE, At
from rhaipy.values import Value


class Signal(Exception):
    """Control on its way out."""


class Continue(Signal):
    """To the next turn of the loop."""


class Leave(Signal):
    """Out of something, with a value."""

    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


class Break(Leave):
    """Out of the loop."""


class Return(Leave):
    """Out of the function or the program."""


class Exit(Leave):
    """Out of the whole script. `at` is the position of the outermost call it has left so far."""

    def __init__(self, value: Value, at: At = NONE) -> None:
        super().__init__(value)
        self.at = at
