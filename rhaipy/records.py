"""Records: what `@dataclass(slots=True)` makes, made in a fiftieth of the time.

The module `dataclasses` takes 14 ms to import and then compiles text for each class; that was half of what starting a hook cost.
Here a constructor is a copy of the one for so many fields, with other names. A record is frozen for type checkers; the few that
must not change at run time either are `frozen`. `dataclasses.replace`, `fields` and `asdict` work on all of them.
"""

from operator import attrgetter
from types import CodeType, FunctionType

from rhaipy.typings import Any, Final, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """A record, equal to those of its class with the same values."""
    return _made(cls, _BY_VALUE)


@dataclass_transform(frozen_default=True)
def frozen(cls: type[T]) -> type[T]:
    """A record, equal by value, whose fields can be set once: when it is made."""
    return _made(cls, _BY_VALUE | {"__setattr__": _set_once, "__delattr__": _delete_never})


@dataclass_transform(frozen_default=True, eq_default=False)
def individual(cls: type[T]) -> type[T]:
    """A record that is equal to itself alone."""
    return _made(cls, {})


@dataclass_transform(eq_default=False)
def mutable(cls: type[T]) -> type[T]:
    """A record whose fields may change."""
    return _made(cls, {})


def replaced(item: T, **changes: Any) -> T:
    """A record like `item`, with other values in some of its fields."""
    shape: Any = item
    values = dict(zip(shape.__match_args__, shape._fields(), strict=True))
    made: T = type(item)(**(values | changes))
    return made


def _made(cls: type[T], methods: dict[str, Any]) -> type[T]:
    if cls.__bases__ != (object,) and [base for base in cls.__mro__[1:] if "__match_args__" in base.__dict__]:
        raise TypeError(f"{cls.__name__}: a record inherits no fields")
    names = tuple(cls.__annotations__)
    own = dict(cls.__dict__)
    own.pop("__dict__", None)
    own.pop("__weakref__", None)
    defaults = tuple([own.pop(name) for name in names if name in own])
    given = {
        "__match_args__": names,
        "__init__": _constructor(cls, names, defaults),
        "_fields": _reader(names),
    }
    build: Any = type(cls)
    made: type[T] = build(cls.__name__, cls.__bases__, {**_METHODS, **methods, **given, **own, "__slots__": names})
    return made


def _reader(names: tuple[str, ...]) -> Any:
    """A method that gives the values of the fields, in their order."""
    if len(names) > 1:
        read = attrgetter(*names)
        return lambda self: read(self)
    if names:
        only = attrgetter(*names)
        return lambda self: (only(self),)
    return lambda self: ()


class _FieldsOfDataclasses:
    """What the module `dataclasses` wants to know of a class, found out when it asks."""

    __slots__ = ()

    def __get__(self, item: object, cls: Any) -> Any:
        from dataclasses import field, make_dataclass

        owner: Any = next(base for base in cls.__mro__ if "__match_args__" in base.__dict__)
        kinds, defaults = owner.__annotations__, owner.__init__.__defaults__ or ()
        given = dict(zip([*kinds][len(kinds) - len(defaults) :], [field(default=value) for value in defaults], strict=True))
        twin: Any = make_dataclass("Fields", [(name, kind, given.get(name) or field()) for name, kind in kinds.items()])
        owner.__dataclass_fields__ = twin.__dataclass_fields__
        return twin.__dataclass_fields__


# --- what all records can do ----------------------------------------------------------------------------------------------


def _repr(self: Any) -> str:
    shown = [f"{name}={value!r}" for name, value in zip(self.__match_args__, self._fields(), strict=True)]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _reduce(self: Any) -> tuple[Any, ...]:
    return type(self), self._fields()


def _eq(self: Any, other: Any) -> Any:
    return self._fields() == other._fields() if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(self._fields())


def _set_once(self: Any, name: str, value: Any) -> None:
    if hasattr(self, name):
        raise AttributeError(f"{type(self).__name__} is frozen: '{name}' cannot be set")
    object.__setattr__(self, name, value)


def _delete_never(self: Any, name: str) -> None:
    raise AttributeError(f"{type(self).__name__} is frozen: '{name}' cannot be deleted")


_METHODS: Final[dict[str, Any]] = {"__repr__": _repr, "__reduce__": _reduce, "__dataclass_fields__": _FieldsOfDataclasses()}
_BY_VALUE: Final[dict[str, Any]] = {"__eq__": _eq, "__hash__": _hash}

# --- constructors ---------------------------------------------------------------------------------------------------------


def _constructor(cls: type, names: tuple[str, ...], defaults: tuple[Any, ...]) -> FunctionType:
    code = _CODE[len(names)].replace(
        co_name="__init__", co_qualname=f"{cls.__qualname__}.__init__", co_names=names, co_varnames=("self", *names)
    )
    return FunctionType(code, {}, "__init__", defaults)


def _of_0(self: Any) -> None:
    pass


def _of_1(self: Any, a: Any) -> None:
    self.a = a


def _of_2(self: Any, a: Any, b: Any) -> None:
    self.a = a
    self.b = b


def _of_3(self: Any, a: Any, b: Any, c: Any) -> None:
    self.a = a
    self.b = b
    self.c = c


def _of_4(self: Any, a: Any, b: Any, c: Any, d: Any) -> None:
    self.a = a
    self.b = b
    self.c = c
    self.d = d


def _of_5(self: Any, a: Any, b: Any, c: Any, d: Any, e: Any) -> None:
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e


def _of_6(self: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> None:
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f


def _of_7(self: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any) -> None:
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
    self.g = g


def _of_8(self: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any) -> None:
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
    self.g = g
    self.h = h


def _of_9(self: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any, i: Any) -> None:
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
    self.g = g
    self.h = h
    self.i = i


def _of_10(self: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any, i: Any, j: Any) -> None:
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
    self.g = g
    self.h = h
    self.i = i
    self.j = j


def _of_11(self: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any, i: Any, j: Any, k: Any) -> None:
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
    self.g = g
    self.h = h
    self.i = i
    self.j = j
    self.k = k


def _of_12(self: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any, i: Any, j: Any, k: Any, l: Any) -> None:
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
    self.g = g
    self.h = h
    self.i = i
    self.j = j
    self.k = k
    self.l = l


def _of_13(
    self: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any, i: Any, j: Any, k: Any, l: Any, m: Any
) -> None:
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
    self.g = g
    self.h = h
    self.i = i
    self.j = j
    self.k = k
    self.l = l
    self.m = m


_CODE: Final[tuple[CodeType, ...]] = tuple(
    [
        made.__code__
        for made in (_of_0, _of_1, _of_2, _of_3, _of_4, _of_5, _of_6, _of_7, _of_8, _of_9, _of_10, _of_11, _of_12, _of_13)
    ]
)
"""By the number of fields."""
