"""The command line, which kills itself at the nth thing it does to files under a folder.

    python faults/dying.py N FOLDER run pairs fake:masked …

With N = 0 it lives, and says at its end how many things there were.
"""

import os
import signal
import sys

EVENTS = {"open", "os.mkdir", "os.rename", "os.remove"}


def arm(nth, folder):
    """Count what Python does to files there; SIGKILL, which nothing can catch, before the nth."""
    seen = 0

    def hook(event, args):
        nonlocal seen
        if event in EVENTS and any(map(under, args)):
            seen += 1
            if seen == nth:
                os.kill(os.getpid(), signal.SIGKILL)

    def under(value):
        if not isinstance(value, str | os.PathLike):
            return False
        return os.path.abspath(value).startswith(os.path.abspath(folder))  # noqa: PTH100

    sys.addaudithook(hook)
    return lambda: seen


if __name__ == "__main__":
    count = arm(int(sys.argv[1]), sys.argv[2])
    sys.argv = ["tiltmeter", *sys.argv[3:]]
    from tiltmeter.cli import main

    try:
        main()
    finally:
        print(count(), file=sys.stderr)  # noqa: T201
