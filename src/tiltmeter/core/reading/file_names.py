"""Texts that may be the name of a file: what is there, and what a misspelt name may have meant.

A sentence that is too long for a name, or has a zero byte, is none.
"""

import difflib
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


def similar_paths(path: str | Path) -> list[str]:
    """Up to three files and folders whose names resemble that of a path, in its folder; most similar first.

    They are written as the path is: with the same folder before the name.
    """
    path = Path(path)
    if not path.name or not is_folder(path.parent):
        return []
    try:
        names = [there.name for there in path.expanduser().parent.iterdir()]
    except OSError:  # a folder that may not be listed
        return []
    return [
        str(path.parent / name) for name in difflib.get_close_matches(path.name, names, cutoff=0.7)
    ]


def way_to_file(path: str | Path, otherwise: str = "check the path") -> str:
    """The way out for a path where nothing is: similar names, the folder that is missing, or `otherwise`."""
    folder = Path(path).parent
    if not is_folder(folder):
        return f"there is no folder {str(folder)!r} either"
    near = [Path(there).name for there in similar_paths(path)]
    return f"did you mean {' or '.join(near)}?" if near else otherwise


def _asks(text: str | Path, question: Callable[[Path], bool]) -> bool:
    try:
        return question(Path(text).expanduser())
    except (OSError, ValueError, RuntimeError):  # too long; a zero byte; "~" of nobody
        return False
