"""The document of `agreement`: its headline, marks, and what it says where there is no value."""

import numpy as np

from tiltmeter.analysis.quality.rater_agreement import rater_agreement
from tiltmeter.data.people.annotator_answers import Judgments
from tiltmeter.report.documents.agreement import agreement_document


def document(**answers):
    raters = next(iter(answers.values())).shape[1]
    items = tuple(map(str, range(len(next(iter(answers.values()))))))
    data = Judgments("made up", "0", tuple("abcd"[:raters]), items, answers, notes=("A note.",))
    return agreement_document(rater_agreement(data), command="tiltmeter agreement x")


def panel(raters, turned=(), moved=()):
    rng = np.random.default_rng(0)
    table = np.clip(np.round(rng.uniform(1, 5, (80, 1)) + rng.normal(0, 0.5, (80, raters))), 1, 5)
    table[:, list(turned)] = 6 - table[:, list(turned)]
    table[:, list(moved)] += 2
    return table


def test_the_highest_and_the_lowest_question_are_named():
    noise = np.random.default_rng(1).integers(1, 6, (80, 3)).astype(float)
    headline = document(clear=panel(3), noise=noise).paragraphs()[0].text
    assert headline.startswith("3 annotators, 80 items, 2 questions.")
    assert "highest on clear" in headline and "lowest on noise" in headline


def test_a_reversed_scale_is_a_warning_with_its_effect():
    made = document(tone=panel(4, turned=[2]))
    warning = next(p for p in made.paragraphs() if p.kind == "warning")
    assert warning.text.startswith("c answers tone on a reversed scale")
    assert "of items as given" in warning.text
    assert "c turned round" in warning.text and "without c" in warning.text
    rows = {t.name: t.rows for t in made.tables()}
    assert rows == {"questions": 1, "reversed": 3, "annotators": 4, "accuracy": 4, "labels": 5}


def test_two_annotators_are_both_marked_and_none_is_blamed():
    made = document(tone=panel(2, turned=[0]))
    warnings = [p.text for p in made.paragraphs() if p.kind == "warning"]
    assert len(warnings) == 2
    assert all("cannot show who is reversed" in text for text in warnings)
    assert "reversed" not in {section.id for section in made.sections}


def test_a_shifted_scale_is_named_and_a_note_is_shown():
    made = document(tone=panel(4, moved=[1]))
    assert "Shifted scales: tone (b)." in [p.text for p in made.paragraphs()]
    assert "notes" in {section.id for section in made.sections}


def test_without_a_value_the_reason_is_given():
    made = document(tone=np.ones((5, 2)))
    assert "Agreement is undefined: all ratings are the same" in made.paragraphs()[0].text
    questions = next(table for table in made.tables() if table.name == "questions")
    assert any("tone: α" in note and "all ratings are the same" in note for note in questions.notes)


def test_a_reason_that_many_rows_share_is_given_once():
    tables = {t.name: t for t in document(a=panel(4)[:2], b=panel(4)[2:4]).tables()}
    assert tables["annotators"].notes == ["all 8 rows: only 2 items are shared with others"]
    said = [note.partition(": ")[2] for note in tables["questions"].notes]
    assert len(said) == len(set(said))
