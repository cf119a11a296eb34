"""Pages for people with an account, in English: what all of them show, and what they say when refusing."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tiltmeter.core.errors import StorageError
from tiltmeter.core.text import visible
from tiltmeter.survey.web.access import NotSignedIn, visiting_account
from tiltmeter.survey.web.limits import TooMany
from tiltmeter.survey.web.pages import templates
from tiltmeter.survey.web.sessions import SIGNED_IN, csrf_token

SEE_OTHER, BAD, FORBIDDEN, INCOMPLETE, TOO_MANY, LATER = 303, 400, 403, 422, 429, 503


def utc(milliseconds: int) -> str:
    """A time of the database.

    >>> utc(0)
    '1970-01-01 00:00 UTC'
    """
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


async def account_page(
    request: Request, template: str, title: str, *, status_code: int = 200, **values: Any
) -> Response:
    """A page with the account's name and its links.

    Args:
        request: That it answers.
        template: Its file, without ".html"; it extends "account_base.html".
        title: Heading and title.
        status_code: HTTP status.
        values: For the template.
    """
    page = templates().get_template(f"{template}.html").render(
        language="en", direction="ltr", title=title, account=await visiting_account(request),
        csrf=csrf_token(SIGNED_IN.token_of(request)), utc=utc, path=request.url.path,
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
    """Lead to another page."""
    return RedirectResponse(path, SEE_OTHER)


async def refusal(request: Request, error: Exception) -> Response:
    """Ask to sign in, or say that the account lacks the rights."""
    if isinstance(error, NotSignedIn):
        here = quote(request.url.path) if request.method == "GET" else ""
        return to_path(f"/login?next={here}" if here else "/login")
    text = "Your account may not do this, or the page was open for too long. Sign in again."
    return await account_message(
        request, "Not permitted", text, status_code=FORBIDDEN, back="/login"
    )


def is_account_page(request: Request) -> bool:
    """Whether the route that answers belongs to people with an account: `require` has looked for it."""
    return hasattr(request.state, "account")


async def account_problem(request: Request, error: Exception) -> Response:
    """What is wrong with a request of somebody who is signed in."""
    status = {StorageError: LATER, TooMany: TOO_MANY}.get(type(error), BAD)
    text = visible(str(error))
    text = text[:1].upper() + text[1:].removesuffix(".") + "."
    if isinstance(error, StorageError):  # its message may name the database's host and rows
        text = "The database cannot be reached. Try again later."
    if isinstance(error, TooMany):
        text = f"Too many tries. {error.way_out}"
    page = await account_message(
        request, "This did not work", text, status_code=status, back="/account"
    )
    page.headers.update(error.headers if isinstance(error, TooMany) else {})
    return page
