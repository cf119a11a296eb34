"""Accounts in the tests, and browsers that are signed in with them."""

from functools import cache, partial

from argon2 import PasswordHasher
from fastapi.testclient import TestClient

from tiltmeter.survey.accounts import create_account
from tiltmeter.survey.web.bots import FormPage
from tiltmeter.survey.web.sessions import SIGNED_IN, begin_login, csrf_token

PASSWORD = "correct horse battery staple"


@cache
def stored_password():
    """A hash that costs less than those of `passwords`."""
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)


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


def with_session(app, store, account):
    """A browser in which somebody is signed in already, and the token of its forms."""
    token = store.save(partial(begin_login, account=account.id, old=""))
    browser = a_browser(app)
    browser.cookies.set(SIGNED_IN.name, token)
    return browser, csrf_token(token)
