"""Tables of answers: what is read, what is counted once, and what is refused."""

import numpy as np
import pytest

from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.people.annotator_answers import read_judgments
from tiltmeter.data.people.judgments import AnswerReading
from tiltmeter.data.people.ratings import RatingScale

ROWS = "annotator,item,fit,kind\nb,x,1,no\na,x,2,yes\na,y,,maybe\nb,y,5,\n"


@pytest.fixture
def write(tmp_path):
    def write(text, name="answers.csv"):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return write


def test_numbers_stay_and_words_are_numbered(write):
    found = read_judgments(write(ROWS), AnswerReading(questions=["fit", "kind"]))
    assert (found.annotators, found.items) == (("a", "b"), ("x", "y"))
    assert np.array_equal(found.answers["fit"], [[2, 1], [np.nan, 5]], equal_nan=True)
    assert found.words == {"kind": ("maybe", "no", "yes")}
    assert np.array_equal(found.answers["kind"], [[2, 1], [0, np.nan]], equal_nan=True)
    assert found.notes == ()


def test_nan_is_no_answer_and_an_underscore_no_digit(write):
    rows = "annotator,item,fit,kind\na,x,1,1_0\nb,x,nan,10\na,y,2,NaN\nb,y,5,10\n"
    found = read_judgments(write(rows), AnswerReading(questions=["fit", "kind"]))
    assert np.array_equal(found.answers["fit"], [[1, np.nan], [2, 5]], equal_nan=True)
    assert found.words == {"kind": ("10", "1_0")}
    assert np.array_equal(found.answers["kind"], [[1, 0], [np.nan, 0]], equal_nan=True)


def test_columns_may_have_other_names(write):
    path = write(ROWS.replace("annotator,item", "who,what"))
    assert read_judgments(
        path, AnswerReading(annotator="who", item="what", questions=["fit"])
    ).items == ("x", "y")
    with pytest.raises(BadInput, match="the column 'what' holds the items"):
        read_judgments(path, AnswerReading(annotator="who", item="what", questions=["what"]))
    with pytest.raises(BadInput, match="no columns named annotator, item"):
        read_judgments(path, AnswerReading(questions=["fit"]))


def test_a_row_that_is_there_twice_counts_once(write):
    found = read_judgments(write(f"{ROWS}a,x,2,yes\n"), AnswerReading(questions=["fit", "kind"]))
    assert found.notes == ("1 row repeats an earlier row and is counted once.",)
    assert np.isfinite(found.answers["fit"]).sum() == 3


def test_every_bad_row_is_reported(write):
    path = write(f"{ROWS}a,x,3,yes\n,x,1,no\na,,1,no\n")
    with pytest.raises(BadItems) as found:
        read_judgments(path, AnswerReading(questions=["fit"]))
    text = str(found.value)
    assert "answers.csv:6: a answers differently about x than in an earlier row" in text
    assert "answers.csv:7: annotator is empty" in text
    assert "answers.csv:8: item is empty" in text


@pytest.mark.parametrize("size", ["1e308", "-1e101", "1e-320", "1e999"])
def test_numbers_without_a_square_are_refused(write, size):
    with pytest.raises(BadItems, match=rf"answers.csv:3: {size} is too large or too small"):
        read_judgments(
            write(ROWS.replace("a,x,2", f"a,x,{size}")), AnswerReading(questions=["fit"])
        )


def test_questions_have_to_be_named(write):
    with pytest.raises(BadInput, match="--question: 'fit', 'kind'"):
        read_judgments(write(ROWS))
    with pytest.raises(BadInput, match="only a header"):
        read_judgments(write("annotator,item,fit\n"), AnswerReading(questions=["fit"]))


def test_single_ratings_of_groups(write):
    path = write("annotator,group,pair,rating\na,chefs,slow - quick,1\nb,chefs,slow - quick,7\n")
    found = read_judgments(path, AnswerReading(rating_scale=RatingScale(1, 7)))
    assert found.items == ("chefs",)
    assert found.answers["slow - quick"].tolist() == [[0.0, 100.0]]
    assert "0 to 100" in found.notes[0]
    path.write_bytes("annotator,group,pair,rating\nJosé,chefs,slow - quick,1\n".encode("latin-1"))
    assert read_judgments(path, AnswerReading(encoding="latin-1")).annotators == ("José",)


def test_people_of_a_survey_can_be_split_by_the_side_that_they_saw(tmp_path):
    rows = ["person,item,question,kind,round,value,swapped"]
    rows += [
        f"p{n},g{i},warm,slider,1,{n + i},{'yes' if n % 2 else 'no'}"
        for n in range(4)
        for i in range(2)
    ]
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(rows), "utf-8")
    read = read_judgments(path, AnswerReading(attributes=("swapped",)))
    assert read.attributes == {"swapped": ("no", "yes", "no", "yes")}
    path.write_text("\n".join([*rows, "p0,g2,warm,slider,1,3,yes"]), "utf-8")
    with pytest.raises(
        BadItems, match="swapped of the annotator p0 is yes, and no in an earlier row"
    ):
        read_judgments(path, AnswerReading(attributes=("swapped",)))
