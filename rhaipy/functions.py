"""Function tables: how a native function is described, registered and found by the types of its arguments.

A native function is found by name, number and exact types of its arguments; a parameter of type `Value` takes any. Exact matches
come first, then those with more and more wild cards, tried in the engine's own order. Functions are called through the
evaluator; a function that calls back gets a `Caller` handed in and never imports an evaluator.
"""

from collections.abc import Callable, Iterable, Iterator
from types import NoneType, UnionType

from rhaipy import operators
from rhaipy.errors import FunctionNotFound
from rhaipy.limits import Meter, Options
from rhaipy.parse_errors import ParseError, is_identifier
from rhaipy.records import individual
from rhaipy.source import NONE, At
from rhaipy.syntax import program, tokens
from rhaipy.typings import Any, ClassVar, Final, Generic, Protocol, TypeVar
from rhaipy.values import FnPtr, Value

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


class Ref(Generic[T]):
    """The first argument of a function that changes it: read `value`, change it in place or put a new one there.

    `refers`: is it the place of something that stays? What becomes of a value in passing is never judged by its size.
    """

    __slots__ = ("value",)
    refers: ClassVar[bool] = True

    def __init__(self, value: T) -> None:
        self.value = value


class Caller(Protocol):
    """What a builtin may ask of the evaluator that called it. All callbacks forget their operations, as in the engine."""

    meter: Meter
    options: Options
    at: At  # the position of the call
    name: str  # the name it was called by
    source: str  # the module that the calling code is part of, empty for the program itself

    def call(self, name: str, args: list[Value]) -> Value:
        """Call a native function (an operator, `to_string`, ..) by name and types; FunctionNotFound if there is none."""

    def call_pointer(self, pointer: FnPtr, args: list[Value], this: "Ref[Any] | None" = None) -> Value:
        """Call what `pointer` points to: curried arguments first, `this` bound by reference if given."""

    def repeated(self, pointer: FnPtr, count: int, attempts: int) -> Callable[[list[Value]], Value] | None:
        """What calls `pointer` with `count` arguments, many times; before each call `attempts` that are known to fail count.

        None for a pointer to a function that is not of the script, as a closure of a module: `call_pointer` looks for it by name.
        """

    def only_reads(self, pointer: FnPtr, count: int, place: int) -> bool:
        """Does `pointer`, called with `count` arguments, certainly only read from the one at `place`? It needs no copy then."""

    def run(self, script: program.Program) -> Value:
        """The value of a program that sees nothing of the script that calls, and counts its operations from the start."""

    def script_functions(self) -> list[tuple[str, program.Function]]:
        """The functions that the script sees, by the name of the module that it imported them from; empty for its own."""


@individual
class Function:
    """One native function, one overload.

    `params` are exact types, None for "any". A function that `mutates` gets its first argument as a Ref and refuses constants;
    `by_reference` says that the engine passes the first argument by reference (mutating or not), which decides about copies,
    shared cells and data races. A function of the `host` may raise anything and give anything: what it gives is judged.
    """

    name: str
    params: tuple[type | None, ...]
    call: Callable[..., Any]
    wants_caller: bool
    mutates: bool
    by_reference: bool
    volatile: bool
    host: bool = False


_RESERVED: Final = (
    tokens.KEYWORDS
    | tokens.SYMBOLS
    | tokens.RESERVED_WORDS
    | tokens.RESERVED_SYMBOLS
    | tokens.FUNCTION_WORDS
    | tokens.METHOD_WORDS
    | {tokens.THIS, "===", "!==", "->", "<-", ":=", ":;", "::<", "(*", "*)"}
)


def pointer_to(name: str) -> FnPtr:
    """A pointer to the functions called `name`, which need not exist; an error without position where none can be called so."""
    if name in _RESERVED:
        raise ParseError(NONE, "Reserved", name)
    if not is_identifier(name):
        raise FunctionNotFound(NONE, name)
    return FnPtr(name)


Package = list[Function]
"""What one library file offers: `PACKAGE: Package = []`, filled by its decorators."""


def function(
    package: Package,
    *names: str,
    getter: bool = False,
    mutates: bool = False,
    by_reference: bool = False,
    volatile: bool = False,
) -> Callable[[F], F]:
    """Register the decorated function in `package` under each of `names`, once for each combination of its parameter types.

    The types come from the annotations: a first parameter annotated `Caller` is handed the caller, `Ref[T]` is T by reference,
    a union is one overload for each member, `Value` is any type. With `getter`, it is the property of each name too. The
    arguments may be the script's own (`rhaipy.sharing`): the function changes what a `Ref` holds, and nothing else.
    """

    every_name = (*names, *[f"get${name}" for name in names]) if getter else names

    def register(call: F) -> F:
        annotations = [kind for name, kind in call.__annotations__.items() if name != "return"]
        wants_caller = bool(annotations) and annotations[0] is Caller
        for params in _combinations(annotations[wants_caller:]):
            for name in every_name:
                package.append(Function(name, params, call, wants_caller, mutates, mutates or by_reference, volatile))
        return call

    return register


