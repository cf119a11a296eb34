"""Boards in the database."""

import pytest

from support.command_line import own_cache, tilt
from support.survey.boards import labelled_file, made_up, predictions, scores_like
from tiltmeter.survey.accounts import audit_log
from tiltmeter.survey.store import SurveyStore

__all__ = ["own_cache", "tilt"]

DATA = made_up(4, 3)


@pytest.fixture
def board(tilt, tmp_path, monkeypatch):
    """A board b in survey.db; files are checked in this process."""
    labelled_file(tmp_path, DATA)
    assert tilt("survey", "board", "create", "b", "--labels", "labels.json")[0] == 0
    monkeypatch.setattr("tiltmeter.survey.boards.store.within", lambda _, work, *args: work(*args))
    (tmp_path / "p.json").write_text(predictions(scores_like(DATA, 0.9, 0.5)))


@pytest.mark.usefixtures("board")
def test_a_closed_board(tilt, tmp_path):
    assert tilt("survey", "board", "close", "b")[0] == 0
    code, _, err = tilt("survey", "board", "submit", "b", "p.json", "--as", "ann", "--model", "m")
    assert code == 2 and "the board 'b' is closed" in err
    assert "b: closed; 0 submitters" in tilt("survey", "board", "list")[1]
    with SurveyStore(tmp_path / "survey.db") as store:
        noted = [(line.action, line.detail) for line in store.read(audit_log)]
    assert noted == [("close board", "b"), ("create board", "b")]
