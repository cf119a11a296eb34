"""Tables of labels, and replies without one."""

import pytest

from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.core.study_views import Tally
from tiltmeter.report.document import Document, Table, Text
from tiltmeter.report.documents.tally_blocks import NO_LABEL, shortened, tallied, tally_sections
from tiltmeter.report.html import page
from tiltmeter.report.terminal import plain_text

VIEW = Tally(
    "truth",
    "said",
    "options",
    ("right label", "reply"),
    ("off_list", "refused"),
    ("off the list", "refused"),
    ("setting",),
)
NASTY = "<script>alert(1)</script>\u202e" + "x" * 100


def record(item, truth, said, reply="", flag="", setting="zero", options="yes\nno"):
    scores = {"truth": float(truth), "said": float(said)} | ({flag: 1.0} if flag else {})
    return Record(item, scores, {"setting": setting}, said=reply, texts={"options": options})


RECORDS = [
    record("1", 0, 0),
    record("2", 0, 1),
    record("3", 0, 1),
    record("4", 1, -1, " perhaps", "off_list"),
    record("5", 1, -1, "perhaps\n", "off_list"),
    record("6", 1, -1, "I cannot", "refused"),
    record("7", -1, 0),
    record("8", 0, 2, setting="mixed", options="a\nb\nc"),
    record("9", 1, -1, NASTY, "off_list", setting="mixed", options="a\nb\nc"),
    Record("10", {"more": 1.0}, {}),
]


def result(records=RECORDS):
    card = Card(
        "study", "1", {"name": "m"}, {"sha256": ""}, "word", "paper", "", 0, "", {"total": 9}
    )
    return Result(card, records, [])


def cells(table):
    return [list(row) for row in zip(*(column.cells for column in table.columns), strict=True)]


def test_each_list_of_labels_has_a_table():
    letters, yes_no, _ = tally_sections(result(), VIEW, "r1")
    assert yes_no.title == "Reply by right label: yes, no"
    (second,), (first,) = yes_no.blocks, letters.blocks
    assert isinstance(first, Table) and isinstance(second, Table)
    assert [column.title for column in second.columns] == [
        "Right label", "yes", "no", "off the list", "refused", "all",
    ]  # fmt: skip
    assert cells(second) == [
        ["zero", "2", "2", "2", "1", "7"],
        ["yes", "1", "2", "0", "0", "3"],
        ["no", "0", "0", "2", "1", "3"],
        [NO_LABEL, "1", "0", "0", "0", "1"],
    ]
    assert list(second.depths) == [0, 1, 1, 1]
    assert [column.title for column in first.columns] == [
        "Right label", "a", "b", "c", "off the list", "all",
    ]  # fmt: skip
    assert cells(first)[1:] == [["a", "0", "0", "1", "0", "1"], ["b", "0", "0", "0", "1", "1"]]


def test_settings_with_the_same_labels_share_a_table():
    """In the order of their names, each with its own right labels."""
    both = [*RECORDS[:3], record("11", 1, 0, setting="one")]
    (section,) = tally_sections(result(both), VIEW, "r1")
    assert section.title == "Reply by right label"
    assert cells(section.blocks[0]) == [
        ["one", "1", "0", "1"],
        ["no", "1", "0", "1"],
        ["zero", "1", "2", "3"],
        ["yes", "1", "2", "3"],
    ]


def test_replies_without_a_label_by_frequency():
    section = tally_sections(result(), VIEW, "r1")[-1]
    told, table = section.blocks
    assert isinstance(told, Text) and isinstance(table, Table)
    assert told.text == "4 replies without a label, 3 of them different."
    assert cells(table)[0] == ["perhaps", "off the list", "2"]
    assert table.folded and table.on == frozenset({"page"})
    assert section.title == "Replies without a label"


def test_what_the_model_wrote_can_be_left_out():
    section = tally_sections(result(), VIEW, "r1", show_text=False)[-1]
    (told,) = section.blocks
    assert "What the model wrote was left out of this file" in told.text


def test_foreign_replies_do_nothing_on_the_page():
    sections = tally_sections(result(), VIEW, "r1")
    html = page(Document("t", "m", [], sections))
    assert "<script>alert" not in html and "\u202e" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;[U+202E]xxx" in html
    assert "x" * 80 not in html
    assert "perhaps" not in plain_text(Document("t", "m", [], sections))


def test_nothing_is_shown_where_no_record_has_a_label():
    assert tally_sections(result([RECORDS[-1]]), VIEW, "r1") == []
    sections = tally_sections(result(RECORDS[:3]), VIEW, "r1")
    assert [section.id for section in sections] == ["r1-tally-1"]


@pytest.mark.parametrize(("given", "shown"), [("", ""), (" a\n\tb ", "a b"), ("a" * 80, "a" * 80)])
def test_replies_are_on_one_line(given, shown):
    assert shortened(given) == shown


def test_counts_are_by_reply_and_kind():
    assert tallied(RECORDS, VIEW).replies["refused", "I cannot"] == 1


def test_very_many_labels_are_listed_by_the_pairs_that_occur():
    """A table of 3,000 by 3,000 labels would have nine million cells, nearly all of them 0."""
    options = "\n".join(f"label {at}" for at in range(3_000))
    many = [record(str(at), at, at % 7, options=options) for at in range(3_000)]
    many += [
        record("again", 9, 2, options=options),
        record("no", 9, -1, "?", "off_list", "one", options),
    ]
    (section, _) = tally_sections(result(many), VIEW, "r1")
    (table,) = section.blocks
    assert [column.title for column in table.columns] == ["Right label", "of", "Reply", "times"]
    assert cells(table)[0] == ["label 9", "zero", "label 2", "2"]
    assert ["label 9", "one", "off the list", "1"] in cells(table)
    assert table.rows == 3_001
    assert sum(table.columns[-1].values) == len(many)
    assert table.files_only.count(False) == 200
    (note,) = table.notes
    assert "pairs that do not occur are left out" in note
    assert "The page has the 200 most frequent of 3,001" in note
