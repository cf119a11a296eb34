"""Accounts in the tests, and browsers that are signed in with them."""

from functools import cache, partial

from fastapi.testclient import TestClient

from tiltmeter.survey.accounts import create_account
from tiltmeter.survey.passwords import hashed_password
from tiltmeter.survey.web.bots import FormPage

PASSWORD = "correct horse battery staple"


@cache
def stored_password():
    return hashed_password(PASSWORD)


def an_account(store, name, role):
    made = partial(create_account, name=name, password=stored_password(), role=role, actor="test")
    return store.save(made)


def fields_of(reply):
    """What the first form of a page with an account's fields holds."""
    return {f.name: f.attributes.get("value", "") for f in FormPage(reply.text).fields}


def sign_in(browser, name, password=PASSWORD, after=""):
    """Fill in the login form; gives the reply."""
    fields = fields_of(browser.get("/login", params={"next": after} if after else {}))
    sent = fields | {"name": name, "password": password}
    return browser.post("/login", data=sent, follow_redirects=False)


def a_browser(app):
    return TestClient(app, base_url="http://survey.test")


def signed_in_browser(app, name):
    browser = a_browser(app)
    assert sign_in(browser, name).status_code == 303
    return browser
