"""A limit on request lines and headers, which the parser itself reads without one."""

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LARGEST_HEAD = 64 * 1024
"""Bytes before a request's body, at most (as they arrive, so that a little more may get through)."""


class LimitedHeads(HttpToolsProtocol):
    """Refuses a request whose head is too long, and closes its connection."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._length = 0
        self._in_head = True

    def data_received(self, data: bytes) -> None:
        """As uvicorn's, then count."""
        self._length += len(data)
        super().data_received(data)
        if self._in_head and self._length > LARGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("The request's headers are too large.")

    def on_message_begin(self) -> None:
        """Count from here."""
        self._length, self._in_head = 0, True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Stop counting: bodies have a limit of their own."""
        self._in_head = False
        super().on_headers_complete()
