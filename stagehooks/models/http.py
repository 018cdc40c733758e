"""One HTTPS request to one server: an address, a body, an answer or a reason. Knows nothing of models, keys or retries.

HTTP/1.1 on asyncio's streams, one connection for each request. Certificates are always verified; plain http is for this machine
alone. Redirects are not followed, proxies of the environment are not used, nothing is compressed, and no answer is larger than
`MOST_BYTES`. Whoever cancels closes the connection.
"""

import asyncio
import re
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

CONNECT_SECONDS: Final = 10.0
MOST_BYTES: Final = 8 * 1024 * 1024
"""The longest reply of a model is well below one."""
MOST_LINE: Final = 16 * 1024
MOST_HEADERS: Final = 200
MOST_INTERIM: Final = 10
STATUS: Final = re.compile(r"HTTP/1\.[01] ([1-9][0-9]{2})(?: .*)?")
SIZE: Final = re.compile(r"[0-9a-fA-F]{1,8}")
LENGTH: Final = re.compile(r"[0-9]{1,12}")


class HttpError(Exception):
    """There is no answer; the text says why. `transient`: it may come when it is asked for again."""

    def __init__(self, what: str, *, transient: bool = False) -> None:
        super().__init__(what)
        self.transient = transient


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is. `path` is what all its paths begin with, without a slash at the end."""

    secure: bool
    host: str
    port: int
    path: str

    def __str__(self) -> str:
        return f"{'https' if self.secure else 'http'}://{self.authority}{self.path}"

    @property
    def authority(self) -> str:
        """The host, with the port where it is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.secure else 80) else f"{host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Is it this machine?"""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


def read_address(url: str) -> Address:
    """The address that `url` stands for; ValueError says what is wrong with it. Plain http is for loopback hosts only."""
    if not (url.isascii() and url.isprintable()) or " " in url:
        raise ValueError("it holds a space or a character that is not printable ASCII")
    parts = urlsplit(url)
    host, port = parts.hostname, parts.port
    if parts.scheme not in ("http", "https") or not host:
        raise ValueError("it must begin with https:// and a host")
    if "@" in parts.netloc:
        raise ValueError("a user name or a password does not belong into it")
    if parts.query or parts.fragment:
        raise ValueError("it ends with a path; '?' and '#' are not supported")
    secure = parts.scheme == "https"
    address = Address(secure, host, port or (443 if secure else 80), parts.path.rstrip("/"))
    if not secure and not address.is_loopback:
        raise ValueError("plain http is for this machine only (localhost, 127.0.0.1, [::1]); use https")
    return address


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server said. The names of `headers` are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


async def post(address: Address, path: str, headers: Mapping[str, str], body: bytes, seconds: float) -> Answer:
    """The answer to `body` at `path` below the address, within `seconds` for all of it; HttpError where there is none."""
    return await exchange(address, _head(address, path, headers, len(body)) + body, seconds)


async def exchange(address: Address, request: bytes, seconds: float, machine: str = "") -> Answer:
    """The answer to the whole `request`, as `post` gives it. `machine` is the IP address to connect to, where that is known."""
    try:
        async with asyncio.timeout(seconds):
            reader, writer = await _connect(address, machine or address.host)
            try:
                writer.write(request)
                await writer.drain()
                return await _read_answer(reader)
            finally:
                writer.transport.abort()
    except TimeoutError:
        raise HttpError(f"no whole answer within {seconds:g} seconds", transient=True) from None
    except (asyncio.IncompleteReadError, OSError):
        raise HttpError("the connection broke before the answer was complete", transient=True) from None


