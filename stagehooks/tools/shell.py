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
CHUNK: Final = 65_536


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
    )


async def run_command(command: str, workdir: WorkDirectory, seconds: float) -> str:
    """What `command` printed, and how it ended where that was not well. Leaves no process behind, cancelled or not."""
    if "\0" in command:
        raise ToolError("a command cannot hold a NUL character")
    try:
        process = await asyncio.create_subprocess_shell(
            command,
            cwd=workdir.root,
            env=_environment(workdir),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise ToolError(f"cannot start a shell: {error.strerror or error}") from None
    output = bytearray()
    try:
        async with asyncio.timeout(seconds):
            await _collect(process, output)
            status = await process.wait()
        ending = "" if status == 0 else f"\n[exit status {status}]"
    except TimeoutError:
        ending = f"\n[stopped after {seconds:g} seconds]"
    finally:
        _kill_group(process)
        await process.wait()
    return (_shown(output) + ending).removeprefix("\n")


async def _collect(process: asyncio.subprocess.Process, output: bytearray) -> None:
    """Read all that is printed, so that nobody waits for a reader, and keep as much as is allowed."""
    if process.stdout is not None:
        while chunk := await process.stdout.read(CHUNK):
            output += chunk[: LARGEST_OUTPUT + 1 - len(output)]


def _shown(output: bytearray) -> str:
    text = output[:LARGEST_OUTPUT].decode(errors="replace")
    return text + "\n[...truncated]" if len(output) > LARGEST_OUTPUT else text


def _kill_group(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):  # all of them have ended
        os.killpg(process.pid, signal.SIGKILL)


def _environment(workdir: WorkDirectory) -> dict[str, str]:
    # Nothing else of the host's environment: it is where keys and tokens live.
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(workdir.root),
        "PWD": str(workdir.root),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
    }
