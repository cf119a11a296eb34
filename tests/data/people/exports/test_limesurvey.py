"""Exports of LimeSurvey: arrays, two scales, answers to tick, incomplete responses."""

import pytest

from data.people.exports.examples import table
from tiltmeter.core.errors import BadInput
from tiltmeter.data.people.annotator_answers import read_judgments
from tiltmeter.data.people.exports.recognising import read_export
from tiltmeter.data.people.judgments import AnswerReading

HEAD = (
    "id", "submitdate", "lastpage", "startlanguage", "seed", "age", "G01Q02[SQ001]", "G01Q02[SQ002]",
    "G01Q02[other]", "both[SQ001][1]", "both[SQ002][1]", "both[SQ001][2]", "both[SQ002][2]", "tick[SQ001]",
    "tick[SQ002]", "interviewtime",
)  # fmt: skip
ROWS = [
    HEAD,
    (1, "2026-01-01 10:00", 3, "en", 77, 30, "A1", "A2", "", 1, 2, 3, 4, "Y", "", 100),
    (2, "", 1, "en", 78, 40, "A3", "N/A", "", 2, 2, 3, 3, "Y", "Y", ""),
]


@pytest.mark.parametrize("mark", [",", ";"])
def test_arrays_are_questions_about_items(tmp_path, mark):
    path = table(tmp_path / "results-survey.csv", ROWS, mark)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    export = read_export(path)
    read = {(a.annotator, a.question, a.item): a.value for a in export.answers}
    assert read["1", "G01Q02", "SQ001"] == "A1" and read["2", "G01Q02", "SQ002"] == "N/A"
    assert read["1", "both[2]", "SQ002"] == "4" and len(read) == 12
    assert "Left out as questions with several answers to tick: tick." in export.notes[0] or any(
        "to tick: tick." in note for note in export.notes
    )
    assert "1 response was not finished; its answers count." in export.notes
    assert "tick[SQ001]" in export.columns_left_out and "seed" in export.columns_left_out


def test_people_are_split_by_their_other_answers(tmp_path):
    path = table(tmp_path / "r.csv", ROWS)
    found = read_judgments(path, AnswerReading(questions=("both[1]",), attributes=("age",)))
    assert found.attributes == {"age": ("30", "40")}
    assert found.answers["both[1]"].tolist() == [[1, 2], [2, 2]]


def test_without_an_array_it_says_what_to_name(tmp_path):
    rows = [row[:6] for row in ROWS]
    with pytest.raises(BadInput, match=r"G01Q02\[SQ001\].*--question"):
        read_export(table(tmp_path / "r.csv", rows))
