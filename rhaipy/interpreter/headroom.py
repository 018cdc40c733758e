"""Room on Python's stack. Its default allows some 60 nested calls of a script; the language allows more.

The limit on recursion is one for the whole interpreter, so it is raised by the first machine that starts and put back by the last
one that ends, whichever thread each is in. Plain calls of Python functions take no room on C's stack.

Python keeps its frames in pieces of 16 KiB, and maps and unmaps a piece each time that calls cross its end: a loop around that
place runs three times slower, a recursion by half. So work that calls much runs in a piece that has room for all of it.
"""

import sys
from _thread import allocate_lock
from collections.abc import Callable

from rhaipy.typings import Final, TypeVar

T = TypeVar("T")

FRAMES: Final = 50_000
"""Enough for 64 calls, each 128 expressions deep, at four frames for each expression, and the blocks around them."""

_lock = allocate_lock()  # what `threading.Lock` is, without loading that module
_running = 0
_before = 0


def in_one_piece(work: Callable[[], T]) -> T:
    """What `work` gives. That there is room takes some microseconds, so it is nothing for the shortest of runs."""
    return work()


PIECE: Final = 2**15
"""Words. A frame that asks for that much of a stack of its own gets a piece of twice the size; what it leaves is for others."""

in_one_piece.__code__ = in_one_piece.__code__.replace(co_stacksize=PIECE)


def make_room() -> None:
    """Room for a machine while it runs, until `leave_room`."""
    global _running, _before
    with _lock:
        if _running == 0:
            _before = sys.getrecursionlimit()
            sys.setrecursionlimit(_before + FRAMES)
        _running += 1


def leave_room() -> None:
    """A machine has ended."""
    global _running
    with _lock:
        _running -= 1
        if _running == 0:
            sys.setrecursionlimit(_before)
