"""Texts that may be the name of a file: a sentence that is too long for one, or has a zero byte, is none."""

from collections.abc import Callable
from pathlib import Path


def is_there(text: str | Path) -> bool:
    r"""Whether a text names a file or a folder of this computer.

    >>> is_there("."), is_there("The old man said that he was there. " * 20), is_there("a\\0b")
    (True, False, False)
    """
    return _asks(text, Path.exists)


def is_file(text: str | Path) -> bool:
    """Whether a text names a file of this computer.

    >>> is_file("."), is_file("The old man said that he was there. " * 20)
    (False, False)
    """
    return _asks(text, Path.is_file)


def is_folder(text: str | Path) -> bool:
    """Whether a text names a folder of this computer.

    >>> is_folder("."), is_folder("The old man said that he was there. " * 20)
    (True, False)
    """
    return _asks(text, Path.is_dir)


def _asks(text: str | Path, question: Callable[[Path], bool]) -> bool:
    try:
        return question(Path(text).expanduser())
    except (OSError, ValueError, RuntimeError):  # too long; a zero byte; "~" of nobody
        return False
