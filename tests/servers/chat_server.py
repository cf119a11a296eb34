"""An OpenAI-compatible server on this machine, which answers at once and goes wrong on request.

It counts what it is asked and what it has answered. A reply is made of the whole request: requests that
differ in anything get different replies.
"""

import hashlib
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

MODEL = "tiny"
TOP = [("yes", -0.5), ("no", -1.5), (" Yes", -3.0), ("maybe", -4.0)]


@dataclass
class Trouble:
    """Something that goes wrong with the next requests, so many times."""

    times: int = 10**9
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    """Sent in place of the answer."""
    kind: str = "application/json"
    cut: int | None = None
    """The connection ends after so many bytes of the body."""
    reset: bool = False
    wait: float = 0.0
    drip: float = 0.0
    """Seconds between two bytes of the body."""
    change: object = None
    """What makes another answer of the right one."""


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    path: str
    body: Mapping[str, object]
    authorization: str


class ChatServer(ThreadingHTTPServer):
    """Knows one model; `troubles` are used up one after the other."""

    daemon_threads = True
    request_queue_size = 64  # one too many waits a second
    block_on_close = False

    def __init__(self, handler: "type[Handler] | None" = None) -> None:
        super().__init__(("127.0.0.1", 0), handler or Handler)
        self.models: list[Mapping[str, object]] = [
            {"id": MODEL, "object": "model", "created": 1, "owned_by": "tests"}
        ]
        self.list_trouble: Trouble | None = None
        self.troubles: list[Trouble] = []
        self.asked: list[Asked] = []
        self.answered = 0
        self.most_at_once = 0
        self.holds_from: int | None = None
        """From this request on, none is answered until `release` is set."""
        self.release = threading.Event()
        self.fingerprint: str | None = "fp-1"
        self.tops: object = TOP
        self.refuses: Callable[[Mapping[str, object]], tuple[int, str] | None] | None = None
        """Returns the status and the error for a body that the server does not accept."""
        self.replies: Callable[[Mapping[str, object]], Mapping[str, object]] | None = None
        """Returns the answer to a body, or the parts of it that differ from the usual one."""
        self._at_once = 0
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def reference(self) -> str:
        return f"chat:{self.url}#{MODEL}"

    def prompts(self) -> list[str]:
        """What it was asked to continue, in the order of the requests."""
        return [prompt_of(one.body) for one in self.asked]

    def begin(self, asked: Asked) -> tuple[Trouble, int]:
        """What goes wrong with this request, and its number."""
        with self._lock:
            self.asked.append(asked)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            for trouble in self.troubles:
                if trouble.times > 0:
                    trouble.times -= 1
                    return trouble, len(self.asked)
        return Trouble(), len(self.asked)

    def end(self, *, answered: bool) -> None:
        with self._lock:
            self._at_once -= 1
            self.answered += answered

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is no error here."""


@contextmanager
def serving(made: ChatServer | None = None) -> Iterator[ChatServer]:
    """A server that answers for as long as the block lasts."""
    pytest.importorskip("tiltmeter.models.chat", reason="models behind a server are left out")
    with made or ChatServer() as one:
        thread = threading.Thread(target=one.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield one
        finally:
            one.release.set()
            one.shutdown()
            thread.join()


def prompt_of(body: Mapping[str, object]) -> str:
    """The prompt as one text."""
    if "prompt" in body:
        return str(body["prompt"])
    return "\n".join(message["content"] for message in body["messages"])


def reply_to(body: Mapping[str, object]) -> str:
    """The text of the right answer."""
    digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
    return f" reply {digest[:16]}"


class Handler(BaseHTTPRequestHandler):
    server: ChatServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        """Keeps the tests' output clean."""

    def do_GET(self) -> None:
        if self.path != "/v1/models":
            self.send(b'{"error": {"message": "no such page"}}', Trouble(status=404))
            return
        body = json.dumps({"object": "list", "data": self.server.models}).encode()
        trouble = self.server.list_trouble or Trouble()
        self.send(body if trouble.body is None else trouble.body, trouble)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = Asked(self.path, body, self.headers.get("Authorization", ""))
        trouble, number = self.server.begin(asked)
        if self.server.refuses and (refusal := self.server.refuses(body)):
            trouble = Trouble(status=refusal[0], body=refusal[1].encode())
        answered = False
        try:
            time.sleep(trouble.wait)
            if self.server.holds_from is not None and number >= self.server.holds_from:
                self.server.release.wait()
            answer = self.answer(body)
            if self.server.replies is not None:
                answer = {**answer, **self.server.replies(body)}
            if trouble.change is not None:
                answer = trouble.change(answer)
            made = json.dumps(answer).encode()
            self.send(made if trouble.body is None else trouble.body, trouble)
            answered = trouble.status == 200 and trouble.body is None and trouble.cut is None
        finally:
            self.server.end(answered=answered)

    def answer(self, body: Mapping[str, object]) -> dict[str, object]:
        choice: dict[str, object] = {"index": 0, "finish_reason": "stop"}
        if self.path == "/v1/chat/completions":
            choice["message"] = {"role": "assistant", "content": reply_to(body)}
            if body.get("logprobs") and self.server.tops:
                tops = [{"token": t, "logprob": p, "bytes": None} for t, p in self.server.tops]
                choice["logprobs"] = {"content": [{"token": "yes", "top_logprobs": tops}]}
        else:
            choice["text"] = reply_to(body)
            if body.get("logprobs") and self.server.tops:
                choice["logprobs"] = {"tokens": ["yes"], "top_logprobs": [dict(self.server.tops)]}
        usage = {"prompt_tokens": len(prompt_of(body).split()), "completion_tokens": 2}
        return {
            "id": "x", "object": "chat.completion", "model": body["model"], "choices": [choice],
            "usage": usage, "system_fingerprint": self.server.fingerprint,
        }  # fmt: skip

    def send(self, body: bytes, trouble: Trouble) -> None:
        if trouble.reset:
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.connection.close()
            self.close_connection = True
            return
        self.send_response(trouble.status)
        self.send_header("Content-Type", trouble.kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in trouble.headers.items():
            self.send_header(name, value)
        self.end_headers()
        part = body if trouble.cut is None else body[: trouble.cut]
        if trouble.drip:
            for at in range(len(part)):
                self.wfile.write(part[at : at + 1])
                time.sleep(trouble.drip)
        self.wfile.write(part if not trouble.drip else b"")
        if trouble.cut is not None:
            self.close_connection = True
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)
