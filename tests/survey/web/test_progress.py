"""Where a person is in a survey."""

import re

import pytest

from support.survey.browsing import agree, hidden_fields, post, rows, sent
from support.survey.forms import STAGES, a_form
from tiltmeter.survey.form_file import form_of, read_form
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
    assert instructions.url.path == "/instructions" and first == "/page/country"
    assert browser.get("/work").url.path == browser.get(first).url.path == first
    assert fill_in(browser, "/work", random_answers(1)).code
    assert browser.get("/instructions").url.path == "/done"


@pytest.mark.parametrize("value", ["yes", "no"])
def test_the_bar_and_the_number_of_the_page_never_go_back(visit, value):
    """With pages that are skipped by one answer and shown by the other."""
    seen = []

    def answers(page: FormPage):
        if page.name:
            share = re.search(r'<progress max="100" value="(\d+)"', page.text)[1]
            place = re.search(r"Page (\d+) of (\d+)</p>", page.text)
            seen.append((int(share), int(place[1]), place[2]))
        filled = random_answers(1)(page)
        return filled | ({"q0": value} if f'value="{value}"' in page.text else {})

    assert fill_in(visit(form_of(STAGES)).browser(), "/", answers).code
    shares, pages = [share for share, _, _ in seen], [page for _, page, _ in seen]
    assert shares == sorted(shares) and shares[0] == 0 and shares[-1] < 100
    assert pages == sorted(set(pages)) and pages[-1] == 10
    assert {total for _, _, total in seen} == {"10"}


def test_a_training_item_is_called_practice_and_answered_beside_what_was_expected(visit):
    pages = []

    def answers(page: FormPage):
        pages.append(page.text)
        return random_answers(1)(page) | ({"q0": "no"} if 'value="no"' in page.text else {})

    browser = visit(form_of(STAGES)).browser()
    assert fill_in(browser, "/", answers).code
    banner = "Practice 1 of 1: this does not count"
    assert [banner in page for page in pages].count(True) == 2  # two pages about one item
    feedback = browser.get(
        re.search(r"/page/(judge\.\d+)", pages[2])[0].replace("page", "feedback")
    )
    assert banner in feedback.text and "Another answer was expected." in feedback.text
    given = re.findall(r"<dt>([^<]+)</dt><dd[^>]*>([^<]+)</dd>", feedback.text)
    assert given == [("Your answer", "no"), ("Expected answer", "yes")]


COMPREHENSION = """
[comprehension]
wrong = "Please read again."
[[comprehension.questions]]
name = "whose"
kind = "choice"
text = "Whose view?"
options = ["mine", "theirs"]
expected = "theirs"
"""


@pytest.mark.parametrize(
    ("given", "pages"),
    [
        (["theirs"], ["comprehension"]),
        (["mine", "theirs"], ["comprehension", "comprehension_2"]),
        (["mine", "mine"], ["comprehension", "comprehension_2"]),
    ],
)
def test_questions_about_the_instructions_are_asked_again_once(visit, store, given, pages):
    form = a_form(2, top='instructions = "Rate as society does."', rest=COMPREHENSION)
    left, seen = iter(given), []

    def answers(page: FormPage):
        filled = random_answers(1)(page)
        if not page.name.startswith("comprehension"):
            return filled
        seen.append(page)
        return filled | {"q0": next(left)}

    browser = visit(form).browser()
    assert fill_in(browser, "/", answers).code
    assert [page.name for page in seen] == pages
    assert [page.text.count("Please read again.") for page in seen] == [*range(len(pages))]
    shown = [page.text.count("Rate as society does.") for page in seen]
    assert shown == [1, 2][: len(pages)]  # below every page, and above the second attempt
    stored = [row.value for row in rows(store, Answer) if row.question == "whose"]
    assert stored == given


def test_there_is_no_way_back_to_the_questions_about_the_instructions(visit, store):
    browser = visit(a_form(2, rest=COMPREHENSION)).browser()
    action, fields = hidden_fields(first := agree(browser))
    assert action == "/page/comprehension"
    after = browser.post(action, data=fields | {"q0": "mine"})
    assert after.url.path == "/page/comprehension_2"
    assert f'href="{action}"' not in after.text
    assert browser.get(action).url.path == "/page/comprehension_2"
    browser.post(action, data=fields | {"q0": "theirs"})
    refused = post(browser, sent(first, value="theirs"))
    assert refused.status_code == 400
    assert [row.value for row in rows(store, Answer)] == ["mine"]
