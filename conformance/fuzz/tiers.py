"""The reference evaluator in the place of the real engine: what the compiled one is measured by where nothing else can tell.

The two must agree in fuel too, and wherever a run is cut short: by fuel, or at any of its operations.
"""

from collections import deque
from collections.abc import Mapping
from random import Random
from typing import Any, Final

from conformance.oracle_client import Answer
from conformance.subject import answer

FUEL: Final = 30_000
MEMORY: Final = 50_000_000


class Reference:
    """Answers as the reference evaluator does."""

    def __init__(self) -> None:
        self._answers: deque[Answer] = deque()

    def send(self, request: Mapping[str, object]) -> None:
        """Answer `request`; `receive` gives the answer."""
        self._answers.append(self.ask(request))

    def receive(self) -> Answer:
        """The answer to the oldest request that has none yet."""
        return self._answers.popleft()

    def ask(self, request: Mapping[str, object]) -> Answer:
        """The answer to one request."""
        return metered({**request, "tier": "reference"})

    def __enter__(self) -> "Reference":
        return self

    def __exit__(self, *_error: object) -> None:
        self._answers.clear()


def metered(request: Mapping[str, Any]) -> Answer:
    """The answer to a request, of which `fuel` is no part of the protocol."""
    if "fuel" not in request:
        return answer(request)
    asked = dict(request)
    return answer(asked, asked.pop("fuel"), MEMORY)


def tightened(request: Mapping[str, Any], index: int) -> Mapping[str, Any]:
    """The request under fuel, or with an operation too few somewhere, or as it is. Who shows variables does not share.

    Each fourth is run with the functions and limits of hooks, which compiled code takes other ways for.
    """
    random, limits = Random(index), dict(request.get("limits", {}))
    if random.random() < 0.25:
        request = {"profile": "hook", **request}
    shown = {**request, "vars": True} if random.random() < 0.5 else request
    if index % 3 == 1:
        return {**shown, "fuel": random.randrange(10, FUEL)}
    used = answer({**request, "tier": "reference"}).get("ops") if index % 3 == 2 else None
    if not isinstance(used, int) or used < 2:
        return request
    return {**shown, "limits": {**limits, "max_operations": random.randrange(1, used)}}
