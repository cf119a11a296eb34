"""Visitors who show each page for people with an account in turn: studies, accounts, leaderboards."""

import re

from support.browsers import follow
from support.survey.accounts import PASSWORD

WRONG = "not the right password"


def sign_in_as(tab, name, password=PASSWORD):
    """Fill in the login form that is shown."""
    tab.fill("[name=name]", name)
    tab.fill("[name=password]", password)
    follow(tab, "main button")


def researcher_pages(tab, address, study, written=lambda: "some words"):
    """Sign in as root and go through all pages; gives the name of each while the browser shows it.

    Args:
        tab: Of a browser.
        address: Of the site.
        study: A number; the study is closed in the end.
        written: Gives a text for each text field.
    """
    tab.goto(f"{address}/login?next=/admin")
    yield "login"
    sign_in_as(tab, written(), WRONG)
    yield "login, refused"
    sign_in_as(tab, "root")
    yield "studies"
    yield from study_pages(tab, f"{address}/admin/studies/{study}", written)
    yield from administration_pages(tab, address, written)
    tab.goto(f"{address}/admin/none")
    yield "unknown address"
    tab.evaluate("document.querySelector('[name=csrf]').value = 'forged'")
    follow(tab, ".site button")
    yield "not permitted"
    tab.goto(f"{address}/account")
    follow(tab, ".site button")
    yield "signed out"


def study_pages(tab, one, written):
    """What is done with one study."""
    tab.goto(one)
    tab.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    yield "study"
    tab.fill("[name=people]", f"x{written()}\n{written()}")
    follow(tab, "text=Show the links")
    yield "links"
    tab.goto(one)
    tab.fill("[name=people]", " ")
    follow(tab, "text=Show the links")
    yield "links, refused"
    yield from people_pages(tab, f"{one}/people", written)
    tab.goto(one)
    follow(tab, "text=Close the study")
    yield "study, closed"
    tab.goto(f"{one}/erase")
    yield "erase"
    tab.fill("[name=name]", f"x{written()}")
    follow(tab, "text=Erase for good")
    yield "erase, refused"


def people_pages(tab, people, written):
    """Who takes part, without ids of the platform and with them."""
    tab.goto(people)
    yield "people"
    follow(tab, "text=Show the ids")
    yield "people, with ids"
    tab.fill("[name=id]", f"x{written()}")
    tab.check("[name=sure]")
    follow(tab, "text=Erase the person")
    yield "people, erase refused"


def administration_pages(tab, address, written):
    """Accounts, the audit log, and the own account."""
    tab.goto(f"{address}/admin/accounts")
    yield "accounts"
    tab.fill("main [name=name]", f"<{written()}")
    for field in ("password", "again"):
        tab.fill(f"[name={field}]", PASSWORD)
    follow(tab, "text=Add the account")
    yield "accounts, refused"
    tab.goto(f"{address}/admin/accounts/1")
    tab.fill("[name=password]", PASSWORD)
    tab.fill("[name=again]", WRONG)
    follow(tab, "text=Set the password")
    yield "account, refused"
    tab.goto(f"{address}/admin/audit")
    yield "audit log"
    tab.goto(f"{address}/account")
    yield "own account"
    tab.fill("[name=password]", WRONG)
    for field in ("new", "again"):
        tab.fill(f"[name={field}]", PASSWORD)
    follow(tab, "text=Change the password")
    yield "own account, refused"


def board_pages(tab, address, uploads):
    """Look at board b, sign in as root and submit files; gives the name of each page.

    Args:
        tab: Of a browser in which nobody is signed in.
        address: Of the site.
        uploads: Names and contents of files.
    """
    for path in ("/board", "/board/b", "/board/none"):
        tab.goto(address + path)
        yield path
    tab.goto(f"{address}/board/b/submit")
    sign_in_as(tab, "root")
    yield "submit"
    for name, content in uploads:
        tab.goto(f"{address}/board/b/submit")
        file = {"name": name, "mimeType": "application/json", "buffer": content.encode()}
        tab.fill("[name=model]", name)
        tab.set_input_files("[name=file]", file)
        follow(tab, "text=Check and score")
        yield "receipt" if re.search(r"/mine/\d+$", tab.url) else "faults"
    for path in ("/board/b/mine", "/board/b"):
        tab.goto(address + path)
        yield f"{path}, signed in"
