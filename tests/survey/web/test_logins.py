"""Signing in and out: what a browser holds, what the database holds, and what is refused."""

from functools import partial

import pytest

from support.survey.accounts import (
    PASSWORD,
    a_browser,
    an_account,
    fields_of,
    sign_in,
    signed_in_browser,
)
from support.survey.browsing import rows
from tiltmeter.survey.accounts import (
    HASHER,
    account_named,
    audit_log,
    change_password,
    change_role,
    is_password,
    remove_account,
)
from tiltmeter.survey.schema import LoginSession, User
from tiltmeter.survey.web.sessions import SIGNED_IN, csrf_token, hashed, is_csrf_token


@pytest.fixture
def app(visit, store):
    an_account(store, "ann", "researcher")
    an_account(store, "root", "admin")
    return visit().app


def test_a_login_gets_a_new_token_that_is_stored_hashed(app, store):
    browser = a_browser(app)
    fields = fields_of(browser.get("/login"))
    before = browser.cookies[SIGNED_IN.name]
    assert sign_in(browser, "ann").status_code == 303
    after = browser.cookies[SIGNED_IN.name]
    assert before != after
    assert [row.token for row in rows(store, LoginSession)] == [hashed(after)]
    planted = {"cookie": f"{SIGNED_IN.name}={before}"}
    assert a_browser(app).get("/account", headers=planted).url.path == "/login"
    assert browser.get("/account").url.path == "/account"
    assert is_csrf_token(before, fields["csrf"]) and not is_csrf_token(after, fields["csrf"])


@pytest.mark.usefixtures("app")
def test_passwords_are_stored_as_argon2id(store):
    for row in rows(store, User):
        assert row.password.startswith("$argon2id$") and PASSWORD not in row.password
    assert len({row.password for row in rows(store, User)}) == 1  # made once for the tests


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(app):
    header = a_browser(app).get("/login").headers["set-cookie"].lower()
    assert "httponly" in header and "samesite=lax" in header


@pytest.mark.parametrize(
    "forged", [{"csrf": ""}, {"csrf": "x"}, {"headers": {"origin": "https://evil.test"}}]
)
def test_requests_of_other_sites_are_refused(app, store, forged):
    headers = forged.get("headers", {})
    changed = {"csrf": forged["csrf"]} if "csrf" in forged else {}
    browser = a_browser(app)
    fields = fields_of(browser.get("/login")) | {"name": "ann", "password": PASSWORD} | changed
    assert browser.post("/login", data=fields, headers=headers).status_code == 403
    assert rows(store, LoginSession) == []
    ours = signed_in_browser(app, "ann")
    csrf = csrf_token(ours.cookies[SIGNED_IN.name])
    assert ours.post("/logout", data={"csrf": csrf} | changed, headers=headers).status_code == 403
    assert ours.get("/account").url.path == "/account"


def test_an_unknown_name_takes_the_same_work_as_a_wrong_password(app, monkeypatch):
    verified = []
    real = HASHER.verify
    monkeypatch.setattr(
        type(HASHER), "verify", lambda _, *given: verified.append(given[0][:10]) or real(*given)
    )
    replies = [sign_in(a_browser(app), name, "wrong password!") for name in ("ann", "nobody")]
    assert verified == ["$argon2id$", "$argon2id$"]
    texts = {reply.text.replace("ann", "nobody") for reply in replies}
    assert {reply.status_code for reply in replies} == {422}
    assert len({text.split("csrf")[0] for text in texts}) == 1


def test_wrong_passwords_are_noted_but_no_name_that_is_not_an_accounts(app, store):
    for name in ("Ann", "my password"):
        sign_in(a_browser(app), name, "wrong password!")
    lines = store.read(audit_log)[:2]
    assert [(line.actor, line.action, line.detail) for line in lines] == [
        ("(unknown name)", "wrong password", ""), ("ann", "wrong password", ""),
    ]  # fmt: skip


def test_a_password_that_changes_while_it_is_checked_lets_nobody_in(app, store, monkeypatch):
    ann = store.read(partial(account_named, name="ann"))

    def slow(*given):
        store.save(partial(change_password, account=ann.id, password="new", actor="test"))
        return is_password(*given)

    monkeypatch.setattr("tiltmeter.survey.web.logins.is_password", slow)
    assert sign_in(a_browser(app), "ann").status_code == 422
    assert store.read(lambda session: session.query(LoginSession).count()) == 0


def test_signing_out_a_new_role_and_removal_end_the_session(app, store):
    browsers = [signed_in_browser(app, name) for name in ("ann", "ann", "root")]
    one, other, root = browsers
    csrf = csrf_token(one.cookies[SIGNED_IN.name])
    assert one.post("/logout", data={"csrf": csrf}).url.path == "/login"
    assert other.get("/account").url.path == "/account"
    ids = {row.name: row.id for row in rows(store, User)}
    store.save(partial(change_role, account=ids["ann"], role="admin", actor="test"))
    assert other.get("/account").url.path == "/login"
    store.save(partial(remove_account, account=ids["root"], actor="test"))
    assert root.get("/account").url.path == "/login"


def test_a_session_ends_after_its_time(app, store):
    browser = signed_in_browser(app, "ann")

    def age(session):
        session.query(LoginSession).update({"until": 1})

    store.save(age)
    assert browser.get("/account").url.path == "/login"


def test_people_change_their_own_password(app):
    browser = signed_in_browser(app, "ann")
    other = signed_in_browser(app, "ann")
    csrf = {"csrf": csrf_token(browser.cookies[SIGNED_IN.name])}
    wanted = {
        "password": PASSWORD,
        "new": "another long password",
        "again": "another long password",
    }
    for wrong, said in (
        ({"password": "x"}, "current password"), ({"again": "x"}, "differ"),
        ({"new": "short", "again": "short"}, "12 to 1,000 characters"),
    ):  # fmt: skip
        reply = browser.post("/account", data=csrf | wanted | wrong)
        assert reply.status_code == 422 and said in reply.text
    assert browser.post("/account", data=csrf | wanted).url.path == "/login"
    assert other.get("/account").url.path == "/login"
    assert sign_in(a_browser(app), "ann").status_code == 422
    assert sign_in(a_browser(app), "ANN", "another long password").status_code == 303


def test_after_signing_in_one_is_where_one_wanted_to_go_but_on_this_site(app):
    asked = a_browser(app).get("/account", follow_redirects=False)
    assert asked.headers["location"] == "/login?next=/account"
    assert sign_in(a_browser(app), "ann", after="/done").headers["location"] == "/done"
    evil = sign_in(a_browser(app), "ann", after="//evil.test/")
    assert evil.headers["location"].startswith("/a")
