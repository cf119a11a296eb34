"""The administrators' pages: accounts and the audit log."""

import pytest

from support.survey.accounts import PASSWORD, a_browser, an_account, sign_in, with_session
from support.survey.browsing import rows
from tiltmeter.survey.schema import User
from tiltmeter.survey.web.admin_accounts import ENTRIES


@pytest.fixture
def root(visit, store):
    """An administrator's app, browser, and the token of its forms."""
    app = visit().app
    return app, *with_session(app, store, an_account(store, "root", "admin"))


def test_an_account_is_added_changed_and_removed(root, store):
    app, browser, csrf = root
    new = {
        "csrf": csrf,
        "name": "Ann",
        "role": "annotator",
        "password": PASSWORD,
        "again": PASSWORD,
    }
    for wrong, said in (
        ({"again": "x"}, "differ"), ({"password": "x", "again": "x"}, "12 to 1,000"),
        ({"name": "<img src=x>"}, "cannot be the name"), ({"role": "owner"}, "No role named"),
    ):  # fmt: skip
        reply = browser.post("/admin/accounts", data=new | wrong)
        assert reply.status_code == 422 and said in reply.text and "<img" not in reply.text
    assert len(rows(store, User)) == 1
    assert "ann" in browser.post("/admin/accounts", data=new).text
    assert browser.post("/admin/accounts", data=new).status_code == 422
    ann = next(row for row in rows(store, User) if row.name == "ann")
    one = f"/admin/accounts/{ann.id}"
    browser.post(f"{one}/role", data={"csrf": csrf, "role": "researcher"})
    assert sign_in(a_browser(app), "ann").headers["location"] == "/admin"
    other = {"csrf": csrf, "password": "another password", "again": "another password"}
    browser.post(f"{one}/password", data=other)
    assert sign_in(a_browser(app), "ann").status_code == 422
    assert browser.post(f"{one}/remove", data={"csrf": csrf}).status_code == 422
    browser.post(f"{one}/remove", data={"csrf": csrf, "sure": "yes"})
    assert [row.name for row in rows(store, User)] == ["root"]
    log = browser.get("/admin/audit").text
    for line in ("create account: ann (annotator)", "change role: ann (researcher)",
                 "sign in", "change password: ann", "remove account: ann"):  # fmt: skip
        assert line in log
    assert PASSWORD not in log


def test_the_last_administrator_stays(root):
    _, browser, csrf = root
    for action, fields in (("role", {"role": "annotator"}), ("remove", {"sure": "yes"})):
        reply = browser.post(f"/admin/accounts/1/{action}", data=fields | {"csrf": csrf})
        assert reply.status_code == 422 and "only administrator" in reply.text
    for missing in ("77", "9" * 30):
        assert browser.get(f"/admin/accounts/{missing}").status_code == 400


def test_the_log_is_shown_in_parts(root, store):
    _, browser, _ = root
    for number in range(ENTRIES):
        an_account(store, f"a{number}", "annotator")
    page = browser.get("/admin/audit").text
    assert "a199" in page and "root (admin)" not in page
    assert "root (admin)" in browser.get("/admin/audit?before=2").text
    assert "a199" in browser.get("/admin/audit?before=x").text
