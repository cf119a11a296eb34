"""The page that asks for consent, and the copy that people keep of it."""

import re
from datetime import UTC, datetime

import pytest

from support.survey.browsing import agree, hidden_fields, rows
from support.survey.forms import a_form
from tiltmeter.core.reading.typed_values import fields_of
from tiltmeter.survey.collected import collect
from tiltmeter.survey.consent.study_facts import StudyFacts
from tiltmeter.survey.form_file import read_form
from tiltmeter.survey.formats import tables
from tiltmeter.survey.languages.interface_words import words_in
from tiltmeter.survey.schema import Person

FACTS = """
[study]
investigator = "Ann Ruiz"
contact = "ann@example.org"
minutes = 5
risks = "Some texts are *hateful*."

[pay]
amount = 1.5
"""
TODAY = f"{datetime.now(UTC):%Y-%m-%d}"


def a_consent(top=""):
    return a_form(top=top, rest=FACTS)


def test_the_page_lists_what_the_form_says_of_the_study(visit):
    page = visit(a_consent()).browser().get("/").text
    listed = re.findall(r"<dt>(.+?)</dt>\s*<dd>(.+?)</dd>", page, re.DOTALL)
    assert listed == [
        ("Responsible", "<bdi>Ann Ruiz</bdi>"),
        ("Contact", '<a href="mailto:ann@example.org">ann@example.org</a>'),
        ("Duration", "about 5 min"),
        ("Payment", "<bdi>1.50 USD</bdi>"),
        ("Risks", "<p>Some texts are <em>hateful</em>.</p>"),
    ]


def test_without_facts_there_is_no_list(visit):
    page = visit().browser().get("/").text
    assert "<dl" not in page and "About this study" not in page


def test_there_is_a_word_for_every_fact():
    names = {*fields_of(StudyFacts), "pay"}
    assert {f"study_{name}" for name in names} <= words_in("en").keys()


def test_a_copy_says_what_is_agreed_to_and_names_nobody(visit, store):
    form = a_consent('warning = "Hateful texts."')
    browser = visit(form).browser()
    before = browser.get("/consent/copy?lang=en")
    assert before.headers["content-disposition"] == 'attachment; filename="consent.html"'
    assert f"<dt>Copy made on</dt><dd>{TODAY} (UTC)" in before.text
    agree(browser, "/?PROLIFIC_PID=5f1")
    after = browser.get("/consent/copy").text
    assert f"<dt>You agreed on</dt><dd>{TODAY} (UTC)" in after
    for kept in (
        "How are groups seen?",
        "Hateful texts.",
        "Do you agree?",
        form.sha256,
        "1.50 USD",
    ):
        assert kept in after
    (person,) = rows(store, Person)
    assert "5f1" not in after and person.id not in after and "<script" not in after


def test_a_copy_is_in_the_language_that_was_agreed_in(visit):
    form = read_form("group_traits")
    browser = visit(form).browser()
    agree(browser, "/?lang=ru")
    copy = browser.get("/consent/copy").text
    assert form.consent["ru"] in copy and '<html lang="ru"' in copy


def test_what_people_agreed_to_is_exported_by_the_day(visit, store):
    survey = visit(a_consent())
    agree(survey.browser())
    files = tables.files(store.read(lambda session: collect(session, survey.study)))
    (person,) = rows(store, Person)
    assert files["consents.csv"].splitlines() == [
        "person,date,language,form_sha256,linked",
        f"{person.id},{TODAY},en,{survey.form.sha256},no",
    ]


@pytest.mark.parametrize("how", ["keep", "erase"])
def test_who_stops_is_debriefed_and_who_declines_is_not(visit, how):
    survey = visit(a_consent('debriefing = "We *tested* this."'))
    browser = survey.browser()
    agree(browser)
    _, fields = hidden_fields(browser.get("/stop"))
    assert "We <em>tested</em> this." in browser.post("/stop", data=fields | {"how": how}).text
    assert "tested" not in agree(survey.browser(), agreed="no").text
