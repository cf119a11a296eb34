"""Records as items: which, in what order, and without texts where these are not to be shown."""

from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.core.study_views import RecordItems
from tiltmeter.report.document import Items, Text
from tiltmeter.report.documents.views.record_items import record_items

RECORDS = [
    Record(
        "q1",
        {"r": -0.5},
        {"kind": "age", "varies": "yes"},
        texts={"more": "x", "less": ""},
        kind="item",
    ),
    Record("q2", {}, {"varies": "yes"}, texts={"more": "y"}, kind="item"),
    Record("q3", {"r": 1.0}, {"varies": "no"}, kind="item"),
    Record("q4", {"r": 1.0}, {"varies": "yes"}, kind="other"),
]
VIEW = RecordItems("Look", "item", "r", "r", ("kind",), where={"varies": "yes"}, most=5)


def result(records=RECORDS):
    return Result(Card("s", "1", {}, {"name": "d"}, labels={"kind": {"age": "Age"}}), records, ())


def test_records_of_the_kind_with_their_score_and_texts():
    (block,) = record_items(result(), VIEW)
    assert isinstance(block, Items)
    assert [(item.id, item.label, item.value) for item in block.items] == [
        ("q1", "Age", "r = −0.500"), ("q2", "", ""),
    ]  # fmt: skip
    assert [s.pieces for s in block.items[0].sentences] == [[("x", False)]]


def test_texts_are_left_out_and_long_lists_are_cut():
    first, second, block = record_items(
        result(), RecordItems("Look", "item", "r", "r", (), most=1), show_text=False
    )
    assert isinstance(first, Text) and "left out" in first.text
    assert isinstance(second, Text) and second.text == "The first 1 of 3 items."
    assert len(block.items) == 1 and not block.items[0].sentences


def test_without_records_there_is_nothing():
    assert record_items(result([]), VIEW) == []
