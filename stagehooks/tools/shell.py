"""The `shell` tool: one command, in the work directory, with a time limit, a cap on its output and almost no environment."""

import asyncio
import contextlib
import os
import signal
from typing import Final

from stagehooks.tools.tool import Parameter, Tool, ToolError
from stagehooks.tools.workdir import WorkDirectory

LONGEST_SECONDS: Final = 600
USUAL_SECONDS: Final = 60
LARGEST_OUTPUT: Final = 64_000
GRACE_SECONDS: Final = 1.0


def shell_tool(workdir: WorkDirectory) -> Tool:
    """The tool, for commands in `workdir`."""

    async def shell(command: str, timeout_secs: int = USUAL_SECONDS) -> str:
        return await run_command(command, workdir, min(max(timeout_secs, 1), LONGEST_SECONDS))

    return Tool(
        "shell",
        "Run a shell command in the work directory and return what it printed.",
        (
            Parameter("command", description="The command line."),
            Parameter("timeout_secs", "integer", f"Seconds it may take (default {USUAL_SECONDS}).", required=False),
        ),
        shell,
        target="command",
    )


async def run_command(command: str, workdir: WorkDirectory, seconds: float) -> str:
    """What `command` printed, and how it ended where that was not well. What it leaves running in its session is stopped."""
    if "\0" in command:
        raise ToolError("a command cannot hold a NUL character")
    transport, output = await _started(command, workdir)
    ending = ""
    try:
        async with asyncio.timeout(seconds):
            await output.exited.wait()
    except TimeoutError:
        ending = f"\n[stopped after {seconds:g} seconds]"
    finally:
        await _stop(transport, output)
    if not ending and transport.get_returncode():
        ending = f"\n[exit status {transport.get_returncode()}]"
    return (output.shown() + ending).removeprefix("\n")


async def _started(command: str, workdir: WorkDirectory) -> tuple[asyncio.SubprocessTransport, "_Output"]:
    """The process of `command`. Whoever stops waiting while it starts leaves none behind."""
    starting = asyncio.ensure_future(
        asyncio.get_running_loop().subprocess_shell(
            _Output,
            command,
            cwd=workdir.root,
            env=_environment(workdir),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
    )
    try:
        return await asyncio.shield(starting)
    except OSError as error:
        raise ToolError(f"cannot start a shell: {error.strerror or error}") from None
    except asyncio.CancelledError:
        # asyncio itself would stop the shell alone, and wait for whatever that has started.
        while not starting.done():
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await asyncio.shield(starting)
        if starting.exception() is None:
            await _stop(*starting.result())
        raise


async def _stop(transport: asyncio.SubprocessTransport, output: "_Output") -> None:
    """End whatever is left of a command, and what it has started in its session."""
    try:
        _kill_group(transport.get_pid())
        with contextlib.suppress(TimeoutError):  # a process that left the session may hold the pipe open
            async with asyncio.timeout(GRACE_SECONDS):
                await output.exited.wait()
                await output.closed.wait()
    finally:
        transport.close()


class _Output(asyncio.SubprocessProtocol):
    """What a command prints (all is read, so that it never waits for a reader; the beginning is kept), and when it is over."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self.exited = asyncio.Event()
        self.closed = asyncio.Event()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._kept += data[: LARGEST_OUTPUT + 1 - len(self._kept)]

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self.closed.set()

    def process_exited(self) -> None:
        self.exited.set()

    def shown(self) -> str:
        """What was kept, and a word if there was more."""
        text = self._kept[:LARGEST_OUTPUT].decode(errors="replace")
        return text + "\n[...truncated]" if len(self._kept) > LARGEST_OUTPUT else text


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):  # all of them have ended
        os.killpg(pid, signal.SIGKILL)


def _environment(workdir: WorkDirectory) -> dict[str, str]:
    # Nothing else of the host's environment: it is where keys and tokens live.
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(workdir.root),
        "PWD": str(workdir.root),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
    }
