"""Layouts of Potato 2.12, as the program writes them: states of users, tables and lines of its export."""

import json

from data.people.exports.examples import table
from tiltmeter.data.people.exports.potato import files_of
from tiltmeter.data.people.exports.recognising import read_export

GIVEN = {
    "ann": {
        "i0": {"tone": {"low": "low"}, "kinds": {"a": "a", "b": "b"}, "warm": {"2": "2"},
               "far": {"slider": "94"}, "rate": {"fluency": "2", "adequacy": "3"}, "why": {"text_box": "so"},
               "pw": {"selection": "A"}, "rank": {"rank_order": "b,a"}},
    },
    "bo": {
        "i0": {"tone": {"high": "high"}, "kinds": {"b": "b"}, "warm": {"4": "4"},
               "far": {"slider": "1"}, "rate": {"fluency": "1", "adequacy": "3"}, "why": {"text_box": "as"},
               "pw": {"selection": "B"}, "rank": {"rank_order": "a,b"}},
    },
}  # fmt: skip
READ = {
    ("ann", "tone"): "low", ("ann", "kinds"): "a, b", ("ann", "warm"): "2", ("ann", "far"): "94",
    ("ann", "rate: fluency"): "2", ("ann", "rate: adequacy"): "3", ("ann", "pw"): "A",
    ("bo", "tone"): "high", ("bo", "kinds"): "b", ("bo", "warm"): "4", ("bo", "far"): "1",
    ("bo", "rate: fluency"): "1", ("bo", "rate: adequacy"): "3", ("bo", "pw"): "B",
    ("ann", "rank"): "b > a", ("bo", "rank"): "a > b",
}  # fmt: skip


def states(folder):
    for who, items in GIVEN.items():
        labels = {
            item: [[{"schema": q, "name": name}, value]
                   for q, of in given.items() for name, value in of.items()]
            for item, given in items.items()
        }  # fmt: skip
        state = {
            "user_id": who, "instance_id_ordering": ["i0"], "instance_id_to_label_to_value": labels,
            "instance_id_to_span_to_value": {"i0": [[{"schema": "ner", "start": 0}, "true"]]},
            "phase_to_page_to_label_to_value": {},
        }  # fmt: skip
        place = folder / "annotation_output" / "study 1" / who
        place.mkdir(parents=True)
        (place / "user_state.json").write_text(json.dumps(state, indent=2), "utf-8")
        (place / "annotation_history.jsonl").write_text("{}\n", "utf-8")
    return folder


def answers(path):
    export = read_export(path)
    return {(a.annotator, a.question): a.value for a in export.answers}, export


def test_states_of_users_in_a_project(tmp_path):
    read, export = answers(states(tmp_path))
    assert read == READ
    assert dict(export.left_out) == {"marked spans": 2, "written answers": 2}
    assert "Files in users’ folders not read: annotation_history.jsonl." in export.notes


def test_tables_and_lines_of_its_export(tmp_path):
    columns = ["instance_id", "user_id", *dict.fromkeys(
        f"{q}.{name}" for items in GIVEN.values() for q, of in items["i0"].items() for name in of
    ), "ner._spans"]  # fmt: skip
    rows = [
        ["i0", who,
         *(items["i0"][q].get(name, "") for q, name in (c.split(".") for c in columns[2:-1])), "[]"]
        for who, items in GIVEN.items()
    ]  # fmt: skip
    for name, mark in (("a.csv", ","), ("a.tsv", "\t")):
        read, export = answers(table(tmp_path / name, [columns, *rows], mark))
        assert read == READ and export.columns_left_out == ["ner._spans"]
    path = tmp_path / "annotations.jsonl"
    lines = [
        {"instance_id": "i0", "user_id": who, "labels": items["i0"], "spans": {"ner": [{"start": 0}]},
         "links": {}}
        for who, items in GIVEN.items()
    ]  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    read, export = answers(path)
    assert read == READ and export.left_out["marked spans"] == 2


def test_links_out_of_the_folder_are_not_followed(tmp_path):
    outside = states(tmp_path / "outside") / "annotation_output" / "study 1"
    inside = tmp_path / "inside"
    (inside / "cy").mkdir(parents=True)
    (inside / "ann").symlink_to(outside / "ann")
    (inside / "cy" / "user_state.json").symlink_to(outside / "bo" / "user_state.json")
    assert files_of(inside) == []


def test_a_table_of_all_users_beside_their_folders_counts_once(tmp_path):
    states(tmp_path)
    root = tmp_path / "annotation_output" / "study 1"
    table(
        root / "annotated_instances.tsv",
        [("user", "instance_id", "tone:::low"), ("ann", "i0", "x")],
        "\t",
    )
    assert answers(tmp_path)[0] == READ
