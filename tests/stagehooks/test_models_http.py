"""One request to a model's server: whatever comes back, it is an answer or one clear error."""

import asyncio
import contextlib
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from stagehooks.errors import SpawnError
from stagehooks.models import http
from stagehooks.models.choice import models_of
from stagehooks.models.http import read_address
from stagehooks.models.protocol import Model, UserMessage
from tests.stagehooks.asking import OPENAI, REQUEST, Naps, agent_with, ask, fails, model_on
from tests.stagehooks.model_server import KEY, Answers, ModelServer, chat, serving


@pytest.mark.parametrize(
    "raw",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc and more",
        b"HTTP/1.0 200 OK\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nab\r\n1\r\nc\r\n0\r\nTrailer: x\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200\r\ncontent-length: 3\r\n\r\nabc",
        b"HTTP/1.1 200 OK\nContent-Length: 3\n\nabc",
    ],
)
def test_a_body_is_read_as_its_head_says(raw: bytes) -> None:
    with serving(Answers(raw=raw)) as server:
        answer = asyncio.run(http.post(read_address(server.url), "/x", {}, b"{}", 5))
    assert (answer.status, answer.body) == (200, b"abc")


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"SSH-2.0-OpenSSH\r\n\r\n", "the server does not speak HTTP/1.1"),
        (b"\xff\x00garbage\n", "the server does not speak HTTP/1.1"),
        (b"HTTP/1.1 200 OK\r\nnonsense\r\n\r\n", "the server sends a header that is none"),
        (b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 300 + b"\r\n", "the server sends more than 200 headers"),
        (b"HTTP/1.1 200 OK\r\na: " + b"b" * 40_000 + b"\r\n\r\n", "the server sends a line of more than 16384 bytes"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nabc", "the server sends a length that is no number"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nabc", "the answer is larger than 8388608 bytes"),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nabc", "the server compresses its answer though it was asked not to"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "the server sends its answer in an unknown transfer encoding"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "the server sends a piece whose size is no number"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n", "the answer is larger than 8388608 bytes"),
        (b"HTTP/1.0 200\nTransfer-Encoding: chunked\n\n1\nab\n", "the server sends a piece that is longer than it says"),
        (b"HTTP/1.1 102 Wait\r\n\r\n" * 20, "the server sends one interim answer after the other"),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_one_clear_error_and_not_asked_for_again(tmp_path: Path, raw: bytes, text: str) -> None:
    with serving(Answers(raw=raw)) as server:
        assert fails(model_on(tmp_path, server)) == f"openai/gpt-x: {text}"
        assert len(server.asked) == 1


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
    ],
)
def test_a_connection_that_breaks_is_made_again(tmp_path: Path, raw: bytes) -> None:
    with serving(Answers(raw=raw), Answers(reset=True), chat("at last")) as server:
        naps = Naps()
        assert ask(model_on(tmp_path, server, naps=naps)).text == "at last"
        assert naps.seconds == [1, 2]


def test_an_endless_body_is_cut_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MOST_BYTES", 100_000)
    with serving(Answers(raw=b"HTTP/1.0 200 OK\r\n\r\n" + b"x" * 300_000)) as server:
        assert fails(model_on(tmp_path, server)) == "openai/gpt-x: the answer is larger than 100000 bytes"


def test_a_large_request_and_a_large_reply_go_through(tmp_path: Path) -> None:
    said = "äöü" * 200_000
    with serving(chat(said)) as server:
        request = replace(REQUEST, messages=(UserMessage(said),))
        assert ask(model_on(tmp_path, server), request).text == said
        assert server.asked[0].body["messages"][1]["content"] == said


def test_a_slow_server_is_left_alone_after_the_time_for_a_request(tmp_path: Path) -> None:
    with serving(Answers(hangs=True), chat("quick")) as server:
        naps = Naps()
        model = model_on(tmp_path, server, OPENAI + "request_timeout_secs = 0.1\n", naps)
        assert ask(model).text == "quick"
        assert naps.seconds == [1]
        assert server.gone.wait(5)


def test_the_time_is_for_each_request_and_its_end_says_so(tmp_path: Path) -> None:
    with serving(Answers(hangs=True)) as server:
        model = model_on(tmp_path, server, OPENAI + "request_timeout_secs = 0.05\n")
        assert fails(model) == "openai/gpt-x: no whole answer within 0.05 seconds (asked 4 times)"
        assert len(server.asked) == 4


def test_whoever_cancels_closes_the_connection(tmp_path: Path) -> None:
    async def cancelled(model: Model, server: ModelServer) -> None:
        asking = asyncio.ensure_future(model.complete(REQUEST))
        while not server.asked:
            await asyncio.sleep(0.01)
        asking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asking
        assert asking.cancelled()

    with serving(Answers(hangs=True)) as server:
        asyncio.run(cancelled(model_on(tmp_path, server), server))
        assert server.gone.wait(5)


