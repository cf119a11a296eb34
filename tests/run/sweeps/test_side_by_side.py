"""Cells of a served model run side by side: as many requests, records and stored answers as one by one."""

import json
import signal
import time

import pytest

from servers.chat_server import serving
from support.command_line import own_cache, start, tilt
from tiltmeter.run.files.folder import read
from tiltmeter.run.sweeps import side_by_side as module
from tiltmeter.run.sweeps.side_by_side import one_by_one, side_by_side

__all__ = ["own_cache", "start", "tilt"]
FILE = """
[[study]]
name = "prompts"
limit = 9

[[study]]
name = "prompts"
rule = "contains"
limit = 6

[[study]]
name = "prompts"
limit = 30

[[model]]
name = "{model}"
at-once = 3
"""


@pytest.fixture
def server():
    with serving() as one:
        yield one


@pytest.fixture
def file(tmp_path, server):
    """Three studies, of which the last makes requests of the first too."""
    path = tmp_path / "mine.toml"
    path.write_text(FILE.format(model=server.reference), "utf-8")
    return path


def bodies(server):
    """What the server was asked, in an order that does not depend on time."""
    return sorted(json.dumps(asked.body, sort_keys=True) for asked in server.asked)


def scores_of(folder):
    """The records of each cell, and its headline, without when and how fast it was run."""
    cells = json.loads((folder / "cells.json").read_text("utf-8"))["cells"]
    assert [cell["state"] for cell in cells] == ["done"] * 3
    return [
        (cell["folder"], cell["headline"], list(read(folder / cell["folder"]).records))
        for cell in cells
    ]


def test_records_and_requests_are_those_of_one_cell_after_the_other(
    tilt, file, server, tmp_path, monkeypatch
):
    code, _, err = tilt("run", file.name)
    assert code == 0, err
    together, asked = scores_of(tmp_path / "runs" / "mine"), bodies(server)
    assert server.most_at_once <= 3
    server.asked.clear()
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "other cache"))
    monkeypatch.setattr(module, "MOST", 1)
    code, _, err = tilt("run", file.name, "--out", "alone")
    assert code == 0, err
    assert scores_of(tmp_path / "alone") == together
    assert bodies(server) == asked
    assert len(asked) == len(set(asked)) < 9 + 6 + 30  # equal ones are made once


class Cells:
    """Cells that note what happens to them; "bad" fails."""

    def __init__(self):
        self.seen = []

    def score(self, cell, turn):
        self.seen.append(f"{cell} begins")
        turn.asks(1)
        with turn.awaiting():
            time.sleep(0.2 if cell == "slow" else 0.01)
        turn.unanswered = 0
        if cell == "bad":
            raise ValueError("broken")
        return cell.upper()


def test_a_cell_begins_while_the_one_before_it_waits_and_an_error_ends_no_other():
    cells = Cells()
    outcomes = dict(side_by_side(iter(["slow", "bad", "quick"]), cells.score, places=2))
    assert [*outcomes] == ["bad", "quick", "slow"]
    assert outcomes["slow"] == "SLOW" and str(outcomes["bad"]) == "broken"
    assert cells.seen == ["slow begins", "bad begins", "quick begins"]


def test_one_by_one_a_cell_ends_before_the_next_begins():
    seen = []

    def score(cell, turn):
        assert turn is None
        seen.append(cell)
        if cell == "bad":
            raise ValueError("broken")
        return cell

    for cell, outcome in one_by_one(iter(["bad", "good"]), score):
        assert seen[-1] == cell
        assert isinstance(outcome, ValueError) == (cell == "bad")


def test_whoever_stops_listening_halts_the_cells_that_run():
    turns = []

    def score(cell, turn):
        turns.append(turn)
        turn.asks(1)
        if cell == "first":
            return cell
        with turn.awaiting():
            while not turn.is_halted:
                time.sleep(0.01)
        raise KeyboardInterrupt

    outcomes = side_by_side(iter(["endless", "first"]), score, places=2)
    assert next(outcomes) == ("first", "first")
    outcomes.close()
    assert turns[0].is_halted


def test_after_ctrl_c_requests_under_way_are_stored_and_the_command_goes_on(
    start, tilt, file, server
):
    server.holds_from = 6
    running = start("run", file.name)
    deadline = time.monotonic() + 60
    while len(server.asked) < 6 or server.answered < 5:
        assert time.monotonic() < deadline, running.poll()
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    time.sleep(0.5)
    server.release.set()
    running.communicate(timeout=60)
    assert running.returncode == 130
    asked = len(server.asked)
    assert server.answered == asked
    code, _, err = tilt("run", file.name)
    assert code == 0, err
    assert asked < len(server.asked) == len(set(bodies(server)))
