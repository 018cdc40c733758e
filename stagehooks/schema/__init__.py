"""JSON Schema: is a value what an agent's author says it must be? A part of it here, all of it where `jsonschema` is installed.

The part: PART, and SILENT, which says nothing about values (`keywords`). A schema that goes beyond it is refused before a run
unless the package is there; nothing is skipped in silence. Patterns are regular expressions of the agent's author, never of a
script or a model.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from stagehooks.schema.judge import judge, step
from stagehooks.schema.keywords import PART as PART
from stagehooks.schema.keywords import SILENT as SILENT
from stagehooks.schema.keywords import SchemaError as SchemaError
from stagehooks.schema.keywords import beyond, check, refuse_unknown
from stagehooks.schema.references import check_references, refuse_references
from stagehooks.scripts.json_text import Json, show

NEEDED: Final = "pip install 'rhaipy[schema]'"


def violations(schema: Json, value: Json, path: str = "") -> list[str]:
    """What is wrong with `value`, each as `at /path: what`. `schema` has passed `check_schema`."""
    return _as_the_package_says(schema, value, path) if beyond(schema) else judge(schema, value, path)


def check_schema(schema: Json) -> None:
    """SchemaError if `schema` is no schema, or goes beyond the part while `jsonschema` is not installed.

    A keyword that no JSON Schema has is refused too: it is a mistake, and what it was to refuse would pass.
    """
    if not isinstance(schema, dict | bool):
        raise SchemaError(f"a schema is a table, not {show(schema)}")
    refuse_unknown(schema)
    keywords = beyond(schema)
    if not keywords:
        check(schema)
    elif find_spec("jsonschema") is None:
        raise SchemaError(f"'{keywords[0]}' needs the package jsonschema ({NEEDED})")
    else:
        check_references(schema)
        _check_with_package(schema)


def check_parameter_schema(schema: Json) -> None:
    """`check_schema` for a schema that a model sees as a part of its tool's."""
    check_schema(schema)
    refuse_references(schema)


def _check_with_package(schema: Json) -> None:
    package: Any = import_module("jsonschema")
    try:
        package.validators.validator_for(schema, default=package.Draft202012Validator).check_schema(schema)
    except package.exceptions.SchemaError as error:
        raise SchemaError(str(error.message)) from None


def _as_the_package_says(schema: Json, value: Json, path: str) -> list[str]:
    """As the package says. What a schema refers to elsewhere is never fetched: the registry is empty."""
    package: Any = import_module("jsonschema")
    registry: Any = import_module("referencing").Registry()
    kind = package.validators.validator_for(schema, default=package.Draft202012Validator)
    try:
        errors = [*kind(schema, registry=registry).iter_errors(value)]
    except Exception as error:
        return [f"at {path or '/'}: the schema cannot be applied: {type(error).__name__}: {error}"]
    return [f"at {path + ''.join(f'/{step(part)}' for part in error.absolute_path) or '/'}: {error.message}" for error in errors]
