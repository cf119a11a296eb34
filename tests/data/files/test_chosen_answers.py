"""Which answers are read: by marks, by participants, and what is counted and refused."""

from pathlib import Path

import pytest

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.data.files.chosen_answers import (
    KNOWN_MARKS,
    AnswerChoice,
    chosen_answers,
    is_chosen,
    participants_in,
)
from tiltmeter.data.files.tables import read_table

ROWS = """person,item,value,marks,mark_bot
ann,1,a,,0
ann,2,b,speed hidden_tab,0
bo,1,a,speed,0
bo,2,a,speed,0
cy,1,c,,1
cy,,young,,1
"""


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "answers.csv"
    path.write_text(ROWS, "utf-8")
    return path


def read(file):
    return [(row.cells["person"], row.cells["item"]) for row in read_table(file).rows]


def chosen(file, **choice):
    with chosen_answers(AnswerChoice(**choice)) as choosing:
        return read(file), choosing


def test_rows_with_a_mark_are_left_out_and_counted(file):
    rows, choosing = chosen(file, without=("speed",))
    assert rows == [("ann", "1"), ("cy", "1"), ("cy", "")]
    assert choosing.answers == (3, 5)  # what is about no item is no answer
    assert choosing.people == (1, 3)
    assert choosing.marks == {"speed": 3}
    assert choosing.summary == "Left out: 3 of 5 answers, and with them 1 of 3 people."
    assert len(read(file)) == 6  # outside, everything is read


def test_a_table_that_is_read_twice_counts_once(file):
    with chosen_answers(AnswerChoice(without=("hidden_tab",))) as choosing:
        read(file)
        read(file)
    assert choosing.answers == (1, 5)


def test_only_rows_with_a_mark(file):
    rows, _ = chosen(file, only=("hidden_tab", "bot"))
    assert rows == [("ann", "2"), ("cy", "1"), ("cy", "")]


def test_participants_and_their_marks(file):
    listed = {"ann": frozenset({"reversed"}), "bo": frozenset[str](), "di": frozenset[str]()}
    assert chosen(file, participants=listed)[0] == [
        ("ann", "1"),
        ("ann", "2"),
        ("bo", "1"),
        ("bo", "2"),
    ]
    rows, choosing = chosen(file, participants=listed, without=("reversed",))
    assert rows == [("bo", "1"), ("bo", "2")]
    assert choosing.marks == {"reversed": 2}  # both answers of ann, whose mark it is


def test_an_unknown_mark_is_refused_with_the_nearest(file):
    with pytest.raises(UnknownName, match=r"No mark named 'sped'\. Did you mean 'speed'"):
        chosen(file, without=("sped",))
    assert len(chosen(file, without=("duplicate",))[0]) == 6  # known, though nobody has it


def test_a_choice_without_effect_is_refused(file, tmp_path):
    plain = tmp_path / "plain.csv"
    plain.write_text("person,item\nann,1\n", "utf-8")
    with pytest.raises(BadInput, match="its answers have no marks"):
        chosen(plain, without=("speed",))
    with pytest.raises(BadInput, match="none is left"):
        chosen(file, only=("name_item",))
    matrix = tmp_path / "matrix.csv"
    matrix.write_text("group,value\nwomen,1\n", "utf-8")
    with (
        pytest.raises(BadInput, match="no answers of single people"),
        chosen_answers(AnswerChoice(without=("speed",))),
    ):
        assert len([*read_table(matrix).rows]) == 1


def read_without_the_question(file, choice):
    with chosen_answers(choice):
        list(read_table(file).rows)
        raise UnknownName("question", "q", [])


def test_an_error_about_what_is_left_says_what_was_left_out(file):
    says = r"No question named 'q'\. Known: none\. Left out: 3 of 5 answers, and with them 1 of 3 people"
    with pytest.raises(BadInput, match=says):
        read_without_the_question(file, AnswerChoice(only=("hidden_tab", "bot")))
    with pytest.raises(UnknownName, match=r"Known: none\.$"):
        read_without_the_question(file, AnswerChoice(without=("duplicate",)))


def test_bots_that_count_as_people_are_said(file, tmp_path):
    assert chosen(file)[1].bots_counted == (
        "1 of 3 respondents is marked bot and is counted with the people; --without bot leaves out bots."
    )
    assert not chosen(file, without=("bot",))[1].bots_counted
    bots = tmp_path / "bots.csv"
    bots.write_text("person,item,marks\ncy,1,bot\ndi,1,bot speed\n", "utf-8")
    assert (
        chosen(bots)[1].bots_counted
        == "All 2 respondents are marked bot: nothing here is about people."
    )
    assert chosen(bots, without=("speed",))[1].bots_counted.startswith(
        "The only respondent is marked bot"
    )


def test_answers_outside_tables_have_no_marks_of_their_own():
    with chosen_answers(AnswerChoice(participants={"ann": frozenset()})) as choosing:
        assert is_chosen("x.json", "ann") and not is_chosen("x.json", "bo")
    assert choosing.answers == (1, 2)
    with (
        pytest.raises(BadInput, match="no marks"),
        chosen_answers(AnswerChoice(without=("speed",))),
    ):
        is_chosen("x.json", "ann")
    assert is_chosen("x.json", "bo")


def test_a_table_of_participants(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("annotator,answers_r_verdict\nann,too fast\nbo,\n", "utf-8")
    assert participants_in(read_table(path, known=None), path) == {
        "ann": frozenset({"too_fast"}), "bo": frozenset(),
    }  # fmt: skip
    path.write_text("name\nann\n", "utf-8")
    with pytest.raises(BadInput, match="no column names a person"):
        participants_in(read_table(path, known=None), path)


def test_known_marks_are_those_that_are_given():
    from tiltmeter.analyses.agreement.annotators import CANNOT_TELL, MARKS

    assert {mark.replace(" ", "_") for mark in (*MARKS, CANNOT_TELL)} <= KNOWN_MARKS
    documented = (Path(__file__).parents[3] / "docs" / "surveys" / "index.md").read_text("utf-8")
    checks = documented.partition("| check | flags |")[2].partition("\n\n")[0].splitlines()[2:]
    listed = {name.strip(" `") for row in checks for name in row.split("|")[1].split(",")}
    assert listed <= KNOWN_MARKS
