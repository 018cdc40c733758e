"""The servers that a candidate of the agent file may name: their wire format, their base URL, and the variables that matter.

Imported only where a stage names one of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from stagehooks.agent.blueprint import Candidate, Stage
from stagehooks.errors import SpawnError
from stagehooks.models.anthropic import Messages
from stagehooks.models.http import Address, read_address
from stagehooks.models.keys import Key, key_variable, read_key
from stagehooks.models.openai_compatible import ChatCompletions
from stagehooks.models.protocol import Model
from stagehooks.models.remote import RemoteModel, Server
from stagehooks.models.retry import Retrying, Sleep, Tell, untold
from stagehooks.models.wire import AROUND_THE_GATE, Wire

REQUEST_SECONDS: Final = 300.0


class Unusable(Exception):
    """The environment does not provide for a candidate; the text says what to set."""


@dataclass(frozen=True, slots=True)
class Provider:
    """A kind of server. `key` is the variable of its key, empty where that goes by the host; `url` the usual base URL."""

    wire: Wire
    key: str
    url_variable: str
    url: str


PROVIDERS: Final = {
    "openai": Provider(
        ChatCompletions("max_completion_tokens"), "OPENAI_API_KEY", "OPENAI_BASE_URL", "https://api.openai.com/v1"
    ),
    "anthropic": Provider(Messages(), "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
    "openai-compatible": Provider(ChatCompletions(), "", "OPENAI_COMPATIBLE_BASE_URL", ""),
}


def remote_model(candidate: Candidate, stage: Stage, environment: Mapping[str, str], sleep: Sleep, tell: Tell = untold) -> Model:
    """The model of `candidate` for `stage`, asked again where that may help.

    Unusable where something is not set in `environment`; SpawnError where something is set wrong.
    """
    provider = PROVIDERS[candidate.provider]
    name = f"{candidate.provider}/{candidate.model}"
    if not candidate.model:
        raise SpawnError(f"stage '{stage.name}': provider '{candidate.provider}' needs a 'model'")
    _check_parameters(stage, provider)
    address = _address(candidate, provider, stage, environment)
    key = _key(candidate, provider, address, environment)
    server = Server(address, provider.wire, key, stage.model.request_timeout_seconds or REQUEST_SECONDS)
    return Retrying(RemoteModel(name, candidate.model, server), sleep, tell)


def _check_parameters(stage: Stage, provider: Provider) -> None:
    for name, _ in stage.model.extra:
        if name in provider.wire.reserved:
            what = "write parameters.max_output_tokens" if name.startswith("max_") else "the runtime sets it"
            raise SpawnError(f"stage '{stage.name}': parameters.{name} cannot be given: {what}")
        if name in AROUND_THE_GATE:
            what = "tools that run on the server are judged by nobody"
            raise SpawnError(f"stage '{stage.name}': parameters.{name} cannot be given: {what}")


def _address(candidate: Candidate, provider: Provider, stage: Stage, environment: Mapping[str, str]) -> Address:
    given = environment.get(provider.url_variable, "").strip()
    where = f"stage '{stage.name}': base_url" if candidate.base_url else provider.url_variable
    url = candidate.base_url or given or provider.url
    if not url:
        raise Unusable(f"write base_url beside it, or set {provider.url_variable}")
    try:
        address = read_address(url)
    except ValueError as error:
        raise SpawnError(f"{where} is no base URL: {error}") from None
    if provider.wire.path.startswith("/v1/"):
        return Address(address.secure, address.host, address.port, address.path.removesuffix("/v1"))
    return address


def _key(candidate: Candidate, provider: Provider, address: Address, environment: Mapping[str, str]) -> Key | None:
    """The key for the server at `address`. One on this machine may do without."""
    variable = provider.key or key_variable(address.host)
    key = read_key(variable, environment) if variable else None
    if key is not None or address.is_loopback:
        return key
    if variable is None:
        raise Unusable(f"no variable can hold a key for the host '{address.host}'; use its name")
    raise Unusable(f"set {variable} to the key for {address.host}")
