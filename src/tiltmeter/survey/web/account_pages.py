"""Pages for people with an account, in English: what all of them show, and what they say when refusing."""

from typing import Any
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tiltmeter.survey.web.access import NotSignedIn, visiting_account
from tiltmeter.survey.web.pages import templates
from tiltmeter.survey.web.sessions import SIGNED_IN, csrf_token

SEE_OTHER, FORBIDDEN = 303, 403


async def account_page(
    request: Request, template: str, title: str, *, status: int = 200, **values: Any
) -> Response:
    """A page with the account's name and its links.

    Args:
        request: That it answers.
        template: Its file, without ".html"; it extends "account_base.html".
        title: Heading and title.
        status: HTTP status.
        values: For the template.
    """
    page = templates().get_template(f"{template}.html").render(
        language="en", direction="ltr", title=title, account=await visiting_account(request),
        csrf=csrf_token(SIGNED_IN.token_of(request)), **values,
    )  # fmt: skip
    return HTMLResponse(page, status)


async def account_message(
    request: Request, title: str, text: str, *, status: int = 200, back: str = ""
) -> Response:
    """A page with one sentence, and a link to go back to."""
    return await account_page(
        request, "account_message", title, status=status, text=text, back=back
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
    return await account_message(request, "Not permitted", text, status=FORBIDDEN, back="/login")
