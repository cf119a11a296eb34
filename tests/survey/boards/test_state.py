"""What the board remembers in a database."""

from datetime import UTC, datetime

import pytest

from survey_boards import labelled_file, made_up
from tiltmeter.survey.boards.receipts import Receipt
from tiltmeter.survey.boards.state import ScoredSubmission
from tiltmeter.survey.boards.store import BoardSettings, create_board, opened_board

DAY = datetime(2026, 5, 1, 23, 59, tzinfo=UTC)

RECEIPT = Receipt("b", "ann", "0", {"x": 1.0}, True, DAY)


@pytest.fixture
def state(store, tmp_path):
    create_board(
        store, "b", BoardSettings(str(labelled_file(tmp_path, made_up(3, 2)))), actor="test"
    )
    return opened_board(store, "b").state


def add(state, submitter, value, *, moved, at=DAY):
    with state.turn(submitter, "0") as turn:
        turn.add(ScoredSubmission(submitter, "0", at, {"x": value}, moved), RECEIPT)


def test_the_last_entry_that_moved_is_shown(state):
    assert state.shown("ann") is None and state.all_shown() == []
    for name, value, moved in (
        ("ann", 1, True),
        ("bo", 5, True),
        ("ann", 2, True),
        ("ann", 3, False),
    ):
        add(state, name, value, moved=moved)
    assert state.shown("ann").values == {"x": 2}
    assert sorted(one.submitter for one in state.all_shown()) == ["ann", "bo"]


def test_entries_are_counted_by_day_and_submitter(state):
    add(state, "ann", 1, moved=True)
    add(state, "ann", 1, moved=False, at=DAY.replace(day=2, hour=0, minute=0))
    assert state.entries_on("ann", DAY.date()) == 1
    assert state.entries_on("bo", DAY.date()) == 0
