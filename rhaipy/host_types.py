"""What an engine knows of the host's classes: what scripts call them, how their values are copied, what `for` makes of them.

Values of these classes are opaque to everything here: nothing looks at their attributes, compares, hashes or displays them. They
are told apart by exact class. What is not in the table has no business in a script.
"""

from collections.abc import Callable, Iterable

from rhaipy.typings import Any, Final

Copier = Callable[[Any], Any]
"""Makes a value of its own out of one of the class."""


class HostTypes:
    """The host's classes that scripts may hold values of. Filled while an engine is set up, only read while it runs."""

    __slots__ = ("copiers", "iterators", "names")

    def __init__(self) -> None:
        self.names: dict[type, str] = {}
        self.copiers: dict[type, Copier] = {}
        self.iterators: dict[type, Callable[[Any], Iterable[Any]]] = {}

    def know(self, kind: type) -> None:
        """Admit values of the class `kind`; scripts call it by its path until it gets a name."""
        self.names.setdefault(kind, class_path(kind))

    def include(self, other: "HostTypes") -> None:
        """Learn what `other` knows; what is known already stays."""
        for kind, name in other.names.items():
            known = self.names.get(kind)
            self.names[kind] = name if known is None or known == class_path(kind) else known
        self.copiers = other.copiers | self.copiers
        self.iterators = other.iterators | self.iterators


NO_HOST_TYPES: Final = HostTypes()
"""For runs of no engine."""


def class_path(kind: type) -> str:
    """Where a class is defined: `module.Class`. The real engine shows the path of a Rust type in such places."""
    return f"{kind.__module__}.{kind.__qualname__}"
