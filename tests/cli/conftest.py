"""The command line, a cache that is no user's, and a console that keeps what it wrote."""

from faults.hostile_output import screen
from support.command_line import interrupted_after, own_cache, start, tilt

__all__ = ["interrupted_after", "own_cache", "screen", "start", "tilt"]
