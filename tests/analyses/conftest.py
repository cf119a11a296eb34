"""The command line, a cache that is no user's, and a console that keeps what it wrote."""

from command_line import own_cache, start, tilt
from hostile_output import screen

__all__ = ["own_cache", "screen", "start", "tilt"]
