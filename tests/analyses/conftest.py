"""The command line, a cache that is no user's, and a console that keeps what it wrote."""

from faults.hostile_output import screen
from support.command_line import own_cache, start, tilt

__all__ = ["own_cache", "screen", "start", "tilt"]
