"""The command line: finds out which command is meant, runs it, and says how it ended. `cli_parser` knows the commands.

Results go to standard output, prose to standard error. Exit codes: 0 ok or allowed, 1 script error or refused, 2 usage or
configuration, 3 a limit was hit, 130 interrupted.
"""

import errno
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import StringIO

from rhaipy.typings import Final, TypeAlias
from stagehooks.console import Console
from stagehooks.errors import FAILED, INTERRUPTED, StageHooksError
from stagehooks.plain_call import Call, plain_call
from stagehooks.scripts import json_text
from stagehooks.scripts.json_text import Json

NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""What the system says where a stream takes no more."""

Command: TypeAlias = Callable[[Console], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    _open_streams()
    words = sys.argv[1:] if arguments is None else arguments
    command, as_json = _command(words)
    console = Console(sys.stdout, sys.stderr)
    try:
        code = command(console)
        sys.stdout.flush()
        return code
    except StageHooksError as error:
        if as_json and not console.has_results:
            console.result(json_text.line(_as_data(error)))
        console.error(error)
        return error.exit_code()
    except KeyboardInterrupt:
        console.say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`| head`); nothing more may be written when Python closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        return _cannot_go_on(error)


def _command(words: Sequence[str]) -> tuple[Command, bool]:
    """What `words` ask for, and whether the answer shall be JSON; where they cannot be read, the program ends with 2."""
    call = plain_call(words)
    if call is not None:
        return lambda console: _call(call, console), call.json
    from stagehooks.cli_parser import parsed  # loads argparse

    options = parsed(words)
    return lambda console: options.command(options, console), getattr(options, "json", False)


def _call(call: Call, console: Console) -> int:
    from stagehooks.call_command import call_command  # other commands need it not

    return call_command(call, console)


def _open_streams() -> None:
    """Where a standard stream is closed, nothing is read from it, and what is written to it is lost."""
    if sys.stdin is None:
        sys.stdin = StringIO()
    if sys.stdout is None:
        sys.stdout = StringIO()
    if sys.stderr is None:
        sys.stderr = StringIO()


def _cannot_go_on(error: OSError) -> int:
    """What is left to be done when the system says no, as where output goes to a full disk: one message, if that is possible."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    with suppress(OSError):
        what = "cannot write" if error.errno in NO_ROOM else "cannot go on"
        Console(sys.stdout, sys.stderr).say(f"stagehooks: {what}: {error.strerror or error}")
    return FAILED


def _as_data(error: StageHooksError) -> Json:
    """What a program reads that asked for JSON and gets no result."""
    place: dict[str, Json] = {"file": error.file or None, "line": error.line or None, "column": error.column or None}
    return {"error": error.message, **place, "hint": error.hint or None}


if __name__ == "__main__":
    sys.exit(main())
