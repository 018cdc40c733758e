"""What a run of rhaipy left, as an answer of the verdict protocol: values and errors taken apart into fields."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from conformance.oracle_client import Answer
from rhaipy.display import debug, display
from rhaipy.errors import InFunctionCall, InModule, RhaiError, Thrown
from rhaipy.parse_errors import ParseError
from rhaipy.source import At, unpack
from rhaipy.values import Byte, Char, FnPtr, Instant, Shared, Value, raw_type_name, type_name


@dataclass(slots=True)
class Records:
    """What the callbacks of a run were told."""

    prints: list[str] = field(default_factory=list)
    debugs: list[tuple[str, str | None, str]] = field(default_factory=list)
    operations: int = 0

    def print(self, text: str) -> None:
        """`print` was called."""
        self.prints.append(text)

    def debug(self, text: str, source: str | None, at: At) -> None:
        """`debug` was called at `at` in the script `source`."""
        position = unpack(at)
        self.debugs.append((text, source or None, f"{position.line}:{position.column}" if position else "none"))

    def clear(self) -> None:
        """Nothing happened so far."""
        self.prints.clear()
        self.debugs.clear()

    def fields(self) -> Answer:
        """The part of an answer that they make."""
        return {"ops": self.operations, "prints": self.prints, "debugs": self.debugs}


def success(value: Value, is_shared: bool, script_text: Callable[[str, Value], str | None], records: Records) -> Answer:
    """The answer for a value; `script_text` calls a script-level function, `to_string` or `to_debug`, on it."""
    return {
        "ok": True,
        "type": type_name(value),
        "display": display_shared(value) if is_shared else display(value),
        "debug": debug(Shared(value) if is_shared else value),
        "to_string": script_text("to_string", value),
        "to_debug": script_text("to_debug", value),
        "json": plain_data(value),
        **records.fields(),
    }


def failure(error: RhaiError, stage: str, records: Records) -> Answer:
    """The answer for an error that came up while the script was read (`parse`) or run."""
    return {"ok": False, "stage": stage, **error_fields(error), **records.fields()}


def trouble(stage: str, kind: str, message: str, records: Records) -> Answer:
    """The answer where there is no verdict: a bad request, or a fault of the program itself."""
    return {"ok": False, "stage": stage, "kind": kind, "message": message, "line": None, "pos": None, **records.fields()}


def error_fields(error: RhaiError) -> Answer:
    """The fields of an error and of those that it wraps."""
    position = error.position
    fields: Answer = {
        "kind": error.kind,
        "message": error.display(),
        "line": position.line if position else None,
        "pos": position.column or None if position else None,
    }
    match error:
        case ParseError():
            fields |= {"parse_kind": error.parse_kind} | ({"lex_kind": error.lex_kind} if error.lex_kind else {})
        case InFunctionCall():
            fields |= {"fn": error.name, "inner": _inner_fields(error.inner)}
        case InModule():
            fields |= {"module": error.name, "inner": _inner_fields(error.inner)}
        case Thrown():
            value = cast("Value", error.value)
            fields |= {"token": plain_data(value), "token_type": type_name(value)}
    return fields


def _inner_fields(error: RhaiError) -> Answer:
    return error_fields(error) | ({"fn_source": error.source} if isinstance(error, InFunctionCall) else {})


def display_shared(value: Value) -> str:
    """As the real engine shows its host a variable that closures share: what is in a container is shown to be read too."""
    return f"{_display_inside(value)} (shared)"


def _display_inside(value: Value) -> str:
    match value:
        case list():
            return f"[{', '.join([_display_inside(item) for item in value])}]"
        case dict():
            return f"#{{{', '.join([f'{key}: {_display_inside(value[key])}' for key in sorted(value)])}}}"
    return display(value)


def plain_data(value: Value) -> Any:
    """`value` as JSON data: a pointer is its name (a list with the arguments if curried), what JSON lacks is its Rust type.

    None for a value that contains itself, which has no end.
    """
    try:
        return _plain(value)
    except RecursionError:
        return None


def _plain(value: Value) -> Any:
    match value:
        case Shared():
            return _plain(value.value)
        case Byte():
            return "u8"
        case None | bool() | int():
            return value
        case float():
            return value if math.isfinite(value) else None
        case Char() | str():
            return str(value)
        case list() | bytearray():
            return [_plain(item) for item in value]
        case dict():
            return {key: _plain(value[key]) for key in sorted(value)}
        case FnPtr():
            return [value.name, *[_plain(item) for item in value.curried]] if value.curried else value.name
        case Instant():
            return "std::time::Instant"
    return raw_type_name(value)
