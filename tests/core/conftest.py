"""The command line, for what holds from a file to the message."""

from support.command_line import own_cache, tilt

__all__ = ["own_cache", "tilt"]
