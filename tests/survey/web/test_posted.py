"""Pages that browsers post: what is stored, and what is refused."""

from functools import partial

import pytest

from support.survey.browsing import agree, hidden_fields, post, rows, sent
from tiltmeter.survey.places import expire
from tiltmeter.survey.schema import Answer
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
