"""Holding a run, letting it go on, and stopping it, from whatever thread.

What is in flight when a run is held (a request, a tool) is finished; the next step waits. No hook fires meanwhile.
"""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

Q = TypeVar("Q")
A = TypeVar("A")


class Aborted(Exception):
    """A person cancelled the run from inside; it ends as cancelled, and no terminal hook fires."""


class Control:
    """The switches of one run. `tell` hears True when the run begins to be held, False when it goes on.

    `live` says whether what the run does is new: the time that a resumed run takes to come to where it was does not count.
    """

    def __init__(self, tell: Callable[[bool], None], live: Callable[[], bool] = lambda: True) -> None:
        self.cancelled = False
        self._tell = tell
        self._live = live
        self._deadline: tuple[asyncio.Timeout, float] | None = None
        self._held = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[object] | None = None
        self._changed: asyncio.Event | None = None

    def start(self) -> None:
        """The run begins, in the current task."""
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._changed = asyncio.Event()

    def stop(self) -> None:
        """The run is over: nothing is to be switched any more."""
        self._loop = self._task = None

    def hold(self) -> None:
        """Hold the run at its next step."""
        self._held = True

    def release(self) -> None:
        """Let a held run go on."""
        self._held = False
        self._wake()

    @contextmanager
    def limited(self, deadline: asyncio.Timeout, seconds: float | None) -> Iterator[None]:
        """Let `deadline` strike when the run has been live for `seconds`, within."""
        self._deadline = (deadline, seconds) if seconds is not None else None
        self._set_deadline()
        try:
            yield
        finally:
            self._deadline = None

    def cancel(self) -> None:
        """Stop the run, in the middle of whatever it waits for."""
        self.cancelled = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._cancel_task)

    async def checkpoint(self) -> None:
        """Let a cancellation through, and wait while the run is held.

        Models, hooks and tools need not wait for anything; here Ctrl-C always ends the run, and before a hook fires.
        """
        self._set_deadline()
        await asyncio.sleep(0)
        if self.cancelled:
            raise asyncio.CancelledError
        if not self._held or self._changed is None:
            return
        self._tell(True)
        while self._held:
            self._changed.clear()
            await self._changed.wait()
        self._tell(False)

    def swallow_cancellation(self) -> bool:
        """Was it `cancel` that stopped the task, and nobody else? Then the task may go on."""
        task = asyncio.current_task()
        if not self.cancelled or task is None:
            return False
        return task.cancelling() == 0 or task.uncancel() == 0

    def _set_deadline(self) -> None:
        if self._deadline is None or self._loop is None or self._deadline[0].expired():
            return
        deadline, seconds = self._deadline
        deadline.reschedule(self._loop.time() + seconds)
        if self._live():
            self._deadline = None

    def _cancel_task(self) -> None:
        # The run may be over by now, and its task at something else.
        if self._task is not None:
            self._task.cancel()

    def _wake(self) -> None:
        loop, changed = self._loop, self._changed
        if loop is not None and changed is not None:
            loop.call_soon_threadsafe(changed.set)


class Clock:
    """Seconds of work: the time for which a person or a hold keeps the run waiting does not count."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._waited = 0.0

    @property
    def seconds(self) -> float:
        """Since some moment."""
        return self._now() - self._waited

    def forward(self, seconds: float) -> None:
        """So many seconds have passed that this clock has not seen."""
        self._waited -= seconds

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """The clock stands still within."""
        began = self._now()
        try:
            yield
        finally:
            self._waited += self._now() - began


def patient(
    ask: Callable[[Q], A | Awaitable[A]], clock: Clock, seconds: float | None, otherwise: A
) -> Callable[[Q], Awaitable[A]]:
    """`ask`, on a stopped clock; `otherwise` where its answer does not come within `seconds`."""

    async def asked(question: Q) -> A:
        with clock.stopped():
            given = ask(question)
            if not inspect.isawaitable(given):
                return given
            try:
                async with asyncio.timeout(seconds):
                    return await given
            except TimeoutError:
                return otherwise

    return asked
