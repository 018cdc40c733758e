"""Reading the value of a `modify`: regions, a text, or tool calls. What is not exactly that is refused with its reason."""

from collections.abc import Hashable
from typing import Final

from stagehooks.models.protocol import ToolCall
from stagehooks.scripts.json_text import dump, show
from stagehooks.scripts.outcome import Json

MOST_CALLS: Final = 1000


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


def read_calls(value: Json, wanted: str) -> tuple[ToolCall, ...]:
    """Tool calls with new ids. Only a name and arguments are taken: a hook can set no id and no approval."""
    if not isinstance(value, list):
        raise _is_not(wanted, value)
    if len(value) > MOST_CALLS:
        raise BadValue(f"'value' holds {len(value)} calls; at most {MOST_CALLS} are taken")
    return tuple(_read_call(call, place) for place, call in enumerate(value))


def _is_not(wanted: str, value: Json) -> BadValue:
    return BadValue(f"'value' must be {wanted}, got: {show(value)}")


def _read_call(value: Json, place: int) -> ToolCall:
    name = value.get("name") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(name, str):
        raise BadValue(f"a replacement call has no 'name': {show(value)}")
    return ToolCall(f"hook-{name}-{place}", name, value.get("arguments"))


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