def _combinations(annotations: list[Any]) -> list[tuple[type | None, ...]]:
    rows: list[tuple[type | None, ...]] = [()]
    for annotation in annotations:
        rows = [(*row, kind) for row in rows for kind in _kinds(annotation)]
    return rows


def _kinds(annotation: Any) -> list[type | None]:
    if type(annotation) is type:
        return [annotation]
    if annotation is Value or annotation is Any:
        return [None]
    if annotation is None:
        return [NoneType]
    if isinstance(annotation, UnionType):
        return [kind for member in annotation.__args__ for kind in _kinds(member)]
    if hasattr(annotation, "__origin__"):
        return _kinds(annotation.__args__[0]) if annotation.__origin__ is Ref else [annotation.__origin__]
    return [None if annotation.__class__.__module__ == "typing" else annotation]


MOST_FOUND: Final = 4096
"""Look-ups that a table remembers."""


class FunctionTable:
    """Native functions by name and parameter types. A later registration of the same signature replaces the earlier one."""

    def __init__(self, functions: Iterable[Function] = ()) -> None:
        exact: dict[tuple[Any, ...], Function] = {(item.name, *item.params): item for item in functions}
        items = exact.values()
        self._exact = exact
        self._with_wild_cards = {(item.name, len(item.params)) for item in items if None in item.params}
        self._found: dict[tuple[Any, ...], Function | None] = {}
        self._names = {item.name for item in items}
        self._mutating: dict[str, int] = {}  # how many overloads of a name do
        for item in items:
            if item.mutates:
                self._mutating[item.name] = self._mutating.get(item.name, 0) + 1
        self.has_host_functions = bool([item for item in items if item.host])

    def add(self, item: Function) -> None:
        """Register `item`."""
        key = (item.name, *item.params)
        replaced = self._exact.get(key)
        if replaced is not None and replaced.mutates:
            self._mutating[item.name] -= 1
        self._exact[key] = item
        if None in item.params:
            self._with_wild_cards.add((item.name, len(item.params)))
        self._names.add(item.name)
        if item.mutates:
            self._mutating[item.name] = self._mutating.get(item.name, 0) + 1
        self.has_host_functions = self.has_host_functions or item.host
        self._found.clear()

    def copy(self, more: Iterable[Function] = (), without: frozenset[str] = frozenset()) -> "FunctionTable":
        """A table of its own with the same functions, but for those of the names `without`; `more` come in as by `add`."""
        return FunctionTable([*[item for item in self._exact.values() if item.name not in without], *more])

    def __iter__(self) -> Iterator[Function]:
        return iter(self._exact.values())

    def registers(self, name: str) -> bool:
        """Is anything registered under `name`?"""
        return name in self._names

    def mutates(self, name: str) -> bool:
        """May a function of this name change what it is called on?"""
        return self._mutating.get(name, 0) > 0

    def find(self, name: str, types: tuple[type, ...]) -> Function | None:
        """The function that a call of `name` with arguments of exactly `types` reaches, or None.

        Where nothing is registered for an operator, that is the engine's own operator.
        """
        key = (name, *types)
        try:
            return self._found[key]
        except KeyError:
            if len(self._found) >= MOST_FOUND:
                self._found.clear()  # names and arguments are a script's choice, and tables outlive scripts
            found = self._found[key] = self._search(key)
            return found

    def _search(self, key: tuple[Any, ...]) -> Function | None:
        found = self._exact.get(key)
        if found is None and (key[0], len(key) - 1) in self._with_wild_cards:
            found = self._search_wild_cards(key)
        return found or _built_in(key)

    def _search_wild_cards(self, key: tuple[Any, ...]) -> Function | None:
        count = len(key) - 1
        # The engine counts a bit mask up; the highest bit stands for the first argument.
        for mask in range(1, 1 << min(count, 16)):
            tried = tuple(None if mask >> (count - 1 - place) & 1 else key[place + 1] for place in range(count))
            found = self._exact.get((key[0], *tried))
            if found is not None:
                return found
        return None


def _built_in(key: tuple[Any, ...]) -> Function | None:
    if len(key) != 3:
        return None
    name, left, right = key
    if name in operators.ASSIGNMENTS:
        assign = operators.assign(name, left, right)
        return assign and Function(name, (left, right), _assigning(assign), True, True, True, False)
    apply = operators.binary(name, left, right)
    return apply and Function(name, (left, right), _applying(apply), True, False, True, False)


def _applying(operator: operators.Binary) -> Callable[[Caller, Value, Value], Value]:
    return lambda caller, left, right: operator(caller.meter, left, right)


def _assigning(operator: operators.Binary) -> Callable[[Caller, Ref[Any], Value], None]:
    def assign(caller: Caller, left: Ref[Any], right: Value) -> None:
        left.value = operator(caller.meter, left.value, right)

    return assign
