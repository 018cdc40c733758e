"""Room on Python's stack. Its default allows some 60 nested calls of a script; the language allows more.

The limit on recursion is one for the whole interpreter, so it is raised by the first machine that starts and put back by the last
one that ends, whichever thread each is in. Plain calls of Python functions take no room on C's stack.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

FRAMES: Final = 50_000
"""Enough for 64 calls, each 128 expressions deep, at four frames for each expression, and the blocks around them."""

_lock = Lock()
_running = 0
_before = 0


@contextmanager
def headroom() -> Iterator[None]:
    """Room for a machine while it runs."""
    _enter()
    try:
        yield
    finally:
        _leave()


def _enter() -> None:
    global _running, _before
    with _lock:
        if _running == 0:
            _before = sys.getrecursionlimit()
            sys.setrecursionlimit(_before + FRAMES)
        _running += 1


def _leave() -> None:
    global _running
    with _lock:
        _running -= 1
        if _running == 0:
            sys.setrecursionlimit(_before)
