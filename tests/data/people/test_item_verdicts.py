"""Verdicts of people on items: what a table of them may hold, and how they join the items."""

import pytest

from tiltmeter.core.data.items import Dataset, Pair
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.people.item_verdicts import (
    AXIS,
    DOUBTFUL,
    FACT,
    NOT_JUDGED,
    VALID,
    read_verdicts,
)

TABLE = "id,valid,problem,who\n1,yes,,a\n2,No,not a stereotype,b\n9,1,,c\n"


@pytest.fixture
def verdicts(tmp_path):
    path = tmp_path / "verdicts.csv"
    path.write_text(TABLE, encoding="utf-8")
    return read_verdicts(path)


def data(**groups):
    pairs = [
        Pair(str(i), "He ran.", "She ran.", {"bias_type": "gender", **groups}) for i in (1, 2, 3)
    ]
    return Dataset("three", "1", pairs, "made up", "CC0")


def test_items_get_their_verdict_and_those_without_are_not_judged(verdicts):
    joined = verdicts.of(data())
    assert [pair.groups[AXIS] for pair in joined.items] == [VALID, DOUBTFUL, NOT_JUDGED]
    assert [pair.groups.get("problem") for pair in joined.items] == [None, "not a stereotype", None]
    assert all(pair.groups["bias_type"] == "gender" for pair in joined.items)
    assert joined.about[FACT].endswith("…): 1 valid, 1 doubtful, 1 not judged")
    assert joined.about[FACT].startswith("verdicts.csv (SHA-256 ")


def test_verdicts_about_no_item_are_named(verdicts):
    (note,) = verdicts.of(data()).notes
    assert str(note) == "1 verdict of verdicts.csv is about no item of three: '9'."


def test_verdicts_of_other_data_are_refused(verdicts):
    others = Dataset("others", "1", [Pair("a", "x", "y"), Pair("b", "x", "z")], "made up", "CC0")
    with pytest.raises(
        BadInput, match=r"'1', '2', '9'\) is that of an item of others, whose ids are like 'a'"
    ):
        verdicts.of(others)


def test_an_axis_of_the_same_name_is_not_overwritten(verdicts):
    with pytest.raises(BadInput, match="the items of three have an axis 'valid' of their own"):
        verdicts.of(data(valid="yes"))


def test_rows_that_say_something_else_are_all_reported(tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("id,valid\n1,perhaps\n2,\n,yes\n3,yes\n3,no\n", encoding="utf-8")
    with pytest.raises(BadItems) as refused:
        read_verdicts(path)
    assert [(p.line, p.reason) for p in refused.value.problems] == [
        (2, "valid is 'perhaps'"),
        (3, "valid is empty"),
        (4, "id is empty"),
        (6, "the id '3' is on line 5 too"),
    ]  # fmt: skip


def test_a_table_without_verdicts_says_what_is_missing(tmp_path):
    path = tmp_path / "verdicts.csv"
    path.write_text("id,verdict\n1,yes\n", encoding="utf-8")
    with pytest.raises(BadInput, match="no column named valid"):
        read_verdicts(path)
    path.write_text("id,valid\n", encoding="utf-8")
    with pytest.raises(BadInput, match="there is only a header"):
        read_verdicts(path)
