"""From a Python callable to the functions that scripts call: one overload for each combination of the types it is annotated with.

    int, float, bool, str, Char, None, list, dict, bytearray, Range, FnPtr ..    exactly that type
    A | B, Optional[A]                                                           one overload for each
    Value, object, Any, no annotation                                            any type
    a class of the host's own                                                    values of exactly that class
    Ref[T], first parameter only                                                 T by reference: the function may change it
    Caller, before all others                                                    not an argument: how to call back

A parameter with a default value may be left out. What cannot be a parameter is refused with a TypeError.
"""

import inspect
from collections.abc import Callable
from types import NoneType, UnionType
from typing import Any, Final, ForwardRef, Union, get_args, get_origin, get_type_hints

from rhaipy.functions import Caller, Function, Ref
from rhaipy.host_classes import VALUE_TYPES, know_class
from rhaipy.host_types import HostTypes
from rhaipy.records import record
from rhaipy.values import Value

MOST_OVERLOADS: Final = 256
"""Overloads that one registration may make."""

_POSITIONAL: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@record
class _Parameter:
    """The types it takes (None: any), whether by reference, and whether it may be left out."""

    kinds: tuple[type | None, ...]
    by_reference: bool
    optional: bool


def overloads(
    name: str, call: Callable[..., Any], types: HostTypes, first: type | None = None, volatile: bool = False
) -> list[Function]:
    """The functions called `name` that `call` amounts to; `types` gets to know the classes in its annotations.

    `first` is the class that a first parameter without annotation has.
    """
    if type(name) is not str or not name:
        raise TypeError(f"a function needs a name, not {name!r}")
    reader = _Reader(name, call, types)
    wants_caller, parameters = reader.parameters(first)
    mutates = bool(parameters) and parameters[0].by_reference
    made: list[Function] = []
    for count in range(len(parameters) + 1):
        if any(not left_out.optional for left_out in parameters[count:]):
            continue
        refers = mutates and count > 0
        rows = _combinations(parameters[:count])
        made += [Function(name, kinds, call, wants_caller, refers, refers, volatile, True) for kinds in rows]
    if len(made) > MOST_OVERLOADS:
        raise TypeError(f"'{name}' would have {len(made)} overloads; use Value in place of unions")
    reader.know_result()
    return made


def _combinations(parameters: list[_Parameter]) -> list[tuple[type | None, ...]]:
    rows: list[tuple[type | None, ...]] = [()]
    for parameter in parameters:
        rows = [(*row, kind) for row in rows[: MOST_OVERLOADS + 1] for kind in parameter.kinds]
    return rows


class _Reader:
    """Reads the annotations of one callable."""

    __slots__ = ("call", "name", "signature", "types")

    def __init__(self, name: str, call: Callable[..., Any], types: HostTypes) -> None:
        self.name = name
        self.call = call
        self.types = types
        try:
            self.signature = inspect.signature(call)
        except (TypeError, ValueError, NameError) as error:
            raise TypeError(f"'{name}': the parameters of {call!r} cannot be told: {error}") from None

    def parameters(self, first: type | None) -> tuple[bool, list[_Parameter]]:
        """Does it want the caller? And its parameters."""
        found = [item for item in self.signature.parameters.values() if self._is_positional(item)]
        wants_caller = bool(found) and self.resolved(found[0].annotation, found[0].name) is Caller
        read: list[_Parameter] = []
        for item in found[wants_caller:]:
            annotation = first if item.annotation is item.empty and not read and first is not None else item.annotation
            read.append(self._parameter(item, annotation, not read))
        return wants_caller, read

    def _is_positional(self, item: inspect.Parameter) -> bool:
        if item.kind in _POSITIONAL:
            return True
        if item.kind is item.KEYWORD_ONLY and item.default is not item.empty:
            return False
        raise TypeError(f"'{self.name}': scripts pass a fixed number of arguments by position, so '{item}' cannot be a parameter")

    def _parameter(self, item: inspect.Parameter, annotation: object, is_first: bool) -> _Parameter:
        kind = self.resolved(annotation, item.name)
        by_reference = kind is Ref or get_origin(kind) is Ref
        if by_reference and not is_first:
            raise TypeError(f"'{self.name}': only the first parameter can be a Ref, not '{item.name}'")
        if by_reference:
            inner = get_args(kind)
            kind = self.resolved(inner[0], item.name) if inner else object
        return _Parameter(tuple(self.kinds(kind, item.name)), by_reference, item.default is not item.empty)

    def kinds(self, annotation: Any, parameter: str) -> list[type | None]:
        """The types that an annotation stands for; None for "any"."""
        if annotation is object or annotation is Any or annotation is inspect.Parameter.empty or annotation == Value:
            return [None]
        if isinstance(annotation, UnionType) or get_origin(annotation) is Union:
            members = [kind for member in get_args(annotation) for kind in self.kinds(member, parameter)]
            return [None] if None in members else members
        if annotation is None:
            return [NoneType]
        kind = get_origin(annotation) or annotation
        if not isinstance(kind, type):
            raise TypeError(f"'{self.name}': scripts have no values of the type {annotation!r} of '{parameter}'")
        if kind not in VALUE_TYPES:
            know_class(self.types, kind)
        return [kind]

    def resolved(self, annotation: object, parameter: str) -> object:
        """An annotation that is written as a text, as what it means."""
        text = annotation.__forward_arg__ if isinstance(annotation, ForwardRef) else annotation
        if type(text) is not str:
            return annotation
        if text == Value:
            return object

        def holder() -> None:
            """Carries the annotation."""

        names: dict[str, Any] = dict(self._globals())
        holder.__annotations__ = {"found": text}
        try:
            return get_type_hints(holder, {name: object if value is Value else value for name, value in names.items()})["found"]
        except Exception as error:
            raise TypeError(f"'{self.name}': the annotation {text!r} of '{parameter}' has no meaning here: {error}") from None

    def _globals(self) -> dict[str, Any]:
        call: Any = inspect.unwrap(self.call)
        if inspect.ismethod(call):
            call = call.__func__
        if inspect.isfunction(call):
            inside = dict(zip(call.__code__.co_freevars, call.__closure__ or (), strict=True))
            return call.__globals__ | {name: _contents(cell) for name, cell in inside.items()}
        return {}

    def know_result(self) -> None:
        """Get to know the class of the result, if it is one of the host's."""
        try:
            kind = self.resolved(self.signature.return_annotation, "return")
            self.kinds(kind, "return")
        except TypeError:
            return


def _contents(cell: Any) -> object:
    try:
        contents: object = cell.cell_contents
    except ValueError:  # not bound yet
        return None
    return contents
