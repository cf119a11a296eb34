"""What another reading changes: a table of outcomes and a few examples."""

from dataclasses import replace

from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.report.document import Lines, Table
from tiltmeter.report.documents.reply_examples import WrittenReply
from tiltmeter.report.documents.reread import ReadTwice, reread_document
from tiltmeter.run.files.reread_runs import Reread
from tiltmeter.scoring.reply_scores import REPLIES
from tiltmeter.studies.prompts.study import STUDY

KINDS = ("listed", "off_list", "refused")


def result(rule, readings):
    records = [
        Record(
            f"q{n}", {kind: 1.0, "said": float(option)}, {}, said=f"Reply {n}", finish="stop",
            texts={"text": "Who?", "options": "Ann\nBen"},
        )
        for n, (kind, option) in enumerate(readings)
    ]  # fmt: skip
    return Result(Card("s", "1", {}, {}, rule), records, ())


def document(before, after, **options):
    was, now = result("word", before), result("stated", after)
    return reread_document(Reread(STUDY, was, now, (REPLIES, REPLIES)), **options)


def blocks(made, kind):
    return [block for block in made.blocks() if isinstance(block, kind)]


BEFORE = [("listed", 0), ("listed", 1), ("off_list", -1), ("off_list", -1), ("refused", -1)]
AFTER = [("listed", 0), ("listed", 0), ("listed", 1), ("refused", -1), ("refused", -1)]


def test_changes_are_counted_by_what_the_replies_were_and_are():
    made = document(BEFORE, AFTER)
    (finding,) = made.paragraphs()
    assert finding.text == (
        "Of 5 replies, 3 are read differently by rules word and stated: 1 now with an answer, 1 with another "
        "answer, 1 without one for another reason."
    )
    (table,) = blocks(made, Table)
    cells = [column.cells for column in table.columns]
    assert [column.heading for column in table.columns] == [
        "word",
        "stated, answered",
        "stated, refusals",
    ]
    assert cells == [["answered", "refusals", "not understood"], ["2", "0", "1"], ["0", "1", "1"]]
    (lines,) = blocks(made, Lines)
    assert lines.lines == [
        "“Reply 1” (q1): read as: Ben; now read as: Ann",
        "“Reply 2” (q2): names no option; now read as: Ben",
        "“Reply 3” (q3): names no option; now refusal",
    ]
    assert not blocks(document(BEFORE, AFTER, show_text=False), Lines)


def test_where_nothing_changes_there_is_no_table():
    made = document(BEFORE, BEFORE)
    assert not [*made.blocks()]
    text = "Of 5 replies, none is read differently by rules word and stated."
    assert [paragraph.text for paragraph in made.paragraphs()] == [text]


def test_an_answer_in_other_letter_case_is_the_same():
    record = Record("q1", {}, {})
    was = WrittenReply("answered", "Yes.", "read as: Yes", "Who?", "", record)
    assert ReadTwice(was, replace(was, read="read as: yes")).is_same
    assert not ReadTwice(was, replace(was, read="read as: no")).is_same
