"""A request of the verdict protocol, read and checked: what is unknown or malformed is refused, with the reason as text."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from rhaipy import Char, Limits, Options, Range, Value

Request = Mapping[str, Any]

_KEYS: Final = {
    "id": object, "src": str, "profile": str, "opt": str, "tier": str, "limits": dict, "options": dict, "scope": dict,
    "consts": dict, "modules": (dict, type(None)), "call": (dict, type(None)), "expression": bool, "vars": bool,
}  # fmt: skip
_CALL_KEYS: Final = {"fn": str, "args": list, "this": object, "eval_ast": bool}
_WORDS: Final = {"profile": ("plain", "hook"), "opt": ("none", "simple"), "tier": ("reference", "compiled", "auto")}
_LIMITS: Final = frozenset(field.name for field in fields(Limits)) - {"fuel", "memory"}
_NEVER: Final = 2**62
"""More than any script can reach: how 0, "unlimited", is said of call levels, where 0 itself would be "none"."""


class BadRequest(Exception):
    """The text says why."""


@dataclass(frozen=True, slots=True)
class Call:
    """A function of the script to call after it ran (unless `eval_ast` is false)."""

    name: str
    args: list[Value]
    has_this: bool
    this: Value
    eval_ast: bool


def check(request: object) -> Request:
    """The request, if it is one as far as its keys go."""
    if not isinstance(request, dict):
        raise BadRequest("not a JSON object")
    _check_keys(request, _KEYS)
    if "src" not in request:
        raise BadRequest("missing field `src`")
    for key, words in _WORDS.items():
        if request.get(key, words[0]) not in words:
            raise BadRequest(f"{key} is none of {', '.join(words)}: {request[key]}")
    if request.get("call") and request.get("expression"):
        raise BadRequest("`call` and `expression` exclude each other")
    return request


def _check_keys(table: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    for key, value in table.items():
        if key not in known:
            raise BadRequest(f"unknown field `{key}`")
        if not isinstance(value, known[key]):
            raise BadRequest(f"`{key}` has the wrong type")


def limits(request: Request, profile: Limits) -> Limits:
    """The limits of the profile, with those of the request in their place."""
    wanted = request.get("limits", {})
    _check_keys(wanted, dict.fromkeys(_LIMITS, int))
    changes = {name: _limit(name, value) for name, value in wanted.items()}
    return replace(profile, **changes)


def _limit(name: str, value: int) -> int:
    if value < 0:
        raise BadRequest(f"`{name}` is negative")
    return _NEVER if name == "max_call_levels" and value == 0 else value


def options(request: Request, profile: Options) -> Options:
    """The language options of the profile, with those of the request in their place."""
    wanted = dict(request.get("options", {}))
    disabled = wanted.pop("disable_symbols", [])
    _check_keys(wanted, dict.fromkeys([field.name for field in fields(Options) if field.name != "disabled_symbols"], bool))
    return replace(profile, **wanted, disabled_symbols=profile.disabled_symbols | frozenset(disabled))


def call(request: Request) -> Call | None:
    """The call that the request asks for."""
    wanted = request.get("call")
    if wanted is None:
        return None
    _check_keys(wanted, _CALL_KEYS)
    if "fn" not in wanted or "args" not in wanted:
        raise BadRequest("`call` needs `fn` and `args`")
    args = [value(item) for item in wanted["args"]]
    return Call(wanted["fn"], args, "this" in wanted, value(wanted.get("this")), wanted.get("eval_ast", True))


def value(data: Any) -> Value:
    """JSON data as a value; objects of one key `$char`, `$blob`, `$range`, `$irange` stand for what JSON lacks."""
    match data:
        case int() if not isinstance(data, bool) and not -(2**63) <= data < 2**63:
            return float(data)
        case list():
            return [value(item) for item in data]
        case dict() if len(data) == 1 and next(iter(data)).startswith("$"):
            return _tagged(*next(iter(data.items())))
        case dict():
            return {key: value(item) for key, item in data.items()}
        case None | bool() | int() | float() | str():
            return data
    raise BadRequest(f"no JSON value: {data!r}")


def _tagged(tag: str, data: Any) -> Value:
    match tag, data:
        case "$char", str() if len(data) == 1:
            return Char(data)
        case "$blob", list() if all(type(byte) is int and 0 <= byte < 256 for byte in data):
            return bytearray(data)
        case "$range" | "$irange", [int() as first, int() as last]:
            return Range(first, last, tag == "$irange")
    raise BadRequest(f"malformed {tag}: {data}")
