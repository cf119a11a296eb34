"""What a file or folder of the user's holds, recognised by its layout without reading all of it."""

from collections.abc import Sequence
from pathlib import Path

from tiltmeter.core.errors import BadInput
from tiltmeter.data.associations.word_sets import SETS, SUFFIXES
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.pairs.layouts import Layout


def has_pairs(path: Path, encoding: str = "") -> bool:
    """Whether a file is a table with the columns of sentence pairs."""
    return has_columns(path, (Layout().more, Layout().less), encoding)


def has_columns(path: Path, columns: Sequence[str], encoding: str = "") -> bool:
    """Whether a file is a table with these columns."""
    if not path.is_file():
        return False
    try:
        read_table(path, encoding=encoding, required=columns, known=None)
    except BadInput:
        return False
    return True


def has_tests(path: Path, encoding: str = "") -> bool:
    """Whether a JSON file has the fields of association tests.

    A file with mistakes is recognised as well, so that its reader can list them.

    Raises:
        BadInput: The file cannot be read.
    """
    if not path.is_file() or path.suffix.lower() not in SUFFIXES:
        return False
    text = "".join(lines(path, encoding))
    return any(f'"{name}"' in text for name in SETS)


def has_files(path: Path, _: str = "", *, names: Sequence[str]) -> bool:
    """Whether a folder contains files of all these names."""
    return all((path / name).is_file() for name in names)
