"""--map: columns of tables, questions of exports, and what their values mean."""

import json

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.data.people.annotator_answers import read_judgments
from tiltmeter.data.people.judgments import AnswerReading

ORDER = {"tone": "mood:low=1,medium=2,high=3"}


@pytest.fixture
def export(tmp_path):
    rows = [
        {"user_id": who, "instance_id": "i", "label_annotations": {"mood": {word: "true"}}}
        for who, word in (("a", "low"), ("b", "high"), ("c", "medium"))
    ]
    path = tmp_path / "annotated_instances.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_words_of_an_export_get_their_order(export):
    found = read_judgments(export, AnswerReading(columns=ORDER))
    assert found.answers["tone"].tolist() == [[1, 3, 2]] and not found.words


def test_columns_and_words_of_a_table_likewise(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("worker,text_id,mood\na,i,low\nb,i,high\n", "utf-8")
    how = {"annotator": "worker", "item": "text_id", **ORDER}
    found = read_judgments(path, AnswerReading(questions=("tone",), columns=how))
    assert found.answers["tone"].tolist() == [[1, 3]]


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"tone": "moos"}, "no question named 'moos' for tone"),
        ({"tone": "mood:low=1"}, "mood is 'high', and --map tone names only 'low'"),
    ],
)
def test_what_cannot_be_mapped_is_refused(export, columns, says):
    with pytest.raises(BadInput, match=says):
        read_judgments(export, AnswerReading(columns=columns))
