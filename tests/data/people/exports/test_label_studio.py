"""Layouts that label-studio-sdk 2.1 itself writes: answers in CSV and TSV, tasks that nobody annotated."""

import json

import pytest

from data.people.exports.examples import table
from tiltmeter.core.errors import BadInput
from tiltmeter.data.people.exports.recognising import read_export

CELLS = {
    "kinds": ['{"choices":["a","b"]}', "b"], "num": ['[{"number":8}]', '[{"number":1}]'],
    "pw": ['[{"selected":"right"}]', '[{"selected":"left"}]'], "stars": ['[{"rating":1}]', '[{"rating":4}]'],
    "tax": ['[{"taxonomy":[["X"],["X","Y"]]}]', '[{"taxonomy":[["X"]]}]'], "tone": ["low", "High"],
}  # fmt: skip
READ = {
    "kinds": ["a, b", "b"], "num": ["8", "1"], "pw": ["right", "left"], "stars": ["1", "4"],
    "tax": ["X, X / Y", "X"], "tone": ["low", "High"],
}  # fmt: skip
NER, WHEN = '[{"start":0,"end":2,"text":"ab","labels":["PER"]}]', '[{"datetime":"2026-01-01"}]'


@pytest.mark.parametrize(("name", "mark"), [("r.csv", ","), ("r.csv", "\t"), ("r.tsv", "\t")])
def test_tables(tmp_path, name, mark):
    head = (
        "annotation_id",
        "annotator",
        "created_at",
        "id",
        "lead_time",
        "text",
        "ner",
        "when",
        *CELLS,
    )
    rows = [
        (
            n + 1,
            f"u{n}@x.org",
            "2026",
            1,
            3.2,
            "text 1",
            NER,
            WHEN,
            *(of[n] for of in CELLS.values()),
        )
        for n in (0, 1)
    ]
    export = read_export(
        table(tmp_path / name, [head, *rows, ("", "", "", 9, "", "nobody", *[""] * 8)], mark)
    )
    read = {q: [a.value for a in export.answers if a.question == q] for q in CELLS}
    assert read == READ and {a.annotator for a in export.answers} == {"u0@x.org", "u1@x.org"}
    assert (export.rows, export.rows_read) == (3, 2)
    assert dict(export.left_out) == {"region labels": 2, "other results": 2}
    assert "Left out: 1 unannotated task, 2 region labels, 2 other results." in export.notes


def test_a_row_without_its_annotator_is_refused(tmp_path):
    rows = [("annotation_id", "annotator", "id", "tone"), (1, "", 1, "low"), (2, "b", 1, "high")]
    with pytest.raises(BadInput, match="row 1 does not say who annotated"):
        read_export(table(tmp_path / "r.csv", rows))


def test_ground_truth_is_noted(tmp_path):
    result = [{"from_name": "tone", "type": "choices", "value": {"choices": ["low"]}}]
    annotations = [{"completed_by": n, "result": result, "ground_truth": n == 1} for n in (1, 2)]
    path = tmp_path / "t.json"
    path.write_text(json.dumps([{"id": 1, "data": {}, "annotations": annotations}]), "utf-8")
    assert read_export(path).notes == [
        "Read as an export of Label Studio.",
        "1 annotation is marked as ground truth, and counted like any other.",
    ]
