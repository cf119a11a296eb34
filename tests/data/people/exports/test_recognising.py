"""One set of answers in every layout that annotation programs write: the same answers, the same α."""

import json

import numpy as np
import pytest

from data.people.exports.examples import ANSWERS, qualtrics, table
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.people.annotator_answers import read_judgments
from tiltmeter.data.people.judgments import AnswerReading
from tiltmeter.stats.raters.kappa_and_alpha import krippendorff_alpha

GIVEN = [(who, item, label) for who, labels in ANSWERS.items() for item, label in enumerate(labels)]
ALPHA = 0.42
WORDS = {"low": 1, "medium": 2, "high": 3}


def by_item(entry):
    return [
        {"entries": [entry(who, label) for who, i, label in GIVEN if i == item]}
        for item in range(10)
    ]


def json_lines(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def plain_table(folder):
    rows = [("annotator", "item", "tone"), *GIVEN]
    return table(folder / "t.csv", rows), AnswerReading(questions=("tone",))


def wide(folder):
    rows = [
        ("item", *ANSWERS),
        *((n, *labels) for n, labels in enumerate(zip(*ANSWERS.values(), strict=True))),
    ]
    return table(folder / "wide.csv", rows), AnswerReading(annotators=("ann", "bo", "cy"))


def label_studio(folder):
    def annotation(who, label):
        result = [
            {"from_name": "tone", "to_name": "t", "type": "choices", "value": {"choices": [label]}}
        ]
        return {"completed_by": {"id": 3, "email": who}, "result": result, "was_cancelled": False}

    tasks = [
        {"id": number, "data": {"text": f"text {number}"}, "annotations": task["entries"],
         "predictions": [{"result": []}]}
        for number, task in enumerate(by_item(annotation))
    ]  # fmt: skip
    tasks[0]["annotations"].append({**annotation("dee", "high"), "was_cancelled": True})
    path = folder / "tasks.json"
    path.write_text(json.dumps(tasks), "utf-8")
    return path, None


FLAT = ("id", "text", "tone", "annotator", "annotation_id", "created_at", "updated_at", "lead_time")


def flat_rows():
    for number, (who, item, label) in enumerate(GIVEN):
        yield (item, f"text {item}", label, who, number, "2026-01-01", "2026-01-01", 1.5)


def json_min(folder):
    path = folder / "min.json"
    path.write_text(json.dumps([dict(zip(FLAT, row, strict=True)) for row in flat_rows()]), "utf-8")
    return path, None


def label_studio_csv(folder):
    return table(folder / "ls.csv", [FLAT, *flat_rows()]), None


def potato_lines(folder):
    rows = [
        {"user_id": who, "instance_id": f"i{item}", "label_annotations": {"tone": {label: str(WORDS[label])}},
         "span_annotations": {}}
        for who, item, label in GIVEN
    ]  # fmt: skip
    return json_lines(folder / "annotated.jsonl", rows), None


def potato_folder(folder):
    for who in ANSWERS:
        rows = [
            {"id": f"i{item}", "displayed_text": "…", "label_annotations": {"tone": {label: True}}}
            for name, item, label in GIVEN if name == who
        ]  # fmt: skip
        json_lines(folder / "annotation_output" / who / "annotated_instances.jsonl", rows)
    return folder, None


def potato_tables(folder):
    for who in ANSWERS:
        rows = [
            (who, f"i{item}", *("true" if label == word else "" for word in WORDS))
            for name, item, label in GIVEN if name == who
        ]  # fmt: skip
        head = ("user", "instance_id", *(f"tone:::{word}" for word in WORDS))
        table(folder / "out" / who / "annotated_instances.tsv", [head, *rows], "\t")
    return folder / "out", None


def potato_states(folder):
    for who in ANSWERS:
        given = {f"i{i}": [[{"schema": "tone", "name": x}, x]] for n, i, x in GIVEN if n == who}
        place = folder / "states" / who
        place.mkdir(parents=True)
        state = {"user_id": who, "instance_id_to_label_to_value": given}
        (place / "user_state.json").write_text(json.dumps(state, indent=2), "utf-8")
    return folder / "states", None


def argilla_by_user(folder):
    def response(who, label):
        return {"user_id": who, "values": {"tone": {"value": label}}, "status": "submitted"}

    records = [
        {"id": f"r{n}", "fields": {"text": "…"}, "responses": record["entries"]}
        for n, record in enumerate(by_item(response))
    ]
    draft = {"user_id": "dee", "values": {"tone": {"value": "low"}}, "status": "draft"}
    records[3]["responses"].append(draft)
    return json_lines(folder / "records.jsonl", records), None


def argilla_by_question(folder):
    def response(who, label):
        return {"value": label, "user_id": who}

    records = [
        {
            "id": f"r{n}",
            "fields": {"text": "…"},
            "metadata": {},
            "responses": {"tone": record["entries"]},
        }
        for n, record in enumerate(by_item(response))
    ]
    path = folder / "records.json"
    path.write_text(json.dumps(records), "utf-8")
    return path, None


def argilla_of_the_hub(folder):
    rows = [
        {"id": f"r{n}", "text": "…", "tone.responses": [labels[n] for labels in ANSWERS.values()],
         "tone.responses.users": [*ANSWERS], "tone.responses.status": ["submitted"] * 3}
        for n in range(10)
    ]  # fmt: skip
    return json_lines(folder / "hub.jsonl", rows), None


def doccano(folder):
    rows = [{"id": i, "text": f"t {i}", "label": [x], "annotator": who} for who, i, x in GIVEN]
    return json_lines(folder / "all.jsonl", rows), None


def doccano_folder(folder):
    for who in ANSWERS:
        rows = [{"id": i, "text": f"t {i}", "label": [x]} for name, i, x in GIVEN if name == who]
        json_lines(folder / "by_annotator" / f"{who}.jsonl", rows)
    return folder / "by_annotator", None


def qualtrics_loop(folder):
    return qualtrics(folder, "{}_tone")


def survey_answers(folder):
    head = ("person", "item", "question", "kind", "round", "value")
    rows = [(who, f"i{item}", "tone", "choice", 1, label) for who, item, label in GIVEN]
    again = ("ann", "i0", "tone", "choice", 2, "high")
    table(folder / "export" / "answers.csv", [head, *rows, again])
    (folder / "export" / "form.toml").write_text("", "utf-8")
    return folder / "export", None


LAYOUTS = [
    plain_table, wide, label_studio, json_min, label_studio_csv, potato_lines, potato_folder, potato_tables,
    potato_states, argilla_by_user, argilla_by_question, argilla_of_the_hub, doccano, doccano_folder,
    qualtrics, qualtrics_loop, survey_answers,
]  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_every_layout_has_the_same_answers(layout, tmp_path):
    found = read_judgments(*layout(tmp_path))
    assert found.annotators == ("ann", "bo", "cy")
    ((question, answers),) = found.answers.items()
    words = [[found.words[question][int(code)] for code in row] for row in answers]
    assert words == [list(row) for row in zip(*ANSWERS.values(), strict=True)]
    assert round(krippendorff_alpha(answers), 2) == ALPHA


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_a_word_for_a_missing_value_is_no_answer_in_any_layout(layout, tmp_path, monkeypatch):
    given = [(who, i, "N/A" if (who, i) == ("bo", 4) else x) for who, i, x in GIVEN]
    monkeypatch.setitem(ANSWERS, "bo", (*ANSWERS["bo"][:4], "N/A", *ANSWERS["bo"][5:]))
    monkeypatch.setitem(WORDS, "N/A", 9)
    monkeypatch.setattr(f"{__name__}.GIVEN", given)
    found = read_judgments(*layout(tmp_path))
    ((question, answers),) = found.answers.items()
    assert found.words[question] == ("high", "low", "medium")
    assert np.isnan(answers).sum() == 1
    assert any("'N/A' 1" in note for note in found.notes)


def test_what_was_left_out_is_counted(tmp_path):
    notes = " ".join(read_judgments(*label_studio(tmp_path)).notes)
    assert "Label Studio" in notes
    assert "10 predictions" in notes
    assert "1 skipped annotation" in notes
    assert "1 draft response" in " ".join(read_judgments(*argilla_by_user(tmp_path)).notes)
    assert "1 preview" in " ".join(read_judgments(*qualtrics(tmp_path)).notes)


def test_sets_of_labels_are_equal_in_any_order(tmp_path):
    rows = [
        {"id": 1, "text": "t", "label": ["b", "a"], "annotator": "x"},
        {"id": 1, "text": "t", "label": ["a", "b"], "annotator": "y"},
        {"id": 2, "text": "t", "label": [], "annotator": "x"},
        {"id": 2, "text": "t", "label": [[0, 4, "PER"]], "annotator": "y"},
    ]
    found = read_judgments(json_lines(tmp_path / "d.jsonl", rows))
    assert found.answers["label"][0].tolist() == [0, 0]
    assert found.words["label"] == ("a, b",)
    notes = " ".join(found.notes)
    assert "1 span label." in notes
    assert "2 unlabelled examples" in notes
    task = [
        {"id": 1, "data": {}, "annotations": [
            {"completed_by": n, "result": [
                {"from_name": "kinds", "type": "choices", "value": {"choices": labels}},
                {"from_name": "stars", "type": "rating", "value": {"rating": 4}},
                {"from_name": "who", "type": "labels", "value": {"start": 0, "end": 2, "labels": ["X"]}},
                {"from_name": "why", "type": "textarea", "value": {"text": ["because"]}},
            ]} for n, labels in ((1, ["b", "a"]), (2, ["a", "b"]))
        ]}
    ]  # fmt: skip
    path = tmp_path / "ls.json"
    path.write_text(json.dumps(task), "utf-8")
    found = read_judgments(path)
    assert found.words == {"kinds": ("a, b",)}
    assert found.answers["stars"].tolist() == [[4, 4]]
    assert "2 region labels, 2 written answers" in " ".join(found.notes)


def test_numbers_beside_a_scale_are_the_answers(tmp_path):
    rows = [
        {"user": who, "id": "i", "label_annotations": {"warm": {"scale_3": "3"}, "far": {"slider": "40"},
         "why": {"text_box": "since"}}}
        for who in "ab"
    ]  # fmt: skip
    found = read_judgments(json_lines(tmp_path / "annotated_instances.jsonl", rows))
    assert {question: table.tolist() for question, table in found.answers.items()} == {
        "warm": [[3, 3]], "far": [[40, 40]],
    }  # fmt: skip
    assert any("2 written answers" in note for note in found.notes)


def test_columns_of_annotators_are_recognised_by_their_names_only(tmp_path):
    path = table(tmp_path / "t.csv", [("item", "rater_1", "rater_2"), ("x", 1, 2), ("y", 3, 3)])
    found = read_judgments(path)
    assert found.annotators == ("rater_1", "rater_2")
    assert "Each column is an annotator’s answers: rater_1, rater_2." in found.notes
    path = table(tmp_path / "u.csv", [("item", "hate", "rude"), ("x", 1, 0), ("y", 0, 0)])
    with pytest.raises(BadInput, match="--annotators"):
        read_judgments(path, AnswerReading(questions=("hate",)))
    twice = table(tmp_path / "v.csv", [("item", "a", "b"), ("x", 1, 0), ("x", 0, 0)])
    with pytest.raises(BadInput, match="two rows are about x"):
        read_judgments(twice)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.jsonl", '{"id": 1, "text": "t", "label": ["x"]}\n', "nothing says who annotated"),
        ("b.json", '[{"id": 1, "data": {}, "annotations": [{"result": []}]}]', "who made it"),
        ("c.json", '[{"id": 1, "data": {}, "annotations": [7]}]', "not built as"),
        ("d.csv", "StartDate,ResponseId,age\n1,a,3\n", "--question"),
        (
            "e.csv",
            "id,text,annotator,annotation_id\n1,t,a,1\n1,t,b,2\n",
            "answers and data cannot be distinguished",
        ),
    ],
)
def test_an_export_without_what_is_needed_says_what(tmp_path, name, text, says):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    with pytest.raises((BadInput, BadItems), match=says):
        read_judgments(path)


def test_a_folder_without_an_export_is_refused(tmp_path):
    with pytest.raises(BadInput, match="a folder without an export that is known"):
        read_judgments(tmp_path)


def test_an_export_of_spans_alone_is_refused_as_such(tmp_path):
    rows = [{"id": i, "text": "t", "label": [[0, 1, x]], "annotator": who} for who, i, x in GIVEN]
    path = tmp_path / "spans.jsonl"
    json_lines(path, rows)
    with pytest.raises(BadInput, match="its labels are those of spans"):
        read_judgments(path)
