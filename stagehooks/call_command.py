"""The command `call`: one hook of one script, once. It loads nothing of agents, so that trying a hook feels instant."""

import os
import sys

from rhaipy.typings import Final
from stagehooks.agent.reading import SCRIPT_BYTES, Unreadable, read_text, reason
from stagehooks.console import Console
from stagehooks.errors import FAILED, OK, HookError, UsageError
from stagehooks.plain_call import Call
from stagehooks.scripts import json_text
from stagehooks.scripts.outcome import HOOK_NAMES, Allow, Cancel, HookOutcome, Json, Modify
from stagehooks.scripts.stage_hook import HookCall, call, compile

CTX_BYTES: Final = 16 * 1024 * 1024


def call_command(options: Call, console: Console) -> int:
    """Call one hook of one script, once."""
    if options.hook not in HOOK_NAMES:
        raise unknown_hook(options.hook)
    ctx = read_ctx(options.ctx)
    try:
        source, _ = read_text(_real(options.file), SCRIPT_BYTES)
    except Unreadable as error:
        raise UsageError(f"cannot read '{options.file}': {error}") from None
    try:
        answer = call(compile(options.file, source, [options.hook]), options.hook, ctx)
    except HookError as error:
        if options.json:
            console.result(json_text.line(_failure_json(error)))
        raise
    console.result(json_text.line(_call_json(answer)) if options.json else _call_text(answer))
    return FAILED if outcome_name(answer.outcome) in ("cancel", "retry") else OK


def unknown_hook(name: str) -> UsageError:
    """The error for a hook that there is not."""
    from stagehooks.agent.document import did_you_mean

    hint = did_you_mean(name, HOOK_NAMES) or f"the hooks are: {', '.join(HOOK_NAMES)}"
    return UsageError(f"unknown hook '{name}'", hint=hint)


def read_ctx(argument: str) -> Json:
    """The data that `--ctx` stands for: JSON text, the path of a file that holds it, or - for standard input."""
    if argument == "-":
        text, name = sys.stdin.buffer.read(CTX_BYTES + 1), "standard input"
        return _parsed(_decoded(text, name), name)
    try:
        return json_text.parse(argument)
    except ValueError as error:
        if argument.lstrip()[:1] in ("{", "["):
            raise UsageError(f"--ctx is not JSON: {error}") from None
    try:
        return _parsed(read_text(_real(argument), CTX_BYTES)[0], argument)
    except Unreadable as error:
        raise UsageError(f"--ctx is neither JSON nor a readable file: '{argument}': {error}") from None


def _real(path: str) -> str:
    """`path` with its symbolic links resolved: a person named it, and may well have linked it."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError) as error:
        raise Unreadable(reason(error)) from None


def _decoded(data: bytes, name: str) -> str:
    if len(data) > CTX_BYTES:
        raise UsageError(f"{name} is larger than {CTX_BYTES} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is not UTF-8 text (byte {error.start})") from None


def _parsed(text: str, name: str) -> Json:
    try:
        return json_text.parse(text)
    except ValueError as error:
        raise UsageError(f"{name} is not JSON: {error}") from None


def outcome_name(outcome: HookOutcome) -> str:
    """allow, modify, cancel or retry."""
    return type(outcome).__name__.lower()


def _call_json(answer: HookCall) -> Json:
    outcome = answer.outcome
    return {
        "outcome": outcome_name(outcome),
        "value": outcome.value if isinstance(outcome, Modify) else None,
        "reason": outcome.reason if isinstance(outcome, Cancel) else None,
        "operations": answer.operations,
        "fuel": answer.fuel,
    }


def _failure_json(error: HookError) -> Json:
    return {
        "outcome": "error",
        "error": error.message,
        "kind": error.inner.innermost.kind if error.inner else type(error).__name__,
        "line": error.line or None,
        "column": error.column or None,
        "operations": error.operations,
        "fuel": error.fuel,
    }


def _call_text(answer: HookCall) -> str:
    used = f"({answer.operations} operations, {answer.fuel} fuel)"
    match answer.outcome:
        case Modify(value):
            return f"modify {json_text.dump(value)}\n{used}"
        case Cancel(reason):
            return f"cancel: {reason if reason is not None else 'no reason given'}\n{used}"
        case Allow():
            return f"allow\n{used}"
        case _:
            return f"retry\n{used}"
