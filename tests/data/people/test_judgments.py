"""Answers as tables of numbers: contradictions, repeats, numbers that cannot be squared."""

from pathlib import Path

import pytest

from tiltmeter.core.errors import BadItems
from tiltmeter.data.people.judgments import AnswerReading, GivenAnswer, judgments_of

HOW = AnswerReading()


@pytest.fixture
def path(tmp_path):
    (tmp_path / "a.csv").write_text("x", "utf-8")
    return Path(tmp_path, "a.csv")


def test_items_are_rows_and_annotators_columns(path):
    given = [
        GivenAnswer("b", "i", "q", "3", 2),
        GivenAnswer("a", "i", "q", "1", 3),
        GivenAnswer("b", "i", "q", "3", 4),
    ]
    made = judgments_of(path, given, ["q"], HOW, [], ["a note"])
    assert (made.items, made.annotators) == (("i",), ("a", "b"))
    assert made.answers["q"].tolist() == [[1, 3]]
    assert made.notes == ("1 row repeats an earlier row and is counted once.", "a note")


def test_everything_wrong_is_listed(path):
    given = [
        GivenAnswer("a", "i", "q", "1", 2),
        GivenAnswer("a", "i", "q", "2", 3),
        GivenAnswer("a", "j", "q", "1e200", 4),
    ]
    with pytest.raises(BadItems, match="a answers differently about i") as raised:
        judgments_of(path, given, ["q"], HOW, [], [])
    assert "1e200 is too large or too small" in str(raised.value)
