"""The versions of what computes the numbers."""

from importlib.metadata import version

from tiltmeter import __version__


def versions() -> dict[str, str]:
    """Of Tiltmeter and of the libraries that it computes with, for cards."""
    return {"tiltmeter": __version__, **{n: version(n) for n in ("numpy", "scipy", "polars")}}
