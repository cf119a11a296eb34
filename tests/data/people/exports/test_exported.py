"""Nothing is dropped in silence: the rows of a file are those that were read and those that are named."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.people.exports.examples import table
from tiltmeter.core.errors import BadInput
from tiltmeter.data.people.exports.exported import Export, ExportedAnswer
from tiltmeter.data.people.exports.recognising import read_export

LABELS = st.sampled_from(["low", "high"])


def read(name, text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_text(text, "utf-8")
        return read_export(path)


def tone(label):
    return {"from_name": "tone", "type": "choices", "value": {"choices": [label]}}


RESULTS = st.lists(
    st.one_of(
        LABELS.map(tone),
        st.sampled_from([
            {"from_name": "who", "type": "labels", "value": {"start": 0, "end": 2, "labels": ["X"]}},
            {"from_name": "why", "type": "textarea", "value": {"text": ["since"]}},
            {"from_name": "when", "type": "datetime", "value": {"datetime": "2026"}},
            {"type": "relation", "from_id": "a", "to_id": "b"},
        ]),
    ),
    max_size=4,
)  # fmt: skip
ANNOTATIONS = st.lists(
    st.builds(
        lambda result, cancelled, again: {
            "completed_by": 1, "was_cancelled": cancelled,
            "result": [{**each, "meta": {"person": "a", "round": 1 + again}} for each in result],
        },
        RESULTS, st.booleans(), st.booleans(),
    ),
    max_size=4,
)  # fmt: skip


@given(st.lists(ANNOTATIONS, min_size=1, max_size=5))
def test_label_studio(several):
    tasks = [{"id": n, "data": {}, "annotations": of} for n, of in enumerate(several)]
    export = read("tasks.json", json.dumps(tasks))
    assert export.rows == sum(map(len, several))
    assert export.left_out["unannotated tasks"] == sum(not of for of in several)
    first = [a for of in several for a in of if all(r["meta"]["round"] == 1 for r in a["result"])]
    kept = [a for a in first if not a["was_cancelled"]]
    results = [r for a in kept for r in a["result"]]
    others = sum(r.get("from_name") != "tone" for r in results)
    assert export.left_out.total() - export.left_out["unannotated tasks"] == others
    answered = [
        {r["value"]["choices"][0] for r in a["result"] if r.get("from_name") == "tone"}
        for a in kept
    ]
    assert [a.value for a in export.answers] == [", ".join(sorted(s)) for s in answered if s]


FLAT = st.lists(st.tuples(st.sampled_from(["", "7"]), LABELS), min_size=1, max_size=8)


@given(FLAT)
def test_label_studio_min(rows):
    plain = [{"id": 1, "text": "t", "tone": json.dumps({"choices": [label]}), "annotator": "a",
              "annotation_id": made} for made, label in rows]  # fmt: skip
    unmade = sum(not made for made, _ in rows)
    if unmade == len(rows):
        with pytest.raises(BadInput, match="answers and data cannot be distinguished"):
            read("min.json", json.dumps(plain))
        return
    export = read("min.json", json.dumps(plain))
    assert (export.rows, export.rows_left_out["unannotated tasks"]) == (len(rows), unmade)
    assert len(export.answers) == len(rows) - unmade


POTATO = st.lists(
    st.one_of(
        st.just({}), LABELS.map(lambda x: {"tone": {x: x}}), st.just({"why": {"text_box": "since"}}),
        st.integers(1, 5).map(lambda n: {"rate": {"fluency": str(n), "adequacy": "2"}}),
        st.just({"tree": {"tree": '{"a": 1}'}}),
    ),
    min_size=1, max_size=8,
)  # fmt: skip


@given(POTATO, st.integers(0, 2))
def test_potato(several, again):
    rows = [{"user_id": "a", "instance_id": f"i{n}", "label_annotations": of,
             "span_annotations": {"s": [1, 2]}} for n, of in enumerate(several)]  # fmt: skip
    rows += [{**rows[0], "behavioral_data": {"round": 2}}] * again
    export = read("annotated.jsonl", "".join(map("{}\n".format, map(json.dumps, rows))))
    assert export.rows == len(rows)
    assert export.rows_left_out["repeated answers"] == again
    assert export.left_out["marked spans"] == 2 * len(rows)
    assert export.left_out["written answers"] == sum("why" in of for of in several)
    assert export.left_out["structured answers"] == sum("tree" in of for of in several)
    read_ = {a.item for a in export.answers if a.value}
    assert len(read_) == export.rows_read == sum(bool({"tone", "rate"} & set(of)) for of in several)


STATUS = st.sampled_from(["submitted", "draft", "discarded"])


@given(st.lists(st.lists(st.tuples(STATUS, LABELS), max_size=4), min_size=1, max_size=4))
def test_argilla(records):
    rows = [
        {"id": n, "fields": {}, "responses": [
            {"user_id": f"u{m}", "values": {"tone": {"value": label}}, "status": status}
            for m, (status, label) in enumerate(of)]}
        for n, of in enumerate(records)
    ]  # fmt: skip
    export = read("records.json", json.dumps(rows))
    assert export.rows == sum(map(len, records))
    assert export.left_out["unanswered records"] == sum(not of for of in records)
    submitted = [label for of in records for status, label in of if status == "submitted"]
    assert [a.value for a in export.answers] == submitted and export.rows_read == len(submitted)


@given(
    st.lists(st.lists(st.one_of(LABELS, st.just([0, 1, "X"])), max_size=3), min_size=1, max_size=6)
)
def test_doccano(several):
    rows = [{"id": n, "text": "t", "label": of, "annotator": "a"} for n, of in enumerate(several)]
    text = "".join(map("{}\n".format, map(json.dumps, rows)))
    labelled = sum(any(isinstance(label, str) for label in of) for of in several)
    spans = sum(isinstance(label, list) for of in several for label in of)
    if spans and not labelled:
        with pytest.raises(BadInput, match="labels are those of spans"):
            read("d.jsonl", text)
        return
    export = read("d.jsonl", text)
    assert (export.rows, export.rows_read) == (len(several), labelled)
    assert export.left_out["span labels"] == spans


CELLS = st.tuples(*[st.sampled_from(["low", "high", "", "-99"])] * 3)


@given(
    st.lists(
        st.tuples(st.sampled_from(["IP Address", "Survey Preview"]), CELLS), min_size=1, max_size=6
    )
)
def test_qualtrics(people):
    head = "StartDate,Status,ResponseId,Q1_1,Q1_2,Q1_3,age"
    lines = [f"d,{status},r{n},{','.join(cells)},30" for n, (status, cells) in enumerate(people)]
    more = "d,IP Address,one,low,high,low,40\nd,IP Address,two,high,low,high,50"
    export = read("q.csv", "\n".join([head, *lines, more]) + "\n")
    assert export.rows == len(people) + 2
    assert export.columns_left_out == ["StartDate", "Status", "age"]
    real = [cells for status, cells in people if status == "IP Address"]
    given_ = [c for cells in real for c in cells if c in {"low", "high"}]
    assert sum(bool(a.value) for a in export.answers) == len(given_) + 6
    assert export.rows_left_out["previews"] == len(people) - len(real)


def test_a_note_names_a_few_columns_and_counts_the_others(tmp_path):
    rows = [("item", "rater_1", "rater_2", *(f"x{n}" for n in range(12))), ("a", 1, 2, *range(12))]
    export = Export("x", columns_left_out=[*rows[0][3:]]).finished()
    assert export.notes[-1] == "Columns not read: x0, x1, x2, x3, x4, x5, x6, x7 and 4 more."
    assert (
        read_export(table(tmp_path / "t.csv", rows)) is None
    )  # a table, which has a reader of its own


def test_a_row_without_an_answer_is_left_out():
    export = Export("x")
    export.add_row("ann", 1, {"tone": None, "mood": "low"}, empty="empty rows")
    export.add_row("ann", 2, {"tone": ""}, empty="empty rows")
    assert (export.rows_read, dict(export.rows_left_out)) == (1, {"empty rows": 1})
    assert export.answers[1] == ExportedAnswer("ann", "1", "mood", "low")
