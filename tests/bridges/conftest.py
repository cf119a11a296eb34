"""The command line, and a cache that is no user's."""

from support.command_line import own_cache, tilt

__all__ = ["own_cache", "tilt"]
