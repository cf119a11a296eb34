"""Where a person is in a survey."""

from support.survey.browsing import agree, hidden_fields, post, rows, sent
from support.survey.forms import a_form
from tiltmeter.survey.form_file import read_form
from tiltmeter.survey.schema import Answer
from tiltmeter.survey.web.bots import FormPage, fill_in, random_answers


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


def test_the_code_is_shown_only_when_all_answers_are_held(visit):
    survey = visit()
    browser = survey.browser()
    agree(browser)
    assert browser.get("/done").url.path.startswith("/page/")
    done = fill_in(browser, "/", random_answers(1))
    assert done.code and done.code in browser.get("/work").text


def test_instructions_lead_to_the_next_screen(visit):
    browser = visit(read_form("group_traits")).browser()
    instructions = agree(browser)
    first = FormPage(instructions.text).link
    assert instructions.url.path == "/instructions" and first == "/page/traits.1"
    assert browser.get("/work").url.path == browser.get(first).url.path == first
    assert fill_in(browser, "/work", random_answers(1)).code
    assert FormPage(browser.get("/instructions").text).link == "/work"
