"""Reading the value of a `modify`: regions, a text, or tool calls. What is not exactly that is refused with its reason."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from stagehooks.models.protocol import ToolCall
from stagehooks.scripts.json_text import dump, show
from stagehooks.scripts.outcome import Json

MOST_CALLS: Final = 1000
LONGEST_NAME: Final = 256


class BadValue(Exception):
    """The value is nothing the hook can use; the text says why."""


def read_regions(value: Json, wanted: str) -> dict[str, str]:
    """Region names with the texts to hold from now on. Here and below `wanted` is what the message says it must be."""
    if not isinstance(value, dict):
        raise _is_not(wanted, value)
    texts = {}
    for name, text in value.items():
        if not isinstance(text, str):
            raise BadValue(f"region '{name}' must be given a string, got: {show(text)}")
        texts[name] = text
    return texts


def read_text(value: Json, wanted: str) -> str:
    """A replacement text."""
    if not isinstance(value, str):
        raise _is_not(wanted, value)
    return value


@dataclass(frozen=True, slots=True)
class Denied:
    """A call that a hook refuses, and why: `asked` is what the model asked for, `call` the same under a new id."""

    asked: ToolCall
    call: ToolCall
    reason: str


def read_calls(value: Json, wanted: str, asked: tuple[ToolCall, ...]) -> tuple[ToolCall | Denied, ...]:
    """Tool calls with new ids. Only a name and arguments are taken: a hook can set no id and no approval.

    An entry `#{ deny: "reason" }` stands for the call of `asked` in the same place, and refuses it.
    """
    if not isinstance(value, list):
        raise _is_not(wanted, value)
    if len(value) > MOST_CALLS:
        raise BadValue(f"'value' holds {len(value)} calls; at most {MOST_CALLS} are taken")
    return tuple(_read_call(call, place, asked) for place, call in enumerate(value))


def _is_not(wanted: str, value: Json) -> BadValue:
    return BadValue(f"'value' must be {wanted}, got: {show(value)}")


def _read_call(value: Json, place: int, asked: tuple[ToolCall, ...]) -> ToolCall | Denied:
    if isinstance(value, dict) and "deny" in value:
        return _read_denial(value, place, asked)
    name = value.get("name") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(name, str):
        raise BadValue(f"a replacement call has no 'name': {show(value)}")
    if len(name) > LONGEST_NAME:
        raise BadValue(f"the name of a replacement call has {len(name)} characters; at most {LONGEST_NAME} are taken")
    return ToolCall(f"hook-{name}-{place}", name, value.get("arguments"))


def _read_denial(value: dict[str, Json], place: int, asked: tuple[ToolCall, ...]) -> Denied:
    reason = value["deny"]
    if not isinstance(reason, str):
        raise BadValue(f"'deny' must be the reason, a string, got: {show(value)}")
    if "name" in value or "arguments" in value:
        raise BadValue(f"an entry either denies a call or is one, got: {show(value)}")
    if place >= len(asked):
        raise BadValue(f"entry {place} denies a call that is not there (the model asked for {len(asked)}): {show(value)}")
    call = asked[place]
    return Denied(call, ToolCall(f"hook-{call.name}-{place}", call.name, call.arguments), reason)


def origins_of(left: tuple[ToolCall, ...], asked: tuple[ToolCall, ...]) -> list[ToolCall | None]:
    """For each call that a hook left: the one of those `asked` for that it was made of, None where the hook added it.

    A call that is left as it was is made of itself; any other of the first one with the same name that is still free.
    """
    origins: list[ToolCall | None] = [None] * len(left)
    free = list(asked)
    for key in (_name_and_arguments, _name):
        waiting: dict[Hashable, list[ToolCall]] = {}
        for call in reversed(free):
            waiting.setdefault(key(call), []).append(call)
        for place, call in enumerate(left):
            if origins[place] is None and waiting.get(key(call)):
                origins[place] = waiting[key(call)].pop()
        taken = {id(origin) for origin in origins}
        free = [call for call in free if id(call) not in taken]
    return origins


def _name_and_arguments(call: ToolCall) -> Hashable:
    return call.name, dump(call.arguments)


def _name(call: ToolCall) -> Hashable:
    return call.name
