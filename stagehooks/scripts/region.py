"""The script of a custom region: `render` says what the model sees of it, `on_write` what becomes of an entry on its way in,
`on_overflow` which entries go when there are too many.

Only `render` must be there. An answer that is none of the contract is an AnswerError; what is done then is the region's business.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from rhaipy import AST
from stagehooks.errors import AnswerError, ValidationError
from stagehooks.scripts.calling import Answer, Spend, called, compiled, defined_functions, uncounted
from stagehooks.scripts.json_text import Json, show

FUNCTIONS: Final = ("render", "on_write", "on_overflow")
ROLES: Final = ("user", "assistant")


@dataclass(frozen=True, slots=True, eq=False)
class RegionScript:
    """A compiled region script, ready to call. `path` is what messages call it."""

    path: str
    defined: tuple[str, ...]
    ast: AST

    def defines(self, name: str) -> bool:
        """Does the script define the function `name`?"""
        return name in self.defined


@dataclass(frozen=True, slots=True)
class SaidCall:
    """One tool call of a message that a script made."""

    id: str
    name: str
    arguments: Json


@dataclass(frozen=True, slots=True)
class SaidResult:
    """One tool result of a message that a script made."""

    call_id: str
    content: str


@dataclass(frozen=True, slots=True)
class Said:
    """One message that a script made; `results` only from the user, `calls` only from the assistant."""

    role: str
    content: str = ""
    calls: tuple[SaidCall, ...] = ()
    results: tuple[SaidResult, ...] = ()


@dataclass(frozen=True, slots=True)
class Rendering:
    """What the model is to see of a region."""

    system: tuple[str, ...] = ()
    messages: tuple[Said, ...] = ()


Written: TypeAlias = str | bool
"""What becomes of an entry: it is taken with this content, taken as it is (True), or dropped (False)."""


def compile_region(path: str, source: str) -> RegionScript:
    """Compile the region script `source`, which messages call `path`. Raises CompilationError or ValidationError."""
    ast = compiled(path, source)
    defined = defined_functions(path, ast, FUNCTIONS)
    if "render" not in defined:
        raise ValidationError(path, "render", "script must define fn render(ctx)")
    return RegionScript(path, defined, ast)


def render(script: RegionScript, ctx: Json, spend: Spend = uncounted) -> Rendering:
    """What the model is to see. Raises ContextError, ExecutionError or AnswerError."""
    answer = called(script.path, script.ast, "render", ctx, spend)
    if isinstance(answer.value, str):
        return Rendering(_blocks(answer.value))
    if not isinstance(answer.value, dict):
        raise _wrong(script, "render", answer, "a string, or a map with 'system' and 'messages'")
    try:
        system = answer.value.get("system")
        blocks = [system] if isinstance(system, str) else _list(system, "system")
        messages = _list(answer.value.get("messages"), "messages")
        texts = [_text(block, "a system block") for block in blocks]
        return Rendering(_blocks(*texts), tuple([_message(message) for message in messages]))
    except ValueError as error:
        raise AnswerError(script.path, "render", f"render: {error}", answer.meter) from None


def on_write(script: RegionScript, ctx: Json, spend: Spend = uncounted) -> Written:
    """What becomes of the entry in `ctx`. Raises ContextError, ExecutionError or AnswerError."""
    answer = called(script.path, script.ast, "on_write", ctx, spend)
    if answer.value is None:
        return True
    if isinstance(answer.value, str | bool):
        return answer.value
    raise _wrong(script, "on_write", answer, "a string, a bool or ()")


def on_overflow(script: RegionScript, ctx: Json, count: int, spend: Spend = uncounted) -> tuple[int, ...]:
    """Which of the region's `count` entries go. Raises ContextError, ExecutionError or AnswerError."""
    answer = called(script.path, script.ast, "on_overflow", ctx, spend)
    said = answer.value
    if isinstance(said, list):
        places = {place for place in said if isinstance(place, int) and type(place) is int and 0 <= place < count}
        if all(type(place) is int and place in places for place in said):
            return tuple(sorted(places))
    raise _wrong(script, "on_overflow", answer, f"an array of places from 0 to {count - 1}")


def _wrong(script: RegionScript, function: str, answer: Answer, wanted: str) -> AnswerError:
    return AnswerError(script.path, function, f"{function} must return {wanted}, got: {show(answer.value)}", answer.meter)


def _blocks(*texts: str) -> tuple[str, ...]:
    return tuple([text for text in texts if text])


def _list(value: Json, what: str) -> list[Json]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise ValueError(f"'{what}' must be an array, got: {show(value)}")
    return value


def _text(value: Json, what: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{what} must be a string, got: {show(value)}")
    return value


def _message(value: Json) -> Said:
    if not isinstance(value, dict) or value.get("role") not in ROLES:
        raise ValueError(f"a message needs a 'role' of {' or '.join(ROLES)}, got: {show(value)}")
    role = _text(value["role"], "a role")
    calls = tuple([_call(call) for call in _list(value.get("tool_calls"), "tool_calls")])
    results = tuple([_result(result) for result in _list(value.get("tool_results"), "tool_results")])
    if (calls and role == "user") or (results and role == "assistant"):
        raise ValueError(f"the assistant makes tool calls and the user gives their results, got: {show(value)}")
    if "content" not in value and not calls and not results:
        raise ValueError(f"a message needs a 'content', got: {show(value)}")
    return Said(role, _text(value.get("content", ""), "a content"), calls, results)


def _call(value: Json) -> SaidCall:
    if not isinstance(value, dict):
        raise ValueError(f"a tool call must be a map, got: {show(value)}")
    return SaidCall(
        _text(value.get("id"), "the id of a call"), _text(value.get("name"), "the name of a call"), value.get("arguments")
    )


def _result(value: Json) -> SaidResult:
    if not isinstance(value, dict):
        raise ValueError(f"a tool result must be a map, got: {show(value)}")
    return SaidResult(_text(value.get("tool_call_id"), "a tool_call_id"), _text(value.get("content"), "the content of a result"))
