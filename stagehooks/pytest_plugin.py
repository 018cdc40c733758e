"""For pytest: collects the hook cases that stand beside agents, each as a test of its own.

Installed with this package, pytest finds it by itself. It looks at `tests/*.toml` and `hooks/tests.toml` beside an agent file,
and at nothing else. `pytest -p no:stagehooks` leaves it out. Nothing else here imports pytest.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from stagehooks.agent.files import AGENT_FILES
from stagehooks.agent.spawn import Agent, load
from stagehooks.cases import BESIDE_HOOKS, FOLDER, Case, read_cases, run_case
from stagehooks.errors import StageHooksError


class CaseFailed(Exception):
    """A hook answered something else than its case says."""


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The cases in `file_path`, if it is one of the files for them."""
    return CaseFile.from_parent(parent, path=file_path) if is_case_file(file_path) else None


def is_case_file(path: Path) -> bool:
    """Is it one of the files for cases, beside an agent file?"""
    if path.suffix != ".toml" or not (path.parent.name == FOLDER or f"{path.parent.name}/{path.name}" == BESIDE_HOOKS):
        return False
    return any((path.parent.parent / name).is_file() for name in AGENT_FILES)


class CaseFile(pytest.File):
    """One file of cases. An agent or a file that is wrong is an error of collecting it."""

    def collect(self) -> Iterable[pytest.Item]:
        """A test for each case."""
        agent = load(self.path.parent.parent)
        return [CaseItem.from_parent(self, name=case.name, case=case) for case in _cases(agent, self.path)]

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """One message, and no traceback through this package."""
        return _told(excinfo.value) or super().repr_failure(excinfo)


class CaseItem(pytest.Item):
    """One case."""

    def __init__(self, *, case: Case, **more: Any) -> None:
        super().__init__(**more)
        self._case = case

    def runtest(self) -> None:
        """Call the hook."""
        verdict = run_case(self._case)
        if not verdict.passed:
            raise CaseFailed("\n".join(verdict.problems))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What the case says, and what the hook does."""
        return _told(excinfo.value, f"{self._case.where}: ") or super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the case stands."""
        return self.path, self._case.line - 1, f"{self._case.hook}: {self._case.name}"


def _cases(agent: Agent, path: Path) -> list[Case]:
    return read_cases(agent, f"{path.parent.name}/{path.name}")


def _told(error: BaseException, where: str = "") -> str:
    if isinstance(error, CaseFailed):
        return f"{where}{error}"
    return error.message + (f"\n{error.hint}" if error.hint else "") if isinstance(error, StageHooksError) else ""
