"""Who is judged: rhaipy in this process, or any other program that speaks the verdict protocol."""

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Protocol

from conformance.oracle_client import Answer, Peer
from conformance.subject import answer


class Judged(Protocol):
    """Somebody who answers requests."""

    def ask(self, request: Mapping[str, object]) -> Answer:
        """The answer to one request."""


class Rhaipy:
    """rhaipy, by the evaluator of `tier`."""

    def __init__(self, tier: str) -> None:
        self._tier = tier

    def ask(self, request: Mapping[str, object]) -> Answer:
        return answer({**request, "tier": self._tier})


class Program:
    """The program that `command` starts; a context manager that ends it. One that dies over a request is started anew."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._peer = Peer(command)

    def ask(self, request: Mapping[str, object]) -> Answer:
        try:
            return self._peer.ask(request)
        except EOFError as error:
            self._peer.close()
            self._peer = Peer(self._command)
            return {"ok": False, "stage": "panic", "kind": "Crash", "message": str(error)}

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._peer.close()