def test_nobody_there_is_said_at_once(tmp_path: Path) -> None:
    with serving(chat()) as server:
        model = model_on(tmp_path, server)
    where = server.url.removeprefix("http://")
    assert fails(model) == f"openai/gpt-x: {where} refuses the connection: is the server running?"


def test_an_unknown_host_is_said(tmp_path: Path) -> None:
    agent = agent_with(tmp_path, OPENAI)
    given = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "https://no-such-host.invalid/v1"}
    assert "openai/gpt-x: no-such-host.invalid is not found" in fails(models_of(agent, None, given, Naps())["main"])


def test_a_redirect_is_not_followed(tmp_path: Path) -> None:
    with serving(Answers({}, 307, {"Location": "https://elsewhere.example/"})) as server:
        text = "HTTP 307: the server redirects, which is not followed: correct the base URL"
        assert fails(model_on(tmp_path, server)) == f"openai/gpt-x: {text}"
        assert len(server.asked) == 1


def test_proxies_of_the_environment_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with serving(chat("direct")) as server:
        assert ask(model_on(tmp_path, server)).text == "direct"


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with tls_server(tmp_path) as port:
        agent = agent_with(tmp_path / "agent", OPENAI)
        given = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"https://localhost:{port}/v1"}
        text = fails(models_of(agent, None, given, Naps())["main"])
        assert text.startswith(f"openai/gpt-x: the certificate of localhost:{port} is not accepted: self")
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        assert ask(models_of(agent, None, given, Naps())["main"]).text == "hello"
        other = {**given, "OPENAI_BASE_URL": f"https://127.0.0.1:{port}/v1"}
        text = fails(models_of(agent, None, other, Naps())["main"])
        assert text.startswith(f"openai/gpt-x: the certificate of 127.0.0.1:{port} is not accepted: IP address mismatch")


@contextlib.contextmanager
def tls_server(directory: Path):
    """A server with a certificate for `localhost` that it signed itself."""
    import ssl

    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(directory / "key.pem"), "-out", str(directory / "cert.pem")]
    try:
        subprocess.run([*made, *names, *files], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("openssl is not here")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(directory / "cert.pem", directory / "key.pem")
    with serving(chat()) as server:
        server._http.socket = context.wrap_socket(server._http.socket, server_side=True)
        yield server._http.server_address[1]


def test_plain_http_to_a_secure_port_and_the_other_way_round_end_clearly(tmp_path: Path) -> None:
    with serving(chat()) as server:
        agent = agent_with(tmp_path, OPENAI)
        given = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.url.replace("http://", "https://")}
        assert fails(models_of(agent, None, given, Naps())["main"]).startswith("openai/gpt-x: no secure connection to 127.0.0.1")


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("https://api.example.com/v1/", "https://api.example.com/v1"),
        ("https://API.example.com:443", "https://api.example.com"),
        ("https://api.example.com:8443/a/b", "https://api.example.com:8443/a/b"),
        ("http://localhost:11434/v1", "http://localhost:11434/v1"),
        ("http://127.0.0.7", "http://127.0.0.7"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_a_base_url_is_read(url: str, wanted: str) -> None:
    assert str(read_address(url)) == wanted


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("http://example.com/v1", "plain http is for this machine only"),
        ("http://127.0.0.1.example.com", "plain http is for this machine only"),
        ("http://localhost.example.com", "plain http is for this machine only"),
        ("http://10.0.0.1", "plain http is for this machine only"),
        ("ftp://example.com", "must begin with https://"),
        ("example.com/v1", "must begin with https://"),
        ("https://", "must begin with https://"),
        ("https://user:secret@example.com", "a user name or a password does not belong into it"),
        ("https://example.com/v1?x=1", "'?' and '#' are not supported"),
        ("https://example.com/v1#x", "'?' and '#' are not supported"),
        ("https://example.com/v1\r\nX: y", "not printable ASCII"),
        ("https://exämple.com", "not printable ASCII"),
        ("https://example.com/a b", "a space"),
        ("https://example.com:99999", "Port out of range"),
        ("https://[::1", "IPv6"),
    ],
)
def test_a_base_url_that_is_none_is_refused_before_anything_runs(tmp_path: Path, url: str, text: str) -> None:
    agent = agent_with(tmp_path, OPENAI)
    with pytest.raises(SpawnError, match="OPENAI_BASE_URL is no base URL: ") as error:
        models_of(agent, None, {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": url})
    assert text in error.value.message
