"""The process behind the second wall (`isolated`): reads one line, makes one call, writes one line.

All that will be needed is imported, and one call made, before the process gives up what it could reach: from then on it opens
nothing, starts nothing and imports nothing, by the system's limits where there are some, and by an audit hook everywhere.
"""

import json
import sys
from typing import Any, Final

from rhaipy import LimitError, RhaiError
from stagehooks.errors import AnswerError, ExecutionError, HookError
from stagehooks.scripts.json_text import Json
from stagehooks.scripts.outcome import outcome_data
from stagehooks.scripts.stage_hook import HookCall, call, compile

FORBIDDEN: Final = frozenset({
    "open", "os", "socket", "subprocess", "ctypes", "import", "shutil", "glob", "mmap", "fcntl", "tempfile", "urllib", "pty",
    "signal", "sqlite3", "syslog", "webbrowser", "winreg", "_winapi", "sys",
})  # fmt: skip
"""The first words of the events that no call of a hook gives rise to."""
ONCE: Final = """
fn on_error(ctx) { let f = |x| x + 1; #{ action: "modify", value: [f.call(ctx.n), `${ctx}`, ctx.to_json(), [3, 1].sort()] } }
fn on_completion(ctx) { throw ctx }
"""


def main() -> None:
    """Answer the line on standard input."""
    out = sys.stdout.buffer
    try:
        request = json.loads(sys.stdin.buffer.readline())
        _try_everything_once()
        refused = _lock(request["memory"], request["seconds"])
        if refused and request["strict"]:
            said: Json = {"refused": f"{refused}: strict=False goes without"}
        else:
            said = _called(request["path"], request["source"], request["hook"], request["ctx"])
        line = json.dumps(said).encode("ascii") + b"\n"
    except MemoryError:
        line = b'{"exhausted": true}\n'
    out.write(line)
    out.flush()


def _try_everything_once() -> None:
    script = compile("once", ONCE)
    call(script, "on_error", {"n": 1})
    try:
        call(script, "on_completion", {})
    except HookError as error:
        json.dumps(_error_data(error))


def _called(path: str, source: str, hook: str, ctx: Json) -> Json:
    try:
        return _call_data(call(compile(path, source), hook, ctx))
    except HookError as error:
        return _error_data(error)


# --- giving up ------------------------------------------------------------------------------------------------------------


def _lock(memory: int, seconds: float) -> str:
    """Give up what this process could reach. Says what the system cannot limit, or nothing."""
    refused = _limit(memory, seconds)
    sys.addaudithook(_refuse)
    return refused


def _limit(memory: int, seconds: float) -> str:
    try:
        import resource
    except ImportError:
        return "this system cannot limit a process: it has no 'resource'"
    most = int(seconds) + 1
    limits = ((resource.RLIMIT_CPU, most), (resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0))
    try:
        for what, limit in (*limits, (resource.RLIMIT_NPROC, 0), (resource.RLIMIT_NOFILE, 0)):
            resource.setrlimit(what, (limit, limit))
    except (OSError, ValueError, AttributeError) as error:
        return f"this system does not limit a process: {error}"
    return ""


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event.partition(".")[0] in FORBIDDEN and event != "sys._getframe":
        raise PermissionError(event)


# --- saying ---------------------------------------------------------------------------------------------------------------


def _call_data(made: HookCall) -> Json:
    return {**outcome_data(made.outcome), "operations": made.operations, "fuel": made.fuel}


def _error_data(error: HookError) -> Json:
    used: dict[str, Json] = {"operations": error.operations, "fuel": error.fuel}
    if isinstance(error, ExecutionError) and error.inner is not None:
        return {"error": "execution", "text": "", "inner": _chain_data(error.inner), **used}
    if isinstance(error, AnswerError):
        return {"error": "answer", "text": error.what, **used}
    return {"refused": f"the process cannot make the call: {error.message}"}


def _chain_data(error: RhaiError) -> Json:
    chain: list[Json] = []
    inner: RhaiError | None = error
    while inner is not None:
        limit = isinstance(inner, LimitError)
        chain.append({"kind": inner.kind, "limit": limit, "at": inner.at, "text": inner.text(), "message": inner.message})
        inner = inner.inner
    return chain
