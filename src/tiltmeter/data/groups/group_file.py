"""Groups, traits and templates from a TOML file, with everything that is wrong with it at once."""

from pathlib import Path

from tiltmeter.core.typed_values import bad_items
from tiltmeter.data.files.toml_file import read_list
from tiltmeter.data.groups.group_checks import misfits
from tiltmeter.data.groups.group_lists import GroupFile

MANUAL = "docs/studies/group_traits.md"


def read_groups(path: str | Path, *, encoding: str = "") -> GroupFile:
    """Read and check a file of groups, pairs of traits and templates.

    Args:
        path: A TOML file.
        encoding: Of the file; by default its byte order mark's, else UTF-8.

    Raises:
        BadInput: It cannot be read, or is not TOML.
        BadItems: What it says cannot be used, all of it, each with the entry and a way out.
    """
    read = read_list(GroupFile, Path(path), MANUAL, encoding=encoding)
    if faults := [*misfits(read)]:
        raise bad_items(faults, read.file, MANUAL)
    return read
