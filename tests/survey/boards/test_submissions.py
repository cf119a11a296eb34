"""Submissions in the database: leases that end, and the daily limit over several processes."""

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from functools import partial

import pytest
from sqlalchemy import select, update

from support.survey.boards import labelled_file, made_up, predictions, scores_like
from tiltmeter.core.errors import BadInput, Unavailable
from tiltmeter.survey.boards.receipts import Receipt
from tiltmeter.survey.boards.standings import standings
from tiltmeter.survey.boards.store import BoardSettings, close_board, create_board, opened_board
from tiltmeter.survey.boards.submissions import (
    INTERRUPTED,
    OUR_FAULT,
    ScoredSubmission,
    submissions_of,
)
from tiltmeter.survey.schema import Submission, User

DATA = made_up(4, 3)
DAY = datetime(2026, 5, 1, 23, 59, tzinfo=UTC)
RECEIPT = Receipt("b", "ann", "m", "0", {"x": 1.0}, True, DAY)


@pytest.fixture
def board(store, tmp_path):
    create_board(store, "b", BoardSettings(str(labelled_file(tmp_path, DATA))), actor="test")
    return opened_board(store, "b")


@pytest.fixture
def ann(store):
    def added(session):
        row = User(name="ann", password="", role="annotator")
        session.add(row)
        session.flush()
        return row.id

    return store.save(added)


def fails(board, error, name="ann"):
    with board.state.turn(name, "m", "0"):
        raise error


def states(store):
    query = select(Submission.state, Submission.why).order_by(Submission.id)
    return [tuple(row) for row in store.read(lambda session: session.execute(query).all())]


def test_a_second_submission_waits_for_the_end_of_the_first(board, store):
    with board.state.turn("ann", "m", "0"):
        with pytest.raises(BadInput, match="another submission of ann is being scored"):
            fails(board, ZeroDivisionError())
        with pytest.raises(ZeroDivisionError):
            fails(board, ZeroDivisionError(), name="bo")
    with pytest.raises(BadInput, match="odd"):
        fails(board, BadInput("odd"), name="bo")
    assert states(store) == [("waiting", ""), ("failed", OUR_FAULT), ("failed", "odd")]


def test_a_lease_ends_and_a_late_score_does_not_count(board, store, ann, tmp_path):
    late = ScoredSubmission("ann", "m", "0", board.now(), ((1.0, 1.0),), True)
    file = tmp_path / "p.json"
    file.write_text(predictions(scores_like(DATA, 0.9, 0.5)))
    with board.state.turn("ann", "m", "0") as add_entry:
        end_leases(store)
        receipt = board.submit("ann", "m", file)  # by another process, say
        with pytest.raises(Unavailable, match="took too long"):
            add_entry(late, receipt)
    listed = store.read(partial(submissions_of, board=board.state.board, account=ann))
    assert [(one.state, one.why) for one in listed] == [("scored", ""), ("failed", INTERRUPTED)]
    assert standings(board.state.all_shown())[0].scores == receipt.scores
    assert board.state.entries_on("ann", board.now().date()) == 1


def test_one_submission_is_found_however_many_came_later(board, store, ann, monkeypatch):
    monkeypatch.setattr("tiltmeter.survey.boards.submissions.LISTED", 1)
    for why in ("first", "second"):
        with pytest.raises(BadInput, match=why):
            fails(board, BadInput(why))
    read = partial(submissions_of, board=board.state.board, account=ann)
    assert [one.why for one in store.read(read)] == ["second"]
    assert [one.why for one in store.read(partial(read, number=1))] == ["first"]
    assert store.read(partial(read, number=2**31)) == []


def test_a_closed_board_takes_nothing(board, store):
    store.save(partial(close_board, name="b", actor="test"))
    with pytest.raises(BadInput, match="'b' is closed"):
        fails(board, BadInput("odd"))


def end_leases(store):
    """As if they had been short."""
    store.save(lambda session: session.execute(update(Submission).values(until=1)).rowcount)


STUCK = """
import sys, time
from tiltmeter.survey.boards.store import opened_board
from tiltmeter.survey.store import SurveyStore
board = opened_board(SurveyStore(sys.argv[1]), "b")
with board.state.turn("ann", "m", "0"):
    print("scoring", flush=True)
    time.sleep(600)
"""


@pytest.mark.slow
def test_a_process_killed_while_scoring_uses_up_nothing(board, store, url, ann):
    command = [sys.executable, "-c", STUCK, url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "scoring\n"
        os.kill(process.pid, signal.SIGKILL)
    assert states(store) == [("waiting", "")]
    with pytest.raises(BadInput, match="being scored"):
        fails(board, BadInput("odd"))
    end_leases(store)
    listed = store.read(partial(submissions_of, board=board.state.board, account=ann))
    assert [(one.state, one.why) for one in listed] == [("failed", INTERRUPTED)]
    assert board.state.entries_on("ann", board.now().date()) == 0
    with pytest.raises(BadInput, match="odd"):
        fails(board, BadInput("odd"))


MANY = """
import sys
from dataclasses import replace
from pathlib import Path
from tiltmeter.core.errors import BadInput
from tiltmeter.survey.boards.board import checked_scores
from tiltmeter.survey.boards.store import opened_board
from tiltmeter.survey.store import SurveyStore
board = replace(opened_board(SurveyStore(sys.argv[1]), "b"), read=checked_scores)
print("ready", flush=True)
sys.stdin.readline()
refused = 0
while not refused:
    try:
        board.submit("ann", "m", Path(sys.argv[2]))
        print("scored", flush=True)
    except BadInput as error:
        refused = "has used all 3" in str(error)
"""


@pytest.mark.slow
def test_two_processes_keep_the_daily_limit(board, store, url, tmp_path):
    file = tmp_path / "p.json"
    file.write_text(predictions(scores_like(DATA, 0.9, 0.5)))
    command = [sys.executable, "-c", MANY, url, str(file)]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:  # both at once
        process.stdin.write("go\n")
        process.stdin.flush()
    scored = "".join(process.communicate(timeout=120)[0] for process in processes)
    assert scored.count("scored") == 3
    assert [state for state, _ in states(store)].count("scored") == 3
    assert board.state.entries_on("ann", board.now().date()) == 3


def add(state, submitter, value, *, moved, model="m", at=DAY):
    with state.turn(submitter, model, "0") as add_entry:
        terms = ((float(value), 50.0),)
        add_entry(ScoredSubmission(submitter, model, "0", at, terms, moved), RECEIPT)


def test_the_last_entry_of_each_model_that_moved_is_shown(board):
    assert board.state.shown_of("ann") == {} and board.state.all_shown() == ()
    for name, model, value, moved in (
        ("ann", "m", 1, True),
        ("bo", "m", 5, True),
        ("ann", "m", 2, True),
        ("ann", "n", 4, True),
        ("ann", "m", 3, False),
    ):
        add(board.state, name, value, model=model, moved=moved)
    shown = {model: entry.terms for model, entry in board.state.shown_of("ann").items()}
    assert shown == {"m": ((2.0, 50.0),), "n": ((4.0, 50.0),)}
    assert [(e.submitter, e.model) for e in board.state.all_shown()] == [
        ("ann", "m"), ("bo", "m"), ("ann", "n")
    ]  # fmt: skip


def test_entries_are_counted_by_day_and_submitter(board):
    add(board.state, "ann", 1, moved=True)
    add(board.state, "ann", 1, moved=False, at=DAY.replace(day=2, hour=0, minute=0))
    assert board.state.entries_on("ann", DAY.date()) == 1
    assert board.state.entries_on("bo", DAY.date()) == 0
