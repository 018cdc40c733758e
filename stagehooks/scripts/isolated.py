"""A second wall: a hook called in a process of its own, which may use so much memory and time, and no files.

The first wall is the engine: it keeps a script from the host as long as neither it nor Python has a fault that a script can use.
Behind the second one, a script that found such a fault is in a process that can open nothing and ends with the call. The process
compiles the script again, makes the call, and writes one line, which is read as what a stranger says.

Processes, pipes and threads are imported when a call is made, since not every Python has them.
"""

import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Final

import rhaipy
from rhaipy import EvalError, LimitError, RhaiError
from stagehooks.errors import AnswerError, ContextError, ExecutionError, HookError, IsolationError
from stagehooks.scripts.boundary import NotPlain, lent
from stagehooks.scripts.hardened import LIMITS
from stagehooks.scripts.json_text import Json
from stagehooks.scripts.outcome import Allow, Cancel, HookOutcome, Modify, Retry
from stagehooks.scripts.stage_hook import HookCall, HookScript

SECONDS: Final = 10.0
MEMORY: Final = 512 * 2**20
LARGEST_ANSWER: Final = 32 * 2**20
"""Bytes that the process may say. What a hook may return is far below it, as JSON too."""
GRACE: Final = 1.0
MOST_ERRORS: Final = 1000
START: Final = "import sys; sys.path += sys.argv[1:]; from stagehooks.scripts.isolated_child import main; main()"


def run_isolated(
    script: HookScript, hook: str, ctx: Json, *, seconds: float = SECONDS, memory: int = MEMORY, strict: bool = True
) -> HookOutcome:
    """Call `hook(ctx)` as `run` does, in a process of its own: the same outcomes and errors, and IsolationError beside them.

    The process is ended when the call takes longer than `seconds`, its start included, and cannot have more than `memory` bytes
    of address space. Where the system cannot limit a process (Windows has no `resource`), that is an IsolationError, unless
    `strict` is false: then the time and the meters of the engine are all that limits it. Errors keep kind, text and place of the
    engine's own; a value that was thrown stays behind.
    """
    return call_isolated(script, hook, ctx, seconds=seconds, memory=memory, strict=strict).outcome


def call_isolated(
    script: HookScript, hook: str, ctx: Json, *, seconds: float = SECONDS, memory: int = MEMORY, strict: bool = True
) -> HookCall:
    """As `run_isolated`, with what the call took."""
    try:
        lent(ctx, LIMITS)
    except NotPlain as error:
        raise ContextError(script.path, hook, f"ctx{error.path}: {error.what}") from None
    request = {
        "path": script.path,
        "source": script.ast.text,
        "hook": hook,
        "ctx": ctx,
        "memory": memory,
        "seconds": seconds,
        "strict": strict,
    }
    said = _exchange(script.path, hook, json.dumps(request).encode("ascii"), seconds)
    return _Reading(script, hook).call(said)


# --- the process ----------------------------------------------------------------------------------------------------------


def _exchange(path: str, hook: str, request: bytes, seconds: float) -> bytes:
    """What a new process says to `request`."""
    try:
        import subprocess
        from threading import Thread
    except ImportError:
        raise IsolationError(path, hook, "this Python can start no process") from None
    try:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-B", "-c", START, *_homes()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=Path(sys.executable).anchor,
            env=_environment(),
        )
    except (OSError, ValueError) as error:
        raise IsolationError(path, hook, f"no process can be started: {error}") from None
    said: list[bytes] = []

    def talk() -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(request)
            process.stdin.close()
        except OSError:  # it has ended
            pass
        said.append(process.stdout.read(LARGEST_ANSWER + 1))

    talker = Thread(target=talk, daemon=True)
    try:
        talker.start()
        talker.join(seconds)
    finally:
        in_time = not talker.is_alive()
        process.kill()
        code = process.wait()
        talker.join(GRACE)
        if said and process.stdout is not None:
            process.stdout.close()
    if not in_time or not said:
        raise IsolationError(path, hook, f"the call took longer than {seconds:g} seconds", stopped=True)
    if not said[0].endswith(b"\n"):
        raise IsolationError(path, hook, f"the process ended before the call did ({_how(code)})", stopped=True)
    return said[0]


