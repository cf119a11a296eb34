"""The command that the user typed."""

import shlex
import sys


def command_line() -> str:
    """What the user typed, so that it can be typed again."""
    return shlex.join(["tiltmeter", *sys.argv[1:]])


def going_on() -> str:
    """What goes on after a stop: `--fresh` would ask again what this call has stored."""
    return shlex.join(["tiltmeter", *(word for word in sys.argv[1:] if word != "--fresh")])
