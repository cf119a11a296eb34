"""Records as lists: axes, texts and scores, one file whatever readers see."""

from tiltmeter.core.analysis_views import RecordTable
from tiltmeter.core.results import Card, Record, Result
from tiltmeter.report.documents.views.record_table import record_file, record_tables

RECORDS = [
    Record(
        "1", {"rank": 1.0, "mean": 0.25}, {"group": "b", "town": "X"}, texts={"why": "=a\u202e"}, kind="trait"
    ),
    Record("2", {"rank": 2.0}, {"group": "a", "town": "Y"}, texts={"why": "c"}, kind="trait"),
    Record("3", {"rank": 9.0}, {"group": "z", "town": "X"}, kind="other"),
]  # fmt: skip
VIEW = RecordTable(
    "traits", "Traits", "trait", ("group",), ("rank", "mean"), ("why",),
    headings={"mean": "people"}, decimals={"rank": 0, "mean": 2}, missing="no answer",
)  # fmt: skip


def result(labels=None):
    return Result(Card("s", "1", {}, {"name": "d"}, labels=labels or {}), RECORDS, ())


def test_records_of_the_kind_a_row_each():
    (table,) = record_tables(result({"group": {"a": "Group A"}}), VIEW)
    assert [c.title for c in table.columns] == ["group", "why", "rank", "people"]
    assert [c.cells for c in table.columns] == [
        ["b", "Group A"], ["=a[U+202E]", "c"], ["1", "2"], ["0.25", "no answer"],
    ]  # fmt: skip


def test_texts_are_left_out_where_they_are_not_to_be_shown():
    (table,) = record_tables(result(), VIEW, show_text=False)
    assert [c.title for c in table.columns] == ["group", "rank", "people"]


def test_a_table_for_each_value_and_one_file():
    by = RecordTable("traits", "Traits", "trait", ("group",), ("rank",), by="town")
    assert [(t.title, t.rows) for t in record_tables(result(), by)] == [("X", 1), ("Y", 1)]
    whole = record_file(result(), by)
    assert [c.name for c in whole.columns] == ["town", "group", "rank"]
    assert list(whole.columns[0].values) == ["X", "Y"]


def test_nothing_is_shown_of_nothing():
    assert record_tables(Result(Card("s", "1", {}, {}), (), ()), VIEW) == []
