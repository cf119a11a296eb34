"""How far a measurement during a training is: a bar like the trainer's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tiltmeter.run.cached_model import NoProgress, RunProgress
from tiltmeter.run.monitor import Logged


class TrainingMonitor(Logged):
    """Writes to the log `tiltmeter`, and shows a bar while the model is asked."""

    def __init__(self, label: str, *, shown: bool) -> None:
        """What is measured, and whether there is a bar."""
        super().__init__()
        self._label = label
        self._shown = shown

    @contextmanager
    def questions(self, label: str) -> Iterator[RunProgress]:
        """As `Monitor`."""
        if not self._shown:
            with super().questions(label) as progress:
                yield progress
            return
        from tqdm.auto import tqdm  # noqa: PLC0415  (comes with transformers)

        with tqdm(desc=self._label, unit=" tokens", leave=False) as bar:
            yield _Bar(bar)


class _Bar(NoProgress):
    """Tokens on a bar of tqdm."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar

    def start(self, *, total: int, stored: int, requests: int) -> None:  # noqa: ARG002 (`RunProgress`)
        """The length of the bar, and what is answered already."""
        self._bar.reset(total=total)
        self._bar.update(stored)

    def advance(self, tokens: int) -> None:
        """As `RunProgress`."""
        self._bar.update(tokens)
