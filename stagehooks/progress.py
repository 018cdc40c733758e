"""A line at the bottom of a terminal that says what a run waits for, and for how long; nothing where no person is looking."""

import threading
import time
from itertools import cycle
from typing import Final, TextIO

FRAMES: Final = ("|", "/", "-", "\\")
DELAY: Final = 0.4
"""Seconds; what is done sooner is not worth a line."""
PERIOD: Final = 0.2
CLEAR: Final = "\r\x1b[K"


class Progress:
    """The line on `out`, drawn by a thread of its own: a tool may keep everything else busy."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._wanted = out.isatty()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, what: str) -> None:
        """From now on the run waits for `what`, which is safe to print."""
        self.end()
        if self._wanted:
            self._stop = threading.Event()
            self._thread = threading.Thread(target=_draw, args=(self._out, what, self._stop), daemon=True)
            self._thread.start()

    def end(self) -> None:
        """It waits no longer: the line is gone when this returns."""
        if self._thread is not None:
            self._stop.set()
            self._thread.join()
            self._thread = None


def _draw(out: TextIO, what: str, stop: threading.Event) -> None:
    began = time.monotonic()
    if stop.wait(DELAY):
        return
    for frame in cycle(FRAMES):
        out.write(f"{CLEAR}  {frame} {what}, {time.monotonic() - began:.0f} s")
        out.flush()
        if stop.wait(PERIOD):
            break
    out.write(CLEAR)
    out.flush()
