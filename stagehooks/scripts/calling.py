"""Compiling a script of an agent, and calling one of its functions on a fresh hardened engine: the same for every kind of script.

What the functions are for, and what their answers mean, is not known here.
"""

from collections.abc import Callable, Iterable

from rhaipy import AST, Meter, RhaiError, record
from rhaipy.typings import TypeAlias
from stagehooks.errors import AnswerError, CompilationError, ContextError, ExecutionError, ValidationError
from stagehooks.scripts.boundary import NotPlain, lent, to_json
from stagehooks.scripts.hardened import hardened_engine
from stagehooks.scripts.json_text import Json

Spend: TypeAlias = Callable[[int], None]
"""Hears of the operations that a call has used."""


def uncounted(operations: int) -> None:
    """Nobody wants to know."""


@record
class Answer:
    """What a function returned, as plain data, and the meter of the call."""

    value: Json
    meter: Meter


def compiled(path: str, source: str) -> AST:
    """The program `source`, which messages call `path`; CompilationError if it is none."""
    try:
        return hardened_engine().compile(source, path)
    except RhaiError as error:
        raise CompilationError(path, error) from None


def defined_functions(path: str, ast: AST, names: Iterable[str], parameter: str = "ctx") -> tuple[str, ...]:
    """Which of the functions `names` there are, in that order. ValidationError if one does not take exactly one parameter.

    All functions of a name are looked at, whatever their order in the file.
    """
    counts = {name: _parameter_counts(ast, name) for name in names}
    for name, found in counts.items():
        for count in found:
            if count != 1:
                raise ValidationError(path, name, f"fn {name} must take exactly one parameter ({parameter}), found {count}")
    return tuple([name for name, found in counts.items() if found])


def called(path: str, ast: AST, name: str, argument: Json, spend: Spend = uncounted) -> Answer:
    """What the function `name` returns for `argument`. Raises ContextError, ExecutionError or AnswerError."""
    engine = hardened_engine()
    meter = engine.meter()
    try:
        given = lent(argument, engine.limits)
    except NotPlain as error:
        raise ContextError(path, name, f"ctx{error.path}: {error.what}") from None
    try:
        answer = engine.call_fn(ast, name, given, meter=meter)
    except RhaiError as error:
        raise ExecutionError(path, name, error, meter) from None
    finally:
        spend(meter.operations)
    try:
        return Answer(to_json(answer), meter)
    except NotPlain as error:
        what = f"{name} returned a value that is not plain data: {error.what}"
        raise AnswerError(path, name, what, meter) from None


def _parameter_counts(ast: AST, name: str) -> list[int]:
    return [len(item.params) for item in ast.functions if item.name == name and item.this_type is None]
