"""Whole processes: from the start to the first decision (W2), what importing costs, and how much memory the work takes.

Each is the CPU time of a process less that of a Python that does nothing, with everything compiled to bytecode before.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bench.contestant import ROOT
from bench.workloads import CTX, SCRIPTS

HOOK: Final = str(SCRIPTS / "hook.rhai")
COMMANDS: Final[dict[str, Sequence[str]]] = {
    "python -m stagehooks call": ("-m", "stagehooks", "call", HOOK, "on_tool_call", "--ctx", json.dumps(CTX)),
    "python -m rhaipy eval": ("-m", "rhaipy", "eval", "1 + 1"),
    "import stagehooks": ("-c", "import stagehooks"),
    "import rhaipy": ("-c", "import rhaipy"),
    "import json": ("-c", "import json"),
    "python -m, a module without work": ("-m", "token"),
}
"""What is started, beside a Python that does nothing. The last two are there to compare with: no command can do without them."""


@dataclass(frozen=True)
class Started:
    """The milliseconds of CPU of a process above bare Python, and half the distance between their quartiles."""

    milliseconds: float
    spread: float


def started(rounds: int) -> dict[str, Started]:
    """All of COMMANDS, in interleaved rounds."""
    commands: dict[str, Sequence[str]] = {"": ("-c", "pass"), **COMMANDS}
    costs: dict[str, list[float]] = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as cache:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment |= {"PYTHONPYCACHEPREFIX": cache, "PYTHONPATH": str(ROOT)}
        for number in range(rounds + 1):
            for name, arguments in commands.items():
                cost = _milliseconds(arguments, environment)
                if number:  # the first round writes the bytecode
                    costs[name].append(cost)
    bare = costs.pop("")
    return {name: _above(own, bare) for name, own in costs.items()}


def _above(own: list[float], bare: list[float]) -> Started:
    times = [mine - other for mine, other in zip(own, bare, strict=True)]
    low, _, high = statistics.quantiles(times, n=4)
    return Started(statistics.median(times), (high - low) / 2)


def _milliseconds(arguments: Sequence[str], environment: dict[str, str]) -> float:
    with open(os.devnull, "wb") as nowhere:
        actions = [(os.POSIX_SPAWN_DUP2, nowhere.fileno(), 1)]
        child = os.posix_spawn(sys.executable, [sys.executable, *arguments], environment, file_actions=actions)
        _, _, used = os.wait4(child, 0)
    return (used.ru_utime + used.ru_stime) * 1000


# --- memory ---------------------------------------------------------------------------------------------------------------

_PEAK: Final = """
import re, sys
from pathlib import Path
from rhaipy import Engine
from bench.workloads import WORKLOADS
work = {work.key: work for work in WORKLOADS}.get(sys.argv[2])
engine = Engine(tier="compiled")
if sys.argv[1] == "rhaipy" and work:
    engine.eval(work.rhai(False))
elif work:
    work.python()
print(re.search("VmHWM:[^0-9]*([0-9]+)", Path("/proc/self/status").read_text())[1])
"""


def peak(side: str, key: str) -> float:
    """The MiB that a workload takes at its peak; `side` is rhaipy or python. 0 where the system does not tell."""
    return max(_kibibytes(side, key) - _kibibytes(side, "none"), 0) / 1024


def _kibibytes(side: str, key: str) -> int:
    command = [sys.executable, "-c", _PEAK, side, key]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return int(done.stdout) if done.stdout.strip().isdigit() else 0
