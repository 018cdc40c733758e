"""The directory that an agent's tools are confined to.

A path is resolved, links included, before it is compared with the directory; a file is opened once, without following any link
put there in the meantime, and must be a regular one. (A shell command is confined by its approval only.)
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from stagehooks.agent.files import Unreadable, read_text, reason
from stagehooks.errors import SpawnError
from stagehooks.tools.tool import ToolError

LARGEST_READ: Final = 1_000_000
LARGEST_WRITE: Final = 1_000_000
MOST_NAMES: Final = 2000
DEEPEST: Final = 200
"""Directories within directories. Whoever copies, lists or removes deeper ones recurses, and Python's own functions do."""
WALKS_DOWN: Final = {os.open, os.mkdir} <= os.supports_dir_fd and os.scandir in os.supports_fd
_NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
WRITING: Final = os.O_WRONLY | os.O_CREAT | _NO_FOLLOW
DIRECTORY: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _NO_FOLLOW


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
        if len(real.parts) - len(self.root.parts) > DEEPEST:
            raise ToolError(f"'{path}' lies deeper than {DEEPEST} directories")
        return real

    def read(self, path: str) -> str:
        """The text of a file, UTF-8, at most a million bytes."""
        real = self._file(path)
        try:
            with self._opened(real.parent) as directory:
                text, _ = read_text(_within(directory, real), LARGEST_READ, directory)
        except Unreadable as error:
            raise ToolError(f"cannot read '{path}': {error}") from None
        except OSError as error:
            raise ToolError(f"cannot read '{path}': {reason(error)}") from None
        return text

    def write(self, path: str, text: str) -> int:
        """Write `text` to a file, making the directories above it; returns the number of bytes."""
        data = text.encode("utf-8", "replace")
        if len(data) > LARGEST_WRITE:
            raise ToolError(f"refusing to write more than {LARGEST_WRITE} bytes to '{path}'")
        real = self._file(path)
        try:
            with self._opened(real.parent, make=True) as directory:
                descriptor = os.open(_within(directory, real), WRITING, 0o666, dir_fd=directory)
            with os.fdopen(descriptor, "wb") as file:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    raise ToolError(f"'{path}' is not a regular file")
                file.truncate()
                return file.write(data)
        except OSError as error:
            raise ToolError(f"cannot write '{path}': {reason(error)}") from None

    def names(self, path: str, recursive: bool = False) -> list[str]:
        """What a directory holds, sorted; names of directories end with a slash. Links are named, never followed."""
        real = self.resolve(path)
        try:
            with self._opened(real) as directory, os.scandir(real if directory is None else directory) as entries:
                found = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries)
        except OSError as error:
            raise ToolError(f"cannot list '{path}': {reason(error)}") from None
        names = []
        for name, is_directory in found:
            names.append(name + "/" if is_directory else name)
            if recursive and is_directory and len(names) <= MOST_NAMES:
                names += [names[-1] + below for below in self.names(str(real / name), recursive=True)]
        if len(names) > MOST_NAMES:
            raise ToolError(f"'{path}' holds more than {MOST_NAMES} names")
        return names

    def _file(self, path: str) -> Path:
        real = self.resolve(path)
        if real == self.root:
            raise ToolError(f"'{path}' is the work directory itself, not a file in it")
        return real

    @contextmanager
    def _opened(self, directory: Path, make: bool = False) -> Iterator[int | None]:
        """A descriptor of `directory`, which is below the root and resolved; None on systems where nothing is opened by one.

        Every directory on the way down is opened in its turn and no link is followed: one that was put there after `resolve`
        leads nowhere.
        """
        if not WALKS_DOWN:
            if make:
                directory.mkdir(parents=True, exist_ok=True)
            yield None
            return
        descriptor = os.open(self.root, DIRECTORY)
        try:
            for part in directory.relative_to(self.root).parts:
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(part, dir_fd=descriptor)
                below = os.open(part, DIRECTORY, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = below
            yield descriptor
        finally:
            os.close(descriptor)


def _within(directory: int | None, real: Path) -> Path:
    return real if directory is None else Path(real.name)
