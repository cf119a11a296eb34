"""The pages as browsers see them: the flow without JavaScript, single answers, and who is refused."""

import json
import re
from functools import partial
from html.parser import HTMLParser

import pytest
from sqlalchemy import select

from survey_forms import a_form
from tiltmeter.survey.assign import expire
from tiltmeter.survey.form_file import form_of, read_form
from tiltmeter.survey.keys import new_key
from tiltmeter.survey.links import Invitation, signed_token
from tiltmeter.survey.persons import withdraw
from tiltmeter.survey.studies import study_status
from tiltmeter.survey.tables import Answer, LoginSession, Person, PlatformIdentity, StudyRow
from tiltmeter.survey.web.bots import FormPage, fill_in
from tiltmeter.survey.web.guard import HEADERS, LARGEST_BODY
from tiltmeter.survey.web.invitations import link_key
from tiltmeter.survey.web.sessions import COOKIE, csrf_token, hashed

PAYLOADS = (
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "'><svg/onload=alert(1)>",
    "{{ 7 * 7 }}", "{% raw %}", "</textarea><script>alert(1)</script>", "javascript:alert(1)",
    "<!--", "]]>", "&lt;b&gt;", "\u202e<b>", "=cmd|' /C calc'!A0", "'; DROP TABLE answer; --",
    "../../etc/passwd", "%00", "<a href='//evil.test'>x</a>", '" autofocus onfocus=alert(1) x="',
)  # fmt: skip
TEXTS = """
name = "texts"
title = "Texts"
consent = "Do you agree?"

[[pages]]
name = "write"
part = "item"
show = ["text"]

[[pages.questions]]
kind = "choice"
name = "gate"
text = "Write about {item}?"
options = ["yes", "no"]

[[pages.questions]]
kind = "text"
name = "words"
text = "What about {item}?"
when = { gate = "yes" }
"""


def texts(*items):
    listed = "".join(
        f"\n[[items]]\nid = \"i{n}\"\ntext = '''{text}'''\n" for n, text in enumerate(items)
    )
    return form_of(TEXTS + listed)


def agree(browser, start="/", agreed="yes"):
    """Go through the first pages and agree."""
    page = FormPage(browser.get(start).text)
    page = page if page.action else FormPage(browser.get(page.link).text)
    fields = {f.name: f.attributes.get("value", "") for f in page.fields}
    return browser.post("/consent", data=fields | {"agree": agreed})


def hidden_fields(reply):
    page = FormPage(reply.text)
    return page.action, {
        f.name: f.attributes.get("value", "")
        for f in page.fields
        if f.attributes.get("type") == "hidden"
    }


def rows(store, table):
    return store.read(lambda session: list(session.scalars(select(table))))


def sent(reply, value=60, **changed):
    """A body for /api/answers, for the first question of a page."""
    at = re.search(r'data-page="(.+?)" data-assignment="(.*?)"', reply.text)
    question = re.search(r'data-question="(.+?)"', reply.text)[1]
    answer = {
        "key": new_key(), "page": at[1], "question": question, "value": value, "time": 1,
        "assignment": int(at[2]),
    }  # fmt: skip
    return {"answers": [answer | changed]}


def post(browser, body, token=None):
    token = csrf_token(browser.cookies[COOKIE]) if token is None else token
    return browser.post("/api/answers", content=json.dumps(body), headers={"x-csrf-token": token})


# ---- The flow


def test_a_plain_form_is_stored_and_asks_again_for_what_is_missing(visit, store):
    survey = visit()
    browser = survey.browser()
    page = agree(browser)
    action, fields = hidden_fields(page)
    reply = browser.post(action, data=fields | {"q0": "50", "q1": "0"})
    assert reply.status_code == 422
    assert "Please answer what is marked." in reply.text
    assert [row.value for row in rows(store, Answer)] == [50, 0]
    _, fields = hidden_fields(reply)
    reply = browser.post(action, data=fields | {"q0": "50", "q1": "1", "q2": "100"})
    assert reply.history[0].status_code == 303
    assert [row.value for row in rows(store, Answer)] == [50, 0, 1, 100]
    assert rows(store, Answer)[2].supersedes == rows(store, Answer)[1].key


