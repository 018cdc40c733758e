"""For all tests: runs that commands drive are stored in a directory that goes away with the tests, work directories too."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def a_home_for_runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The environment of the tests and of every process they start."""
    tmp_path_factory.getbasetemp()  # where pytest keeps its own is settled before
    before = {name: os.environ.get(name) for name in ("STAGEHOOKS_HOME", "TMPDIR")}
    usual = tempfile.tempdir
    with tempfile.TemporaryDirectory(prefix="stagehooks-tests-") as home:
        work = Path(home) / "work"
        work.mkdir()
        os.environ |= {"STAGEHOOKS_HOME": home, "TMPDIR": str(work)}
        tempfile.tempdir = str(work)
        yield
        tempfile.tempdir = usual
    for name, value in before.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value
