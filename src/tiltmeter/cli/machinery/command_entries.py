"""Commands and groups as help pages list them."""

from collections.abc import Mapping
from typing import NamedTuple, Union


class CommandEntry(NamedTuple):
    """A command as help pages list it."""

    name: str
    where: str
    """The module in `tiltmeter.cli` and the function in it, as "module:function"."""
    summary: str
    """The first paragraph of the function's docstring."""
    keeps: bool = False
    """Whether it keeps what it has when it is stopped, so that the same words continue it."""
    before: str = ""
    """The entry that it is listed before, where that is there: for those of wings, which come last else."""
    panel: str = "Commands"
    """The title of the panel that lists it on the help page of its group."""


class GroupEntry(NamedTuple):
    """A word that other commands follow."""

    name: str
    summary: str
    """Empty for one that another table describes, and that gets further commands here."""
    commands: tuple[Union[CommandEntry, "GroupEntry"], ...]
    before: str = ""
    panel: str = "Commands"
    plugins: tuple[str, str] | None = None
    """The kind of what other packages bring whose names are commands here, and the module of `tiltmeter.cli`
    that makes the command of each."""


Entry = CommandEntry | GroupEntry
Panels = Mapping[str, tuple[Entry, ...]]
"""What a help page shows: the title of each panel, and its lines."""
