"""A model on a server: says a request in the server's wire format, and turns whatever comes back into a reply or one error."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from stagehooks.errors import ModelError, TransientError
from stagehooks.models.http import Address, Answer, HttpError, post
from stagehooks.models.keys import Key
from stagehooks.models.protocol import Reply, Request, ToolCall
from stagehooks.models.retry import asked_to_wait
from stagehooks.models.wire import CutOff, Malformed, NoReply, Wire
from stagehooks.scripts.json_text import dump, parse, show
from stagehooks.scripts.outcome import Json

SHOWN: Final = 300
CHOICE_TOKENS: Final = 4096
"""For the choice of the next stage, where the model thinks before it answers."""
CROWDED: Final = (429, 503, 529)
TRANSIENT: Final = (408, *CROWDED)
OUT_OF_CREDIT: Final = ("insufficient_quota", "billing_error", "billing_hard_limit_reached")


class _Refused(ModelError):
    """The server does not take the request as it is."""


class _CutOff(ModelError):
    """The model said nothing within its tokens."""


@dataclass(frozen=True, slots=True)
class Server:
    """Where a model is and how it is spoken to; `seconds` is the time for one whole request."""

    address: Address
    wire: Wire
    key: Key | None
    seconds: float


class RemoteModel:
    """The model `model` on `server`. `name` is what messages call it."""

    def __init__(self, name: str, model: str, server: Server) -> None:
        self._name = name
        self._model = model
        self._server = server
        self._takes_temperature = True
        self._thinks_first = False

    def __repr__(self) -> str:
        return f"RemoteModel({self._name})"

    async def complete(self, request: Request) -> Reply:
        """The model's reply; TransientError where asking again may help, and ModelError where not."""
        if request.purpose != "reply":
            reply = await self._choose(request)
        else:
            reply = await self._ask(request)
        return replace(reply, tool_calls=tuple(self._own(call, request, n) for n, call in enumerate(reply.tool_calls, 1)))

    def _own(self, call: ToolCall, request: Request, number: int) -> ToolCall:
        """`call` with an id that no other call of the run has, whatever the server called it."""
        return ToolCall(f"{request.stage}-{request.turn}-{number}", call.name, self._without_key(call.arguments))

    async def _choose(self, request: Request) -> Reply:
        """The answer to the runtime's own question. Its temperature and its few tokens are nothing the agent asked for.

        So where a model cannot take them it is asked without, from then on.
        """
        while True:
            fitting = self._fitting(request)
            try:
                return await self._ask(fitting)
            except (_Refused, _CutOff) as error:
                if not self._learn(error, fitting):
                    raise

    def _fitting(self, request: Request) -> Request:
        if not self._takes_temperature:
            request = replace(request, temperature=None)
        if self._thinks_first:
            request = replace(request, max_output_tokens=CHOICE_TOKENS)
        return request

    def _learn(self, error: ModelError, asked: Request) -> bool:
        """Take note of what the model cannot do; False where `error` is about something else."""
        if isinstance(error, _CutOff) and asked.max_output_tokens != CHOICE_TOKENS:
            self._thinks_first = True
            return True
        if isinstance(error, _Refused) and asked.temperature is not None and "temperature" in error.message:
            self._takes_temperature = False
            return True
        return False

    async def _ask(self, request: Request) -> Reply:
        server = self._server
        headers = server.wire.headers(server.key.reveal() if server.key else None)
        body = json.dumps(server.wire.body(self._model, request)).encode("ascii")
        try:
            answer = await post(server.address, server.wire.path, headers, body, server.seconds)
        except HttpError as error:
            kind = TransientError if error.transient else ModelError
            raise kind(f"{self._name}: {error}") from None
        text = answer.body.decode("utf-8", "replace")
        return self._read(answer, server.key.hide_in(text) if server.key else text)

    def _read(self, answer: Answer, text: str) -> Reply:
        """`text` is the body of `answer`, without the key."""
        if not 200 <= answer.status < 300:
            raise self._failure(answer.status, answer.headers, text)
        try:
            data = self._without_key(parse(text))
        except (ValueError, RecursionError) as error:
            raise ModelError(f"{self._name}: the answer is not JSON: {error}: {_short(text)}") from None
        if isinstance(data, dict) and data.get("error"):  # some servers send errors with the status 200
            raise self._failure(_code(data), answer.headers, text)
        try:
            if not isinstance(data, dict):
                raise Malformed(f"the answer is no object: {show(data)}")
            return self._server.wire.reply(data)
        except Malformed as error:
            raise ModelError(f"{self._name}: the answer cannot be read: {error}") from None
        except CutOff as error:
            raise _CutOff(f"{self._name}: {error}") from None
        except NoReply as error:
            raise ModelError(f"{self._name}: {error}") from None

    def _without_key(self, data: Json) -> Json:
        return self._server.key.hide_within(data) if self._server.key else data

    def _failure(self, status: int, headers: Mapping[str, str], text: str) -> ModelError:
        said, kinds = self._said(text)
        message = f"{self._name}: HTTP {status}: {said}" if status else f"{self._name}: {said}"
        if 300 <= status < 400:
            return ModelError(f"{self._name}: HTTP {status}: the server redirects, which is not followed: correct the base URL")
        if status in (401, 403):
            return ModelError(f"{message} ({self._about_the_key()})")
        if status in (400, 422):
            return _Refused(message)
        if any(kind in OUT_OF_CREDIT for kind in kinds) or headers.get("x-should-retry") == "false":
            return ModelError(message)
        if status in TRANSIENT or status >= 500:
            return TransientError(message, crowded=status in CROWDED, after=asked_to_wait(headers))
        return ModelError(message)

    def _said(self, text: str) -> tuple[str, tuple[str, ...]]:
        """What the server says of its error, in short, and the names it gives to it."""
        try:
            data = self._without_key(parse(text))
        except (ValueError, RecursionError):
            return _short(text), ()
        error = data.get("error") if isinstance(data, dict) else None
        table = error if isinstance(error, dict) else data if isinstance(data, dict) else {}
        found = [table.get(key) for key in ("message", "error", "detail")]
        said = next((value for value in found if isinstance(value, str) and value.strip()), dump(data))
        return _short(said), tuple(value for key in ("type", "code") if isinstance(value := table.get(key), str))

    def _about_the_key(self) -> str:
        return f"the key is the one in {self._server.key.variable}" if self._server.key else "no key was sent"


def _code(data: dict[str, Json]) -> int:
    """The status that an error in a good answer names, 0 where it names none."""
    error = data.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    return code if type(code) is int and 400 <= code < 600 else 0


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line[:SHOWN] if line else "(no text)"
