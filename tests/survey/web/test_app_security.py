"""Who is refused, what is shown as text, and what stays out of logs."""

import re
from functools import partial
from html.parser import HTMLParser

import pytest

from support.survey.browsing import agree, hidden_fields, post, rows, sent, texts
from tiltmeter.survey.persons import withdraw
from tiltmeter.survey.schema import Answer, LoginSession, Person
from tiltmeter.survey.web.guard import HEADERS, LARGEST_BODY
from tiltmeter.survey.web.sessions import COOKIE, hashed
from tiltmeter.survey.web.static_files import address

PAYLOADS = (
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "'><svg/onload=alert(1)>",
    "{{ 7 * 7 }}", "{% raw %}", "</textarea><script>alert(1)</script>", "javascript:alert(1)",
    "<!--", "]]>", "&lt;b&gt;", "\u202e<b>", "=cmd|' /C calc'!A0", "'; DROP TABLE answer; --",
    "../../etc/passwd", "%00", "<a href='//evil.test'>x</a>", '" autofocus onfocus=alert(1) x="',
)  # fmt: skip


def test_requests_of_other_sites_are_refused(visit, store):
    browser = visit().browser()
    page = agree(browser)
    action, fields = hidden_fields(page)
    values = {"q0": "1", "q1": "1", "q2": "1"}
    evil = {"origin": "https://evil.test"}
    assert browser.post(action, data=fields | values, headers=evil).status_code == 403
    assert browser.post(action, data=fields | values | {"csrf": "x"}).status_code == 403
    assert browser.post(action, data=values).status_code == 403
    assert browser.post("/stop", data={}).status_code == 403
    assert post(browser, sent(page), token="x").status_code == 403
    assert post(visit().browser(), sent(page), token="x").status_code == 403
    assert rows(store, Answer) == []
    ours = {"origin": "http://survey.test"}
    assert browser.post(action, data=fields | values, headers=ours).status_code == 200


def test_the_session_changes_at_consent_and_is_stored_hashed(visit, store):
    browser = visit().browser()
    browser.get("/")
    before = browser.cookies[COOKIE]
    agree(browser)
    after = browser.cookies[COOKIE]
    assert before != after
    assert [row.token for row in rows(store, LoginSession)] == [hashed(after)]
    reply = visit().browser().get("/work", headers={"cookie": f"{COOKIE}={before}"})
    assert reply.status_code == 403


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(visit):
    header = visit().browser().get("/", follow_redirects=True).headers["set-cookie"].lower()
    assert "httponly" in header and "samesite=lax" in header and "secure" not in header


def test_every_reply_has_the_headers(visit):
    browser = visit().browser()
    for path in ("/", "/static/answers.js", "/work", "/nowhere", "/static/../app.py"):
        reply = browser.get(path)
        assert {name: reply.headers[name] for name in HEADERS} == HEADERS, path


def test_pages_of_people_who_take_part_are_compressed_and_those_of_accounts_are_not(visit):
    """Pages of accounts could show what an address asks for beside a secret."""
    browser = visit().browser()
    page = agree(browser)
    for path in (page.url.path, address("answers.js"), address("survey.css")):
        reply = browser.get(path)
        assert reply.headers["content-encoding"] == "gzip", path
        assert int(reply.headers["content-length"]) < len(reply.content), path
        plain = browser.get(path, headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers, path
        assert {reply.headers["vary"], plain.headers["vary"]} == {"Accept-Encoding"}, path
    for path in ("/login", "/admin", "/board", "/account"):
        assert "content-encoding" not in browser.get(path).headers, path


def test_nothing_on_a_page_can_be_guessed_from_its_compressed_length(visit):
    """Each page has another token, in all of its letters but as many as chance makes equal."""
    browser = visit().browser()
    action, first = hidden_fields(agree(browser))
    second = hidden_fields(browser.get(action))[1]
    alike = sum(a == b for a, b in zip(first["csrf"], second["csrf"], strict=True))
    assert first["csrf"] != second["csrf"] and len(first["csrf"]) == 80 and alike < 30
    values = {"q0": "1", "q1": "1", "q2": "1"}
    assert browser.post(action, data=first | values).status_code == 200  # both hold
    assert browser.post(action, data=second | values).status_code == 200
    swapped = first["csrf"][:16] + second["csrf"][16:]
    assert browser.post(action, data=first | values | {"csrf": swapped}).status_code == 403


def test_large_bodies_are_refused(visit):
    browser = visit().browser()
    page = agree(browser)
    action, fields = hidden_fields(page)
    assert browser.post(action, data=fields | {"q0": "1" * LARGEST_BODY}).status_code == 413
    assert post(browser, sent(page, value="x" * LARGEST_BODY)).status_code == 413


@pytest.mark.parametrize("payload", PAYLOADS)
def test_what_people_write_is_shown_as_text(visit, store, payload):
    browser = visit(texts(payload.replace("'''", ""), "x")).browser()
    action, fields = hidden_fields(agree(browser, f"/?PROLIFIC_PID={payload[:50]}"))
    replies = [browser.get(action)]
    browser.post(action, data=fields | {"q0": "yes", "q1": payload})
    replies += [browser.get(action), browser.post(action, data=fields | {"q0": payload})]
    replies.append(browser.get("/page/" + payload.replace("/", "")))
    assert payload in [row.value for row in rows(store, Answer)]
    for reply in replies:
        tags = Tags(reply.text)
        assert tags.names <= PLAIN_TAGS
        assert tags.scripts <= {address("answers.js")}
        assert not [name for name in tags.attributes if name.startswith(("on", "style"))]
        assert not [link for link in tags.links if not link.startswith("/")]
        assert "49" not in re.sub(r"[0-9a-f-]{36}|\d{13}", "", re.sub(r"<[^>]*>", "", reply.text))


PLAIN_TAGS = {
    "html", "head", "meta", "title", "link", "body", "main", "progress", "form", "input", "h1", "p",
    "div", "span", "blockquote", "fieldset", "legend", "label", "textarea", "strong", "button",
    "footer", "a", "script", "details", "summary",
}  # fmt: skip


class Tags(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, text):
        super().__init__()
        self.names, self.attributes, self.scripts, self.links = set(), set(), set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.scripts |= {value for name, value in attrs if (tag, name) == ("script", "src")}
        self.links |= {value for name, value in attrs if name in {"href", "action"}}


def test_no_ids_or_answers_in_the_log(visit, caplog, monkeypatch):
    survey = visit()
    browser = survey.browser()
    page = agree(browser, "/?PROLIFIC_PID=secretid")
    monkeypatch.setattr(
        "tiltmeter.survey.web.app.save_batches",
        lambda *_, **__: (_ for _ in ()).throw(ValueError("secretanswer")),
    )
    reply = post(browser, sent(page, value="secretanswer"))
    assert reply.status_code == 500
    assert "ValueError" in caplog.text and "POST /api" in caplog.text
    assert "secret" not in caplog.text + reply.text


def test_an_erased_person_starts_again(visit, store):
    browser = visit().browser()
    agree(browser)
    store.save(partial(withdraw, person=rows(store, Person)[0].id))
    assert browser.get("/work").status_code == 403
