"""A line on standard error now and then while a command is busy and prints nothing else."""

import time
from threading import Thread

from tiltmeter.cli.console import err

SILENCE = 30.0
"""Seconds after which a command that is busy says with what."""
LOOKS = 1.0
"""Seconds between two looks at the clock."""


class Heartbeat:
    """Knows what the command does, and says it when nothing was printed for a while."""

    def __init__(self) -> None:
        self.busy_with = ""
        """What the command does now; "" while it waits for people, or draws a bar that moves."""
        self._begun = self._heard = 0.0
        self._thread: Thread | None = None

    def begin(self, text: str) -> None:
        """Note what the command begins to do."""
        self.busy_with = text
        self._begun = self._heard = time.monotonic()
        if self._thread is None:
            self._thread = Thread(target=self._look, daemon=True)
            self._thread.start()

    def heard(self) -> None:
        """Note that the command has just printed how far it is."""
        self._heard = time.monotonic()

    def rest(self) -> None:
        """Say nothing until something begins."""
        self.busy_with = ""

    def beat(self) -> None:
        """Print what the command does and for how long, if it was silent for long."""
        from tiltmeter.run.audits.audit_profile import time_text

        now, text = time.monotonic(), self.busy_with
        if text and now - self._heard >= SILENCE:
            self._heard = now
            err.print(f"{time_text(now - self._begun)} so far: {text}", style="dim")

    def _look(self) -> None:
        while True:
            time.sleep(LOOKS)
            if time.monotonic() - self._heard >= SILENCE:
                self.beat()


heartbeat = Heartbeat()
