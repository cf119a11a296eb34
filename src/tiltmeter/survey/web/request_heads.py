"""A limit on request lines, headers and trailers, which the parser itself reads without one."""

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LARGEST_HEAD = 64 * 1024
"""Bytes before or behind a request's body, at most; data come in blocks, so a little more may get through."""


class LimitedHeads(HttpToolsProtocol):
    """Refuses a request with too much before or behind its body or its chunks, and closes the connection."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._length = 0
        """Of what has come since the request began or since a part of its body."""

    def data_received(self, data: bytes) -> None:
        """As uvicorn's, then count."""
        self._length += len(data)
        super().data_received(data)
        if self._length > LARGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("The request's headers are too large.")

    def on_message_begin(self) -> None:
        """Count from here."""
        self._length = 0
        super().on_message_begin()

    def on_body(self, body: bytes) -> None:
        """Count from here: bodies have a limit of their own."""
        self._length = 0
        super().on_body(body)
