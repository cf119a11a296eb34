"""What the board remembers."""

from datetime import UTC, datetime

from tiltmeter.survey.board_state import InMemoryState, ScoredSubmission

DAY = datetime(2026, 5, 1, 23, 59, tzinfo=UTC)


def entry(submitter, value, *, moved, at=DAY):
    return ScoredSubmission(submitter, "0", at, {"x": value}, moved)


def test_the_last_entry_that_moved_is_shown():
    state = InMemoryState()
    assert state.shown("ann") is None and state.all_shown() == []
    for one in (entry("ann", 1, moved=True), entry("bo", 5, moved=True),
                entry("ann", 2, moved=True), entry("ann", 3, moved=False)):  # fmt: skip
        state.add(one)
    assert state.shown("ann").values == {"x": 2}
    assert sorted(one.submitter for one in state.all_shown()) == ["ann", "bo"]


def test_entries_are_counted_by_day_and_submitter():
    state = InMemoryState()
    state.add(entry("ann", 1, moved=True))
    state.add(entry("ann", 1, moved=False, at=DAY.replace(day=2, hour=0)))
    assert state.entries_on("ann", DAY.date()) == 1
    assert state.entries_on("bo", DAY.date()) == 0


def test_a_submitter_has_one_turn_at_a_time():
    state = InMemoryState()
    with state.turn("ann"):
        assert not state.turn("ann").acquire(blocking=False)
        assert state.turn("bo").acquire(blocking=False)
