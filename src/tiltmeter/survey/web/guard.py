"""What protects every request: security headers, and errors without a traceback or anybody's answers."""

import logging
from collections.abc import Mapping

from fastapi import FastAPI
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tiltmeter.survey.web.static_files import cache_control, static_files, style_source

LARGEST_BODY = 64 * 1024
"""Bytes of a request, at most."""
HEADERS: Mapping[str, str] = {
    "content-security-policy": (
        f"default-src 'self'; style-src 'self' {style_source()}; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'; object-src 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
COMPRESSED = frozenset({"static", "", "consent", "instructions", "page", "feedback"})
"""First parts of the addresses whose pages are compressed: those of people who take part.

How short a compressed page gets tells a listener whether it contains a guess twice (BREACH). These pages show
nothing of a request beside a person's answers, and their forms' tokens differ each time.
"""
_log = logging.getLogger("tiltmeter.survey")


class Compression(GZipMiddleware):
    """ASGI middleware that compresses some pages for browsers that can read that."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; compress the answer if it is at one of these addresses."""
        compressed = scope["type"] == "http" and scope["path"].split("/")[1] in COMPRESSED
        await (super().__call__ if compressed else self.app)(scope, receive, send)


class Guard:
    """ASGI middleware around the whole app."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the headers to what is answered."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = dict(HEADERS)
        headers["cache-control"] = cache_control(
            scope["path"], scope["query_string"].decode("latin-1")
        )
        added = [(name.encode(), value.encode()) for name, value in headers.items()]
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message["headers"] = [*message.get("headers", ()), *added]
            await send(message)

        try:
            await self.app(scope, receive, sent)
        except ClientDisconnect:
            return  # nobody is left to answer
        except Exception as error:  # noqa: BLE001 its message may contain what somebody answered
            _log.error("%s: %s", where(scope), _kind(error))  # no traceback either
            if not begun:
                answer = PlainTextResponse("Something went wrong. Please try again.", 500)
                await answer(scope, receive, sent)


def guarded(app: FastAPI) -> FastAPI:
    """The app with our static files, a limit on the size of requests and compression, `Guard` around it."""
    app.mount("/static", static_files())
    app.add_middleware(RequestBodyLimitMiddleware, max_body_size=LARGEST_BODY)
    app.add_middleware(Compression)
    app.add_middleware(Guard)
    return app


def where(scope: Scope) -> str:
    """Method and first part of an address: no ids and no answers.

    >>> where({"type": "http", "method": "GET", "path": "/page/traits.7", "query_string": b"a=5f1"})
    'GET /page'
    """
    first = str(scope["path"]).split("/")[1]
    return f"{scope['method']} /{first if first.isalpha() else ''}"


def _kind(error: BaseException) -> str:
    """The kind of an error and the line that raised it."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    line = f"{at.tb_frame.f_code.co_filename}:{at.tb_lineno}" if at else "?"
    return f"{type(error).__name__} at {line}"
