"""`tiltmeter survey serve` with a clock that a test can set forward, started, killed and started again."""

import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks._survey_server import SurveyProcess

LAUNCHER = Path(__file__).with_name("set_clock.py")


@dataclass(frozen=True)
class FormText:
    """What `SurveyProcess` asks of a form."""

    text: str


class SimulatedServer(SurveyProcess):
    """A server whose clock can be set forward."""

    def __init__(self, form: str, folder: Path, database: str) -> None:
        self.clock = folder / "clock"
        self.clock.write_text("0", "utf-8")
        self.kills = 0
        super().__init__(FormText(form), folder, database)

    def start(self, *_: str) -> None:
        """Start it with the clock."""
        super().start(sys.executable, str(LAUNCHER), str(self.clock))

    def killed(self) -> None:
        """Kill it with SIGKILL, and start it again."""
        self.kill()
        self.kills += 1
        self.start()

    def later(self, minutes: int) -> None:
        """Let time pass."""
        passed = int(self.clock.read_text("utf-8")) + minutes
        self.clock.write_text(str(passed), "utf-8")
