"""A program with a clock that is set forward while it runs.

    python set_clock.py CLOCK -m tiltmeter survey serve …

runs `tiltmeter` with the real time and as many minutes more as the file CLOCK says.
"""

import runpy
import sys
from pathlib import Path

from tiltmeter.survey import keys

MINUTE = 60_000


def run_with_clock(clock: Path, arguments: list[str]) -> None:
    """Run `tiltmeter` with these arguments, so many minutes ahead as the file says at the moment."""
    real = keys.now
    # Other modules import the name, so it is changed before any of them is there.
    keys.now = lambda: real() + int(clock.read_text("utf-8") or 0) * MINUTE
    sys.argv = arguments
    runpy.run_module("tiltmeter", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    run_with_clock(Path(sys.argv[1]), sys.argv[3:])
