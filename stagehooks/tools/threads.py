"""Work that takes its time, on a thread of its own, so that the run goes on and can be stopped meanwhile."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def in_thread(work: Callable[[], T]) -> T:
    """What `work` gives. Whoever stops waiting leaves the thread behind; it must see for itself that nobody wants it any more.

    Where there are no threads (a browser), the work is done at once.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def run() -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits
            try:
                value = work()
            except BaseException as error:
                loop.call_soon_threadsafe(_fail, done, error)
            else:
                loop.call_soon_threadsafe(_give, done, value)

    try:
        threading.Thread(target=run, daemon=True, name="stagehooks-tool").start()
    except RuntimeError:
        return work()
    return await done


def _give(done: "asyncio.Future[T]", value: T) -> None:
    if not done.done():
        done.set_result(value)


def _fail(done: "asyncio.Future[T]", error: BaseException) -> None:
    if not done.done():
        done.set_exception(error)
