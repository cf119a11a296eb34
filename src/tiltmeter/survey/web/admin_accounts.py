"""The administrators' pages: accounts, and the log of what was done."""

from collections.abc import Callable

from fastapi import FastAPI, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.survey import accounts
from tiltmeter.survey.accounts import hashed_password
from tiltmeter.survey.schema import ROLES
from tiltmeter.survey.web.account_pages import (
    account_page,
    add_routes,
    error_sentence,
    posted_fields,
    read,
    save_as_actor,
    to_path,
)

HOME = "/admin/accounts"
ENTRIES = 200
"""Entries of the audit log on one page."""
DIGITS = 10
"""Digits that the number of an entry has at most, plus one."""


class AccountAdminPages:
    """What the addresses of accounts and of the audit log answer."""

    async def accounts(self, request: Request) -> Response:
        """All accounts, and a form to add one."""
        return await self._list(request)

    async def _list(self, request: Request, problem: str = "", name: str = "") -> Response:
        listed = await read(request, accounts.accounts)
        return await account_page(
            request, "admin_accounts", "Accounts", accounts=listed, roles=ROLES,
            problem=problem, name=name,
        )  # fmt: skip

    async def add(self, request: Request) -> Response:
        """Create the account that a form describes, or show the form with what is wrong."""
        fields = await posted_fields(request)
        name = str(fields.get("name", ""))
        try:
            stored = await run_in_threadpool(_new_password, fields)
            role = accounts.checked_role(str(fields.get("role", "")))
            await save_as_actor(
                request, accounts.create_account, name=name, password=stored, role=role
            )
        except (BadInput, UnknownName) as error:
            return await self._list(request, error_sentence(error), name)
        return to_path(HOME)

    async def account(self, request: Request, number: int) -> Response:
        """One account, and what can be done with it."""
        return await self._one(request, number)

    async def _one(self, request: Request, number: int, problem: str = "") -> Response:
        account = await read(request, accounts.account_with_id, account=number)
        return await account_page(
            request, "admin_account", f"Account {account.name}", edited=account, roles=ROLES,
            problem=problem,
        )  # fmt: skip

    async def role(self, request: Request, number: int) -> Response:
        """Give an account another role."""
        role = str((await posted_fields(request)).get("role", ""))
        return await self._change(
            request, number, accounts.change_role, lambda: {"role": accounts.checked_role(role)}
        )

    async def password(self, request: Request, number: int) -> Response:
        """Give an account another password."""
        fields = await posted_fields(request)
        return await self._change(
            request, number, accounts.change_password, lambda: {"password": _new_password(fields)}
        )

    async def remove(self, request: Request, number: int) -> Response:
        """Remove an account, if the box is ticked."""
        fields = await posted_fields(request)
        if fields.get("sure") != "yes":
            return await self._one(request, number, "Nothing was removed: tick the box first.")
        return await self._change(request, number, accounts.remove_account, dict)

    async def _change(
        self,
        request: Request,
        number: int,
        change: Callable[..., object],
        values: Callable[[], dict[str, str]],
    ) -> Response:
        """Commit a change of an account; its values are made in a thread: to hash a password takes time."""
        try:
            made = await run_in_threadpool(values)
            await save_as_actor(request, change, account=number, **made)
        except (BadInput, UnknownName) as error:
            return await self._one(request, number, error_sentence(error))
        return to_path(HOME)

    async def audit(self, request: Request) -> Response:
        """What was done, the newest first."""
        given = request.query_params.get("before", "")
        before = int(given) if given.isascii() and given.isdigit() and len(given) < DIGITS else 0
        entries = await read(request, accounts.audit_log, before=before, limit=ENTRIES)
        older = entries[-1].id if len(entries) == ENTRIES else 0
        return await account_page(request, "admin_audit", "Audit log", lines=entries, older=older)


def _new_password(fields: dict[str, object]) -> str:
    first, again = str(fields.get("password", "")), str(fields.get("again", ""))
    if first != again:
        raise BadInput("the two passwords differ", "type the same one twice")
    return hashed_password(first)


def add_account_administration(app: FastAPI) -> None:
    """Add the administrators' pages; `add_logins` comes first."""
    pages = AccountAdminPages()
    account = f"{HOME}/{{number:int}}"
    add_routes(app, (
        ("GET", HOME, pages.accounts, "admin"), ("POST", HOME, pages.add, "admin"),
        ("GET", account, pages.account, "admin"), ("POST", f"{account}/role", pages.role, "admin"),
        ("POST", f"{account}/password", pages.password, "admin"),
        ("POST", f"{account}/remove", pages.remove, "admin"),
        ("GET", "/admin/audit", pages.audit, "admin"),
    ))  # fmt: skip
