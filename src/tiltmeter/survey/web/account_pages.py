"""Pages for people with an account, in English: who may use them, what all show, and how they refuse.

    add_routes(app, [("GET", "/admin", page, "researcher")])

Every route declares who may use it. "public" routes are open to everybody. "participant" routes look for the
person in the session themselves. The others need an account with the role that is named, or with more rights.
"""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus as Status
from typing import Any, Literal, ParamSpec, TypeVar
from urllib.parse import quote

from fastapi import Depends, FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from tiltmeter.core.errors import StorageError
from tiltmeter.core.text import raised, visible
from tiltmeter.survey.keys import date_of
from tiltmeter.survey.rounds import Operation
from tiltmeter.survey.schema import ROLES, Role, User
from tiltmeter.survey.store import SurveyStore
from tiltmeter.survey.web.limits import TooMany
from tiltmeter.survey.web.pages import templates
from tiltmeter.survey.web.sessions import SIGNED_IN, account_of, csrf_token

T = TypeVar("T")
P = ParamSpec("P")
Access = Literal["public", "participant", "annotator", "researcher", "admin"]


class NotSignedIn(Exception):
    """A request that needs an account, from a browser that is not signed in."""


class NotPermitted(Exception):
    """A request for which the account lacks the rights, or that none of our pages made."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """With which a route declares who may use it; checked before anything else of the route runs."""

    access: Access

    async def __call__(self, request: Request) -> None:
        """Let a request pass that has the rights which its route needs.

        Raises:
            NotSignedIn: The route needs an account.
            NotPermitted: The route needs an account with other rights.
        """
        if self.access in {"public", "participant"}:
            return
        role: Role = next(known for known in ROLES if known == self.access)
        if not (await signed_in(request)).may(role):
            raise NotPermitted


def declared_access(route: APIRoute) -> Access | None:
    """Who may use a route; None where it does not say."""
    required = (dependency.dependency for dependency in route.dependencies)
    return next(
        (dependency.access for dependency in required if isinstance(dependency, Requirement)), None
    )


def add_routes(
    app: FastAPI, routes: Iterable[tuple[str, str, Callable[..., Awaitable[Response]], Access]]
) -> None:
    """Add routes, each with its method, its path, what answers, and who may use it."""
    for method, path, endpoint, access in routes:
        app.add_api_route(
            path, endpoint, methods=[method], response_model=None, response_class=HTMLResponse,
            dependencies=[Depends(Requirement(access))],
        )  # fmt: skip


async def signed_in(request: Request) -> User:
    """The account that makes a request.

    Raises:
        NotSignedIn: There is none.
    """
    account = await visiting_account(request)
    if account is None:
        raise NotSignedIn
    return account


async def visiting_account(request: Request) -> User | None:
    """The account that makes a request; None where nobody is signed in."""
    if not hasattr(request.state, "account"):
        token = SIGNED_IN.token_of(request)
        request.state.account = await read(request, account_of, token=token) if token else None
    account: User | None = request.state.account
    return account


def store_of(request: Request) -> SurveyStore:
    """The database of the app that answers a request."""
    app: FastAPI = request.app
    store: SurveyStore = app.state.store
    return store


async def read(request: Request, work: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The result of an operation that only reads."""
    return await run_in_threadpool(lambda: store_of(request).read(work, *args, **kwargs))


async def save_as_actor(request: Request, operation: Callable[..., object], **values: Any) -> None:
    """Commit an operation that notes in the audit log who asked for it, its `actor`."""
    actor = (await signed_in(request)).name
    await store_of(request).saved(operation, actor=actor, **values)


async def posted_fields(request: Request, *, max_files: int = 0) -> Any:
    """The fields of a form on one of our own pages, with so many files.

    Raises:
        NotPermitted: Another site made the request, or it lacks the token of this browser's forms.
    """
    fields = await request.form(max_files=max_files, max_fields=1000)
    if not SIGNED_IN.is_ours(request, str(fields.get("csrf", ""))):
        raise NotPermitted
    return fields


# ---- What pages show

STATUSES = {StorageError: Status.SERVICE_UNAVAILABLE, TooMany: Status.TOO_MANY_REQUESTS}
"""HTTP status by kind of error; all other errors are mistakes in the request (400)."""


def utc(milliseconds: int) -> str:
    """A time of the database.

    >>> utc(0)
    '1970-01-01 00:00 UTC'
    """
    return date_of(milliseconds).strftime("%Y-%m-%d %H:%M UTC")


async def account_page(
    request: Request,
    template: str,
    title: str,
    *,
    code: int = 200,
    problem: str = "",
    **values: Any,
) -> Response:
    """A page with the account's name and its links, from a template that extends "account_base.html".

    A `problem` with the form that was sent is shown above it.
    """
    code = Status.UNPROCESSABLE_ENTITY if problem else code
    page = templates().get_template(f"{template}.html").render(
        language="en", direction="ltr", title=title, account=await visiting_account(request),
        csrf=csrf_token(SIGNED_IN.token_of(request)), utc=utc, path=request.url.path,
        problem=problem,
        served={getattr(route, "path", "") for route in request.app.routes}, **values,
    )  # fmt: skip
    return HTMLResponse(page, code)


async def account_message(
    request: Request, title: str, text: str, *, code: int = 200, back: str = ""
) -> Response:
    """A page with one sentence, and a link to go back to."""
    return await account_page(request, "account_message", title, code=code, text=text, back=back)


def download(content: bytes | str, name: str, kind: str) -> Response:
    """A file of this media type, for the browser to save under this name."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=headers)


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
        request, "Not permitted", text, code=Status.FORBIDDEN, back="/login"
    )


async def absent_page(request: Request) -> Response:
    """There is no page at this address."""
    back = "/board" if _area(request.url.path) == "board" else "/account"
    text = "There is no page at this address. It may have been removed."
    return await account_message(request, "Page not found", text, code=Status.NOT_FOUND, back=back)


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
    return raised(text).removesuffix(".") + "."


async def account_problem(request: Request, error: Exception) -> Response:
    """What is wrong with a request of somebody who is signed in."""
    status = STATUSES.get(type(error), Status.BAD_REQUEST)
    text = error_sentence(error)
    if isinstance(error, StorageError):  # its message may name the database's host and rows
        text = "The database cannot be reached. Try again later."
    if isinstance(error, TooMany):
        text = f"Too many tries. {error.way_out}"
    page = await account_message(
        request, "Something went wrong", text, code=status, back="/account"
    )
    page.headers.update(error.headers if isinstance(error, TooMany) else {})
    return page
