"""The data statement says what was collected, and asks for the rest."""

from dataclasses import replace
from decimal import Decimal

import pytest

from faults.hostile_texts import hostile_texts
from support.survey.page_list import usable
from tiltmeter.core.text import visible
from tiltmeter.survey.collected import (
    CheckResult,
    Collected,
    GivenConsent,
    PageTime,
    Participant,
    Response,
)
from tiltmeter.survey.consent.study_facts import StudyFacts
from tiltmeter.survey.form import Demographics, Pay
from tiltmeter.survey.form_file import read_form
from tiltmeter.survey.form_pages import Page
from tiltmeter.survey.question import AnswerOption
from tiltmeter.survey.questions.choice import ChoiceQuestion
from tiltmeter.survey.statements.statement import data_statement, datasheet

FORM = read_form("group_traits")
DAY = 86_400_000


def a_study():
    people = tuple(Participant(name, language="en") for name in ("a", "b", "c", "d"))
    answers = tuple(
        Response(name, "traits", "cold - warm", 50.0, item="men", client_time=day * DAY + 1)
        for day, name in enumerate("abcd")
    )
    demographics = [{"gender": "woman"}] * 3 + [{"gender": "man"}]
    marks = {
        name: (CheckResult("speed", "z < -3", flagged=flagged),)
        for name, flagged in (("a", True), ("b", False))
    }
    pages = tuple(PageTime(name, "traits.1", 600) for name in "abcd")
    return Collected("a_b", FORM, people, answers, pages, marks, tuple(demographics), erased=2)


def test_it_has_the_sections_and_what_is_known():
    text = data_statement(a_study())
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")] == [
        "Curation rationale", "Language variety", "Speaker demographic", "Annotator demographic",
        "Speech situation", "Text characteristics", "Recording quality", "Other",
        "Provenance appendix",
    ]  # fmt: skip
    assert text.startswith("# Data statement: a\\_b\n")
    for known in (
        "Items: 26. Each person gets 4. Each is given to 20 people.",
        "People: 4 finished; 2 erased.",
        "Answers were given between 1970-01-01 and 1970-01-04 (UTC).",
        "4 answers, 4 of them about items; 0 to 4 people per item.",
        "speed flagged 1 of 2 people",
        "a median of 12.00 an hour (10th percentile 12.00, n = 4)",
        FORM.sha256,
    ):
        assert known in text


def test_answers_that_few_gave_are_not_named():
    for text in (data_statement(a_study()), datasheet(a_study())):
        assert "gender: woman 3, other answers 1." in text and "man 1" not in text.replace(
            "woman", ""
        )


def test_what_people_say_of_themselves_before_the_work_is_counted_apart_from_unlinked_demographics():
    """Nobody can say which of the unlinked ones are whose, so there is no sum over both."""
    before = {"country": "US"}
    study = replace(
        a_study(), people=tuple(Participant(p, about=before) for p in "abcd"), waiting=1
    )
    for text in (data_statement(study), datasheet(study)):
        assert (
            "\n\ncountry: US 4.\n\ngender: woman 3, other answers 1.\n\nWhat 1 person says" in text
        )
    nobody = data_statement(Collected("x", FORM, (), ()))
    assert "Nobody has answered the questions about people." in nobody


def test_the_datasheet_asks_for_what_only_the_researcher_knows():
    text = datasheet(a_study())
    assert text.count("TODO:") >= 5
    assert "Consent as the form words it: “Taking part is voluntary." in text
    empty = datasheet(Collected("x", FORM, (), ()))
    assert "No answers yet." in empty and "People: nobody." in empty


def test_what_was_paid_is_a_question():
    text = datasheet(a_study())
    assert (
        "The form promises 2.00 USD to those who finish. By the form, owed without bonuses: "
        in text
    )
    assert "finished 4 × 2.00." in text
    assert "TODO: what was paid in fact" in text and "whatever the checks" not in text


def test_languages_are_those_of_people_who_answered():
    study = a_study()
    full = Participant("e", language="ru", outcome="full")
    text = data_statement(replace(study, people=(*study.people, full)))
    assert "Language: en 4." in text and "ru" not in text.split("Language:")[1].splitlines()[0]


def test_consents_are_counted_by_language_and_those_that_are_not_recorded_are_asked_for():
    given = tuple(GivenConsent(name, FORM.sha256, lang, linked=False, date="1970-01-01")
                  for name, lang in (("a", "en"), ("a", "ru"), ("b", "en")))  # fmt: skip
    text = datasheet(replace(a_study(), consents=given))
    assert "Consents that are recorded: 1 in ru, 1 in en;" in text
    assert "TODO: how 2 people consented" in text


def test_facts_of_the_form_are_named_as_the_forms():
    facts = StudyFacts(investigator="Ann Ruiz", board="A board", protocol="12")
    text = datasheet(replace(a_study(), form=replace(FORM, study=facts)))
    assert "Responsible, by the form: Ann Ruiz" in text
    assert "Ethics board, by the form: A board" in text
    assert "TODO: whether an ethics board approved the study, and when." in text


@pytest.mark.parametrize("document", [data_statement, datasheet])
def test_foreign_texts_stay_texts_in_markdown(document):
    read = pytest.importorskip("markdown_it").MarkdownIt("commonmark").parse
    for text in usable(hostile_texts()):
        kinds, shown = set(), []
        for block in read(document(a_study_that_says(text))):
            kinds |= {one.type for one in block.children or ()}
            kinds |= {f"{block.tag} {block.markup}"} - {" "}
            shown += [one.content for one in block.children or ()]
        assert kinds <= {"text", "code_inline", "h1 #", "h2 ##", "p "}, text
        times = "\n".join(shown).count(visible(text))
        assert times >= (8 if document is data_statement else 6), text


def a_study_that_says(text):
    """The text at every place that ends up in a document."""
    said = {"en": text}
    question = ChoiceQuestion(text, options=(AnswerOption(text, said),))
    form = replace(
        FORM, name=text, title=said, warning=said, consent=said, source=text, languages=("en", text),
        pages=(Page("traits", "item", questions=(question,)),),
        pay=Pay(Decimal(2), text), demographics=Demographics(questions=(question,)),
    )  # fmt: skip
    people = tuple(Participant(name, language=text) for name in "abc")
    answers = tuple(Response(one, "traits", text, text, item="men") for one in "abc")
    marks = {"a": (CheckResult(text, text, flagged=True),)}
    return Collected(text, form, people, answers, (), marks, ({text: text},) * 3)
