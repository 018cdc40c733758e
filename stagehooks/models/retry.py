"""Asking again: only where that may help, a few times, with longer and longer waits in between."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from email.utils import parsedate_to_datetime
from typing import Final, TypeAlias

from stagehooks.errors import TransientError
from stagehooks.models.protocol import Model, ModelTroubled, Reply, Request

ATTEMPTS: Final = 4
WAITS: Final = (1.0, 2.0, 4.0)
CROWDED_WAITS: Final = (15.0, 30.0, 60.0)
MOST_WAITING: Final = 300.0
"""Seconds that one request waits altogether; a server that asks for more is not asked again."""

Sleep: TypeAlias = Callable[[float], Awaitable[None]]
Tell: TypeAlias = Callable[[ModelTroubled], None]
"""Who hears of a model that did not answer."""


def untold(trouble: ModelTroubled) -> None:
    """Nobody wants to know."""


class Retrying:
    """`model`, asked again after a TransientError: four times at most, then the last error is what comes of it."""

    def __init__(self, model: Model, sleep: Sleep = asyncio.sleep, tell: Tell = untold) -> None:
        self._model = model
        self._sleep = sleep
        self._tell = tell

    def __repr__(self) -> str:
        return f"Retrying({self._model!r})"

    async def complete(self, request: Request) -> Reply:
        """The first reply that comes."""
        waited = 0.0
        for attempt in range(ATTEMPTS - 1):
            try:
                return await self._model.complete(request)
            except TransientError as error:
                seconds = _wait(error, attempt)
                if waited + seconds > MOST_WAITING:
                    raise TransientError(f"{error.message} (asks to wait {seconds:g} seconds, which is too long)") from None
                self._tell(ModelTroubled(request.stage, request.turn, error.message, seconds))
            waited += seconds
            await self._sleep(seconds)
        try:
            return await self._model.complete(request)
        except TransientError as error:
            raise TransientError(f"{error.message} (asked {ATTEMPTS} times)") from None


def _wait(error: TransientError, attempt: int) -> float:
    """What the server asks for, or what its trouble takes; never less than the shortest wait for this attempt."""
    if error.after is not None:
        return max(error.after, WAITS[attempt])
    return (CROWDED_WAITS if error.crowded else WAITS)[attempt]


def asked_to_wait(headers: Mapping[str, str], now: Callable[[], float] = time.time) -> float | None:
    """The seconds that a server asks to be left alone, None where it does not say or says no sensible thing.

    `Retry-After` is a number of seconds or a date; `retry-after-ms` is what OpenAI sends beside it.
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    said = headers.get("retry-after", "")
    seconds = _number(said)
    if seconds is not None or not said:
        return seconds
    try:
        return max(parsedate_to_datetime(said).timestamp() - now(), 0.0)
    except (ValueError, TypeError, OverflowError, OSError):
        return None


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None
