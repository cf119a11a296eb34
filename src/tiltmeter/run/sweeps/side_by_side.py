"""Scores cells one by one, or side by side where their model answers in other processes.

Of a model behind a server the next study begins while the last requests of those before it are answered, so
that the server is never idle while a study is prepared, waits for its slowest reply, or is summarised.
"""

import _thread
import time
from collections.abc import Callable, Generator, Iterator
from queue import Empty, SimpleQueue
from typing import TypeAlias

from tiltmeter.core.model.study_turns import StudyTurn, StudyTurns
from tiltmeter.core.results import Result
from tiltmeter.run.sweeps.sweep_cells import Cell

MOST = 8
"""How many cells run at the same time: each holds its items and its replies."""
AHEAD = 16
"""How many requests for each place at the server should be waiting while the next cell is prepared."""
AWAKE = 0.05
"""Seconds between two looks whether the next cell should begin."""
GRACE = 15.0
"""How long cells that run may still store their answers after Ctrl-C, in seconds."""
ScoreCell: TypeAlias = Callable[[Cell, StudyTurn | None], Result]
"""A function that scores a cell, whose turn it is if others run at the same time."""
Outcomes: TypeAlias = Generator[tuple[Cell, Result | BaseException], None, None]
"""Yields each cell as it ends, with its result or the error with which it ended."""


def one_by_one(cells: Iterator[Cell], score: ScoreCell) -> Outcomes:
    """Score the cells in this thread, in order; see `Outcomes`."""
    for cell in cells:
        outcome: Result | Exception
        try:
            outcome = score(cell, None)
        except Exception as error:  # noqa: BLE001 whatever a model does, the caller decides what follows
            outcome = error
        yield cell, outcome


def side_by_side(cells: Iterator[Cell], score: ScoreCell, places: int) -> Outcomes:
    """Score cells of one model that answers so many requests at once elsewhere; see `Outcomes`.

    Cells begin in order, each as soon as those before it have few requests left, and go first in that order.
    While a cell is yielded, no other computes.
    """
    turns = StudyTurns(places, AHEAD)
    ended: SimpleQueue[tuple[Cell, StudyTurn, Result | BaseException]] = SimpleQueue()

    def run(cell: Cell, turn: StudyTurn) -> None:
        outcome: Result | BaseException
        with turn.computing:
            try:
                outcome = score(cell, turn)
            except BaseException as error:  # noqa: BLE001 (passed on to the thread that waits)
                outcome = error
        ended.put((cell, turn, outcome))

    left = True
    try:
        while left or turns.running:
            if left and len(turns.running) < MOST and turns.has_room:
                cell = next(cells, None)
                left = cell is not None
                if cell is not None:
                    _thread.start_new_thread(run, (cell, turns.next()))
                continue
            try:
                cell, turn, outcome = ended.get(timeout=AWAKE)
            except Empty:
                continue
            turns.running.remove(turn)
            with turn.computing:
                yield cell, outcome
    finally:
        turns.halt()
        deadline = time.monotonic() + GRACE
        while turns.running and (patience := deadline - time.monotonic()) > 0:
            try:
                turns.running.remove(ended.get(timeout=min(patience, AWAKE))[1])
            except Empty:
                continue