def test_going_back_and_sending_the_old_page_again_adds_the_new_answer(visit, store):
    browser = visit().browser()
    action, fields = hidden_fields(agree(browser))
    for value in ("1", "2", "2"):
        data = fields | {"q0": value, "q1": "1", "q2": "1"}
        assert browser.post(action, data=data).status_code == 200
    values = [row.value for row in rows(store, Answer) if row.question == "cold - warm"]
    assert values == [1, 2]


def test_without_a_way_back_a_submitted_page_takes_no_answers(visit, store):
    browser = visit(a_form(sampling="each = 2", top="back = false")).browser()
    page = agree(browser)
    action, fields = hidden_fields(page)
    browser.post(action, data=fields | {"q0": "1", "q1": "1", "q2": "1"})
    browser.post(action, data=fields | {"q0": "9", "q1": "9", "q2": "9"})
    refused = post(browser, sent(page))
    assert (refused.status_code, len(rows(store, Answer))) == (400, 3)
    assert browser.get(action).url.path != action


def test_skip_logic_without_javascript_shows_the_next_question_after_the_first(visit, store):
    browser = visit(texts("nurses")).browser()
    action, fields = hidden_fields(agree(browser))
    reply = browser.post(action, data=fields | {"q0": "yes", "q1": ""})
    assert reply.status_code == 422
    shown = re.search(r'<fieldset class="question text[^>]+>', reply.text)[0]
    assert " hidden" not in shown
    reply = browser.post(action, data=fields | {"q0": "no", "q1": "typed before"})
    assert "completion code" in reply.text
    assert {row.question: row.value for row in rows(store, Answer)} == {"gate": "no"}


def test_answers_that_come_after_the_lease_are_kept(visit, store):
    survey = visit()
    browser = survey.browser()
    action, fields = hidden_fields(agree(browser))
    gone = store.save(partial(expire, study=survey.study, at=2**50))
    reply = browser.post(action, data=fields | {"q0": "1", "q1": "2", "q2": "3"})
    assert gone == 2 and reply.status_code == 200
    assert [row.value for row in rows(store, Answer)] == [1, 2, 3]
    assert fill_in(browser, "/", 1).code


def test_the_code_is_shown_only_when_all_answers_are_held(visit, store):
    survey = visit()
    browser = survey.browser()
    agree(browser)
    assert browser.get("/done").url.path.startswith("/page/")
    done = fill_in(browser, "/", 1)
    assert done.code == rows(store, StudyRow)[0].code
    assert done.code in browser.get("/work").text


def test_who_declines_leaves_nothing(visit, store):
    reply = agree(visit().browser(), agreed="no")
    assert "Nothing was stored" in reply.text
    assert rows(store, Person) == []


def test_who_stops_is_erased(visit, store):
    survey = visit()
    browser = survey.browser()
    action, fields = hidden_fields(agree(browser))
    browser.post(action, data=fields | {"q0": "1"})
    _, fields = hidden_fields(browser.get("/stop"))
    assert "erased" in browser.post("/stop", data=fields).text
    assert (rows(store, Person), rows(store, Answer)) == ([], [])
    assert store.read(partial(study_status, study=survey.study)).withdrawn == 1


@pytest.mark.parametrize("language", ["en", "ru", "zh", "hi"])
def test_a_language_is_kept_and_declared(visit, language):
    form = read_form("group_traits")
    browser = visit(form).browser()
    start = browser.get(f"/?lang={language}")
    assert f'<html lang="{language}"' in start.text
    assert form.warning[language] in start.text
    fields = {f.name: f.attributes.get("value", "") for f in FormPage(
        browser.get(FormPage(start.text).link).text).fields}  # fmt: skip
    browser.post("/consent", data=fields | {"agree": "yes"})
    assert f'<html lang="{language}"' in browser.get("/work").text


def test_one_platform_id_is_one_person_and_stays_out_of_everything_else(visit, store):
    survey = visit()
    for _ in range(2):
        agree(survey.browser(), "/?PROLIFIC_PID=5f1a&SESSION_ID=s")
    assert len(rows(store, Person)) == 1
    assert "5f1a" not in rows(store, Person)[0].pseudonym
    assert rows(store, PlatformIdentity)[0].raw == {"PROLIFIC_PID": "5f1a", "SESSION_ID": "s"}


def test_another_id_in_the_same_browser_is_another_person(visit, store):
    browser = visit().browser()
    for pid in ("a", "b"):
        agree(browser, f"/?PROLIFIC_PID={pid}")
    assert len(rows(store, Person)) == 2


