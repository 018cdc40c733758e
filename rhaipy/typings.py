"""The words of `typing` that our modules say while they are loaded, for the cost of an attribute.

The module `typing` takes 2 ms to load, and remembers, checks and compares all that is said with its words; together that was an
eighth of what starting a hook cost. Nothing here looks at annotations but `functions.function`, which knows these words too. Type
checkers read `typings.pyi`, where each is the word of `typing` itself.
"""

from collections.abc import Callable
from types import GenericAlias


class Word:
    """A word, with or without brackets, alone or in a union: nothing happens."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __getitem__(self, item: object) -> "Word":
        return self

    def __or__(self, other: object) -> "Word":
        return self

    __ror__ = __or__


Any = Word("Any")
ClassVar = Word("ClassVar")
Final = Word("Final")
Literal = Word("Literal")
TextIO = Word("TextIO")
TypeAlias = Word("TypeAlias")


def TypeVar(name: str, bound: object = None) -> Word:
    """A variable of its own."""
    return Word(name)


class Generic:
    """What takes types in brackets."""

    __slots__ = ()
    __class_getitem__ = classmethod(GenericAlias)


class Protocol:
    """What is told by its methods. `isinstance` is for those that are `runtime_checkable`."""

    __slots__ = ()


class _Checkable(type):
    def __instancecheck__(cls, item: object) -> bool:
        if "_methods" not in cls.__dict__:
            return super().__instancecheck__(item)
        return not [name for name in cls.__dict__["_methods"] if not hasattr(item, name)]


def runtime_checkable(cls: type) -> type:
    """The class, such that all that have its methods are instances of it."""
    methods = [name for name in cls.__dict__ if not name.startswith("_")]
    given = {name: value for name, value in cls.__dict__.items() if name not in ("__dict__", "__weakref__")}
    return _Checkable(cls.__name__, cls.__bases__, {**given, "_methods": methods})


def cast(kind: object, value: object) -> object:
    """`value`."""
    return value


def overload(call: Callable[..., object]) -> Callable[..., object]:
    """The function: the one that counts is the last."""
    return call


def dataclass_transform(**facts: bool) -> Callable[[object], object]:
    """A decorator that does nothing."""
    return lambda decorator: decorator
