"""All commands and groups: those of the core, and those that each wing brings.

A wing is a folder of `tiltmeter.cli` with a table `commands`; it is found because it is there. Help pages are
drawn from these tables alone. A command's module is imported when the command is invoked, so that `--help`
and an error in the first word need none of them.
"""

import pkgutil
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import chain
from pathlib import Path

from tiltmeter.cli import commands
from tiltmeter.cli.machinery.command_entries import CommandEntry, Entry, GroupEntry, Panels


def joined(tables: Iterable[Panels]) -> Panels:
    """One table of several: panels and groups of one name have the entries of all of them.

    Panels without entries are left out.

    >>> run, cache, train = (CommandEntry(name, "", "") for name in ("run", "cache", "train"))
    >>> panels = joined([{"All": (run, cache)}, {"All": (train._replace(before="cache"),)}])
    >>> [entry.name for entry in panels["All"]]
    ['run', 'train', 'cache']
    """
    panels: dict[str, tuple[Entry, ...]] = {}
    for table in tables:
        for title, entries in table.items():
            panels[title] = _added(panels.get(title, ()), entries)
    return {title: entries for title, entries in panels.items() if entries}


def _added(listed: Sequence[Entry], more: Iterable[Entry]) -> tuple[Entry, ...]:
    entries = [*listed]
    for entry in more:
        names = [each.name for each in entries]
        at = names.index(entry.name) if entry.name in names else None
        if at is not None and isinstance(entry, GroupEntry):
            group = entries[at]
            assert isinstance(group, GroupEntry)  # noqa: S101  (for mypy)
            entries[at] = group._replace(
                summary=group.summary or entry.summary,
                plugins=group.plugins or entry.plugins,
                commands=_added(group.commands, entry.commands),
            )
        else:
            entries.insert(
                names.index(entry.before) if entry.before in names else len(names), entry
            )
    return tuple(entries)


def _wings() -> list[str]:
    """The folders of `tiltmeter.cli` that have a table of commands, by name."""
    cli = Path(__file__).parents[1]
    folders = (module.name for module in pkgutil.iter_modules([str(cli)]) if module.ispkg)
    return sorted(name for name in folders if (cli / name / "commands.py").is_file())


COMMANDS: Panels = joined(
    [
        commands.PANELS,
        *(import_module(f"tiltmeter.cli.{wing}.commands").PANELS for wing in _wings()),
    ]
)
"""The help page of `tiltmeter`."""


def command_named(words: Sequence[str]) -> CommandEntry | None:
    """The command that these words begin with; None where there is none.

    >>> command_named(["data", "get", "seat"]).where
    'data:get'
    """
    entries: Iterable[Entry] = [entry for listed in COMMANDS.values() for entry in listed]
    for word in words:
        entry = next((entry for entry in entries if entry.name == word), None)
        if not isinstance(entry, GroupEntry):
            return entry
        entries = entry.commands
    return None


def places_of(name: str) -> list[str]:
    """What is typed for the commands and groups of this name inside of groups, in order.

    >>> places_of("cache"), places_of("no-such-name")
    (['data cache'], [])
    """
    return [" ".join(words) for words in _inside(COMMANDS.values()) if words[-1] == name]


def _inside(
    listed: Iterable[Iterable[Entry]], before: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    for entry in chain.from_iterable(listed):
        words = (*before, entry.name)
        if before:
            yield words
        if isinstance(entry, GroupEntry):
            yield from _inside([entry.commands], words)
