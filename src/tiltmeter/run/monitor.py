"""Monitors, which receive a run's progress: the command line draws bars, the Python API writes to a log."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from tiltmeter.core.errors import Problem
from tiltmeter.core.text import visible
from tiltmeter.data.downloads import fetch
from tiltmeter.run.stored_answers.cached_model import NoProgress, RunProgress

LISTED = 5
"""How many of the rows left out are listed with their reasons; the card lists all of them."""


class Steps(Protocol):
    """Receives how many steps of a task are done."""

    def reach(self, done: int) -> None:
        """Report the number of steps done so far."""


class Monitor(Protocol):
    """Receives what a run does while it does it, and shows or records it."""

    def step(self, text: str) -> None:
        """Report that a step begins, such as loading a model."""

    def heading(self, text: str) -> None:
        """Report that the next of several parts begins, such as a cell of a sweep."""

    def warning(self, text: str, *, about: str = "") -> None:
        """Report something that the user should know; `about` names the data set that it concerns, if any."""

    def failure(self, text: str) -> None:
        """Report that a part failed while the others continue."""

    def left_out(self, problems: Sequence[Problem]) -> None:
        """Report the rows of the data that are left out, as the user asked, for lack of a defined score."""

    def questions(self, label: str) -> AbstractContextManager[RunProgress]:
        """A context that lasts while a model is asked; it receives the progress."""

    def download(self, label: str) -> AbstractContextManager[fetch.Progress]:
        """A context that lasts while something may be downloaded; it receives the progress."""

    def steps(self, label: str, total: int, counts: str) -> AbstractContextManager[Steps]:
        """A context that lasts while `total` equal steps are done; `counts` names them in the plural."""


class Logged:
    """Writes to the logger `tiltmeter`: warnings as warnings, failures as errors, everything else as info."""

    def __init__(self) -> None:
        self._log = logging.getLogger("tiltmeter")

    def step(self, text: str) -> None:
        """Log the step that begins."""
        self._log.info("%s", visible(text))

    heading = step
    """Log the part that begins."""

    def warning(self, text: str, *, about: str = "") -> None:
        """Log a warning, preceded by what it concerns."""
        self._log.warning("%s", visible(f"{about}: {text}" if about else text))

    def failure(self, text: str) -> None:
        """Log the failure of a part as an error."""
        self._log.error("%s", visible(text))

    def left_out(self, problems: Sequence[Problem]) -> None:
        """Log the rows that are left out, with reasons for the first few."""
        for line in left_out_lines(problems):
            self._log.warning("%s", line)

    @contextmanager
    def questions(self, label: str) -> Iterator[RunProgress]:
        """Log that a model is asked; its progress is not logged."""
        self._log.info("asking %s", visible(label))
        yield NoProgress()

    @contextmanager
    def download(self, label: str) -> Iterator[fetch.Progress]:
        """Log that a download has begun, when its first data arrive."""
        first = iter([visible(label)])

        def tell(_: int, __: int | None) -> None:
            for name in first:
                self._log.info("fetching %s", name)

        yield tell

    @contextmanager
    def steps(self, label: str, total: int, counts: str) -> Iterator[Steps]:
        """Log the task and its number of steps; its progress is not logged."""
        self._log.info("%s: %s %s", visible(label), f"{total:,}", visible(counts))
        yield _Unwatched()


class _Unwatched:
    """Progress that is shown nowhere."""

    def reach(self, done: int) -> None:
        """Ignore the number of steps done so far."""


def left_out_lines(problems: Sequence[Problem]) -> list[str]:
    """Lines that report how many rows were left out, and the reasons for the first few."""
    if not problems:
        return []
    rows = len({(p.file, p.line, p.item) for p in problems})
    lines = [f"{rows} {'row' if rows == 1 else 'rows'} left out without a defined score:"]
    lines += [f"  {problem}" for problem in problems[:LISTED]]
    if len(problems) > LISTED:
        lines.append("  … card.json and the page list all of them")
    return lines
