"""Items that repeat another under a new id: how many, which, and when repeating is by design."""

import pytest

import tiltmeter as tm
from tiltmeter.core.records import Record
from tiltmeter.run.measuring.repeated_items import RepeatedItems


def note_of(*records):
    repeats = RepeatedItems()
    assert [*repeats.passed(records)] == [*records]
    return " ".join(note.text for note in repeats.notes(records))


def record(item, text="", *, cluster="", **groups):
    return Record(
        item, {"x": 1.0}, groups, cluster, texts={"text": text} if text is not None else {}
    )


def test_the_repeating_items_are_counted_and_the_first_are_named():
    records = [record(f"q{i}", "ab"[i % 2]) for i in range(7)]
    assert note_of(*records).startswith(
        "5 items repeat the texts and labels of another under an id of its own (q2, q3, q4, …): "
    )
    assert note_of(record("one", "a"), record("two", "a")).startswith("1 item repeats")


@pytest.mark.parametrize(
    "records",
    [
        [record("q1", "a"), record("q2", "b")],
        [record("q1", "a", cluster="one"), record("q2", "a", cluster="one")],  # asked twice
        [record("q1", "a", group="men"), record("q2", "a", group="women")],
        [record("q1", ""), record("q2", "")],
        [record("q1", None), record("q2", None)],
    ],
    ids=["other texts", "one cluster", "other labels", "empty texts", "no texts"],
)
def test_what_differs_or_shares_a_cluster_does_not_repeat(records):
    assert note_of(*records) == ""


def test_a_run_says_so(tmp_path):
    rows = "".join(f"She is {n}.,He is {n}.\n" for n in ("kind", "rude", "kind", "late", "kind"))
    (tmp_path / "mine.csv").write_text(f"sent_more,sent_less\n{rows}", "utf-8")
    result = tm.run("pairs", "fake", data=tmp_path / "mine.csv").result
    (note,) = [note for note in result.card.notes if note.kind == "caution"]
    assert note.text.startswith("2 items repeat the texts and labels of another")
