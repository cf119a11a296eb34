"""Ctrl-C wherever Python looks for signals in the main thread, in a process of its own, which must not hang.

Real signals seldom arrive at the moment that matters: just after a lock was taken.
"""

import dis
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

TIMEOUT = 100
"""Seconds after which the process counts as hanging."""


@cache
def places(code):
    """Offsets of the instructions before which Python (3.11 to 3.14) may raise KeyboardInterrupt."""
    found, before = set(), ""
    for one in dis.get_instructions(code):
        if before.startswith(("CALL", "RESUME")) or one.opname.startswith("JUMP_BACKWARD"):
            found.add(one.offset)
        before = one.opname
    return found


class Interruption:
    """Raises KeyboardInterrupt at the given one of those places in what is traced."""

    def __init__(self, at):
        self.at, self.steps = at, 0

    def __call__(self, frame, _event, _argument):
        frame.f_trace_opcodes = True
        if frame.f_lasti in places(frame.f_code):
            self.steps += 1
            if self.steps == self.at:
                sys.settrace(None)
                raise KeyboardInterrupt
        return self


def interrupted(work, at=0):
    """Do it with one interruption; gives the number of steps until then."""
    interruption = Interruption(at)
    sys.settrace(interruption)
    try:
        work()
    except KeyboardInterrupt:
        assert interruption.steps == at
    finally:
        sys.settrace(None)
    return interruption.steps


def interrupt_everywhere(work, after=lambda: None):
    """Do it again and again, each time interrupted one place later; `after` is never interrupted."""
    for at in range(1, interrupted(work)):
        interrupted(work, at)
        after()


def ended(script, *args):
    """Run a script that imports from here; fails if it does not end."""
    folders = [str(Path(__file__).parents[1]), *filter(None, sys.path)]
    subprocess.run(
        [sys.executable, "-c", script, *map(str, args)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
        timeout=TIMEOUT, check=True,
    )  # fmt: skip
