"""Files that come with the package."""

from pathlib import Path


def package_file(path: str) -> Path:
    """A file below `tiltmeter/data`.

    >>> package_file("starter/abc.toml").is_file()
    True
    """
    return Path(__file__).parents[1] / path
