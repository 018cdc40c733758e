"""A server on this machine that answers as it is told, and keeps what it was asked."""

import json
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-test-4711-do-not-show-me-anywhere"


@dataclass
class Answers:
    """One answer of the server. `raw` is sent as it is; `reset` breaks the connection; `hangs` says nothing until the end."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    reset: bool = False
    hangs: bool = False

    def data(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


@dataclass
class Asked:
    """One request that came in."""

    path: str
    headers: dict[str, str]
    body: Any


class ModelServer:
    """Gives `answers` in order, the last one again and again."""

    def __init__(self, *answers: Answers) -> None:
        self.answers = list(answers)
        self.asked: list[Asked] = []
        self.gone = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                server.asked.append(Asked(self.path, headers, json.loads(body)))
                answer = server.answers.pop(0) if len(server.answers) > 1 else server.answers[0]
                self.close_connection = True
                server.send(self, answer)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._http.handle_error = lambda request, client_address: None  # clients hang up, and that is what is tested
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    def send(self, handler: BaseHTTPRequestHandler, answer: Answers) -> None:
        if answer.hangs:
            handler.connection.settimeout(10)
            if handler.connection.recv(1) == b"":  # the client has closed
                self.gone.set()
        elif answer.reset:
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            handler.connection.close()
        elif answer.raw is not None:
            handler.wfile.write(answer.raw)
        else:
            data = answer.data()
            handler.send_response(answer.status)
            for name, value in {"Content-Length": str(len(data)), **answer.headers}.items():
                handler.send_header(name, value)
            handler.end_headers()
            handler.wfile.write(data)

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


@contextmanager
def serving(*answers: Answers) -> Iterator[ModelServer]:
    server = ModelServer(*answers)
    try:
        yield server
    finally:
        server.close()


def chat(text: str | None = "hello", *calls: tuple[str, object], finish: str = "stop", **more: object) -> Answers:
    """An answer in the chat completions format; the arguments of `calls` are JSON text, or what is given."""
    message: dict[str, object] = {"role": "assistant", "content": text, **more}
    if calls:
        message["tool_calls"] = [
            {"id": "same", "type": "function", "function": {"name": name, "arguments": arguments}} for name, arguments in calls
        ]
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return Answers({"id": "x", "choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": usage})


def message(*blocks: object, stop: str = "end_turn") -> Answers:
    """An answer in the messages format."""
    usage = {"input_tokens": 10, "cache_read_input_tokens": 100, "cache_creation_input_tokens": None, "output_tokens": 5}
    return Answers({"type": "message", "role": "assistant", "content": list(blocks), "stop_reason": stop, "usage": usage})


def text(said: str) -> dict[str, object]:
    return {"type": "text", "text": said}


def use(name: str, arguments: object) -> dict[str, object]:
    return {"type": "tool_use", "id": "toolu_1", "name": name, "input": arguments}


def failure(status: int, said: str = "no", kind: str = "some_error", **headers: str) -> Answers:
    """An error in the form that both formats share."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answers({"type": "error", "error": {"type": kind, "message": said}}, status, named)