def _homes() -> list[str]:
    """Where the process finds these packages. It has no site packages, and nothing of the environment."""
    homes = [Path(__file__).resolve().parents[2], Path(rhaipy.__file__).resolve().parents[1]]
    return list(dict.fromkeys([str(home) for home in homes]))


def _environment() -> dict[str, str]:
    import os

    return {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}


def _how(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit status {code}"


# --- reading what it says -------------------------------------------------------------------------------------------------


class _Told(RhaiError):
    """An error of the engine in another process: what it says without its place, and with it, is all that is known of it."""

    def __init__(self, at: int, said: str, shown: str) -> None:
        super().__init__(at)
        self._said = said
        self._shown = shown

    def text(self) -> str:
        return self._said

    def display(self, source: str = "") -> str:
        return self._shown


class _Reading:
    """Reads the line of a process that called `hook`. Whatever is not as it must be is an IsolationError."""

    def __init__(self, script: HookScript, hook: str) -> None:
        self._script = script
        self._hook = hook

    def call(self, line: bytes) -> HookCall:
        """The call that was made, or its error."""
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            raise self._unreadable() from None
        match said:
            case {"outcome": outcome, "operations": int(operations), "fuel": int(fuel)}:
                return HookCall(self._outcome(outcome, said), operations, fuel)
            case {"error": str(kind), "text": str(text), "operations": operations, "fuel": fuel}:
                error = self._error(kind, text, said.get("inner"))
                error.operations = operations if isinstance(operations, int) else None
                error.fuel = fuel if isinstance(fuel, int) else None
                raise error
            case {"refused": str(why)}:
                raise IsolationError(self._script.path, self._hook, why)
            case {"exhausted": True}:
                raise IsolationError(self._script.path, self._hook, "the process ran out of memory", stopped=True)
        raise self._unreadable()

    def _outcome(self, outcome: object, said: dict[str, Json]) -> HookOutcome:
        match outcome:
            case "allow":
                return Allow()
            case "retry":
                return Retry()
            case "cancel":
                reason = said.get("reason")
                return Cancel(reason if type(reason) is str else None)
            case "modify" if "value" in said:
                try:
                    lent(said["value"], LIMITS)
                except NotPlain:
                    raise self._unreadable() from None
                return Modify(said["value"])
        raise self._unreadable()

    def _error(self, kind: str, text: str, inner: Json) -> HookError:
        if kind == "execution" and isinstance(inner, list) and 0 < len(inner) < MOST_ERRORS:
            return ExecutionError(self._script.path, self._hook, self._chain(inner))
        if kind == "answer":
            return AnswerError(self._script.path, self._hook, text)
        return self._unreadable()

    def _chain(self, told: list[Json]) -> RhaiError:
        errors = [self._told(item) for item in told]
        for outer, inner in pairwise(errors):
            outer.inner = inner
        return errors[0].in_script(self._script.path, self._script.ast.text)

    def _told(self, said: Json) -> RhaiError:
        match said:
            case {"kind": str(name), "limit": bool(limit), "at": int(at), "text": str(text), "message": str(shown)} if at >= 0:
                if name.isidentifier():
                    return _limit(name)(at, text, shown) if limit else _catchable(name)(at, text, shown)
        raise self._unreadable()

    def _unreadable(self) -> IsolationError:
        return IsolationError(self._script.path, self._hook, "what the process says cannot be read")


def _limit(name: str) -> type[_Told]:
    class Limit(_Told, LimitError, kind=name):
        """A limit that was hit there."""

    return Limit


def _catchable(name: str) -> type[_Told]:
    class Caught(_Told, EvalError, kind=name):
        """Any other error there."""

    return Caught
