"""All commands and groups, which `commands.toml` lists: what help pages say of each, and where it is defined.

Help pages are drawn from this table alone. A command's module is imported when the command is invoked,
so that `--help` and an error in the first word need none of them.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Union


class CommandEntry(NamedTuple):
    """A command as help pages list it."""

    name: str
    where: str
    """Its module in `tiltmeter.cli` and its function there, as "module:function"."""
    summary: str
    """The first paragraph of the function's docstring."""


class GroupEntry(NamedTuple):
    """A word that other commands follow."""

    name: str
    summary: str
    commands: tuple[Union[CommandEntry, "GroupEntry"], ...]


Panels = Mapping[str, tuple[CommandEntry | GroupEntry, ...]]
"""What a help page shows: the title of each panel, and its lines."""


def _entries(listed: Mapping[str, Any]) -> tuple[CommandEntry | GroupEntry, ...]:
    return tuple(
        GroupEntry(name, of["summary"], _entries(of)) if isinstance(of, dict) else CommandEntry(name, *of)
        for name, of in listed.items() if name != "summary"
    )  # fmt: skip


COMMANDS: Panels = {
    title: _entries(listed)
    for title, listed in tomllib.loads(
        Path(__file__).with_name("commands.toml").read_text("utf-8")
    ).items()
}
"""The help page of `tiltmeter`."""
