"""Labelled texts of files and sets, with their labels and groups; mistakes are listed."""

import pytest

from tiltmeter.core.data.labelled_items import NAMED, NO_GROUP
from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.data.files.missing_words import missing_words
from tiltmeter.data.texts.labelled_texts import load_grouped, load_labelled

TABLE = """id,text,label,group_gender,group_race
1,A woman sang loudly.,rude,female,black|white
2,The men and women left.,kind,,
3,Black cars are for men.,rude,male,black
4,An Asian man waited.,kind,male,
"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_text(TABLE, "utf-8")
    return path


def test_a_table_has_one_item_a_text_with_its_axes(table):
    data = load_labelled(table, settings={"positive": "rude", "crossed": "gender*race"})
    first = data.items[0]
    assert (first.truth, first.options, first.positive) == ("rude", ("kind", "rude"), "rude")
    assert first.groups["gender*race"] == "female × black|white"
    assert "gender*race" not in data.items[3].groups
    assert data.about["labels"] == "rude 2, kind 2"


def test_a_text_of_several_groups_counts_for_each_and_one_of_none_for_the_others(table):
    data = load_grouped(table, settings={"positive": "rude", "groups": "race"})
    found = [(item.id, item.groups["group"], item.cluster) for item in data.items]
    assert found == [
        ("1:black", "black", "1"), ("1:white", "white", "1"), ("2", NO_GROUP, ""), ("3", "black", ""),
        ("4", NO_GROUP, ""),
    ]  # fmt: skip
    assert data.items[0].groups[NAMED] == "black|white" and NAMED not in data.items[3].groups
    assert "attribute" not in data.items[2].groups


@pytest.mark.parametrize(
    ("settings", "error", "said"),
    [
        ({}, BadInput, "which is positive"),
        ({"positive": "cruel"}, UnknownName, "cruel"),
        ({"positive": "rude", "groups": "age"}, UnknownName, "axis of the data"),
        ({"positive": "rude"}, BadInput, "2 axes of groups"),
    ],
)
def test_mistakes_are_told(table, settings, error, said):
    with pytest.raises(error, match=said):
        load_grouped(table, settings=settings)


def test_rows_without_a_label_are_listed(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("text,label\nHe sang.,1\n,0\nShe sang.,\n", "utf-8")
    with pytest.raises(BadItems, match=r"t.csv:3.*\n.*t.csv:4"):
        load_labelled(path)


def test_a_label_that_is_a_word_for_a_missing_value_is_called_by_that_word(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_text("id,text,label\n1,good,None\n2,bad,rude\n", "utf-8")
    with pytest.raises(BadItems, match="label is 'None', a word for a missing value"):
        load_labelled(path, settings={"positive": "rude"})
    with missing_words(""):
        data = load_labelled(path, settings={"positive": "rude"})
    assert data.about["labels"] == "None 1, rude 1"


def test_a_column_names_the_data_as_the_file_does_not(tmp_path):
    path = tmp_path / "test.jsonl"
    row = '{{"text": "{}", "label": {}, "data": "{}"}}\n'
    path.write_text(row.format("a", 1, "mine, test part") + row.format("b", 0, "mine, test part"))
    assert load_labelled(path).name == "mine, test part"
    path.write_text(row.format("a", 1, "mine") + row.format("b", 0, "yours"))
    with pytest.raises(BadInput, match=r"2 names \(mine, yours\)"):
        load_labelled(path)


def test_shares_of_votes_name_groups_and_rows_that_nobody_was_asked_about_are_left_out(
    monkeypatch, tmp_path
):
    """Civil Comments: a text names those groups that half of its annotators saw in it."""
    (tmp_path / "all_data.csv").write_text(
        "id,comment_text,toxicity,female,male,black,asian,white,jewish,muslim,christian\n"
        "1,a,0.5,0.5,0.49,0,0,0,0,0,0\n2,b,0.4,1.0,0.8,0.6,0.7,0,0,0,0\n3,c,0.9,,,,,,,,\n"
        "4,d,0.1,0.0,0.0,0.0,0.0,0.5,0.0,0.0,0.0\n"
    )
    monkeypatch.setenv("TILTMETER_DATA", str(tmp_path))
    data = load_grouped("civil_comments", settings={"groups": "gender"})
    assert [(i.id, i.groups["group"], i.truth) for i in data.items] == [
        ("1", "female", "toxic"), ("2:female", "female", "not toxic"), ("2:male", "male", "not toxic"),
        ("4", NO_GROUP, "not toxic"),
    ]  # fmt: skip
    race = load_grouped("civil_comments", settings={"groups": "race"})
    assert [i.groups["group"] for i in race.items] == [NO_GROUP, "Black or Asian", "White"]


def test_labels_that_look_like_the_positive_one_are_noted(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("text,label\na,hate\nb,Hate\nc,hatee\nd,none\ne,no hate\nf,hatee\n")
    notes = [str(note) for note in load_labelled(path, settings={"positive": "hate"}).notes]
    assert [note.partition(", is not")[0] for note in notes] == [
        "'Hate', the label of 1 text", "'hatee', the label of 2 texts",
    ]  # fmt: skip
    assert "--set positive='hate+hatee'" in notes[1]
    assert not load_labelled(path, settings={"positive": "hate+Hate+hatee"}).notes
