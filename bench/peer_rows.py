"""The peers as contestants. Each is installed into a directory of its own, on demand; without that its row shows why not."""

import ast
import inspect
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, Final

from bench.contestant import ROOT, Job, Server, Unable
from bench.peers.adapters import ADAPTERS
from bench.workloads import SCRIPTS, Workload

INSTALLED: Final = Path(__file__).parent / ".peers"
SUFFIXES: Final = {"cel-python": "cel", "lupa": "lua", "quickjs": "js", "simpleeval": "expression"}
"""Of the scripts of peers whose language is not a kind of Python."""


def install() -> None:
    """Install what is not there yet, one by one, so that one that cannot be had does not keep the others away."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    for requirement in groups["peers"]:
        name = requirement.partition("==")[0]
        if not (INSTALLED / name).exists():
            command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(INSTALLED / name), requirement]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            print(
                f"{name}: {'installed' if done.returncode == 0 else done.stderr.strip().rpartition(chr(10))[2]}", file=sys.stderr
            )


def version(name: str) -> str:
    """Which version is installed; empty if none is."""
    found = [item.version for item in distributions(path=[str(INSTALLED / name)]) if item.name.lower() == name.lower()]
    return found[0] if found else ""


@dataclass(frozen=True)
class PeerRow:
    """One peer, in its own process."""

    name: str
    server: Server | None

    def prepare(self, work: Workload) -> Job:
        """See `Contestant`."""
        if self.server is None:
            raise Unable("not installed")
        if work.kind not in ("fresh", "run"):
            raise Unable("not measured apart")
        entry = work.functions[-1].__name__
        task = {
            "source": self._source(work),
            "entry": f"{entry}(ctx)" if work.kind == "fresh" else f"{entry}()",
            "argument": work.argument,
        }
        return self.server.prepare(task)

    def _source(self, work: Workload) -> str:
        suffix = SUFFIXES.get(self.name)
        if suffix is None:
            own = work.functions[1:] if work.kind == "fresh" else work.functions
            return "\n\n".join([without_annotations(function) for function in own])
        file = SCRIPTS / f"{work.script}.{suffix}"
        if not file.exists():
            raise Unable("evaluates expressions only")
        return file.read_text(encoding="utf-8")


def without_annotations(function: Callable[..., Any]) -> str:
    """The text of a function, as dialects of Python without annotations have it."""
    tree = ast.parse(inspect.getsource(function))
    for item in ast.walk(tree):
        if isinstance(item, ast.arg):
            item.annotation = None
        elif isinstance(item, ast.FunctionDef):
            item.returns = None
    return ast.unparse(tree)


def peers(servers: ExitStack) -> list[PeerRow]:
    """All peers; those that are not installed too. Their processes end with `servers`."""
    return [PeerRow(name, _server(name, servers) if (INSTALLED / name).exists() else None) for name in ADAPTERS]


def _server(name: str, servers: ExitStack) -> Server:
    path = os.pathsep.join([str(INSTALLED / name / "bin"), os.environ.get("PATH", "")])
    environment = {**os.environ, "PYTHONPATH": str(INSTALLED / name), "PATH": path}
    server = Server([sys.executable, "-m", "bench.peers", name], environment)
    servers.callback(server.close)
    return server
