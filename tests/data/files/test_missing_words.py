"""Words for missing values: the same numbers as an empty cell, with a note, in all that people say."""

import json

import numpy as np
import pytest

from tiltmeter.core.errors import BadItems
from tiltmeter.data.files.matrix_table import read_matrix_table
from tiltmeter.data.files.missing_words import WORDS, is_missing, missing_words
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.people.annotator_answers import read_judgments
from tiltmeter.data.people.judgments import AnswerReading
from tiltmeter.data.people.ratings import read_ratings
from tiltmeter.data.texts.frequencies import read_reference
from tiltmeter.data.texts.labelled_rows import read_labelled
from tiltmeter.studies.decisions.candidate_files import read_answers

EVERY_WORD = pytest.mark.parametrize("word", ["", " ", *WORDS])


@pytest.fixture
def write(tmp_path):
    def write(text, name="table.csv"):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return write


def cells_of(table, column):
    return [row.cells[column] for row in table.rows]


@EVERY_WORD
@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_a_word_is_an_empty_cell_in_each_kind_of_file(write, word, ending):
    rows = [{"name": "a", "value": word}, {"name": "b", "value": "3"}]
    if ending == "jsonl":
        text = "".join(json.dumps(row) + "\n" for row in rows)
    else:
        mark = {"csv": ",", "tsv": "\t"}[ending]
        text = "".join(f"{mark.join(row)}\n" for row in (rows[0], *(r.values() for r in rows)))
    table = read_table(write(text, f"t.{ending}"))
    assert [cell.strip() for cell in cells_of(table, "value")] == ["", "3"]
    assert bool(table.notes) == bool(word.strip())


def test_the_note_counts_by_word_and_names_the_columns(write):
    table = read_table(write("a,b,c\nNA,1,x\nN/A,NA,x\n"))
    assert len(list(table.rows)) == 2
    (note,) = table.notes
    assert note == (
        "3 cells were read as missing ('NA' 2, 'N/A' 1; columns 'a', 'b'). If such a word is a value of "
        "yours, list the words for missing values with --missing."
    )


def test_words_can_be_set_and_kept(write):
    path = write("code\nNA\n-99\n")
    assert cells_of(read_table(path), "code") == ["", "-99"]
    with missing_words("-99"):
        assert cells_of(read_table(path), "code") == ["NA", ""]
    with missing_words(""):
        assert cells_of(read_table(path), "code") == ["NA", "-99"]
    with missing_words(None, kept=["NA"]):
        assert cells_of(read_table(path), "code") == ["NA", "-99"]
        assert not is_missing("NA")
    assert is_missing("NA")


def test_a_word_within_a_text_and_a_column_of_texts_stay(write):
    path = write("text,note\nnull,NA is a code\n")
    table = read_table(path, texts=["text"])
    assert [dict(row.cells) for row in table.rows] == [{"text": "null", "note": "NA is a code"}]
    assert table.notes == []
    assert cells_of(read_table(path, texts=None), "text") == ["null"]
    assert cells_of(read_table(path, known=None), "text") == ["null"]


def test_a_required_cell_says_which_word_it_had(write):
    with pytest.raises(BadItems, match="'NA', a word for a missing value; fill it in or remove"):
        read_judgments(write("annotator,item,q\nNA,x,1\nb,x,1\n"), AnswerReading(questions=["q"]))


@EVERY_WORD
def test_answers_and_ratings_are_not_there(write, word):
    path = write(f"annotator,item,q\na,x,1\nb,x,{word}\na,y,2\nb,y,2\n")
    found = read_judgments(path, AnswerReading(questions=["q"]))
    assert np.array_equal(found.answers["q"], [[1, np.nan], [2, 2]], equal_nan=True)
    assert not found.words
    path = write(
        f"annotator,group,pair,rating,age\na,g,p,10,30\na,h,p,{word},30\nb,g,p,20,{word}\nb,h,p,4,{word}\n"
    )
    ratings = read_ratings(path)
    assert np.array_equal(ratings.values[:, :, 0], [[10, np.nan], [20, 4]], equal_nan=True)
    assert ratings.values_of(["age"]) == [{"age": "30"}]
    assert ratings.unstated(["age"]) == 1
    assert any("1 row without a rating" in note for note in ratings.notes)


@EVERY_WORD
def test_groups_decisions_and_numbers_are_not_there(write, word):
    path = write(f"text,label,group\nI met women,hate,{word}\nI met men,fine,men\n")
    groups = [row.groups for row in read_labelled(path, "").rows]
    assert groups == [{}, {"group": "men"}]
    path = write(f"selected,race\n1,{word}\n0,a\n{word},b\n")
    with_blank = write("selected,race\n1,\n0,a\n,b\n", "blank.csv")
    shown = [[(i.groups, reply) for i, reply in zip(items.items, replies, strict=True)]
             for items, replies in map(read_answers, (path, with_blank))]  # fmt: skip
    assert shown[0] == shown[1]
    table = read_matrix_table(write(f"group,cold - warm\nNone,{word}\nmen,3\n"))
    assert table.rows == ("None", "men")
    assert np.array_equal(table.values[:, 0], [np.nan, 3], equal_nan=True)


def test_a_word_list_keeps_its_words(write):
    numbers = read_reference(write("word,count\nnull,3\nnone,4\nthe,93\n"))
    assert "null" in str(numbers)
