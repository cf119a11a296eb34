"""Pages that browsers post: what is stored, and what is refused."""

from functools import partial

import pytest

from support.survey.browsing import agree, hidden_fields, post, rows, sent
from support.survey.forms import a_form
from tiltmeter.survey.collected import collect
from tiltmeter.survey.keys import DAY, now
from tiltmeter.survey.places import expire
from tiltmeter.survey.schema import Answer, Assignment, Person
from tiltmeter.survey.web.bots import fill_in, random_answers


def test_answers_that_come_after_the_lease_are_kept(visit, store):
    survey = visit()
    browser = survey.browser()
    action, fields = hidden_fields(agree(browser))
    gone = store.save(partial(expire, study=survey.study, at=2**50))
    reply = browser.post(action, data=fields | {"q0": "1", "q1": "2", "q2": "3"})
    assert gone == 2 and reply.status_code == 200
    assert [row.value for row in rows(store, Answer)] == [1, 2, 3]
    assert fill_in(browser, "/", random_answers(1)).code


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


def test_nobody_is_on_pages_for_longer_than_since_they_agreed(visit, store):
    """Browsers can send any times, and hourly pay follows from them."""
    survey = visit()
    browser = survey.browser()
    reply = agree(browser)
    begun = now()
    for _ in range(2):
        action, fields = hidden_fields(reply)
        told = {"shown_at": "1", "submitted_at": f"{begun + 9 * DAY}"}
        reply = browser.post(action, data=fields | told | {"q0": "1", "q1": "2", "q2": "3"})
    pages = store.read(partial(collect, study=survey.study)).pages
    assert len(pages) == 2
    assert 0 <= sum(page.seconds for page in pages) < 60


QUOTA = """
[[pages]]
name = "about"
part = "start"
[[pages.questions]]
name = "gender"
kind = "choice"
text = "Gender?"
options = ["woman", "man"]
"""


def test_who_comes_too_late_for_a_cell_leaves_before_the_work(visit, store):
    survey = visit(
        a_form(2, sampling="each = 1\n[sampling.people]\ngender = {woman = 1, man = 9}", rest=QUOTA)
    )
    for gender, path in (("woman", "/page/rate.1"), ("woman", "/done"), ("man", "/page/rate.2")):
        browser = survey.browser()
        action, fields = hidden_fields(agree(browser))
        assert action == "/page/about"
        reply = browser.post(action, data=fields | {"q0": gender})
        assert reply.url.path == path
    outcomes = sorted(str(row.outcome) for row in rows(store, Person))
    assert outcomes == ["None", "None", "full"]
    assert len(rows(store, Assignment)) == 2


def test_who_found_no_place_is_led_to_the_work_once_there_is_one(visit):
    """In the same browser too; and who agrees again while their cell is full leaves before any page."""
    cells = "gender = {woman = 1, man = 1}"
    survey = visit(a_form(2, sampling=f"each = 1\n[sampling.people]\n{cells}", rest=QUOTA))
    browsers = [survey.browser() for _ in range(2)]
    for number, browser in enumerate(browsers):
        action, fields = hidden_fields(agree(browser, f"/?PROLIFIC_PID=p{number}"))
        reply = browser.post(action, data=fields | {"q0": "woman"})
    assert reply.url.path == "/done" and 'data-outcome="full"' in reply.text
    early = agree(browsers[1], "/?PROLIFIC_PID=p1")
    assert early.url.path == "/done" and 'data-outcome="full"' in early.text
    _, fields = hidden_fields(browsers[0].get("/stop"))
    browsers[0].post("/stop", data=fields | {"how": "keep"})
    assert agree(browsers[1], "/?PROLIFIC_PID=p1").url.path.startswith("/page/rate")


def test_an_answer_that_a_quota_is_about_stays_as_it_is(visit, store):
    form = a_form(
        2, sampling="each = 1\n[sampling.people]\ngender = {woman = 1, man = 1}", rest=QUOTA
    )
    browser = visit(form).browser()
    action, fields = hidden_fields(first := agree(browser))
    work = browser.post(action, data=fields | {"q0": "woman"})
    assert f'href="{action}"' not in work.text  # there is no way back to it
    browser.post(action, data=fields | {"q0": "man"})
    assert post(browser, sent(first, value="man")).status_code == 400
    assert [row.value for row in rows(store, Answer)] == ["woman"]


FAILING = """
[comprehension]
attempts = 1
then = "screened_out"
[[comprehension.questions]]
name = "whose"
kind = "choice"
text = "Whose view?"
options = ["mine", "theirs"]
expected = "theirs"
[outcomes.screened_out]
code = "OUT"
"""


def test_wrong_answers_about_the_instructions_end_the_survey_where_the_form_says_so(visit, store):
    survey = visit(a_form(2, rest=FAILING))
    for given, path in (("mine", "/done"), ("theirs", "/page/rate.3")):
        browser = survey.browser()
        action, fields = hidden_fields(agree(browser))
        reply = browser.post(action, data=fields | {"q0": given})
        assert reply.url.path == path
        assert ("OUT" in reply.text) == (given == "mine")
    assert sorted(str(row.outcome) for row in rows(store, Person)) == ["None", "screened_out"]


def test_the_last_page_gives_work_where_there_is_some(visit):
    survey = visit(
        a_form(2, sampling="each = 1\n[sampling.people]\ngender = {woman = 1}", rest=QUOTA)
    )
    browser = survey.browser()
    action, fields = hidden_fields(agree(browser))
    browser.post(action, data=fields | {"q0": "woman"}, follow_redirects=False)
    assert browser.get("/done").url.path == "/page/rate.1"
