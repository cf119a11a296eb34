"""Records as lists: axes, texts and scores, one file whatever readers see."""

from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.core.views import RecordTable
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
    headings={"mean": "people"}, decimals={"rank": 0, "mean": 2}, missing={"mean": "no answer"},
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


def test_distinct_records_with_all_axes_stand_there_once():
    def record(name, text, **groups):
        return Record(name, {}, groups, texts={"example": text})

    records = [record("1", "a", set="1"), record("2", "a", set="1"), record("3", "a", set="2"),
               record("4", "b", set="2"), record("5", "c")]  # fmt: skip
    view = RecordTable("sets", "Sets", "", ("set",), texts=("example",), distinct=True)
    (table,) = record_tables(Result(Card("s", "1", {}, {}), records, ()), view)
    assert [c.cells for c in table.columns] == [["1", "2", "2"], ["a", "a", "b"]]


def test_a_table_for_each_value_and_one_file():
    by = RecordTable("traits", "Traits", "trait", ("group",), ("rank",), by="town")
    assert [(t.title, t.rows) for t in record_tables(result(), by)] == [("X", 1), ("Y", 1)]
    whole = record_file(result(), by)
    assert [c.name for c in whole.columns] == ["town", "group", "rank"]
    assert list(whole.columns[0].values) == ["X", "Y"]


def test_an_axis_is_spread_over_columns_for_readers_and_not_in_files():
    def mean(town, group, pair, **scores):
        return Record("", scores, {"town": town, "group": group, "pair": pair}, kind="mean")

    records = [
        mean("X", "a", "p", mean=71.0, low=56.0, high=86.0, n=4.0),
        mean("X", "a", "q", mean=50.0, n=1.0), mean("Y", "a", "p", n=0.0),
        mean("X", "b", "p", mean=1.0),
    ]  # fmt: skip
    view = RecordTable(
        "means", "Means", "mean", ("group", "pair", "town"), ("mean", "low", "high", "n"),
        by="group", spread="town", asked=("a",), decimals={"mean": 1}, missing={"mean": "none"},
    )  # fmt: skip
    made = Result(Card("s", "1", {}, {}), records, ())
    first, second = record_tables(made, view)
    assert [c.title for c in first.columns] == ["pair", "X", "Y"]
    assert [c.cells for c in first.columns] == [
        ["p", "q"], ["71.0 56.0 to 86.0 (4)", "50.0 (1)"], ["none", "none"],
    ]  # fmt: skip
    assert ("terminal" in first.on, "terminal" in second.on) == (True, False)
    assert record_file(made, view).rows == 4


def test_nothing_is_shown_of_nothing():
    assert record_tables(Result(Card("s", "1", {}, {}), (), ()), VIEW) == []


def test_only_records_at_some_coordinates():
    (table,) = record_tables(
        result(), RecordTable("", "Traits", "trait", ("group",), where={"town": "Y"})
    )
    assert [c.cells for c in table.columns] == [["a"]]
