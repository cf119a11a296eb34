"""Who may use which route; every route declares it.

    add_routes(app, [("GET", "/admin", page, "researcher")])

"public" routes are open to everybody. "participant" routes look for the person in the session
themselves. The others need an account with the role that is named, or with more rights.
"""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeVar

from fastapi import Depends, FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.routing import APIRoute
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from tiltmeter.survey.accounts import ROLES, Account, Role
from tiltmeter.survey.store import SurveyStore
from tiltmeter.survey.web.sessions import SIGNED_IN, account_of

T = TypeVar("T")
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


async def signed_in(request: Request) -> Account:
    """The account that makes a request.

    Raises:
        NotSignedIn: There is none.
    """
    account = await visiting_account(request)
    if account is None:
        raise NotSignedIn
    return account


async def visiting_account(request: Request) -> Account | None:
    """The account that makes a request; None where nobody is signed in."""
    if not hasattr(request.state, "account"):
        token = SIGNED_IN.token_of(request)
        of_token = partial(account_of, token=token)
        request.state.account = await read(request, of_token) if token else None
    account: Account | None = request.state.account
    return account


def store_of(request: Request) -> SurveyStore:
    """The database of the app that answers a request."""
    app: FastAPI = request.app
    store: SurveyStore = app.state.store
    return store


async def read(request: Request, operation: Callable[[Session], T]) -> T:
    """The result of an operation that only reads."""
    return await run_in_threadpool(store_of(request).read, operation)


async def save_as_actor(request: Request, operation: Callable[..., object]) -> None:
    """Commit an operation that notes in the audit log who asked for it, its `actor`."""
    actor = (await signed_in(request)).name
    await store_of(request).saved(partial(operation, actor=actor))


async def posted_fields(request: Request, *, max_files: int = 0) -> Any:
    """The fields of a form on one of our own pages, with so many files.

    Raises:
        NotPermitted: Another site made the request, or it lacks the token of this browser's forms.
    """
    fields = await request.form(max_files=max_files, max_fields=1000)
    if not SIGNED_IN.is_ours(request, str(fields.get("csrf", ""))):
        raise NotPermitted
    return fields
