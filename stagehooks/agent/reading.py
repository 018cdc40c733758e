"""Reading one file: bounded, a regular file only, opened once. It loads little, since the command `call` waits for it."""

import os
import stat

from rhaipy.typings import Final

SCRIPT_BYTES: Final = 256 * 1024

_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a FIFO must not hold the reader up
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)


class Unreadable(Exception):
    """A file cannot be read; the text says why."""


def read_bounded(path: str | os.PathLike[str], limit: int, directory: int | None = None) -> bytes:
    """The bytes of the regular file `path`, which is opened once; Unreadable when there is none or it is over `limit` bytes.

    `path` is relative to the directory with the descriptor `directory`, if one is given.
    """
    try:
        with open(path, "rb", opener=lambda name, _: _open_regular(name, directory)) as file:
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:
        raise Unreadable(reason(error)) from None
    if len(data) > limit:
        raise Unreadable(f"larger than {limit} bytes")
    return data


def _open_regular(path: str, directory: int | None) -> int:
    descriptor = os.open(path, _FLAGS, dir_fd=directory)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise Unreadable("not a regular file")


def read_text(path: str | os.PathLike[str], limit: int, directory: int | None = None) -> tuple[str, bytes]:
    """The text of the UTF-8 file `path` and its bytes; newlines and a byte order mark stay as they are."""
    data = read_bounded(path, limit, directory)
    try:
        return data.decode("utf-8"), data
    except UnicodeDecodeError as error:
        raise Unreadable(f"not UTF-8 text (byte {error.start})") from None


def reason(error: Exception) -> str:
    """Why the system refused, in its own words and without the path."""
    if type(error) is ValueError:  # Python's words for this differ from version to version
        return "embedded null byte"
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
