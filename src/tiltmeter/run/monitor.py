"""Who is kept informed while models are run: the command line draws bars, the Python API writes to a log."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from tiltmeter.core.errors import Problem
from tiltmeter.core.text import visible
from tiltmeter.data.downloads import fetch
from tiltmeter.run.stored_answers.cached_model import NoProgress, RunProgress

LISTED = 5
"""Rows that were left out and are listed with their reasons; the rest is in the card."""


class Steps(Protocol):
    """Receives how many steps of something are done."""

    def reach(self, done: int) -> None:
        """So many steps are done by now."""


class Monitor(Protocol):
    """Is told what a run does, as it does it; what it makes of that is its own affair."""

    def step(self, text: str) -> None:
        """Something begins: a model is loaded."""

    def heading(self, text: str) -> None:
        """The next of several parts begins: one cell of a sweep."""

    def warning(self, text: str, *, about: str = "") -> None:
        """Something that the user should know, about a data set where one is named."""

    def failure(self, text: str) -> None:
        """A part failed, and the others go on."""

    def left_out(self, problems: Sequence[Problem]) -> None:
        """Rows of the data without a defined score, which the user asked to leave out."""

    def questions(self, label: str) -> AbstractContextManager[RunProgress]:
        """For as long as a model is asked."""

    def download(self, label: str) -> AbstractContextManager[fetch.Progress]:
        """For as long as something may be fetched."""

    def steps(self, label: str, total: int, counts: str) -> AbstractContextManager[Steps]:
        """For as long as something of many equal steps takes; `counts` is what they are, in the plural."""


class Logged:
    """Writes to the log `tiltmeter`: warnings and failures as such, everything else as information."""

    def __init__(self) -> None:
        self._log = logging.getLogger("tiltmeter")

    def step(self, text: str) -> None:
        """Log what is done now."""
        self._log.info("%s", visible(text))

    heading = step
    """Log which of several parts begins."""

    def warning(self, text: str, *, about: str = "") -> None:
        """Log a warning, and what it is about."""
        self._log.warning("%s", visible(f"{about}: {text}" if about else text))

    def failure(self, text: str) -> None:
        """Log which part failed, as an error."""
        self._log.error("%s", visible(text))

    def left_out(self, problems: Sequence[Problem]) -> None:
        """Log the items that are left out, with their reasons."""
        for line in left_out_lines(problems):
            self._log.warning("%s", line)

    @contextmanager
    def questions(self, label: str) -> Iterator[RunProgress]:
        """Log that a model is asked; the progress itself is not logged."""
        self._log.info("asking %s", visible(label))
        yield NoProgress()

    @contextmanager
    def download(self, label: str) -> Iterator[fetch.Progress]:
        """Log that a download has begun, at its first piece."""
        first = iter([visible(label)])

        def tell(_: int, __: int | None) -> None:
            for name in first:
                self._log.info("fetching %s", name)

        yield tell

    @contextmanager
    def steps(self, label: str, total: int, counts: str) -> Iterator[Steps]:
        """Log how many steps there are; the progress itself is not logged."""
        self._log.info("%s: %s %s", visible(label), f"{total:,}", visible(counts))
        yield _Unwatched()


class _Unwatched:
    """Progress that nobody looks at."""

    def reach(self, done: int) -> None:
        """So many steps are done by now; nothing is logged."""


def left_out_lines(problems: Sequence[Problem]) -> list[str]:
    """How many rows were left out, and why the first few were."""
    if not problems:
        return []
    rows = len({(p.file, p.line, p.item) for p in problems})
    lines = [f"{rows} {'row' if rows == 1 else 'rows'} left out without a defined score:"]
    lines += [f"  {problem}" for problem in problems[:LISTED]]
    if len(problems) > LISTED:
        lines.append("  … card.json and the page list all of them")
    return lines
