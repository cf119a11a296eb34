"""Pages for people with an account, in English: what all of them show, and what they say when refusing."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from http import HTTPStatus as Status
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from tiltmeter.core.errors import StorageError
from tiltmeter.core.text import visible
from tiltmeter.survey.accounts import ROLES
from tiltmeter.survey.web.access import NotSignedIn, declared_access, visiting_account
from tiltmeter.survey.web.limits import TooMany
from tiltmeter.survey.web.pages import templates
from tiltmeter.survey.web.sessions import SIGNED_IN, csrf_token

STATUSES = {StorageError: Status.SERVICE_UNAVAILABLE, TooMany: Status.TOO_MANY_REQUESTS}
"""HTTP status by kind of error; all other errors are mistakes in the request (400)."""


def utc(milliseconds: int) -> str:
    """A time of the database.

    >>> utc(0)
    '1970-01-01 00:00 UTC'
    """
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


async def account_page(
    request: Request,
    template: str,
    title: str,
    *,
    status_code: int = 200,
    problem: str = "",
    **values: Any,
) -> Response:
    """A page with the account's name and its links, from a template that extends "account_base.html".

    A `problem` with the form that was sent is shown above it.
    """
    status_code = Status.UNPROCESSABLE_ENTITY if problem else status_code
    page = templates().get_template(f"{template}.html").render(
        language="en", direction="ltr", title=title, account=await visiting_account(request),
        csrf=csrf_token(SIGNED_IN.token_of(request)), utc=utc, path=request.url.path,
        problem=problem, unread="",
        served={getattr(route, "path", "") for route in request.app.routes}, **values,
    )  # fmt: skip
    return HTMLResponse(page, status_code)


async def account_message(
    request: Request, title: str, text: str, *, status_code: int = 200, back: str = ""
) -> Response:
    """A page with one sentence, and a link to go back to."""
    return await account_page(
        request, "account_message", title, status_code=status_code, text=text, back=back
    )


def to_path(path: str) -> Response:
    """A response that sends the browser to another page with GET."""
    return RedirectResponse(path, Status.SEE_OTHER)


async def refusal(request: Request, error: Exception) -> Response:
    """Ask to sign in, or say that the account lacks the rights."""
    if isinstance(error, NotSignedIn):
        here = quote(request.url.path) if request.method == "GET" else ""
        return to_path(f"/login?next={here}" if here else "/login")
    text = "Your account may not do this, or the page was open for too long. Sign in again."
    return await account_message(
        request, "Not permitted", text, status_code=Status.FORBIDDEN, back="/login"
    )


async def absent_page(request: Request) -> Response:
    """There is no page at this address."""
    back = "/board" if _area(request.url.path) == "board" else "/account"
    text = "There is no page at this address. It may have been removed."
    return await account_message(
        request, "Page not found", text, status_code=Status.NOT_FOUND, back=back
    )


def add_absent_pages(
    app: FastAPI, others: Callable[[Request], Awaitable[Response]] = absent_page
) -> None:
    """Answer requests for unknown addresses with a page, once the app has all its routes.

    `others` answers below addresses that have no pages for people with an account.
    """
    routes = [route for route in app.routes if isinstance(route, APIRoute)]
    areas = {_area(route.path) for route in routes if declared_access(route) in ROLES}

    async def answer(request: Request, error: Exception) -> Response:
        page = absent_page if _area(request.url.path) in areas else others
        reply = await page(request)
        if isinstance(error, HTTPException):
            reply.status_code = error.status_code
            reply.headers.update(error.headers or {})
        return reply

    for status in (Status.NOT_FOUND, Status.METHOD_NOT_ALLOWED):
        app.add_exception_handler(status, answer)


def _area(path: str) -> str:
    return path.split("/")[1]


def is_account_page(request: Request) -> bool:
    """Whether the route that answers belongs to people with an account: `Requirement` has looked for it."""
    return hasattr(request.state, "account")


def error_sentence(error: Exception) -> str:
    """An error's message as a sentence.

    >>> error_sentence(ValueError("the file is empty; choose another one"))
    'The file is empty; choose another one.'
    """
    text = visible(str(error))
    return text[:1].upper() + text[1:].removesuffix(".") + "."


async def account_problem(request: Request, error: Exception) -> Response:
    """What is wrong with a request of somebody who is signed in."""
    status = STATUSES.get(type(error), Status.BAD_REQUEST)
    text = error_sentence(error)
    if isinstance(error, StorageError):  # its message may name the database's host and rows
        text = "The database cannot be reached. Try again later."
    if isinstance(error, TooMany):
        text = f"Too many tries. {error.way_out}"
    page = await account_message(
        request, "This did not work", text, status_code=status, back="/account"
    )
    page.headers.update(error.headers if isinstance(error, TooMany) else {})
    return page
