"""Asks a program that speaks the verdict protocol, the real engine above all.

One process for all requests, one request at a time. It knows nothing of cases or of what a right answer is.
"""

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

ORACLE = Path(__file__).parent / "oracle"
BINARY = ORACLE / "target" / "release" / "oracle"

Answer = dict[str, object]


class NoOracle(Exception):
    """The real engine is not built here and cannot be built either; the message says why."""


class Peer:
    """A long-lived server of the verdict protocol; a context manager that ends it.

    `command` is the program with its arguments. Raises OSError where it cannot be started.
    """

    def __init__(self, command: Sequence[str | Path]) -> None:
        self._command = command
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, request: Mapping[str, object]) -> Answer:
        """The answer to one request. Raises EOFError when the server is gone."""
        self.send(request)
        return self.receive()

    def send(self, request: Mapping[str, object]) -> None:
        """Ask without waiting. Together, requests under way must fit into a pipe (64 KiB). Raises EOFError."""
        requests = self._process.stdin
        assert requests is not None
        line = json.dumps(request, ensure_ascii=False) + "\n"
        try:
            requests.write(line.encode("utf-8", "surrogatepass"))
            requests.flush()
        except BrokenPipeError:
            raise EOFError(f"{self._command[0]} ended before it was asked") from None

    def receive(self) -> Answer:
        """The answer to the earliest request that has none yet. Raises EOFError."""
        answers = self._process.stdout
        assert answers is not None
        answer = answers.readline()
        if not answer.endswith(b"\n"):
            raise EOFError(f"{self._command[0]} ended instead of answering")
        return read_answer(answer)

    def close(self) -> None:
        """Ends the server by ending its input."""
        self._process.communicate()

    def __enter__(self) -> "Peer":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def read_answer(line: bytes) -> Answer:
    """The answer on a line; one nested too deeply for Python's reader becomes an answer that says so."""
    try:
        answer = json.loads(line)
    except RecursionError:
        return {"ok": False, "stage": "request", "kind": "AnswerTooDeep", "message": f"{len(line)} bytes of nested JSON"}
    assert isinstance(answer, dict)
    return answer


def open_oracle() -> Peer:
    """The real engine, built first where its binary is missing. Raises NoOracle."""
    if not BINARY.exists():
        build_oracle()
    return Peer([BINARY])


def build_oracle() -> None:
    """Compiles the real engine with the locked versions. Raises NoOracle."""
    if shutil.which("cargo") is None:
        raise NoOracle("cargo is not installed")
    built = subprocess.run(["cargo", "build", "--release", "--locked"], cwd=ORACLE, check=False)
    if built.returncode != 0 or not BINARY.exists():
        raise NoOracle("cargo could not build the real engine")
