"""The work directory of a run that was given none: a fresh temporary one, with a copy of what the agent brings along."""

import shutil
import tempfile
from pathlib import Path
from typing import Final

from stagehooks.agent.files import inside
from stagehooks.errors import SpawnError
from stagehooks.tools.workdir import WorkDirectory

BROUGHT_ALONG: Final = "workspace"
LEAVES_NO_TRACE: Final = frozenset({"read_file", "list_files", "submit_output"})
"""The tools that change nothing in a work directory."""


class Workspace:
    """The work directory of one run: the one that it was given, or a fresh one."""

    def __init__(self, agent: Path, given: str | Path | None) -> None:
        self.directory = WorkDirectory.at(Path(given)) if given is not None else _fresh(agent)
        self._worth_keeping = given is not None

    def will_run(self, tool: str) -> None:
        """A tool is about to run, so there may soon be something worth keeping."""
        if tool not in LEAVES_NO_TRACE:
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
    root = Path(tempfile.mkdtemp(prefix="stagehooks-")).resolve()
    if brought.is_dir():
        try:
            shutil.copytree(brought, root, symlinks=True, dirs_exist_ok=True)
        except (shutil.Error, OSError) as error:
            shutil.rmtree(root, ignore_errors=True)
            raise SpawnError(f"cannot copy '{brought}' to a work directory: {error}") from None
    return WorkDirectory(root)
