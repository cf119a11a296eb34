"""Limits on requests while they arrive: bytes of a head, which the parser reads without any, and time."""

from asyncio import TimerHandle, Transport
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LARGEST_HEAD = 64 * 1024
"""Bytes before or behind a request's body, at most; data come in blocks, so a little more may get through."""
HEAD_SECONDS = 30.0
"""Time for the whole head of a request, from the connection on or from the head's first byte."""
BODY_SECONDS = 600.0
"""Time for all that follows the head: enough for the largest upload over 0.3 Mbit/s."""


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
        """As uvicorn's, and wait for the first head."""
        super().connection_made(transport)
        self._expect_within(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """As uvicorn's, and wait for nothing more."""
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
