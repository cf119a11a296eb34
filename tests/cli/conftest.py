"""The command line, a cache that is no user's, and a console that keeps what it wrote."""

from command_line import interrupted_after, own_cache, start, tilt
from hostile_output import screen

__all__ = ["interrupted_after", "own_cache", "screen", "start", "tilt"]
