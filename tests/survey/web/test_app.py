"""The pages as browsers see them: the flow without JavaScript, single answers, and who is refused."""

import re
from functools import partial

import pytest

from support.survey.browsing import agree, hidden_fields, rows, texts
from support.survey.forms import without_country
from tiltmeter.survey.collected import collect
from tiltmeter.survey.form_file import read_form
from tiltmeter.survey.people_answers import current_answers
from tiltmeter.survey.schema import Answer, Person
from tiltmeter.survey.studies import study_status
from tiltmeter.survey.web.bots import FormPage, fill_in, random_answers

# ---- The flow


def counted(store):
    """The answers that count, of the only person."""
    person = rows(store, Person)[0].id
    found = store.read(partial(current_answers, person=person))
    return {question: value for (_, _, question), value in found.items()}


def test_a_plain_form_is_stored_and_asks_again_for_what_is_missing(visit, store):
    survey = visit()
    browser = survey.browser()
    page = agree(browser)
    action, fields = hidden_fields(page)
    reply = browser.post(action, data=fields | {"q0": "50", "q1": "0"})
    assert reply.status_code == 422
    assert "Please answer the marked questions." in reply.text
    assert [row.value for row in rows(store, Answer)] == [50, 0]
    _, fields = hidden_fields(reply)
    reply = browser.post(action, data=fields | {"q0": "50", "q1": "1", "q2": "100"})
    assert reply.history[0].status_code == 303
    assert [row.value for row in rows(store, Answer)] == [50, 0, 1, 100]
    assert rows(store, Answer)[2].supersedes == rows(store, Answer)[1].key


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


def test_without_javascript_what_is_cleared_or_no_longer_asked_is_withdrawn(visit, store):
    browser = visit(texts("nurses", "pilots")).browser()
    action, fields = hidden_fields(agree(browser))
    empty = fields | {"q0": "yes"}
    browser.post(action, data=empty | {"q1": "typed"})
    stale = browser.post(action, data=empty | {"q1": ""})  # it never showed an answer
    assert counted(store) == {"gate": "yes", "words": "typed"} and stale.status_code == 200
    _, shown = hidden_fields(browser.get(action))
    cleared = browser.post(action, data=shown | {"q0": "yes", "q1": " "})
    assert counted(store) == {"gate": "yes"} and cleared.status_code == 422
    again = hidden_fields(cleared)[1] | {"q0": "yes", "q1": "again"}
    assert browser.post(action, data=again).status_code == 200
    assert counted(store) == {"gate": "yes", "words": "again"}
    other = hidden_fields(browser.get(action))[1] | {"q0": "no", "q1": "again"}
    assert browser.post(action, data=other).status_code == 200
    assert counted(store) == {"gate": "no"}
    values = [row.value for row in rows(store, Answer) if row.question == "words"]
    assert values == ["typed", None, "again", None]  # nothing is deleted


def test_who_declines_leaves_the_outcome_and_can_change_their_mind(visit, store):
    browser = visit().browser()
    reply = agree(browser, agreed="no")
    assert "None of your answers are stored" in reply.text
    (person,) = rows(store, Person)
    assert (person.outcome, person.consented) == ("declined", None)
    back = FormPage(reply.text.replace("button quiet", "button")).link
    assert agree(browser, start=back).url.path.startswith("/page/")
    (person,) = rows(store, Person)  # the same one, without an id
    assert person.outcome is None and person.consented


def test_who_stops_is_erased(visit, store):
    survey = visit()
    browser = survey.browser()
    action, fields = hidden_fields(agree(browser))
    browser.post(action, data=fields | {"q0": "1"})
    _, fields = hidden_fields(browser.get("/stop"))
    assert "erased" in browser.post("/stop", data=fields).text
    assert ([row.outcome for row in rows(store, Person)], rows(store, Answer)) == (["withdrew"], [])


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


# ---- Single answers


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
    form = without_country("familiar_groups")
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
        assert fill_in(survey.browser(), "/", random_answers(seed)).code
    assert {row.page for row in rows(store, Answer)} == {"country", "traits", "check"}
    assert store.read(partial(study_status, study=survey.study)).waiting == 2


def test_the_page_of_unlinked_demographics_is_not_sent_before_it_is_submitted(visit):
    form = without_country("group_traits")
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
        kind = "number" if "data-low=" in page.text else "text"
        value = "60" if kind == "number" else "warm"
        data = {} if "demographics" in action else {f"q{n}": value for n in questions}
        page = browser.post(action, data=fields | data)
    assert seen == {"/page/traits": False, "/page/check": False, "/page/demographics": True}


def test_a_number_that_a_slider_does_not_take_is_asked_for_again(visit, store):
    browser = visit().browser()
    action, fields = hidden_fields(agree(browser))
    for typed in ("150", "-1", "nan", "many"):
        reply = browser.post(action, data=fields | {"q0": "50", "q1": typed, "q2": "7"})
        assert reply.status_code == 422
        (wrong,) = re.findall(r'value="(\S+)" [^>]+ aria-invalid="true"', reply.text)
        assert wrong == typed and reply.text.count("Enter a number from 0 to 100.") == 1
        assert "Not answered yet" not in reply.text
    assert sorted(row.value for row in rows(store, Answer)) == [7, 50]
    _, fields = hidden_fields(reply)
    reply = browser.post(action, data=fields | {"q0": "50", "q1": "100", "q2": "7"})
    assert reply.history[0].status_code == 303


@pytest.mark.parametrize(("language", "says"), [("en", "Page not found"), ("ru", "не найдена")])
def test_an_unknown_address_has_a_page(visit, language, says):
    browser = visit(read_form("group_traits")).browser()
    for path in ("/none", "/page", "/static/none.css", "/api/none"):
        reply = browser.get(path, headers={"accept-language": language})
        assert reply.status_code == 404 and f"<h1>{says}" in reply.text.replace("Страница ", "")
    for path in ("/admin/none", "/board/b/mine/x"):
        reply = browser.get(path)
        assert reply.status_code == 404 and '<main class="wide">' in reply.text
    assert browser.get("/logout").status_code == 405


def test_pages_say_which_they_are(visit):
    """Two items, each with one page; with training, which comes first, three."""
    form = read_form("label_text")
    browser = visit(form).browser()
    agree(browser)
    for number in (1, 2, 3):
        page = browser.get("/work")
        assert f"Page {number} of 3" in page.text
        action, fields = hidden_fields(page)
        browser.post(action, data=fields | {"q0": "neither"})


def test_each_person_has_a_completion_code_of_their_own(visit, store):
    survey = visit()
    codes = [fill_in(survey.browser(), "/", random_answers(seed)).code for seed in range(2)]
    assert len({*codes}) == 2
    collected = store.read(partial(collect, study=survey.study))
    listed = [person.code for person in collected.people]
    assert sorted(codes) == sorted(listed)


def test_people_are_shown_no_note_about_who_has_read_the_words(visit):
    form = read_form("group_traits")
    reply = visit(form).browser().get("/?lang=ru")
    said = re.sub("<[^>]*>", " ", reply.text.partition("</head>")[2])
    assert "читал" not in said and "провер" not in said and "Далее" in said


@pytest.mark.parametrize("text", ["ab", "two  spaces,\n\ta line break " + "and more " * 20])
def test_what_is_judged_has_one_style_whatever_its_length_and_keeps_its_spaces(visit, text):
    page = agree(visit(texts(text)).browser()).text
    shown = re.findall(r'<blockquote class="([^"]+)">([^<]*)</blockquote>', page)
    assert shown == [("stimulus", text.strip())]
    assert "<h1>Texts</h1>" in page
