"""What a script tool may ask of the host, each function on its own: files, a shell, other servers, the environment.

A refused function is an error that the script can catch, and nothing happened. Where taint is tracked, a call that has read
something of this machine sends nothing elsewhere any more.
"""

import asyncio
import os
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from typing import Final, TypeVar

from rhaipy import Caller, Package, Thrown, Value, display_text, function
from stagehooks.tools.credentials import looks_like_one
from stagehooks.tools.shell import USUAL_SECONDS, run_command
from stagehooks.tools.tool import ToolError
from stagehooks.tools.workdir import WorkDirectory

T = TypeVar("T")

LONGEST: Final = 900_000
"""Bytes of a text that a script gets from outside; the rest is cut."""
HTTP_SECONDS: Final = 30.0
READS: Final = frozenset({"read_file", "shell", "env_var"})
SENDS: Final = frozenset({"http_get", "http_post", "shell"})


@dataclass(frozen=True, slots=True)
class Access:
    """What whoever starts a run lets script tools reach beside the rest: secret variables by name, and the local network."""

    variables: frozenset[str] = frozenset()
    local_network: bool = False
    seconds: float = HTTP_SECONDS


NO_ACCESS: Final = Access()


class Host:
    """The host as one call of one script tool sees it. `granted` are the functions that it may use.

    The script runs on a thread; what waits for something runs on the loop of the run.
    """

    def __init__(
        self, workdir: WorkDirectory, granted: frozenset[str], access: Access, tracks_taint: bool, loop: asyncio.AbstractEventLoop
    ) -> None:
        self._workdir = workdir
        self._granted = granted
        self._access = access
        self._tracks_taint = tracks_taint
        self._loop = loop
        self._has_read = False
        self._waiting: Future[str] | None = None
        self.stopped = False

    def stop(self) -> None:
        """Nobody waits for the call any more."""
        self.stopped = True
        if self._waiting is not None:
            self._waiting.cancel()

    def functions(self) -> Package:
        """The functions, for the engine of the call."""
        package: Package = []

        @function(package, "read_file")
        def read_file(caller: Caller, path: str) -> str:
            return self._text(caller, "read_file", lambda: self._workdir.read(path))

        @function(package, "write_file")
        def write_file(caller: Caller, path: str, content: str) -> None:
            self._do(caller, "write_file", lambda: self._workdir.write(path, content))

        @function(package, "shell")
        def shell(caller: Caller, command: str) -> str:
            if ">" in command:
                self._permit(caller, "write_file")
            return self._text(caller, "shell", lambda: self._wait(run_command(command, self._workdir, USUAL_SECONDS)))

        @function(package, "http_get")
        def http_get(caller: Caller, url: str) -> str:
            return self._fetch(caller, "GET", url, {})

        @function(package, "http_get")
        def http_get_with(caller: Caller, url: str, headers: dict[str, Value]) -> str:
            return self._fetch(caller, "GET", url, headers)

        @function(package, "http_post")
        def http_post(caller: Caller, url: str, body: str) -> str:
            return self._fetch(caller, "POST", url, {}, body)

        @function(package, "http_post")
        def http_post_with(caller: Caller, url: str, body: str, headers: dict[str, Value]) -> str:
            return self._fetch(caller, "POST", url, headers, body)

        @function(package, "env_var")
        def env_var(caller: Caller, name: str) -> Value:
            return self._do(caller, "env_var", lambda: self._variable(name))

        return package

    def _fetch(self, caller: Caller, method: str, url: str, headers: dict[str, Value], body: str = "") -> str:
        from stagehooks.tools.web import fetch  # sockets are for those who use them

        texts = {name: display_text(value) for name, value in headers.items()}
        access = self._access

        def work() -> str:
            answer = fetch(method, url, texts, body, local=access.local_network, seconds=access.seconds)
            return self._wait(answer)

        return self._text(caller, f"http_{method.lower()}", work)

    def _variable(self, name: str) -> str | None:
        value = os.environ.get(name) if "\0" not in name else None
        if name not in self._access.variables and looks_like_one(name, value):
            raise ToolError(f"'{name}' looks like a credential, and nobody allowed it for this run")
        return value if value is None else _cut(value)

    def _text(self, caller: Caller, name: str, work: Callable[[], str]) -> str:
        text = _cut(self._do(caller, name, work))
        caller.meter.charge(len(text) >> 8, caller.at)
        caller.meter.string(len(text.encode("utf-8", "replace")), caller.at)
        return text

    def _do(self, caller: Caller, name: str, work: Callable[[], T]) -> T:
        self._permit(caller, name)
        try:
            result = work()
        except ToolError as error:
            raise _thrown(caller, f"{name}: {error}") from None
        except CancelledError:
            raise _thrown(caller, f"{name}: stopped") from None
        self._has_read |= name in READS
        return result

    def _permit(self, caller: Caller, name: str) -> None:
        if name not in self._granted:
            raise _thrown(caller, f"[denied] script host function '{name}' is denied by tool_script_permissions")
        if self._tracks_taint and self._has_read and name in SENDS:
            raise _thrown(caller, f"[blocked] script host function '{name}' would send what this call has read")

    def _wait(self, work: "Coroutine[None, None, str]") -> str:
        if self.stopped or _on_the_loop():
            work.close()
            raise ToolError("stopped" if self.stopped else "it needs threads, which this system does not have")
        self._waiting = asyncio.run_coroutine_threadsafe(work, self._loop)
        if self.stopped:
            self._waiting.cancel()
        return self._waiting.result()


def _on_the_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _thrown(caller: Caller, text: str) -> Thrown:
    return Thrown(caller.at, text, display_text)


def _cut(text: str) -> str:
    return text.encode("utf-8", "replace")[:LONGEST].decode(errors="ignore")
