"""What the board remembers, in memory and in a database."""

from datetime import UTC, datetime
from threading import Thread

import pytest

from survey_boards import labelled_file, made_up
from tiltmeter.survey.boards.receipts import Receipt
from tiltmeter.survey.boards.state import InMemoryState, ScoredSubmission
from tiltmeter.survey.boards.store import BoardSettings, create_board, opened_board

DAY = datetime(2026, 5, 1, 23, 59, tzinfo=UTC)

RECEIPT = Receipt("b", "ann", "0", {"x": 1.0}, True, DAY)


@pytest.fixture
def state(store, tmp_path):
    create_board(
        store, "b", BoardSettings(str(labelled_file(tmp_path, made_up(3, 2)))), actor="test"
    )
    return opened_board(store, "b").state


@pytest.fixture(params=["memory", "database"])
def either(request, state):
    return InMemoryState() if request.param == "memory" else state


def add(state, submitter, value, *, moved, at=DAY):
    with state.turn(submitter, "0") as turn:
        turn.add(ScoredSubmission(submitter, "0", at, {"x": value}, moved), RECEIPT)


def test_the_last_entry_that_moved_is_shown(either):
    assert either.shown("ann") is None and either.all_shown() == []
    for name, value, moved in (
        ("ann", 1, True),
        ("bo", 5, True),
        ("ann", 2, True),
        ("ann", 3, False),
    ):
        add(either, name, value, moved=moved)
    assert either.shown("ann").values == {"x": 2}
    assert sorted(one.submitter for one in either.all_shown()) == ["ann", "bo"]


def test_entries_are_counted_by_day_and_submitter(either):
    add(either, "ann", 1, moved=True)
    add(either, "ann", 1, moved=False, at=DAY.replace(day=2, hour=0, minute=0))
    assert either.entries_on("ann", DAY.date()) == 1
    assert either.entries_on("bo", DAY.date()) == 0


def test_a_submitter_has_one_turn_at_a_time():
    state, order = InMemoryState(), []

    def second():
        with state.turn("ann", "0"):
            order.append("second")

    with state.turn("ann", "0"), state.turn("bo", "0"):
        thread = Thread(target=second)
        thread.start()
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
