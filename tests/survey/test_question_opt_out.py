"""Choosing not to answer, where a form allows it: a value of its own, which no mean and no vote counts."""

from functools import partial

import numpy as np
import pytest

from support.survey.forms import a_form, a_study, fill_in, someone
from tiltmeter.core.errors import BadItems
from tiltmeter.data.files.missing_words import OPTED_OUT
from tiltmeter.data.people.annotator_answers import read_judgments
from tiltmeter.data.people.ratings import means, read_ratings
from tiltmeter.survey.collected import collect
from tiltmeter.survey.formats.answer_files import export_files, read_item_answers
from tiltmeter.survey.formats.item_answers import item_answers
from tiltmeter.survey.people_answers import votes_of

UNSURE = """
[[pages.questions]]
name = "cold - hot"
kind = "slider"
left = "cold"
right = "hot"
opt_out = "I do not know"
[[pages.questions]]
name = "known"
kind = "scale"
text = "How well known?"
options = ["little", "much"]
opt_out = "does not apply"
[[pages.questions]]
name = "label"
kind = "choice"
text = "Which?"
options = ["a", "b"]
opt_out = "neither"
"""
ANSWERS = {
    "ann": {"cold - hot": 20.0, "known": "much", "label": "a"},
    "ben": {"cold - hot": OPTED_OUT, "known": OPTED_OUT, "label": OPTED_OUT},
    "cem": {"cold - hot": 60.0, "known": "little", "label": "b"},
}


@pytest.fixture
def collected(store):
    form = a_form(1, rest=UNSURE)
    study = a_study(store, form)
    for name, others in ANSWERS.items():
        fill_in(store, form, someone(store, study, name), others=others)
    assert sorted(vote.value for vote in store.read(partial(votes_of, study=study, question="label"))) == [
        "a", "b",
    ]  # fmt: skip
    return store.read(partial(collect, study=study))


def test_means_leave_out_who_opted_out_and_say_so(collected, tmp_path):
    (tmp_path / "ratings.csv").write_text(export_files(collected, "csv")["ratings.csv"], "utf-8")
    ratings = read_ratings(tmp_path / "ratings.csv")
    averages, counts = means(ratings)
    at = ratings.pairs.index("cold - hot")
    assert (averages[0, at], counts[0, at]) == (40.0, 2)  # of 20 and 60
    assert "1 cell was read as missing ('OPTED_OUT' 1; column 'rating')" in ratings.notes[0]
    assert "1 row without a rating: left out." in ratings.notes


def test_agreement_sees_no_answer(collected, tmp_path):
    (tmp_path / "answers.csv").write_text(export_files(collected, "csv")["answers.csv"], "utf-8")
    judgments = read_judgments(tmp_path / "answers.csv")
    for question in ("cold - hot", "known", "label"):
        assert np.isfinite(judgments.answers[question]).sum() == 2
    assert judgments.words["known"] == ("little", "much")


@pytest.mark.parametrize(
    ("kind", "file"),
    [
        ("csv", "answers.csv"),
        ("label-studio", "tasks.json"),
        ("potato", "annotated_instances.jsonl"),
    ],
)
def test_every_format_takes_it_out_and_in(collected, tmp_path, kind, file):
    path = tmp_path / file
    path.write_text(export_files(collected, kind)[file], "utf-8")
    given = {(a.annotator, a.question): a.value for a in item_answers(collected)}
    back = read_item_answers(path, collected.form, kind)
    assert {(a.annotator, a.question): a.value for a in back} == given
    assert [*given.values()].count(OPTED_OUT) == 3


def test_a_question_without_it_takes_no_such_answer():
    slider = next(q for _, q in a_form(1).questions)
    assert slider.why_wrong(OPTED_OUT) == "the slider has no number"
    (scale,) = (q for _, q in a_form(1, rest=UNSURE).questions if q.name == "known")
    assert scale.why_wrong("neither") and not scale.why_wrong(OPTED_OUT)


def test_it_is_no_option_and_none_of_several():
    with pytest.raises(BadItems, match="has the value 'OPTED_OUT'"):
        a_form(rest=UNSURE.replace('"little"', '"OPTED_OUT"'))
    several = UNSURE.replace('options = ["a", "b"]', 'options = ["a", "b"]\nseveral = true')
    with pytest.raises(BadItems, match="has several answers and opt_out"):
        a_form(rest=several)