async def _connect(address: Address, machine: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    where = address.authority
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            context = ssl.create_default_context() if address.secure else None
            name = address.host if address.secure else None
            return await asyncio.open_connection(machine, address.port, ssl=context, server_hostname=name, limit=MOST_LINE)
    except TimeoutError:
        raise HttpError(f"no connection to {where} within {CONNECT_SECONDS:g} seconds", transient=True) from None
    except ssl.SSLCertVerificationError as error:
        raise HttpError(f"the certificate of {where} is not accepted: {error.verify_message}") from None
    except ConnectionRefusedError:
        raise HttpError(f"{where} refuses the connection: is the server running?") from None
    except socket.gaierror as error:
        raise HttpError(f"{where} is not found: {error.strerror}", transient=error.errno == socket.EAI_AGAIN) from None
    except ssl.SSLError as error:
        raise HttpError(f"no secure connection to {where}: {error.reason or 'TLS failed'}") from None
    except OSError as error:
        raise HttpError(f"no connection to {where}: {error.strerror or type(error).__name__}", transient=True) from None


def _head(address: Address, path: str, headers: Mapping[str, str], length: int) -> bytes:
    fixed = {
        "Host": address.authority,
        "Content-Type": "application/json",
        "Content-Length": str(length),
        "Accept": "application/json",
        "Accept-Encoding": "identity",
        "User-Agent": "stagehooks",
        "Connection": "close",
    }
    lines = [f"POST {address.path}{path} HTTP/1.1", *(f"{name}: {value}" for name, value in {**fixed, **headers}.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")


async def _read_answer(reader: asyncio.StreamReader) -> Answer:
    for _ in range(MOST_INTERIM):
        match = STATUS.fullmatch(await _line(reader))
        if match is None:
            raise HttpError("the server does not speak HTTP/1.1")
        status, headers = int(match[1]), await _headers(reader)
        if status >= 200:
            return Answer(status, headers, await _body(reader, status, headers))
    raise HttpError("the server sends one interim answer after the other")


async def _line(reader: asyncio.StreamReader) -> str:
    """The next line of the head, without its end. A connection that ends here broke."""
    try:
        line = await reader.readuntil(b"\n")
    except asyncio.LimitOverrunError:
        raise HttpError(f"the server sends a line of more than {MOST_LINE} bytes") from None
    return line.decode("latin-1").rstrip("\r\n")


async def _headers(reader: asyncio.StreamReader) -> dict[str, str]:
    headers: dict[str, str] = {}
    for _ in range(MOST_HEADERS):
        line = await _line(reader)
        if not line:
            return headers
        name, colon, value = line.partition(":")
        if not colon or name != name.strip() or not name:
            raise HttpError("the server sends a header that is none")
        headers[name.lower()] = value.strip()
    raise HttpError(f"the server sends more than {MOST_HEADERS} headers")


async def _body(reader: asyncio.StreamReader, status: int, headers: Mapping[str, str]) -> bytes:
    if headers.get("content-encoding", "identity").lower() != "identity":
        raise HttpError("the server compresses its answer though it was asked not to")
    if status in (204, 304):
        return b""
    if "transfer-encoding" in headers:
        if headers["transfer-encoding"].lower() != "chunked":
            raise HttpError("the server sends its answer in an unknown transfer encoding")
        return await _chunks(reader)
    if "content-length" not in headers:
        return await _rest(reader)
    if not LENGTH.fullmatch(headers["content-length"]):
        raise HttpError("the server sends a length that is no number")
    return await reader.readexactly(_bounded(int(headers["content-length"])))


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    body = bytearray()
    while True:
        size = (await _line(reader)).partition(";")[0].strip()
        if not SIZE.fullmatch(size):
            raise HttpError("the server sends a piece whose size is no number")
        if int(size, 16) == 0:
            await _headers(reader)
            return bytes(body)
        _bounded(len(body) + int(size, 16))
        body += await reader.readexactly(int(size, 16))
        if await _line(reader):
            raise HttpError("the server sends a piece that is longer than it says")


async def _rest(reader: asyncio.StreamReader) -> bytes:
    body = bytearray()
    while piece := await reader.read(MOST_LINE):
        body += piece
        _bounded(len(body))
    return bytes(body)


def _bounded(size: int) -> int:
    if size > MOST_BYTES:
        raise HttpError(f"the answer is larger than {MOST_BYTES} bytes")
    return size
