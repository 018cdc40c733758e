"""The requests of script tools: any public server, none of the local network.

A name is looked up once, all its addresses are judged, and the connection goes to one of those: a name cannot be one machine for
the check and another one for the request. The same for each redirect.
"""

import asyncio
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import urljoin, urlsplit

from stagehooks.models.http import Address, Answer, HttpError, exchange
from stagehooks.tools.tool import ToolError

MOST_REDIRECTS: Final = 5
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
NAMED_64: Final = IPv6Network("64:ff9b::/96")
NOT_YOURS: Final = frozenset({
    "host", "content-length", "transfer-encoding", "connection", "te", "trailer", "upgrade", "expect", "accept-encoding",
})  # fmt: skip
"""Headers that say how the request is made; those a script does not set."""
TOKEN: Final = frozenset("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz")


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes: the server, and what is asked of it."""

    address: Address
    path: str


def read_target(url: str) -> Target:
    """The server and the path that `url` stands for; HttpError says what is wrong with it."""
    if not (url.isascii() and url.isprintable()) or " " in url or "\\" in url:
        raise HttpError("the address holds a space, a backslash or a character that is not printable ASCII; see encode_uri")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise HttpError(f"the address cannot be read: {error}") from None
    if parts.scheme not in ("http", "https") or not host:
        raise HttpError("the address must begin with https:// or http:// and a host")
    if "@" in parts.netloc:
        raise HttpError("a user name or a password does not belong into an address")
    secure = parts.scheme == "https"
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(Address(secure, host, port or (443 if secure else 80), ""), path)


async def fetch(method: str, url: str, headers: Mapping[str, str], body: str = "", *, local: bool, seconds: float) -> str:
    """What the server says to one request, within `seconds` with all redirects; ToolError where it says no, or nothing.

    `local` lets it reach this machine and its network.
    """
    try:
        async with asyncio.timeout(seconds):
            return await _follow(method, read_target(url), _checked(headers), body, local, seconds)
    except TimeoutError:
        raise ToolError(f"no whole answer within {seconds:g} seconds") from None
    except HttpError as error:
        raise ToolError(str(error)) from None


async def _follow(method: str, target: Target, own: dict[str, str], body: str, local: bool, seconds: float) -> str:
    for _ in range(MOST_REDIRECTS + 1):
        answer = await _ask(method, target, own, body, local, seconds)
        if answer.status not in REDIRECTS or "location" not in answer.headers:
            return _text(answer, target)
        before, target = target, _led_to(target, answer.headers["location"])
        if before.address != target.address:
            own = {}
        if before.address.secure and not target.address.secure:
            raise HttpError(f"{before.address.authority} leads from https to plain http")
        if method == "POST" and answer.status not in (307, 308):
            method, body = "GET", ""
    raise HttpError(f"more than {MOST_REDIRECTS} redirects")


def _led_to(target: Target, location: str) -> Target:
    try:
        url = urljoin(f"{target.address}{target.path}", location)
    except ValueError as error:
        raise HttpError(f"{target.address.authority} leads to an address that cannot be read: {error}") from None
    return read_target(url)


async def _ask(method: str, target: Target, headers: Mapping[str, str], body: str, local: bool, seconds: float) -> Answer:
    machine = await _machine(target.address, local)
    return await exchange(target.address, _request(method, target, headers, body), seconds, machine)


async def _machine(address: Address, local: bool) -> str:
    """The IP address of the server, all of whose addresses are fit to be asked."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise HttpError(f"{address.authority} is not found") from None
    machines = sorted([str(entry[4][0]).partition("%")[0] for entry in found], key=_is_of_version_6)
    if not local and not all(is_public(machine) for machine in machines):
        raise HttpError(f"{address.authority} is in the local network, which script tools do not reach")
    if not machines:
        raise HttpError(f"{address.authority} is not found")
    return machines[0]


def _is_of_version_6(machine: str) -> bool:
    # Behind the others: many machines have such addresses and no way to them.
    return ":" in machine


def is_public(machine: str) -> bool:
    """Is the IP address `machine` one of the whole Internet? One that stands for another address counts as that one."""
    address = ip_address(machine)
    if isinstance(address, IPv6Address):
        meant = _meant(address)
        return meant.is_global and not meant.is_multicast and not meant.is_reserved
    return address.is_global and not address.is_multicast


def _meant(address: IPv6Address) -> IPv4Address | IPv6Address:
    if address in NAMED_64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1] or address


def _checked(headers: Mapping[str, str]) -> dict[str, str]:
    for name, value in headers.items():
        if not name or not TOKEN.issuperset(name.lower()) or name.lower() in NOT_YOURS:
            raise HttpError(f"'{name}' is no header that can be set")
        if not (value.isascii() and value.isprintable()):
            raise HttpError(f"the value of the header '{name}' is not printable ASCII")
    return {**headers}


def _request(method: str, target: Target, headers: Mapping[str, str], body: str) -> bytes:
    data = body.encode("utf-8", "replace")
    fixed = {"Host": target.address.authority, "User-Agent": "stagehooks", "Accept": "*/*"}
    if method == "POST":
        fixed["Content-Type"] = "application/json"
    named = {name.lower() for name in headers}
    chosen = {name: value for name, value in fixed.items() if name.lower() not in named}
    last = {
        "Accept-Encoding": "identity",
        "Connection": "close",
        **({"Content-Length": str(len(data))} if method == "POST" else {}),
    }
    lines = [f"{method} {target.path} HTTP/1.1", *(f"{name}: {value}" for name, value in {**chosen, **headers, **last}.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii") + data


def _text(answer: Answer, target: Target) -> str:
    text = answer.body.decode("utf-8", "replace")
    if answer.status >= 400:
        said = " ".join(text[:200].split())
        raise HttpError(f"{target.address.authority} answers {answer.status}{f': {said}' if said else ''}")
    return text