def test_signed_links_only(visit, store):
    survey = visit(signed=True)
    assert survey.browser().get("/?PROLIFIC_PID=5f1a").status_code == 400
    key = link_key(rows(store, StudyRow)[0].salt)
    token = signed_token(key, Invitation("warmth", "link", {"pid": "one"}))
    assert agree(survey.browser(), f"/?invitation={token}").status_code == 200
    assert survey.browser().get(f"/?invitation={token[:-2]}").status_code == 400
    other = signed_token(key, Invitation("another", "link", {"pid": "one"}))
    assert survey.browser().get(f"/?invitation={other}").status_code == 400


# ---- Single answers


def test_an_answer_sent_twice_is_stored_once(visit, store):
    browser = visit().browser()
    body = sent(agree(browser))
    replies = [post(browser, body) for _ in range(2)]
    assert [reply.json() for reply in replies] == [{"stored": [body["answers"][0]["key"]]}] * 2
    assert len(rows(store, Answer)) == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"value": 101}, {"value": None}, {"value": "60"}, {"key": "x"}, {"page": "other"},
        {"assignment": 99}, {"assignment": 2**70}, {"time": -1}, {"more": 1}, {"question": "\ud800"},
        {"supersedes": "x"}, {"value": {"first": "a"}}, {"assignment": None},
    ],
)  # fmt: skip
def test_what_is_no_answer_is_refused(visit, store, changed):
    browser = visit().browser()
    assert post(browser, sent(agree(browser), **changed)).status_code == 400
    assert rows(store, Answer) == []


def test_nobody_answers_for_others(visit, store):
    survey = visit()
    one, two = survey.browser(), survey.browser()
    page = agree(one)
    agree(two)
    assert post(two, sent(page)).status_code == 400
    assert rows(store, Answer) == []


# ---- Security


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
        assert tags.scripts <= {"/static/answers.js"}
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
        "tiltmeter.survey.web.app.save_batch",
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


# ---- Pages of built-in forms


def test_after_training_the_expected_answer_is_explained(visit):
    form = read_form("label_text")
    item = next(item for item in form.items if item.kind == "training")
    browser = visit(form).browser()
    agree(browser)
    action, fields = hidden_fields(browser.get("/work"))
    wrong = next(
        o.value for o in form.part("item")[0].questions[0].options
        if o.value not in item.expected.values()
    )  # fmt: skip
    reply = browser.post(action, data=fields | {"q0": wrong})
    assert "Another answer was expected." in reply.text
    assert FormPage(reply.text).link == "/work"


def test_too_few_familiar_groups_are_asked_for_again(visit):
    form = read_form("familiar_groups")
    browser = visit(form).browser()
    agree(browser)
    action, fields = hidden_fields(browser.get("/work"))
    assert action == "/page/familiar"
    keys = [item.key for item in form.items]
    reply = browser.post(action, data=fields | {"q0": keys[:3]})
    assert reply.status_code == 422 and reply.text.count(" checked") == 3
    reply = browser.post(action, data=hidden_fields(reply)[1] | {"q0": keys[:4]})
    assert reply.url.path.startswith("/page/traits.")


def test_unlinked_demographics_are_never_stored_with_the_person(visit, store):
    form = read_form("group_traits")
    survey = visit(form)
    for seed in range(2):
        assert fill_in(survey.browser(), "/", seed).code
    assert {row.page for row in rows(store, Answer)} == {"traits", "check"}
    assert store.read(partial(study_status, study=survey.study)).waiting == 2


def test_the_page_of_unlinked_demographics_is_not_sent_before_it_is_submitted(visit):
    form = read_form("group_traits")
    browser = visit(form).browser()
    page = agree(browser)
    seen = {}
    while not FormPage(page.text).code:
        page = browser.get("/work")
        action, fields = hidden_fields(page)
        if not action:
            break
        seen[action.split(".")[0]] = "data-apart" in page.text
        questions = range(page.text.count("<fieldset"))
        kind = "number" if 'type="number"' in page.text else "text"
        value = "60" if kind == "number" else "warm"
        data = {} if "demographics" in action else {f"q{n}": value for n in questions}
        page = browser.post(action, data=fields | data)
    assert seen == {"/page/traits": False, "/page/check": False, "/page/demographics": True}
