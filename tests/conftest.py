"""For all tests: runs that commands drive are stored in a directory that goes away with the tests."""

import os
import tempfile
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def a_home_for_runs() -> Iterator[None]:
    """The environment of the tests and of every process they start."""
    before = os.environ.get("STAGEHOOKS_HOME")
    with tempfile.TemporaryDirectory(prefix="stagehooks-tests-") as home:
        os.environ["STAGEHOOKS_HOME"] = home
        yield
    if before is None:
        del os.environ["STAGEHOOKS_HOME"]
    else:
        os.environ["STAGEHOOKS_HOME"] = before
