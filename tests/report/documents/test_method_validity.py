"""The section on construct validity of a run's page, and of a study that says nothing about it."""

from dataclasses import replace

from report import example
from report.documents.examples import words
from tiltmeter.core.validity import HEADINGS, NOT_STATED, Validity
from tiltmeter.report.documents.method import validity_section
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page
from tiltmeter.report.model_card import model_card_section

STATED = Validity(**{name: f"<b>All</b> about {name}." for name in HEADINGS})


def with_validity():
    result = example.result()
    return replace(result, card=replace(result.card, validity=STATED))


def test_the_page_has_the_eight_rows_collapsed_and_the_terminal_none():
    document = run_document(with_validity(), example.study())
    section = next(s for s in document.sections if s.id == "validity")
    assert section.folded and not section.shown("terminal")
    text = words(page(document))
    for name, heading in HEADINGS.items():
        assert f"{heading} <b>All</b> about {name}." in text


def test_a_study_that_says_nothing_about_validity_says_so():
    card = example.result().card
    (text,) = validity_section(card).blocks
    assert (card.validity, text.text) == (None, NOT_STATED)


def test_the_model_card_has_the_rows_collapsed_where_there_are_some():
    stated = str(model_card_section(with_validity(), example.study()))
    assert "<details><summary>Construct validity</summary>" in stated
    assert r"- Contamination: \<b\>All\</b\> about contamination." in stated
    assert "Construct validity" not in str(model_card_section(example.result(), example.study()))
