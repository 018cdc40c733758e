"""Watches a run of the fuzzer from outside, for what its own alarm cannot end: a call of C that does not come back, a crash.

The run tells by name which program it is about to try. Where it falls silent, or dies, that program is the finding.
"""

import os
import select
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread

PATIENCE = 150.0
"""Seconds that no program takes, the shrinking of what it shows included."""

Tell = Callable[[str], object]


def watched(work: Callable[[Tell], int], patience: float = PATIENCE) -> int:
    """The exit code of `work`, which is run in a process of its own; 1 where that does not end by itself."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _work(work, writing)
    os.close(writing)
    with _uninterrupted():
        last, silent = _listen(reading, patience)
        os.close(reading)
        if silent:
            os.kill(child, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if silent:
        print(f"--- {last}\nneither ended nor could be interrupted within {patience:g} seconds")
    elif code < 0:
        print(f"--- {last}\nended the process with signal {-code}")
    return 1 if silent or code < 0 else code


@contextmanager
def _uninterrupted() -> Iterator[None]:
    # Interrupted from the keyboard, the child sums up and ends. Only a main thread can be.
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _work(work: Callable[[Tell], int], writing: int) -> None:
    code = 1
    try:
        code = work(lambda title: os.write(writing, f"{title}\n".encode()))
    finally:
        os._exit(code)


def _listen(reading: int, patience: float) -> tuple[str, bool]:
    """The last thing told, and whether there was silence instead of an end."""
    last = "nothing was tried yet"
    while select.select([reading], [], [], patience)[0]:
        told = os.read(reading, 1 << 16)
        if not told:
            return last, False
        last = told.decode().rstrip("\n").rpartition("\n")[2]
    return last, True
