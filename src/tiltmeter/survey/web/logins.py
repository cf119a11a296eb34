"""Signing in and out, and the page on which people change their own password."""

from collections.abc import Mapping
from http import HTTPStatus as Status

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import FastAPI, Request
from fastapi.responses import Response
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput
from tiltmeter.survey import accounts
from tiltmeter.survey.accounts import hashed_password, is_password
from tiltmeter.survey.schema import User
from tiltmeter.survey.store import SurveyStore
from tiltmeter.survey.web import sessions
from tiltmeter.survey.web.account_pages import (
    NotPermitted,
    NotSignedIn,
    account_page,
    add_routes,
    error_sentence,
    posted_fields,
    read,
    refusal,
    save_as_actor,
    signed_in,
    store_of,
    to_path,
    visiting_account,
)
from tiltmeter.survey.web.limits import MINUTE, Limits, LoginLimit, TooMany, address_of
from tiltmeter.survey.web.sessions import SIGNED_IN

UNKNOWN = "(unknown name)"
"""Actor of tries to sign in with a name that no account has."""
AT_ONCE = 2
"""Passwords that are checked at a time: each takes a processor and 64 MiB."""


class LoginPages:
    """What the addresses of logins answer."""

    def __init__(self, limits: Limits) -> None:
        self._hashing = CapacityLimiter(AT_ONCE)
        self._limit = LoginLimit(limits.account_logins, limits.address_logins, 15 * MINUTE)

    async def ask(self, request: Request) -> Response:
        """The form to sign in with."""
        if await visiting_account(request) is not None:
            return to_path(_local(request.query_params.get("next", "")) or "/account")
        return await self._form(request, after=request.query_params.get("next", ""))

    async def sign_in(self, request: Request) -> Response:
        """Begin a session, with a new token; or show the form again."""
        fields = await posted_fields(request)
        name, after = str(fields.get("name", "")), str(fields.get("next", ""))
        try:
            checked = await self._checked(request, name, str(fields.get("password", "")))
        except TooMany as error:
            problem = f"Too many wrong passwords. {error.way_out}"
            page = await self._form(request, after=after, name=name, problem=problem)
            page.status_code = Status.TOO_MANY_REQUESTS
            page.headers.update(error.headers)
            return page
        begun = None
        if checked:
            begun = await store_of(request).saved(
                _begin, name=name, checked=checked, old=SIGNED_IN.token_of(request)
            )
        if begun is None:
            problem = "This name and password do not belong to an account."
            return await self._form(request, after=after, name=name, problem=problem)
        signed_in_as, token = begun
        home = "/admin" if signed_in_as.may("researcher") else "/account"
        response = to_path(_local(after) or home)
        SIGNED_IN.keep(request, response, token)
        return response

    async def sign_out(self, request: Request) -> Response:
        """End the session of a signed-in account and lead to the login page."""
        await posted_fields(request)
        token = SIGNED_IN.token_of(request)
        await store_of(request).saved(sessions.close_session, token=token)
        response = to_path("/login")
        response.delete_cookie(SIGNED_IN.name)
        return response

    async def own(self, request: Request) -> Response:
        """The account that is signed in."""
        return await self._own(request)

    async def _own(self, request: Request, problem: str = "") -> Response:
        return await account_page(request, "account", "Your account", problem=problem)

    async def change_password(self, request: Request) -> Response:
        """Set another password, and sign in again with it."""
        account = await signed_in(request)
        fields = await posted_fields(request)
        try:
            stored = await self._new_password(request, account, fields)
        except BadInput as error:
            return await self._own(request, error_sentence(error))
        await save_as_actor(request, accounts.change_password, account=account.id, password=stored)
        return to_path("/login")

    async def _new_password(
        self, request: Request, account: User, fields: Mapping[str, object]
    ) -> str:
        """The hash of the new password, if the current one is right."""
        now, new, again = (str(fields.get(name, "")) for name in ("password", "new", "again"))
        if await self._checked(request, account.name, now) is None:
            raise BadInput("your current password is another one", "try again")
        if new != again:
            raise BadInput("the two new passwords differ", "type the same one twice")
        return await run_sync(hashed_password, new, limiter=self._hashing)

    async def _form(
        self, request: Request, *, after: str, name: str = "", problem: str = ""
    ) -> Response:
        """The form, with a token of its own: a session that begins is never one from before."""
        token = SIGNED_IN.token_of(request) or sessions.new_token()
        response = await account_page(
            request, "login", "Sign in", name=name,
            problem=problem, after=after, form_token=sessions.csrf_token(token),
        )  # fmt: skip
        SIGNED_IN.keep(request, response, token)
        return response

    async def _checked(self, request: Request, name: str, password: str) -> tuple[int, str] | None:
        """Number and password hash of the account that this name and password belong to.

        The audit log notes a wrong password, but no name without an account: people type passwords there.

        Raises:
            TooMany: There were too many wrong passwords for the account, or from the address.
        """
        address = address_of(request)
        try:
            account = accounts.account_name(name)
        except BadInput:
            account = ""  # nobody's: only the address is counted
        self._limit.take(account, address)
        store = store_of(request)
        credentials = await read(request, accounts.credentials, name=name)
        stored = credentials[1] if credentials else None
        # Also of an unknown name, so that the time of the answer does not tell which names exist.
        right = await run_sync(is_password, password, stored, limiter=self._hashing)
        if not credentials or not right:
            actor = account if credentials else UNKNOWN
            await store.saved(accounts.note_action, actor=actor, action="wrong password")
            return None
        self._limit.succeed(account, address)
        return credentials


def _begin(
    session: Session, *, name: str, checked: tuple[int, str], old: str
) -> tuple[User, str] | None:
    """The account, and the token of its new session; None if its password changed during the check."""
    if accounts.credentials(session, name) != checked:
        return None
    number, _ = checked
    account = accounts.account_with_id(session, number)
    accounts.note_action(session, actor=account.name, action="sign in")
    return account, sessions.begin_login(session, account=number, old=old)


def _local(path: str) -> str:
    r"""Where to go after signing in: a page of this site, or "".

    >>> _local("/admin/accounts"), _local("//evil.test"), _local("/\\evil.test"), _local("")
    ('/admin/accounts', '', '', '')
    """
    return path if path.startswith("/") and path[1:2] not in {"/", "\\"} else ""


def add_logins(app: FastAPI, store: SurveyStore, limits: Limits) -> None:
    """Add the pages on which people sign in; routes with a `Requirement` then know who makes a request."""
    app.state.store = store
    pages = LoginPages(limits)
    add_routes(app, (
        ("GET", "/login", pages.ask, "public"), ("POST", "/login", pages.sign_in, "public"),
        ("POST", "/logout", pages.sign_out, "annotator"), ("GET", "/account", pages.own, "annotator"),
        ("POST", "/account", pages.change_password, "annotator"),
    ))  # fmt: skip
    for kind in (NotSignedIn, NotPermitted):
        app.add_exception_handler(kind, refusal)
