"""Tables with a row for each person: items, boxes to tick, cells that were seen and not answered."""

from data.people.exports.examples import table
from tiltmeter.data.people.exports.recognising import read_export

HEAD = ("StartDate", "Finished", "ResponseId", "m_1", "m_2", "box_1", "box_2")


def test_boxes_to_tick_are_no_items_unless_asked_for(tmp_path):
    rows = [HEAD, ("d", 1, "a", 1, 5, "Music", ""), ("d", 1, "b", 2, 4, "Music", "Sport")]
    path = table(tmp_path / "q.csv", rows)
    assert {a.question for a in read_export(path).answers} == {"m"}
    asked = read_export(path, ["box"])
    assert [(a.item, a.value) for a in asked.answers if a.annotator == "b"] == [
        ("1", "Music"),
        ("2", "Sport"),
    ]


def test_a_scale_that_all_answer_alike_is_read(tmp_path):
    rows = [HEAD[:5], ("d", 1, "a", 5, 5), ("d", 1, "b", 5, 5)]
    assert len(read_export(table(tmp_path / "q.csv", rows)).answers) == 4


def test_seen_and_unanswered(tmp_path):
    rows = [HEAD[:5], ("d", 1, "a", "-99", 5), ("d", 0, "b", "-99", "-99")]
    export = read_export(table(tmp_path / "q.csv", rows))
    assert "3 questions were seen and not answered (-99)." in export.notes
    assert (export.rows_read, dict(export.rows_left_out)) == (1, {"empty responses": 1})
