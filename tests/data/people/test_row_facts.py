"""Columns about annotators and items say the same in all rows."""

import pytest

from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.data.people.annotator_answers import read_judgments
from tiltmeter.data.people.judgments import AnswerReading

HEAD = "annotator,item,tone,gender\n"


def read(tmp_path, *rows, head=HEAD, by=("gender",), **more):
    path = tmp_path / "t.csv"
    path.write_text(head + "\n".join(rows), "utf-8")
    return read_judgments(path, AnswerReading(questions=("tone",), attributes=by, **more))


def test_an_annotator_has_one_value_and_empty_cells_say_nothing(tmp_path):
    people = read(tmp_path, "bo,1,a,m", "ann,1,b,", "ann,2,a,f", "cy,1,a,")
    assert people.annotators == ("ann", "bo", "cy")
    assert people.attributes == {"gender": ("f", "m", "")}


def test_two_values_are_refused_with_the_line(tmp_path):
    with pytest.raises(BadItems, match="gender of the annotator ann is m, and f in an earlier row"):
        read(tmp_path, "ann,1,b,f", "ann,2,a,m", "bo,1,b,f")


def test_a_column_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadInput, match="age"):
        read(tmp_path, "ann,1,b,f", "bo,1,b,f", by=("age",))
    path = tmp_path / "wide.csv"
    path.write_text("item,rater_1,rater_2\n1,a,b\n", "utf-8")
    with pytest.raises(BadInput, match="no column 'gender' about annotators"):
        read_judgments(path, AnswerReading(attributes=("gender",)))


def test_of_a_survey_it_is_a_question_about_the_person(tmp_path):
    head = "person,item,question,kind,round,value\n"
    rows = [
        "p,,gender,choice,1,f",
        "p,i,tone,choice,1,a",
        "q,,gender,choice,1,m",
        "q,i,tone,choice,1,b",
    ]
    people = read(tmp_path, *rows, head=head)
    assert people.attributes == {"gender": ("f", "m")}
    with pytest.raises(UnknownName, match="question about people"):
        read(tmp_path, *rows, head=head, by=("age",))
