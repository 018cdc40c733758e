"""Models on servers: what goes wrong on the way, asking again, other models in their place, and keys."""

import asyncio
import contextlib
import pickle
import re
import subprocess
import sys
import traceback
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from stagehooks.agent.spawn import Agent, load
from stagehooks.check import check
from stagehooks.errors import BlueprintError, ModelError, SpawnError, TransientError
from stagehooks.models import http, retry
from stagehooks.models.choice import models_of, passed_over
from stagehooks.models.http import read_address
from stagehooks.models.keys import Key, key_variable
from stagehooks.models.protocol import Model, Reply, Request, UserMessage
from stagehooks.models.retry import Retrying, asked_to_wait
from stagehooks.run.events import Event
from stagehooks.run.lifecycle import run_agent_sync
from tests.stagehooks.driving import stage, write_agent
from tests.stagehooks.model_server import KEY, Answers, ModelServer, chat, failure, serving

REQUEST = Request("main", 1, "reply", "", ("Be brief.",), (UserMessage("Hello."),))
OPENAI = 'provider = "openai"\nmodel = "gpt-x"\n'
TWO = 'models = [{ provider = "openai", model = "gpt-x" }, { provider = "anthropic", model = "claude-x" }]\n'


class Naps:
    """A sleep that takes no time and remembers how long it was."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def agent_with(directory: Path, table: str) -> Agent:
    return write_agent(directory, "", stage() + f"[stages.main.model]\n{table}")


def environment(server: ModelServer, **more: str) -> dict[str, str]:
    urls = {"OPENAI_BASE_URL": f"{server.url}/v1", "ANTHROPIC_BASE_URL": f"{server.url}/anthropic"}
    return {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY, **urls, **more}


def model_on(directory: Path, server: ModelServer, table: str = OPENAI, naps: Naps | None = None, **more: str) -> Model:
    return models_of(agent_with(directory, table), None, environment(server, **more), naps or Naps())["main"]


def ask(model: Model, request: Request = REQUEST) -> Reply:
    return asyncio.run(model.complete(request))


def fails(model: Model, request: Request = REQUEST) -> str:
    with pytest.raises(ModelError) as error:
        ask(model, request)
    return error.value.message


# --- one request -------------------------------------------------------------------------------------------------------------


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


# --- errors of the server, and asking again ----------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [400, 404, 405, 413, 422])
def test_an_error_that_stays_is_not_asked_for_again(tmp_path: Path, status: int) -> None:
    with serving(failure(status, "the model does not exist")) as server:
        assert fails(model_on(tmp_path, server)) == f"openai/gpt-x: HTTP {status}: the model does not exist"
        assert len(server.asked) == 1


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_refused_is_named_by_its_variable(tmp_path: Path, status: int) -> None:
    with serving(failure(status, f"Incorrect API key provided: {KEY}")) as server:
        wanted = "Incorrect API key provided: [OPENAI_API_KEY] (the key is the one in OPENAI_API_KEY)"
        assert fails(model_on(tmp_path, server)) == f"openai/gpt-x: HTTP {status}: {wanted}"


@pytest.mark.parametrize(
    ("status", "naps"),
    [(408, [1, 2]), (500, [1, 2]), (502, [1, 2]), (504, [1, 2]), (429, [15, 30]), (503, [15, 30]), (529, [15, 30])],
)
def test_an_error_that_passes_is_waited_out(tmp_path: Path, status: int, naps: list[float]) -> None:
    with serving(failure(status), failure(status), chat("fine")) as server:
        slept = Naps()
        assert ask(model_on(tmp_path, server, naps=slept)).text == "fine"
        assert slept.seconds == naps


@pytest.mark.parametrize(("status", "naps"), [(500, [1, 2, 4]), (529, [15, 30, 60])])
def test_after_four_attempts_the_error_is_the_answer(tmp_path: Path, status: int, naps: list[float]) -> None:
    with serving(failure(status, "Overloaded")) as server:
        slept = Naps()
        assert fails(model_on(tmp_path, server, naps=slept)) == f"openai/gpt-x: HTTP {status}: Overloaded (asked 4 times)"
        assert slept.seconds == naps
        assert len(server.asked) == 4


@pytest.mark.parametrize(
    ("headers", "nap"),
    [
        ({"Retry_After": "7"}, 7),
        ({"Retry_After": "0"}, 1),
        ({"Retry_After": "2.5"}, 2.5),
        ({"Retry_After": "nonsense"}, 15),
        ({"Retry_After": "-5"}, 15),
        ({"Retry_After": "inf"}, 15),
        ({"Retry_After": "20", "retry_after_ms": "3000"}, 3),
        ({"Retry_After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 1),
    ],
)
def test_what_the_server_asks_for_is_honoured(tmp_path: Path, headers: dict[str, str], nap: float) -> None:
    with serving(failure(429, **headers), chat()) as server:
        slept = Naps()
        ask(model_on(tmp_path, server, naps=slept))
        assert slept.seconds == [nap]


def test_a_date_to_come_is_waited_for() -> None:
    assert asked_to_wait({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, lambda: 1445412470.0) == 10
    assert asked_to_wait({"retry-after": "Wed, 99 Oct 2015 07:28:00 GMT"}) is None


def test_a_server_that_asks_for_too_long_a_wait_is_not_asked_again(tmp_path: Path) -> None:
    with serving(failure(429, "slow down", Retry_After="3600")) as server:
        slept = Naps()
        wanted = "openai/gpt-x: HTTP 429: slow down (asks to wait 3600 seconds, which is too long)"
        assert fails(model_on(tmp_path, server, naps=slept)) == wanted
        assert slept.seconds == []


def test_all_waits_together_have_a_bound(tmp_path: Path) -> None:
    with serving(failure(429, Retry_After="140")) as server:
        slept = Naps()
        assert "asks to wait 140 seconds" in fails(model_on(tmp_path, server, naps=slept))
        assert slept.seconds == [140, 140]


@pytest.mark.parametrize(
    "answer", [failure(429, "no credit", "insufficient_quota"), failure(500, "broken", x_should_retry="false")]
)
def test_what_will_not_pass_is_not_waited_for(tmp_path: Path, answer: Answers) -> None:
    with serving(answer) as server:
        fails(model_on(tmp_path, server))
        assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": {"message": "told"}}, "told"),
        ({"error": "told"}, "told"),
        ({"message": "told"}, "told"),
        ({"detail": "told"}, "told"),
        (b"<html>\n  told\n</html>", "<html> told </html>"),
        (b"", "(no text)"),
        (["told"], '["told"]'),
        ({"error": {"message": "x" * 1000}}, "x" * 300),
        (b"[" * 100_000, "[" * 300),
    ],
)
def test_what_the_server_says_is_told_in_short_whatever_its_form(tmp_path: Path, body: object, said: str) -> None:
    with serving(Answers(body, 404)) as server:
        assert fails(model_on(tmp_path, server)) == f"openai/gpt-x: HTTP 404: {said}"


def test_an_own_model_may_be_asked_again_too() -> None:
    class Moody:
        asked = 0

        async def complete(self, request: Request) -> Reply:
            self.asked += 1
            if self.asked < 3:
                raise TransientError("in a moment", after=5)
            return Reply("now")

    naps = Naps()
    assert ask(Retrying(Moody(), naps)).text == "now"
    assert naps.seconds == [5, 5]


# --- fallbacks ---------------------------------------------------------------------------------------------------------------


def test_the_second_model_answers_where_the_first_fails(tmp_path: Path) -> None:
    answer = Answers({"content": [{"type": "text", "text": "from the second"}], "stop_reason": "end_turn"})
    with serving(failure(404), answer) as server:
        model = model_on(tmp_path, server, TWO)
        assert ask(model).text == "from the second"
        assert ask(model).text == "from the second"
        assert [asked.path for asked in server.asked] == [
            "/v1/chat/completions", "/anthropic/v1/messages", "/anthropic/v1/messages",
        ]  # fmt: skip
        assert [asked.body["model"] for asked in server.asked] == ["gpt-x", "claude-x", "claude-x"]


def test_a_run_comes_back_to_the_first_where_the_second_fails(tmp_path: Path) -> None:
    answer = Answers({"content": [{"type": "text", "text": "two"}], "stop_reason": "end_turn"})
    with serving(failure(404), answer, failure(404), chat("one")) as server:
        model = model_on(tmp_path, server, TWO)
        assert [ask(model).text, ask(model).text] == ["two", "one"]


def test_where_all_fail_all_say_why(tmp_path: Path) -> None:
    with serving(failure(404, "unknown"), failure(500, "broken")) as server:
        text = fails(model_on(tmp_path, server, TWO))
        assert text == "openai/gpt-x: HTTP 404: unknown; anthropic/claude-x: HTTP 500: broken (asked 4 times)"


def test_replies_from_a_file_may_stand_behind_a_server(tmp_path: Path) -> None:
    with serving(failure(404)) as server:
        agent = agent_with(tmp_path, OPENAI + 'fallbacks = [{ provider = "scripted" }]\n')
        (tmp_path / "replies.toml").write_text('[[main]]\ntext = "offline"\n')
        assert ask(models_of(agent, None, environment(server), Naps())["main"]).text == "offline"


def test_a_model_whose_key_is_not_set_is_passed_over_and_validate_says_so(tmp_path: Path) -> None:
    agent = agent_with(tmp_path, TWO)
    given = {"ANTHROPIC_API_KEY": KEY}
    assert repr(models_of(agent, None, given)["main"]) == "Retrying(RemoteModel(anthropic/claude-x))"
    wanted = "stage 'main' does without openai/gpt-x: set OPENAI_API_KEY to the key for api.openai.com"
    assert [text for _, text in passed_over(agent, given)] == [wanted]


# --- keys --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("provider", "variable"),
    [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY")],
)
def test_a_missing_key_is_named_before_anything_runs(tmp_path: Path, provider: str, variable: str) -> None:
    agent = agent_with(tmp_path, f'provider = "{provider}"\nmodel = "m"\n')
    for given in ({}, {variable: "  \n"}):
        with pytest.raises(SpawnError) as error:
            models_of(agent, None, given)
        wanted = rf"stage 'main' has no usable provider \(tried: {provider}/m\). {provider}/m: set {variable} to the key for"
        assert re.match(wanted, error.value.message)


def test_validate_warns_of_a_missing_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    agent_with(tmp_path, OPENAI)
    (finding,) = [finding for finding in check(tmp_path).findings if finding.code == "model"]
    assert finding.severity == "warning"
    assert "set OPENAI_API_KEY" in finding.text


@pytest.mark.parametrize("key", ["sk-1\nX-Evil: 1", "sk-ä", "sk 1"])
def test_a_key_that_could_not_be_sent_is_refused_without_being_shown(tmp_path: Path, key: str) -> None:
    with pytest.raises(SpawnError) as error:
        models_of(agent_with(tmp_path, OPENAI), None, {"OPENAI_API_KEY": key})
    assert error.value.message == "OPENAI_API_KEY holds a space or a character that no key has"


def test_the_key_is_sent_in_its_header_and_shows_nowhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    echo = chat(f"your key is {KEY}", ("read_file", f'{{"path": "{KEY}"}}'))
    with serving(failure(500, KEY), echo, failure(400, f"bad {KEY}")) as server:
        for name, value in environment(server).items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(retry, "WAITS", (0.0, 0.0, 0.0))
        agent = agent_with(tmp_path, OPENAI)
        events: list[Event] = []
        result = run_agent_sync(agent, observe=events.append)
        assert [asked.headers["authorization"] for asked in server.asked] == [f"Bearer {KEY}"] * 3
        assert all(KEY not in str(asked.body) for asked in server.asked)
    assert result.status == "error"
    assert result.error == "openai/gpt-x: HTTP 400: bad [OPENAI_API_KEY]"
    assert KEY not in repr(events) + repr([asdict(event) for event in events]) + repr(result) + repr(agent)


def test_neither_a_repr_nor_a_traceback_shows_the_key(tmp_path: Path) -> None:
    with serving(failure(401, KEY)) as server:
        model = model_on(tmp_path, server)
        try:
            ask(model)
        except ModelError as error:
            told = "".join(traceback.format_exception(error)) + repr(error) + repr(error.__context__) + repr(error.__cause__)
    inner = vars(model)["_model"]
    assert KEY not in told + repr(model) + repr(inner) + repr(vars(inner)) + repr(Key("X", KEY)) + str(Key("X", KEY))


def test_a_key_cannot_be_pickled() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(Key("X", KEY))


# --- servers of one's own ----------------------------------------------------------------------------------------------------


def compatible(url: str = "", more: str = "") -> str:
    base_url = f'base_url = "{url}"\n' if url else ""
    return f'provider = "openai-compatible"\nmodel = "llama"\n{base_url}{more}'


def test_a_server_on_this_machine_needs_no_key(tmp_path: Path) -> None:
    with serving(chat("local")) as server:
        agent = agent_with(tmp_path, compatible(f"{server.url}/v1"))
        assert ask(models_of(agent, None, {"OPENAI_API_KEY": KEY})["main"]).text == "local"
        assert "authorization" not in server.asked[0].headers
        assert server.asked[0].path == "/v1/chat/completions"


def test_its_address_may_come_from_the_environment(tmp_path: Path) -> None:
    with serving(chat("local")) as server:
        given = {"OPENAI_COMPATIBLE_BASE_URL": server.url, "STAGEHOOKS_KEY_127_0_0_1": "local-key"}
        assert ask(models_of(agent_with(tmp_path, compatible()), None, given)["main"]).text == "local"
        assert server.asked[0].headers["authorization"] == "Bearer local-key"


def test_without_an_address_it_says_what_to_write(tmp_path: Path) -> None:
    with pytest.raises(SpawnError, match="openai-compatible/llama: write base_url beside it, or set OPENAI_COMPATIBLE_BASE_URL"):
        models_of(agent_with(tmp_path, compatible()), None, {})


def test_an_agent_file_can_name_a_server_but_not_make_a_key_go_there(tmp_path: Path) -> None:
    keys = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY, "STAGEHOOKS_KEY_API_GROQ_COM": KEY}
    agent = agent_with(tmp_path, compatible("https://api-groq.com/v1"))
    with pytest.raises(SpawnError, match=r"set STAGEHOOKS_KEY_API__GROQ_COM to the key for api-groq\.com"):
        models_of(agent, None, keys)
    agent = agent_with(tmp_path, compatible("https://api.groq.com/openai/v1"))
    assert repr(models_of(agent, None, keys)["main"]) == "Retrying(RemoteModel(openai-compatible/llama))"


@pytest.mark.parametrize("provider", ["openai", "anthropic", "scripted", "acme"])
def test_only_that_provider_takes_an_address_from_the_agent_file(tmp_path: Path, provider: str) -> None:
    table = f'models = [{{ provider = "{provider}", model = "m", base_url = "https://evil.example" }}]\n'
    with pytest.raises(BlueprintError, match=r"'base_url' is for the provider \"openai-compatible\" only"):
        agent_with(tmp_path, table)


@pytest.mark.parametrize(
    ("host", "variable"),
    [
        ("api.groq.com", "STAGEHOOKS_KEY_API_GROQ_COM"),
        ("my-server.example", "STAGEHOOKS_KEY_MY__SERVER_EXAMPLE"),
        ("a--b.c", "STAGEHOOKS_KEY_A____B_C"),
        ("10.0.0.5", "STAGEHOOKS_KEY_10_0_0_5"),
        ("a_b.c", None),
        ("a..b", None),
        ("a-.b", None),
        ("-a", None),
        ("a.", None),
        ("fe80::1", None),
    ],
)
def test_every_host_has_a_variable_of_its_own(host: str, variable: str | None) -> None:
    assert key_variable(host) == variable


def test_a_host_without_a_variable_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpawnError, match="no variable can hold a key for the host 'fe80::1'; use its name"):
        models_of(agent_with(tmp_path, compatible("https://[fe80::1]/v1")), None, {})


# --- the agent file ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("provider", "parameter", "hint"),
    [
        ("openai", "stream = true", "the runtime sets it"),
        ("openai", "messages = []", "the runtime sets it"),
        ("openai", "max_completion_tokens = 9", "write parameters.max_output_tokens"),
        ("anthropic", "max_tokens = 9", "write parameters.max_output_tokens"),
        ("anthropic", 'system = "x"', "the runtime sets it"),
    ],
)
def test_parameters_that_are_the_runtimes_are_refused(tmp_path: Path, provider: str, parameter: str, hint: str) -> None:
    agent = agent_with(tmp_path, f'provider = "{provider}"\nmodel = "m"\n[stages.main.model.parameters]\n{parameter}\n')
    with pytest.raises(SpawnError, match=hint):
        models_of(agent, None, {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY})


def test_a_provider_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpawnError, match="stage 'main': provider 'openai' needs a 'model'"):
        models_of(agent_with(tmp_path, 'provider = "openai"\n'), None, {"OPENAI_API_KEY": KEY})


def test_a_misspelt_provider_is_told_from_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(SpawnError, match=r"opnai/m: there is no such provider \(did you mean 'openai'\?\)"):
        models_of(agent_with(tmp_path, 'provider = "opnai"\nmodel = "m"\n'), None, {})


def test_a_given_model_has_the_time_that_the_stage_gives_it(tmp_path: Path) -> None:
    class Slow:
        async def complete(self, request: Request) -> Reply:
            await asyncio.sleep(60)
            return Reply("late")

    agent = agent_with(tmp_path, "request_timeout_secs = 0.05\n")
    assert run_agent_sync(agent, model=Slow()).error == "the model did not answer within 0.05 seconds"


def test_a_given_models_own_timeout_is_not_mistaken_for_the_stages(tmp_path: Path) -> None:
    class Raises:
        async def complete(self, request: Request) -> Reply:
            raise TimeoutError("mine")

    agent = agent_with(tmp_path, "request_timeout_secs = 60\n")
    assert run_agent_sync(agent, model=Raises()).error == "the model failed: TimeoutError: mine"


def test_no_model_on_a_server_is_imported_where_none_is_used() -> None:
    root = Path(__file__).parent.parent.parent
    lines = [
        "import sys, stagehooks",
        "stagehooks.run_agent_sync(stagehooks.load('examples/planner'))",
        "print([name for name in sys.modules if name.startswith('stagehooks.models.')])",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], cwd=root, capture_output=True, text=True, timeout=60)
    assert "scripted" in done.stdout
    assert not {"http", "remote", "providers", "wire"} & {name.rpartition(".")[2] for name in eval(done.stdout)}


def test_an_agent_runs_on_a_server_from_the_first_stage_to_the_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "note.txt").write_text("42")
    write_agent(tmp_path, "", stage("main", tools=["read_file", "submit_output"]) + f"[stages.main.model]\n{OPENAI}")
    answers = (
        chat(None, ("read_file", '{"path": "note.txt"}'), ("read_file", '{"path": '), finish="tool_calls"),
        chat(None, ("submit_output", '{"content": "It is 42."}')),
        chat("Done."),
    )
    with serving(*answers) as server:
        for name, value in environment(server).items():
            monkeypatch.setenv(name, value)
        result = run_agent_sync(load(tmp_path), task="What does the note say?")
        assert (result.status, result.output, result.totals.tokens) == ("complete", "It is 42.", 45)
        *_, said, read, refused = server.asked[1].body["messages"]
    assert [call["id"] for call in said["tool_calls"]] == ["call00001", "call00002"]
    assert read == {"role": "tool", "tool_call_id": "call00001", "content": "42"}
    assert refused["content"].startswith("[error] invalid arguments for 'read_file': at /: \"not valid JSON (")
