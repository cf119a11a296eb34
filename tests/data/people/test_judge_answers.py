"""Judges' answers in the codes of the people's, whatever file they are in."""

import json

import numpy as np
import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.data.files.missing_words import missing_words
from tiltmeter.data.people.annotator_answers import read_judgments
from tiltmeter.data.people.judge_answers import asked_judge, with_judges, without_annotators
from tiltmeter.data.people.judgments import AnswerReading

READING = AnswerReading(questions=("tone",))


@pytest.fixture
def people(tmp_path):
    rows = ["ann,1,b", "ann,2,a", "bo,1,b", "bo,2,c", "cy,2,a"]
    path = tmp_path / "people.csv"
    path.write_text("annotator,item,tone\n" + "\n".join(rows), "utf-8")
    return read_judgments(path, READING)


def judges(tmp_path, *rows, name="judge.csv"):
    path = tmp_path / name
    path.write_text("annotator,item,tone\n" + "\n".join(rows), "utf-8")
    return read_judgments(path, READING)


def labels(people, answers, question="tone"):
    words = people.words[question]
    return ["" if np.isnan(value) else words[int(value)] for value in answers]


def test_labels_are_matched_by_their_words_and_items_by_their_names(people, tmp_path):
    theirs = judges(tmp_path, "gpt,2,c", "gpt,9,a", "other,1,x")
    coded, (gpt, other) = with_judges(people, theirs, ["tone"])
    assert coded.words["tone"] == ("a", "b", "c", "x")
    assert labels(coded, coded.answers["tone"][:, 1]) == ["b", "c"]
    assert labels(coded, gpt.answers["tone"]) == ["", "c"]
    assert labels(coded, other.answers["tone"]) == ["x", ""]


def test_a_judge_in_the_table_is_no_annotator(people):
    rest, (ann,) = without_annotators(people, ["ann"])
    assert rest.annotators == ("bo", "cy")
    assert rest.answers["tone"].shape == (2, 2)
    assert labels(people, ann.answers["tone"]) == ["b", "a"]
    with pytest.raises(BadInput, match="without the judges it has 1 annotator,"):
        without_annotators(people, ["ann", "bo"])


def test_what_does_not_fit_is_refused(people, tmp_path):
    with pytest.raises(BadInput, match="about none of the items"):
        with_judges(people, judges(tmp_path, "gpt,7,a"), ["tone"])
    numbers = tmp_path / "numbers.csv"
    numbers.write_text("annotator,item,tone\nann,1,3\nbo,1,4\nbo,2,5\n", "utf-8")
    with pytest.raises(BadInput, match="the judge answers no idea, and people give numbers"):
        with_judges(read_judgments(numbers, READING), judges(tmp_path, "gpt,1,no idea"), [])
    other = tmp_path / "other.csv"
    other.write_text("annotator,item,fits\ngpt,1,a\n", "utf-8")
    fits = read_judgments(other, AnswerReading(questions=("fits",)))
    with pytest.raises(BadInput, match="none of the questions tone"):
        with_judges(people, fits, ["tone"])


def test_objects_of_annotators_are_read(tmp_path):
    path = tmp_path / "human_annotations.json"
    path.write_text(json.dumps({"7": {"i": "x", "j": "y"}, "8": {"j": "y", "k": None}}), "utf-8")
    read = read_judgments(path)
    assert read.annotators == ("7", "8")
    assert labels(read, read.answers["answer"][:, 0], "answer") == ["x", "y", ""]
    path.write_text(json.dumps({"7": {"i": 4, "j": 2.5}, "8": {"i": 3}}), "utf-8")
    assert read_judgments(path).answers["answer"].tolist() == [
        [4, 3],
        [2.5, pytest.approx(np.nan, nan_ok=True)],
    ]
    path.write_text(
        json.dumps({"7": {"i": "None", "j": "y"}, "8": {"i": "NA", "k": None}}), "utf-8"
    )
    assert read_judgments(path).words["answer"] == ("NA", "None", "y")  # null is what is missing
    with missing_words("NA, -99"):
        assert read_judgments(path).words["answer"] == ("None", "y")
    path.write_text("{broken", "utf-8")
    with pytest.raises(BadInput, match="broken JSON"):
        read_judgments(path)


def test_texts_are_asked_about_and_labels_that_nobody_gave_are_none(tmp_path):
    path = tmp_path / "texts.csv"
    rows = ["ann,1,good,a cat", "bo,1,bad,a cat", "ann,2,bad,a dog", "bo,2,bad,"]
    path.write_text("annotator,item,tone,text\n" + "\n".join(rows), "utf-8")
    people = read_judgments(path, AnswerReading(questions=("tone",), text="text"))
    assert people.texts == ("a cat", "a dog")
    judge = asked_judge("j", people, lambda *_: ["good", "what?"])
    assert labels(people, judge.answers["tone"]) == ["good", ""]
    with pytest.raises(BadInput, match=r"j answers what\? where people answer bad, good"):
        asked_judge("j", people, lambda *_: ["what?", "what?"])
