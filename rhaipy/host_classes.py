"""What a host says of one of its classes: methods, properties, indexers, operators, and what `for` makes of its values.

    accounts = engine.register_type(Account, "Account", copy=copy.copy)
    accounts.getter("owner", lambda account: account.owner)

    @accounts.method
    def deposit(account: Ref[Account], amount: int) -> None: ...

The first parameter of each is a value of the class, by reference where it is annotated `Ref[..]`; it needs no annotation.
"""

from collections.abc import Callable, Iterable
from types import NoneType

from rhaipy.functions import Function, Ref
from rhaipy.host_types import HostTypes
from rhaipy.records import replaced
from rhaipy.typings import Any, Final, Generic, Protocol, TypeVar, overload
from rhaipy.values import MUTABLE, UNCHANGING, Shared

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C")

GETTER: Final = "get$"
SETTER: Final = "set$"
INDEX_GETTER: Final = "index$get$"
INDEX_SETTER: Final = "index$set$"

VALUE_TYPES: Final = MUTABLE | UNCHANGING - {Shared}
"""The types of the language's own values."""


class Registrar(Protocol):
    """Takes what is registered: an engine."""

    @property
    def types(self) -> HostTypes:
        """What is known of the host's classes."""

    def add_function(self, function: Function) -> None:
        """Let scripts call `function`."""


class HostClass(Generic[C]):
    """A class that scripts know. Each method registers something; given a function only, it can be a decorator."""

    __slots__ = ("_registrar", "kind")

    def __init__(self, kind: type[C], registrar: Registrar) -> None:
        self.kind = kind
        self._registrar = registrar

    def _add(self, name: str, call: F) -> F:
        from rhaipy.signatures import overloads  # takes a while to load, and hooks never come here

        for function in overloads(name, call, self._registrar.types, self.kind):
            if not function.params or function.params[0] is not self.kind:
                raise TypeError(f"the first parameter of '{name}' is not a {self.kind.__name__}")
            self._registrar.add_function(_as_in_the_engine(function))
        return call

    @overload
    def method(self, name: str, call: F) -> F: ...
    @overload
    def method(self, name: str) -> Callable[[F], F]: ...
    @overload
    def method(self, name: F) -> F: ...
    def method(self, name: str | F, call: F | None = None) -> F | Callable[[F], F]:
        """A function of a value of the class: `value.name(..)` or `name(value, ..)`; an operator, if `name` is one."""
        if not isinstance(name, str):
            return self._add(name.__name__, name)
        return self._named(name, call)

    def _named(self, name: str, call: F | None) -> F | Callable[[F], F]:
        if call is not None:
            return self._add(name, call)
        return lambda decorated: self._add(name, decorated)

    @overload
    def getter(self, name: str, call: F) -> F: ...
    @overload
    def getter(self, name: str) -> Callable[[F], F]: ...
    @overload
    def getter(self, name: F) -> F: ...
    def getter(self, name: str | F, call: F | None = None) -> F | Callable[[F], F]:
        """What `value.name` is."""
        if not isinstance(name, str):
            return self._add(f"{GETTER}{name.__name__}", name)
        return self._named(f"{GETTER}{name}", call)

    @overload
    def setter(self, name: str, call: F) -> F: ...
    @overload
    def setter(self, name: str) -> Callable[[F], F]: ...
    def setter(self, name: str, call: F | None = None) -> F | Callable[[F], F]:
        """What `value.name = new` does: takes the value, which is no constant, and what to put there."""
        return self._named(f"{SETTER}{name}", call)

    def indexer_get(self, call: F) -> F:
        """What `value[index]` is."""
        return self._add(INDEX_GETTER, call)

    def indexer_set(self, call: F) -> F:
        """What `value[index] = new` does: takes the value, which is no constant, the index, and what to put there."""
        return self._add(INDEX_SETTER, call)

    def iterator(self, call: Callable[[C], Iterable[Any]]) -> Callable[[C], Iterable[Any]]:
        """What `for` runs over: takes the value, and gives its items."""
        self._registrar.types.iterators[self.kind] = call
        return call


def _as_in_the_engine(function: Function) -> Function:
    """Getters look at the value itself, not at a copy. Setters do too, and are refused on constants; `Ref` or not."""
    if function.name == INDEX_GETTER or function.name.startswith(GETTER):
        return replaced(function, by_reference=True)
    if function.mutates or not (function.name == INDEX_SETTER or function.name.startswith(SETTER)):
        return function
    return replaced(function, by_reference=True, mutates=True, call=_of_reference(function))


def _of_reference(function: Function) -> Callable[..., Any]:
    call = function.call
    if len(function.params) == 3:
        if function.wants_caller:
            return lambda caller, place, index, new: call(caller, place.value, index, new)
        return lambda place, index, new: call(place.value, index, new)
    if function.wants_caller:
        return lambda caller, place, new: call(caller, place.value, new)
    return lambda place, new: call(place.value, new)


def know_class(types: HostTypes, kind: type) -> None:
    """Admit values of the class `kind`; TypeError for what cannot be told apart from values, or is no class of the host's."""
    if kind in types.names:
        return
    related = sorted(own.__name__ for own in VALUE_TYPES - {NoneType} if issubclass(kind, own) or issubclass(own, kind))
    if kind.__module__ in ("builtins", "collections.abc", "typing", "abc") or kind in (Ref, Shared) or related:
        why = f", being related to {related[0]}" if related else ""
        raise TypeError(f"{kind.__qualname__} is no type that scripts can have values of{why}")
    types.know(kind)
