"""Every route of the app for everybody: a route that does not say whom it is for fails here."""

import re

import pytest
from fastapi.routing import APIRoute

from support.survey.accounts import a_browser, an_account, fields_of, with_session
from support.survey.browsing import agree, rows
from tiltmeter.survey.accounts import ROLES
from tiltmeter.survey.schema import AuditEntry
from tiltmeter.survey.web.account_pages import declared_access
from tiltmeter.survey.web.sessions import COOKIE, csrf_token

VISITORS = ("nobody", "participant", *ROLES)
TAKING_PART = ("participant", "annotator")


def routes(app):
    found = [route for route in app.routes if isinstance(route, APIRoute)]
    others = {type(route).__name__ for route in app.routes} - {"APIRoute"}
    assert others == {"Mount"}  # the static files; anything else needs a rule of its own
    return found


@pytest.fixture
def site(visit, store):
    accounts = {role: an_account(store, role, role) for role in ROLES}
    accounts["spare"] = an_account(store, "spare", "annotator")
    return visit().app, store, accounts


class Visitors:
    """A browser for everybody, and the tokens of its forms."""

    def __init__(self, app, store, accounts):
        self.app, self.store, self.accounts = app, store, accounts
        self.known = {}

    def browser(self, who):
        if who not in self.known:
            browser, csrf = a_browser(self.app), ""
            if who in ROLES:
                browser, csrf = with_session(self.app, self.store, self.accounts[who])
            if who in TAKING_PART:
                agree(browser)
            self.known[who] = browser, csrf
        return self.known[who]

    def ask(self, route, who):
        access, path = declared_access(route), path_of(self.accounts, route)
        browser, csrf = self.browser(who)
        if "GET" in route.methods:
            return browser.get(path, follow_redirects=False)
        fields = {"csrf": csrf}
        if path == "/consent":
            browser = a_browser(self.app)  # who declines takes part, as far as the last page
            fields = fields_of(browser.get("/"))
        elif path == "/login" and not csrf:
            fields = fields_of(browser.get("/login"))
        elif access == "participant":
            fields = {"csrf": csrf_token(browser.cookies.get(COOKIE) or "none")}
        if path in {"/logout", "/stop"}:
            del self.known[who]
        headers = {"x-csrf-token": fields["csrf"]}
        return browser.post(path, data=fields, headers=headers, follow_redirects=False)


def path_of(accounts, route):
    """The route's address for the spare account, the study, or a page that there is not."""
    spare = str(accounts["spare"].id)
    number = spare if "/accounts/" in route.path else "1"
    path = re.sub(r"\{number(:int)?\}", number, route.path)
    return path.replace("{name}", "datasheet").replace("{key}", "none")


def may(access, who):
    if access == "public":
        return True
    if access == "participant":
        return who in TAKING_PART
    return who in ROLES and ROLES.index(who) >= ROLES.index(access)


def test_every_route_says_whom_it_is_for_and_lets_in_nobody_else(site):
    app, store, _ = site
    undeclared = [route.path for route in routes(app) if declared_access(route) is None]
    assert undeclared == []
    visitors = Visitors(*site)
    for route in routes(app):
        access = declared_access(route)
        refused = [who for who in VISITORS if not may(access, who)]
        before = len(rows(store, AuditEntry))
        for who in refused:
            reply = visitors.ask(route, who)
            case = (route.methods, route.path, who, reply.status_code)
            if who not in ROLES and access in ROLES:
                assert reply.headers["location"].startswith("/login"), case
            else:
                assert reply.status_code == 403, case
        assert len(rows(store, AuditEntry)) == before, route.path
        for who in [one for one in VISITORS if one not in refused]:
            reply = visitors.ask(route, who)
            case = (route.methods, route.path, who, reply.status_code)
            assert reply.status_code in {200, 303, 400, 404, 422}, case
            to_login = reply.headers.get("location", "").startswith("/login")
            assert to_login == (route.path == "/logout"), case


def test_a_new_route_without_a_role_is_seen(site):
    app, *_ = site
    app.add_api_route("/new", lambda: None)
    assert [r.path for r in routes(app) if declared_access(r) is None] == ["/new"]


@pytest.mark.parametrize("forged", ["no token", "another token", "another site"])
def test_no_route_of_an_account_takes_requests_of_other_sites(site, forged):
    app, store, accounts = site
    browser, csrf = with_session(app, store, accounts["admin"])
    headers = {"origin": "https://evil.test"} if forged == "another site" else {}
    token = {"no token": {}, "another token": {"csrf": "0" * 64}}.get(forged, {"csrf": csrf})
    before = len(rows(store, AuditEntry))
    sent = [r for r in routes(app) if "POST" in r.methods and declared_access(r) in ROLES]
    assert len(sent) >= 10
    for route in sent:
        fields = token | {"sure": "yes", "role": "admin", "name": "warmth", "people": "a"}
        reply = browser.post(path_of(accounts, route), data=fields, headers=headers)
        assert reply.status_code == 403, route.path
    assert len(rows(store, AuditEntry)) == before
