"""Rows that other programs ask."""

import json

import pytest

from tiltmeter.bridges.exported_tasks import asked_rows
from tiltmeter.core.errors import CannotAnswer


def test_a_row_says_what_reads_it_back():
    row = asked_rows("prompts", writes=True, chats=True, settings={"wrap": "text"})[0]
    about = json.loads(row.fields["tiltmeter"])
    assert (about["study"], about["rule"], about["settings"]["wrap"]) == ("prompts", "word", "text")
    assert not row.request.prompt.chat and row.fields["id"] == row.item.id


def test_a_study_that_asks_nothing_in_words_is_no_task():
    with pytest.raises(CannotAnswer, match="no rule of starter_pairs asks"):
        asked_rows("starter_pairs", writes=True, chats=True)
