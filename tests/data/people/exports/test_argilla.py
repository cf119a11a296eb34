"""Layouts that the package argilla 2.8 itself writes: rankings as lists, responses without a status."""

import json

from tiltmeter.data.people.exports.recognising import read_export


def read(tmp_path, rows):
    path = tmp_path / "records.json"
    path.write_text(json.dumps(rows), "utf-8")
    export = read_export(path)
    return {(a.annotator, a.question): a.value for a in export.answers}, export.notes


def test_lists_in_different_orders_are_rankings(tmp_path):
    def record(rank, kinds):
        given = {"rank": rank, "kinds": kinds}
        return {
            q: [{"value": v, "user_id": f"u{n}"} for n, v in enumerate(of)]
            for q, of in given.items()
        }

    responses = record([["b", "a"], ["a", "b"]], [["q", "p"], ["q"]])
    rows = [
        {
            "id": "r",
            "fields": {"text": "t"},
            "responses": responses,
            "suggestions": {},
            "status": "completed",
        }
    ]
    answers, notes = read(tmp_path, rows)
    assert answers == {
        ("u0", "rank"): "b > a", ("u1", "rank"): "a > b", ("u0", "kinds"): "p, q", ("u1", "kinds"): "q",
    }  # fmt: skip
    assert "Lists that differ only in their order are rankings: rank." in notes
    assert "4 responses without a status: drafts, if there are any, count as submitted." in notes


def test_columns_of_a_flat_export(tmp_path):
    rows = [
        {"id": "r", "status": "pending", "text": "t", "tone.responses": ["low", "high"],
         "tone.responses.users": ["u", "v"], "tone.responses.status": ["submitted", "draft"],
         "tone.suggestion": "low", "tone.suggestion.score": None},
        {"id": "s", "status": "pending", "text": "x", "tone.responses": None, "tone.responses.users": None,
         "tone.responses.status": None, "tone.suggestion": None},
    ]  # fmt: skip
    answers, notes = read(tmp_path, rows)
    assert answers == {("u", "tone"): "low"}
    assert "Left out: 1 draft response, 1 unanswered record, 1 suggestion." in notes
