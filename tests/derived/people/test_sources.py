"""Matrices from files, and names that would read the same."""

import json

import pytest

from tiltmeter.analyses.compare_people.matrices import source_of
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.derived.people.sources import people_of


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8"])
def test_ratings_of_people_may_have_another_encoding(tmp_path, encoding):
    rows = ["annotator,group,pair,rating", "José,men,cold - warm,20", "Ana,men,cold - warm,30"]
    (tmp_path / "r.csv").write_text("\n".join(rows), encoding)
    assert source_of(str(tmp_path / "r.csv"), encoding=encoding).matrix.values.tolist() == [[25.0]]


def test_a_broken_link_is_no_name_of_a_table_of_people(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people").symlink_to("gone")
    with pytest.raises(BadInput, match="is a link to 'gone', which is not there"):
        people_of("people")


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def exported(path, value="40"):
    """Two people's positions of a slider, and a choice, in Potato's layout."""
    return lines(path, [
        {"user_id": who, "instance_id": "men", "label_annotations": {
            "cold - warm": {"slider": number}, "mood": {"low": "low"}}}
        for who, number in (("a", "20"), ("b", value))
    ])  # fmt: skip


def test_numbers_of_an_export_are_ratings(tmp_path):
    people = people_of(str(exported(tmp_path / "annotated.jsonl")))
    assert (people.groups, people.pairs, people.values.tolist()) == (
        ("men",),
        ("cold - warm",),
        [[30.0]],
    )
    assert "Questions whose answers are not numbers are left out: mood." in people.notes
    with pytest.raises(BadItems, match="200 is not on the scale 0 to 100"):
        people_of(str(exported(tmp_path / "annotated.jsonl", "200")))


def test_words_of_an_export_become_ratings_by_map(tmp_path):
    path = lines(tmp_path / "annotated.jsonl", [
        {"user_id": who, "instance_id": "men", "label_annotations": {"mood": {word: "true"}}}
        for who, word in (("a", "low"), ("b", "high"))
    ])  # fmt: skip
    with pytest.raises(
        BadInput, match="no question has numbers as answers; give words numbers: --map"
    ):
        people_of(str(path))
    people = people_of(str(path), columns={"cold - warm": "mood:low=0,high=50"})
    assert people.values.tolist() == [[25.0]]


def test_columns_of_a_table_are_named_by_map(tmp_path):
    (tmp_path / "r.csv").write_text(
        "who,group,pair,score\na,men,cold - warm,20\nb,men,cold - warm,30\n"
    )
    people = people_of(str(tmp_path / "r.csv"), columns={"annotator": "who", "rating": "score"})
    assert people.values.tolist() == [[25.0]]


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"form.toml": "", "answers.csv": ""}, "this export has no ratings.csv"),
        ({"notes.txt": "x"}, "a folder without an export that is known"),
    ],
)
def test_a_folder_without_ratings_is_refused(tmp_path, files, says):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(BadInput, match=says):
        people_of(str(tmp_path))


def test_all_answers_of_a_survey_are_no_ratings(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("person,item,question,kind,round,value\na,men,q,slider,1,20\n")
    with pytest.raises(BadInput, match=r"give ratings\.csv of the same export"):
        people_of(str(path))
