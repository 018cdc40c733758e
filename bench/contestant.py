"""What is timed: a contestant prepares a piece of work, which gives its value, and does it so many times by its own CPU clock."""

import gc
import json
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from bench.workloads import Workload

ROOT: Final = Path(__file__).parents[1]


class Unable(Exception):
    """The contestant cannot do this work; the text is why, in a line."""


@dataclass(frozen=True)
class Job:
    """Prepared work: its value, the CPU seconds that doing it first took, and those that doing it so many times takes."""

    value: Any
    first: float
    seconds: Callable[[int], float]


class Contestant(Protocol):
    """One row of the table."""

    @property
    def name(self) -> str:
        """What the row is called."""

    def prepare(self, work: Workload) -> Job:
        """Compile what is to be compiled, and do the work once. Raises Unable."""


def here(run: Callable[[], Any]) -> Job:
    """A job of this process."""
    begun = time.process_time()
    value = run()
    first = time.process_time() - begun

    def seconds(repeat: int) -> float:
        gc.collect()
        start = time.process_time()
        for _ in range(repeat):
            run()
        return time.process_time() - start

    return Job(value, first, seconds)


class Server:
    """Contestants in a process of their own, which times itself: JSON lines, as `rust/src/request.rs` has them."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=ROOT,
            text=True,
        )
        self._jobs = 0

    def prepare(self, task: Mapping[str, Any]) -> Job:
        """A job of that process. Raises Unable."""
        self._jobs += 1
        name = str(self._jobs)
        done = self._ask({"do": "prepare", "id": name, "task": task})
        return Job(
            done["value"],
            float(done["seconds"]),
            lambda repeat: float(self._ask({"do": "time", "id": name, "repeat": repeat})["seconds"]),
        )

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None
        assert answers is not None
        try:
            print(json.dumps(request), file=requests, flush=True)
        except BrokenPipeError:
            raise Unable("its process ended") from None
        line = answers.readline()
        answer: dict[str, Any] = json.loads(line) if line else {"error": "its process ended"}
        if "error" in answer:
            raise Unable(str(answer["error"]).partition("\n")[0])
        return answer

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def same(left: Any, right: Any) -> bool:
    """Are the values of two contestants the same data?"""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)
