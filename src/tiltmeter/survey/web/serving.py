"""A server for a survey: in the foreground until it is stopped, or in a thread."""

import ipaddress
import socket
import threading
from asyncio import TimerHandle, Transport
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tiltmeter.core.errors import BadInput, reason_of

PROXIES = ("127.0.0.1", "::1")
"""Reverse proxies that are trusted: those on the same machine."""
KEPT_OPEN = 75
"""Seconds for which an idle connection stays open: longer than people think about a question."""
DEADLINE = 20
"""Seconds in which a server in a thread must start or stop."""
LARGEST_HEAD = 64 * 1024
"""Bytes before or behind a request's body, at most; data come in blocks, so a little more may get through."""
HEAD_SECONDS = 30.0
"""Time for the whole head of a request, from the connection on or from the head's first byte."""
BODY_SECONDS = 600.0
"""Time for all that follows the head: enough for the largest upload over 0.3 Mbit/s."""


def listening(host: str, port: int) -> socket.socket:
    """A socket at an address; port 0 for any that is free.

    Raises:
        BadInput: Another program has it, or there is no such address.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        reason = reason_of(error).partition(" (while ")[0]  # Python repeats the address there
        raise BadInput(f"{host}:{port} cannot be used: {reason}", "give another --port") from error


def proxies_given(given: Sequence[str]) -> Sequence[str]:
    """The proxies that a user names: addresses, networks, or "*" for all; by default `PROXIES`.

    Raises:
        BadInput: One is none of these, such as the name of a host.
    """
    for proxy in given:
        try:
            if proxy != "*":
                ipaddress.ip_network(proxy)
        except ValueError as error:
            way_out = "give an address such as 10.0.0.5, or a network such as 10.0.0.0/8"
            raise BadInput(f"--proxy {proxy!r} is no address ({error})", way_out) from None
    return given or PROXIES


def server_for(app: FastAPI, proxies: Sequence[str] = PROXIES) -> uvicorn.Server:
    """A server that writes no log of addresses: these may contain ids of people.

    `X-Forwarded-For` and `X-Forwarded-Proto` are believed of these proxies, addresses or networks.
    """
    config = uvicorn.Config(
        app, proxy_headers=True, forwarded_allow_ips=list(proxies), access_log=False,
        log_level="warning", server_header=False, lifespan="off", timeout_graceful_shutdown=5,
        ws="none", http=LimitedRequests, timeout_keep_alive=KEPT_OPEN,
    )  # fmt: skip
    return uvicorn.Server(config)


def address_of(at: socket.socket) -> str:
    """The address of a listening socket."""
    host, port = at.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@contextmanager
def served(
    app: FastAPI, host: str = "127.0.0.1", port: int = 0, *, proxies: Sequence[str] = PROXIES
) -> Iterator[str]:
    """Serve in a thread; gives the address."""
    with listening(host, port) as at:
        server = server_for(app, proxies)
        thread = threading.Thread(target=server.run, args=([at],), daemon=True)
        thread.start()
        try:
            yield address_of(at)
        finally:
            server.should_exit = True
            thread.join(DEADLINE)


class LimitedRequests(HttpToolsProtocol):
    """Closes the connection of a request with too large a head, or one that arrives too slowly.

    Uvicorn limits only the time between requests (https://github.com/Kludex/uvicorn/issues/157), so clients
    that send a byte now and then could hold any number of connections.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._length = 0
        """Of what has come since the request began or since a part of its body."""
        self._deadline: TimerHandle | None = None
        """Set while a request is arriving."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """Do what uvicorn does, and start waiting for the first head."""
        super().connection_made(transport)
        self._expect_within(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Do what uvicorn does, and stop waiting."""
        self._expect_nothing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Pass bytes on and count them; a head that is too large is refused."""
        if self._deadline is None:
            self._expect_within(HEAD_SECONDS)
        self._length += len(data)
        super().data_received(data)
        if self._length > LARGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("The request's headers are too large.")

    def on_message_begin(self) -> None:
        """A request begins: its length is counted from here."""
        self._length = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is complete: its body must come within its own time."""
        self._expect_within(BODY_SECONDS)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Count from here: bodies have a limit of their own."""
        self._length = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Wait for nothing: the request is here, and how long the next one may take is uvicorn's."""
        self._expect_nothing()
        super().on_message_complete()

    def _expect_within(self, seconds: float) -> None:
        self._expect_nothing()
        self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def _expect_nothing(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None
