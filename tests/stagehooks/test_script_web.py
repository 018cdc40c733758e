"""What a script tool may ask of other servers, and of which not."""

import asyncio
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from stagehooks.agent.spawn import load
from stagehooks.gate.approval import approve_all
from stagehooks.run.lifecycle import run_agent
from stagehooks.tools.host import LONGEST
from stagehooks.tools.web import is_public
from tests.stagehooks.driving import Recorder, calls
from tests.stagehooks.tool_agents import drive_tool, write_tool_agent


class Echo(BaseHTTPRequestHandler):
    over = threading.Event()
    seen: list[str] = []

    def do_GET(self) -> None:
        self.seen.append(f"{self.command} {self.path} {self.headers.get('X-Mine')}")
        if self.path.startswith("/to"):
            self.answer(302, "", self.path.partition("?")[2])
        elif self.path == "/slow":
            self.over.wait(30)
        elif self.path == "/big":
            self.answer(200, "x" * (LONGEST + 5))
        else:
            length = int(self.headers.get("Content-Length") or 0)
            self.answer(404 if self.path == "/missing" else 200, f"{self.seen[-1]} {self.rfile.read(length).decode()}")

    do_POST = do_GET

    def answer(self, status: int, text: str, location: str = "") -> None:
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    Echo.seen = []
    running = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{running.server_port}"
    running.shutdown()
    running.server_close()


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ('http_get("{}/a?b=c#d")', "GET /a?b=c None "),
        ('http_get("{}/a", #{ "X-Mine": 7 })', "GET /a 7 "),
        ('http_post("{}/a", "body")', "POST /a None body"),
        ('http_post("{}/a", to_json(#{ a: 1 }), #{ "X-Mine": "m" })', 'POST /a m {"a":1}'),
        ('http_post("{}/to?/b", "body")', "GET /b None "),
        ('http_get("{}/to?/b")', "GET /b None "),
        ('http_get("{}/big").len()', str(LONGEST)),
    ],
)
def test_a_script_asks_a_server(tmp_path: Path, server: str, body: str, result: str) -> None:
    assert drive_tool(tmp_path, body.replace("{}", server), allow_local_network=True).result == result


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ('http_get("{}/missing")', "http_get: 127.0.0.1:{port} answers 404: GET /missing"),
        ('http_get("{}/to?{}/to?{}/to?{}/to?{}/to?{}/to?x")', "http_get: more than 5 redirects"),
        ('http_get("{}/to?http://[")', "http_get: 127.0.0.1:{port} leads to an address that cannot be read: Invalid IPv6 URL"),
        ('http_get("{}/to?//x:99999/")', "http_get: the address cannot be read: Port out of range"),
        ('http_get("http://[::1")', "http_get: the address cannot be read: Invalid IPv6 URL"),
        ('http_get("{}/to?file:///etc/passwd")', "http_get: the address must begin with https:// or http:// and a host"),
        ('http_get("file:///etc/passwd")', "http_get: the address must begin with https:// or http:// and a host"),
        ('http_get("http://me:pass@host/")', "http_get: a user name or a password does not belong into an address"),
        ('http_get("{}/a b")', "http_get: the address holds a space"),
        ('http_get("{}/", #{ "Host": "x" })', "http_get: 'Host' is no header that can be set"),
        ('http_get("{}/", #{ "X": "a\\r\\nY: b" })', "http_get: the value of the header 'X' is not printable ASCII"),
        ('http_get("{}/", #{ "X: y\\r\\nZ": "a" })', "http_get: 'X: y"),
    ],
)
def test_a_request_that_cannot_be_made_or_is_answered_with_a_no_is_an_error(
    tmp_path: Path, server: str, body: str, text: str
) -> None:
    made = drive_tool(tmp_path, body.replace("{}", server), allow_local_network=True)
    assert made.result.startswith(f"[error] t: Runtime error: {text.replace('{port}', server.rpartition(':')[2])}")


def test_the_local_network_is_refused(tmp_path: Path, server: str) -> None:
    made = drive_tool(tmp_path / "a", f'http_get("{server}/")')
    assert "is in the local network, which script tools do not reach" in made.result
    by_name = drive_tool(tmp_path / "b", f'http_get("{server.replace("127.0.0.1", "localhost")}/")')
    assert "is in the local network" in by_name.result
    assert Echo.seen == []


@pytest.mark.parametrize(
    "machine",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::",
        "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe",
    ],
)  # fmt: skip
def test_addresses_that_are_not_of_the_internet(machine: str) -> None:
    assert not is_public(machine)


@pytest.mark.parametrize("machine", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "64:ff9b::101:101"])
def test_addresses_of_the_internet(machine: str) -> None:
    assert is_public(machine)


def test_a_run_that_is_cancelled_does_not_wait_for_its_script(tmp_path: Path, server: str) -> None:
    agent = load(write_tool_agent(tmp_path, f'// @tool t\nhttp_get("{server}/slow")'))

    async def cancelled() -> None:
        model = Recorder(calls(("t", {})), "done")
        task = asyncio.ensure_future(run_agent(agent, model=model, approve=approve_all, allow_local_network=True))
        while not Echo.seen:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 20)

    Echo.over.clear()
    asyncio.run(cancelled())  # the server has not answered by then
    Echo.over.set()


def test_where_taint_is_tracked_a_call_that_has_read_something_sends_nothing(tmp_path: Path, server: str) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "secret").write_text("hush")
    top = "[security]\ntaint_tracking = true\n"
    made = drive_tool(tmp_path, f'http_post("{server}/", read_file("secret"))', top=top, allow_local_network=True)
    assert made.result.startswith(
        "[error] t: Runtime error: [blocked] script host function 'http_post' would send what this call has read"
    )
    assert Echo.seen == []
