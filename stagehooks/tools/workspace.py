"""The work directory of a run that was given none: a fresh temporary one, with a copy of what the agent brings along."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

from stagehooks.agent.files import inside
from stagehooks.errors import SpawnError
from stagehooks.tools.tool import Tool
from stagehooks.tools.workdir import DEEPEST, WorkDirectory

BROUGHT_ALONG: Final = "workspace"
READING: Final = frozenset({"read_file", "list_files"})
"""The tools that see a work directory and change nothing in it."""


class Workspace:
    """The work directory of one run: the one that it was given, or a fresh one.

    `earlier` is the fresh one that was made for the run before it was interrupted.
    """

    def __init__(self, agent: Path, given: str | Path | None, earlier: Path | None = None) -> None:
        named = given if earlier is None else earlier
        self.directory = WorkDirectory.at(Path(named)) if named is not None else _fresh(agent)
        self.fresh = given is None or earlier is not None
        self._worth_keeping = not self.fresh

    def will_run(self, tool: Tool) -> None:
        """`tool` is about to run, so there may soon be something worth keeping."""
        if tool.effect != "run" and tool.name not in READING:
            self._worth_keeping = True

    def close(self) -> None:
        """Remove a fresh directory in which nothing was changed."""
        if not self._worth_keeping:
            shutil.rmtree(self.directory.root, ignore_errors=True)


def _fresh(agent: Path) -> WorkDirectory:
    """A new directory with a copy of the folder `workspace` beside the agent file, if there is one."""
    brought = agent / BROUGHT_ALONG
    if brought.is_dir() and inside(agent, BROUGHT_ALONG) is None:
        raise SpawnError(f"'{brought}' resolves outside the agent's directory ({agent})")
    if brought.is_dir() and _is_too_deep(brought):
        raise SpawnError(f"'{brought}' holds directories deeper than {DEEPEST}, or some that cannot be read")
    root = Path(tempfile.mkdtemp(prefix="stagehooks-")).resolve()
    if brought.is_dir():
        try:
            shutil.copytree(brought, root, symlinks=True, dirs_exist_ok=True)
        except (shutil.Error, OSError) as error:
            shutil.rmtree(root, ignore_errors=True)
            raise SpawnError(f"cannot copy '{brought}' to a work directory: {error}") from None
    return WorkDirectory(root)


def _is_too_deep(directory: Path) -> bool:
    """Does anything lie deeper in `directory` than tools reach, or where nobody can see it?"""
    pending = [(str(directory), 0)]
    while pending:
        path, depth = pending.pop()
        if depth > DEEPEST:
            return True
        try:
            with os.scandir(path) as entries:
                pending += [(entry.path, depth + 1) for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError:
            return True
    return False
