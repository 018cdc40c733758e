"""When two answers agree, and in which fields they do not."""

import json
from typing import Any, NamedTuple

from conformance.oracle_client import Answer
from conformance.recording import masked

ON_SUCCESS = ("type", "display", "debug", "to_string", "to_debug", "json", "prints", "debugs")
ON_FAILURE = ("stage", "kind", "parse_kind", "lex_kind", "message", "line", "pos", "token")
FIELDS = ("recording", "ok", *ON_SUCCESS, *ON_FAILURE, "inner", "ops")
"""All that is compared, in the order of reports. `inner` holds the same fields again, each a field of its own: `inner.kind`.
`recording` says that there is nothing to compare with."""


class Difference(NamedTuple):
    """One field of one case at one level, in which the answers are not equal."""

    case: str
    level: str
    field: str
    expected: Any
    actual: Any


def compared_fields(expected: Answer) -> tuple[str, ...]:
    """The fields that an answer is compared in when `expected` is expected; an `inner` error as one."""
    own = ON_SUCCESS if expected.get("ok") else ON_FAILURE
    return ("ok", *own, *(("inner",) if isinstance(expected.get("inner"), dict) else ()), "ops")


def compare(case: str, level: str, expected: Answer, actual: Answer) -> list[Difference]:
    """All the differences between the two answers to one request; none where they agree."""
    return [Difference(case, level, field, *pair) for field, pair in differences(expected, actual).items()]


def differences(expected: Answer, actual: Answer) -> dict[str, tuple[Any, Any]]:
    """The fields in which the answers differ: what was expected, what came."""
    expected, actual = masked(expected), masked(actual)
    if expected.get("ok") != actual.get("ok"):
        return {"ok": (_verdict(expected), _verdict(actual))}
    found = _differing(expected, actual, ON_SUCCESS) if expected.get("ok") else _error_differences(expected, actual)
    return found | _differing(expected, actual, ("ops",))


def _verdict(answer: Answer) -> str:
    return f"{answer.get('type')} {answer.get('debug')}" if answer.get("ok") else f"{answer.get('kind')}: {answer.get('message')}"


def _error_differences(expected: Answer, actual: Answer) -> dict[str, tuple[Any, Any]]:
    found = _differing(expected, actual, ON_FAILURE)
    inner, other = expected.get("inner"), actual.get("inner")
    if isinstance(inner, dict) and isinstance(other, dict):
        return found | {f"inner.{field}": pair for field, pair in _error_differences(inner, other).items()}
    return found | _differing(expected, actual, ("inner",))


def _differing(expected: Answer, actual: Answer, fields: tuple[str, ...]) -> dict[str, tuple[Any, Any]]:
    pairs = {field: (expected.get(field), actual.get(field)) for field in fields}
    return {field: pair for field, pair in pairs.items() if _exact(pair[0]) != _exact(pair[1])}


def _exact(value: Any) -> str:
    # As text, since in Python 1 == 1.0 == True.
    return json.dumps(value, sort_keys=True)
