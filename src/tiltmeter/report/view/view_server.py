"""Serves the page about a folder on this computer's own address; data are made when a browser asks for them.

Any web page that the user visits can send requests to this address, also under a host name of its own. So
everything is served below a secret part of the address, data are never served as a script, and requests from
other sites or under other host names are refused.
"""

import secrets
import socket
from collections.abc import Mapping
from http import HTTPStatus as Status
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread, current_thread
from urllib.parse import unquote, urlsplit

from tiltmeter.report.html import TEMPLATES
from tiltmeter.report.view.view_files import DATA, HOME, SCRIPT, ViewFiles

OWN_SITE = frozenset({"same-origin", "none"})
"""The values of Sec-Fetch-Site for requests of the page itself and for addresses that the user typed."""
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
"""The headers of every response."""
SLOWEST = 30
"""How long a client may be silent within a request, in seconds."""
CLOSING = 5
"""How long the server waits on closing for a request that is being answered, in seconds."""


class ViewServer(ThreadingHTTPServer):
    """Serves the page on this computer to whoever knows its whole address."""

    daemon_threads = True
    request_queue_size = 64
    """Connections that may wait: browsers open six at once, and one too many waits a second."""

    def __init__(self, files: ViewFiles, port: int) -> None:
        self._files = files
        self._token = secrets.token_urlsafe(16)
        self._made: dict[str, bytes] = {}
        self._one_at_a_time = Lock()
        self._open: dict[socket.socket, Thread] = {}
        super().__init__(("127.0.0.1", port), _Handler)
        names = ("127.0.0.1", "localhost")
        self.hosts = frozenset(f"{name}:{self.server_port}" for name in names)
        """The host names that a request may have."""

    @property
    def address(self) -> str:
        """The address of the page, including its secret part."""
        return f"http://127.0.0.1:{self.server_port}/{self._token}/"

    def content(self, path: str) -> tuple[str, bytes] | None:
        """The media type and content at a path; None where there is nothing."""
        _, token, *rest = [*path.split("/", 2), "", ""][:3]
        if not secrets.compare_digest(token.encode(), self._token.encode()):
            return None
        name = rest[0]
        if name in {"", HOME}:
            return "text/html; charset=utf-8", self._files.page(served=True).encode()
        if name == SCRIPT:
            return "text/javascript; charset=utf-8", (TEMPLATES / SCRIPT).read_bytes()
        folder, _, name = name.partition("/")
        data = self._data(name.removesuffix(".json")) if folder == DATA else None
        return None if data is None else ("application/json", data)

    def _data(self, name: str) -> bytes | None:
        # A browser asks for several files at once, in a thread each: no file is made twice.
        with self._one_at_a_time:
            if name not in self._made and name in self._files.names:
                data = self._files.data(name)
                self._made |= {each: text.encode() for each, text in data.items()}
            return self._made.get(name)

    def process_request_thread(
        self, request: socket.socket | tuple[bytes, socket.socket], client_address: object
    ) -> None:
        """Answer a connection, and remember it meanwhile so that `server_close` can end it."""
        assert isinstance(request, socket.socket)  # noqa: S101  (the other kind is of datagrams)
        self._open[request] = current_thread()
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._open.pop(request, None)

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing about errors: clients go away at any time, and an error ends only its request."""

    def server_close(self) -> None:
        """Stop the server and end all connections.

        A thread that is still reading when Python exits would make it abort.
        """
        super().server_close()
        for connection, thread in [*self._open.items()]:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # the connection has already ended
            thread.join(CLOSING)


class _Handler(BaseHTTPRequestHandler):
    server: ViewServer
    timeout = SLOWEST
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = (
        True  # else content waits 40 ms until the client has confirmed the head
    )
    server_version, sys_version = "Tiltmeter", ""

    def do_GET(self) -> None:
        """Answer with the page, its script or its data."""
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        """Answer like `do_GET`, without the content."""
        self._answer(with_body=False)

    def _answer(self, *, with_body: bool) -> None:
        if not self._is_allowed():
            self._send(Status.FORBIDDEN, "text/plain", b"Not allowed.\n", with_body=with_body)
            return
        path = unquote(urlsplit(self.path).path, errors="replace")
        kind, content = self.server.content(path) or ("", b"")
        if kind:
            self._send(Status.OK, kind, content, with_body=with_body)
        else:
            missing = b"Not here. Use the whole address that tiltmeter view --serve printed.\n"
            self._send(Status.NOT_FOUND, "text/plain", missing, with_body=with_body)

    def _is_allowed(self) -> bool:
        """Whether the request's headers name one of our hosts and do not say that it is from another site."""
        hosts, host = self.server.hosts, self.headers.get("Host", "")
        origin = self.headers.get("Origin")
        site = self.headers.get("Sec-Fetch-Site", "none")
        # a link to the page may stand elsewhere, such as in a terminal that is a web page itself
        opens_page = self.headers.get("Sec-Fetch-Mode") == "navigate" and (
            self.headers.get("Sec-Fetch-Dest") == "document"
        )
        return (
            host in hosts
            and (origin is None or origin in {f"http://{name}" for name in hosts})
            and (site in OWN_SITE or opens_page)
        )

    def _send(self, status: Status, kind: str, content: bytes, *, with_body: bool) -> None:
        self.send_response(status)
        for name, value in {
            **HEADERS,
            "Content-Type": kind,
            "Content-Length": str(len(content)),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Do not print single requests."""
