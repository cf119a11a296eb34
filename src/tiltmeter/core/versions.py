"""Versions of what computes."""

from functools import cache
from importlib.metadata import version

from tiltmeter import __version__


def versions() -> dict[str, str]:
    """The versions of Tiltmeter and of the libraries that it computes with, for cards."""
    return {"tiltmeter": __version__, **_libraries()}


@cache
def _libraries() -> dict[str, str]:
    # read once a process: each is a file of metadata to parse
    return {name: version(name) for name in ("numpy", "scipy", "polars")}
