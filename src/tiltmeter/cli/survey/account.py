"""survey account: who can sign in to the researchers' pages of a survey.

Passwords are asked for, or read from the variable TILTMETER_PASSWORD or from standard input.
"""

import os
import sys
from typing import Annotated, Literal

import typer

from tiltmeter.cli.arguments import Json
from tiltmeter.cli.console import err, out, print_json
from tiltmeter.cli.heartbeats import heartbeat
from tiltmeter.cli.survey.database import Database, opened_database
from tiltmeter.core.reading.options import Option

PASSWORD = "TILTMETER_PASSWORD"  # noqa: S105 the name of a variable
Name = Annotated[str, Option("Name to sign in with.", argument=True)]
RoleName = Literal["annotator", "researcher", "admin"]


def add(
    name: Name,
    *,
    role: Annotated[
        RoleName, Option("annotator, researcher (sees studies) or admin (and manages accounts).")
    ],
    database: Database = "survey.db",
) -> None:
    """Create an account; you are asked for a password."""
    from tiltmeter.survey.accounts import (
        COMMAND_LINE,
        account_name,
        create_account,
        hashed_password,
    )

    name = account_name(name)
    password = hashed_password(_password(name))
    with opened_database(database, make=True) as store:
        made = store.save(
            create_account, name=name, password=password, role=role, actor=COMMAND_LINE
        )
    out.print(f"{made.name} can sign in as {made.role}")


def list_(*, database: Database = "survey.db", as_json: Json = False) -> None:
    """List the accounts and their roles."""
    from tiltmeter.survey.accounts import accounts

    with opened_database(database) as store:
        listed = store.read(accounts)
    if as_json:
        print_json({"accounts": [{"name": a.name, "role": a.role} for a in listed]})
        return
    for account in listed:
        out.print(f"{account.name}  {account.role}")
    if not listed:
        err.print("No accounts yet: tiltmeter survey account add NAME --role admin", style="dim")


def password(name: Name, *, database: Database = "survey.db") -> None:
    """Set a new password, and sign the account out everywhere."""
    from tiltmeter.survey.accounts import (
        COMMAND_LINE,
        account_named,
        change_password,
        hashed_password,
    )

    with opened_database(database) as store:
        account = store.read(account_named, name)
        stored = hashed_password(_password(account.name))
        store.save(change_password, account.id, password=stored, actor=COMMAND_LINE)
    out.print(f"{account.name} has a new password")


def role(
    name: Name,
    role: Annotated[RoleName, Option("annotator, researcher or admin.", argument=True)],
    *,
    database: Database = "survey.db",
) -> None:
    """Give an account another role."""
    from tiltmeter.survey.accounts import COMMAND_LINE, account_named, change_role

    with opened_database(database) as store:
        account = store.read(account_named, name)
        store.save(change_role, account.id, role=role, actor=COMMAND_LINE)
    out.print(f"{account.name} can sign in as {role}")


def remove(name: Name, *, database: Database = "survey.db") -> None:
    """Remove an account, and sign it out everywhere."""
    from tiltmeter.survey.accounts import COMMAND_LINE, account_named, remove_account

    with opened_database(database) as store:
        account = store.read(account_named, name)
        store.save(remove_account, account.id, actor=COMMAND_LINE)
    out.print(f"{account.name} is removed")


def _password(name: str) -> str:
    """A new password: from the environment, from a pipe, or typed twice."""
    if PASSWORD in os.environ:
        return os.environ[PASSWORD]
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    heartbeat.rest()
    typed: str = typer.prompt(
        f"Password for {name}", hide_input=True, confirmation_prompt=True, err=True
    )
    return typed
