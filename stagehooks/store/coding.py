"""Events, answers and hook calls as plain data and back: what the store writes down.

Reading is lenient where versions differ: fields that are gone are passed over, new ones take their defaults.
"""

from dataclasses import MISSING, asdict, fields, is_dataclass
from types import UnionType
from typing import Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from rhaipy import LimitError
from stagehooks.errors import HookError, ModelError, StoreError
from stagehooks.models.protocol import Reply, ToolCall
from stagehooks.run import events
from stagehooks.run.events import Event
from stagehooks.scripts.json_text import Json
from stagehooks.scripts.outcome import Allow, Cancel, HookOutcome, Modify, Retry, outcome_data
from stagehooks.scripts.stage_hook import HookCall

EVENTS: Final[dict[str, type[Event]]] = {kind.event: kind for kind in get_args(events.Event)}
NOTHING: Final = type(None)
EXACT: Final[dict[type, tuple[type, ...]]] = {str: (str,), bool: (bool,), int: (int,), float: (float, int)}
"""Plain types, each with what may stand for it in JSON."""

T = TypeVar("T")


class Unreadable(StoreError):
    """Data that says nothing this version knows."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the store holds something that cannot be read: {what}")


# --- events ---------------------------------------------------------------------------------------------------------------


def event_data(event: Event) -> dict[str, Json]:
    """`event` as plain data, with its name."""
    return {"event": event.event, **asdict(event)}


def read_event(data: Json) -> Event:
    """The event that `data` is; Unreadable if it is none of this version's."""
    kind = EVENTS.get(str(data["event"])) if isinstance(data, dict) and "event" in data else None
    if kind is None:
        raise Unreadable("an event that this version does not know")
    return read_record(kind, data)


def _read(hint: object, data: Json) -> object:
    """`data` as a value of the type `hint`: records, tuples of them, texts, numbers, and plain data as it is."""
    if isinstance(hint, type) and is_dataclass(hint):
        return read_record(hint, data)
    if isinstance(hint, type) and type(data) not in EXACT.get(hint, (type(data),)):
        raise Unreadable(f"what is no {hint.__name__}")
    if hint == dict[str, str] and not (isinstance(data, dict) and all(isinstance(text, str) for text in data.values())):
        raise Unreadable("what is no map of texts")
    if get_origin(hint) is Literal and data not in get_args(hint):
        raise Unreadable("what is none of the words that this version knows")
    if get_origin(hint) is tuple:
        if not isinstance(data, list | tuple):
            raise Unreadable("what is no list")
        return tuple([_read(get_args(hint)[0], item) for item in data])
    if get_origin(hint) in (Union, UnionType):
        kinds = [kind for kind in get_args(hint) if kind is not NOTHING]
        return _read(kinds[0], data) if len(kinds) == 1 and data is not None else data
    return data


def read_record(kind: type[T], data: Json) -> T:
    """The record of the type `kind` that `data` is; Unreadable if it is none."""
    if not isinstance(data, dict) or not is_dataclass(kind):
        raise Unreadable(f"no {kind.__name__}")
    hints = get_type_hints(kind)
    for field in fields(kind):
        if field.name not in data and field.default is MISSING and field.default_factory is MISSING:
            raise Unreadable(f"{kind.__name__} without '{field.name}'")
    return kind(**{field.name: _read(hints[field.name], data[field.name]) for field in fields(kind) if field.name in data})


# --- models ---------------------------------------------------------------------------------------------------------------


def reply_data(reply: Reply) -> Json:
    """A model's reply."""
    return {"text": reply.text, "tool_calls": [asdict(call) for call in reply.tool_calls], "tokens": reply.tokens}


def model_error_data(error: ModelError) -> Json:
    """That the model had none."""
    return {"error": error.message}


def read_reply(data: Json) -> Reply:
    """The reply again, or ModelError again."""
    match data:
        case {"error": str(message)}:
            raise ModelError(message)
        case {"text": str(text), "tool_calls": list(calls), "tokens": int(tokens)}:
            return Reply(text, tuple([_call(call) for call in calls]), tokens)
    raise Unreadable("no reply")


def _call(data: Json) -> ToolCall:
    match data:
        case {"id": str(id), "name": str(name), "arguments": arguments}:
            return ToolCall(id, name, arguments)
    raise Unreadable("no tool call")


# --- hooks ----------------------------------------------------------------------------------------------------------------


def hook_data(call: HookCall) -> Json:
    """What a hook call gave and took."""
    return {**outcome_data(call.outcome), "operations": call.operations, "fuel": call.fuel}


def hook_error_data(error: HookError) -> dict[str, Json]:
    """That a hook call failed, and how."""
    return {
        "outcome": "error",
        "error": error.message,
        "limit": error.hit_a_limit,
        "operations": error.operations,
        "fuel": error.fuel,
    }


def read_hook(data: Json, path: str, hook: str) -> HookCall:
    """The call of `hook` in the script `path` again, or its HookError again."""
    match data:
        case {"outcome": "error", "error": str(message), "limit": bool(limit)}:
            error = HookError(path, hook, message, inner=LimitError() if limit else None)
            error.operations, error.fuel = _number(data, "operations"), _number(data, "fuel")
            raise error
        case {"operations": int(operations), "fuel": int(fuel)}:
            return HookCall(read_outcome(data), operations, fuel)
    raise Unreadable("no hook call")


def read_outcome(data: Json) -> HookOutcome:
    """The outcome in `data`, which tells of no failure."""
    match data:
        case {"outcome": "allow"}:
            return Allow()
        case {"outcome": "modify", "value": value}:
            return Modify(value)
        case {"outcome": "cancel", "reason": str() | None as reason}:
            return Cancel(reason)
        case {"outcome": "retry"}:
            return Retry()
    raise Unreadable("no outcome")


def _number(data: Json, key: str) -> int | None:
    number = data.get(key) if isinstance(data, dict) else None
    return number if isinstance(number, int) else None
