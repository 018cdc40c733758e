"""The directory that an agent's tools are confined to.

A path is resolved, links included, before it is compared with the directory; a file is opened once, without following a link
put there in the meantime, and must be a regular one. (A shell command is confined by its approval only.)
"""

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from stagehooks.agent.files import Unreadable, read_text, reason
from stagehooks.errors import SpawnError
from stagehooks.tools.tool import ToolError

LARGEST_READ: Final = 1_000_000
LARGEST_WRITE: Final = 1_000_000
MOST_NAMES: Final = 2000
NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


@dataclass(frozen=True, slots=True)
class WorkDirectory:
    """`root` is resolved and exists."""

    root: Path

    @classmethod
    def at(cls, path: Path) -> "WorkDirectory":
        """The work directory at `path`, or SpawnError where that is no directory."""
        root = path.resolve()
        if not root.is_dir():
            raise SpawnError(f"work directory '{path}' is not a directory")
        return cls(root)

    def resolve(self, path: str) -> Path:
        """The real place of `path` (relative to the root, or absolute inside it), or ToolError when it is outside."""
        if "\0" in path:
            raise ToolError("a path cannot hold a NUL character")
        try:
            real = (self.root / path).resolve()
        except (OSError, RuntimeError) as error:
            raise ToolError(f"'{path}' cannot be resolved: {error}") from None
        if not real.is_relative_to(self.root):
            raise ToolError(f"'{path}' is outside the work directory")
        return real

    def read(self, path: str) -> str:
        """The text of a file, UTF-8, at most a million bytes."""
        try:
            text, _ = read_text(self.resolve(path), LARGEST_READ)
        except Unreadable as error:
            raise ToolError(f"cannot read '{path}': {error}") from None
        return text

    def write(self, path: str, text: str) -> int:
        """Write `text` to a file, making the directories above it; returns the number of bytes."""
        data = text.encode("utf-8", "replace")
        if len(data) > LARGEST_WRITE:
            raise ToolError(f"refusing to write more than {LARGEST_WRITE} bytes to '{path}'")
        real = self.resolve(path)
        try:
            real.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(_open_for_writing(real, path), "wb") as file:
                file.truncate()
                return file.write(data)
        except OSError as error:
            raise ToolError(f"cannot write '{path}': {reason(error)}") from None

    def names(self, path: str, recursive: bool = False) -> list[str]:
        """What a directory holds, sorted; names of directories end with a slash. Links are named, never followed."""
        real = self.resolve(path)
        try:
            entries = sorted(os.scandir(real), key=lambda entry: entry.name)
        except OSError as error:
            raise ToolError(f"cannot list '{path}': {reason(error)}") from None
        names = []
        for entry in entries:
            is_directory = entry.is_dir(follow_symlinks=False)
            names.append(entry.name + "/" if is_directory else entry.name)
            if recursive and is_directory and len(names) <= MOST_NAMES:
                names += [names[-1] + name for name in self.names(entry.path, recursive=True)]
        if len(names) > MOST_NAMES:
            raise ToolError(f"'{path}' holds more than {MOST_NAMES} names")
        return names


def _open_for_writing(real: Path, path: str) -> int:
    descriptor = os.open(real, os.O_WRONLY | os.O_CREAT | NO_FOLLOW, 0o666)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise ToolError(f"'{path}' is not a regular file")
    return descriptor
