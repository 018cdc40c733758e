"""An output validator: a script that says why a final output is not good enough, or nothing.

What is done with a validator that fails, and with an output that it rejects, is not decided here.
"""

from dataclasses import dataclass

from rhaipy import AST
from stagehooks.errors import AnswerError, ValidationError
from stagehooks.scripts.calling import called, compiled, defined_functions
from stagehooks.scripts.json_text import Json

VALIDATE = "validate"


@dataclass(frozen=True, slots=True, eq=False)
class OutputValidator:
    """A compiled validator, ready to call. `path` is what messages call it."""

    path: str
    ast: AST


def compile_validator(path: str, source: str) -> OutputValidator:
    """Compile the validator `source`, which messages call `path`. Raises CompilationError or ValidationError."""
    ast = compiled(path, source)
    if not defined_functions(path, ast, [VALIDATE], "content"):
        raise ValidationError(path, VALIDATE, "script must define fn validate(content)")
    return OutputValidator(path, ast)


def rejection(validator: OutputValidator, content: str) -> str | None:
    """Why `content` is rejected; None where it is accepted. Raises ContextError, ExecutionError or AnswerError."""
    answer = called(validator.path, validator.ast, VALIDATE, content)
    if answer.value is None:
        return None
    if isinstance(answer.value, str):
        return answer.value if answer.value.strip() else None
    what = f"validate must return () or a string, got {_type(answer.value)}"
    raise AnswerError(validator.path, VALIDATE, what, answer.meter)


def _type(value: Json) -> str:
    names = {bool: "bool", int: "i64", float: "f64", list: "array", dict: "map"}
    return names[type(value)]
