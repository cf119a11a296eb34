"""The help pages of the program, its groups and commands at 100 columns, kept in tests/goldens/help.

    python -m goldens.of_help [--write]

in `tests` shows what differs from the files, or writes them anew.
"""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from unittest import mock

from goldens.outputs import WIDTH, call, difference
from tiltmeter.cli.machinery.command_tree import COMMANDS, CommandEntry, GroupEntry

GOLDENS = Path(__file__).parent / "help"


def words_of_pages(
    entries: Sequence[CommandEntry | GroupEntry] = (), before: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    """What is typed before --help, for each page."""
    yield before
    for entry in entries or chain.from_iterable(COMMANDS.values()):
        if isinstance(entry, CommandEntry):
            yield (*before, entry.name)
        else:
            yield from words_of_pages(entry.commands, (*before, entry.name))


def pages() -> dict[str, str]:
    """The text of each file: the pages of the program and its groups, and those of the commands of each."""
    texts: dict[str, str] = {}
    for words in words_of_pages():
        with mock.patch.dict(os.environ, {"COLUMNS": str(WIDTH)}):
            code, printed, errors = call((*words, "--help"))
        name = words[0] if words else "tiltmeter"
        page = f"$ tiltmeter {' '.join((*words, '--help'))}\nexit code {code}\n{printed}{errors}"
        texts[name] = texts.get(name, "") + re.sub(r"[ \t]+$", "", page, flags=re.MULTILINE)
    return texts


def golden() -> dict[str, str]:
    """The stored files."""
    return {path.stem: path.read_text("utf-8") for path in sorted(GOLDENS.glob("*.txt"))}


def changes() -> str:
    """How the pages differ from the stored ones."""
    now, before = pages(), golden()
    names = sorted({*now, *before})
    return "\n".join(
        filter(None, (difference(n, before.get(n, ""), now.get(n, "")) for n in names))
    )


def main(words: Sequence[str]) -> None:
    """As the module says."""
    if text := changes():
        print(text)
    if "--write" in words:
        GOLDENS.mkdir(parents=True, exist_ok=True)
        for path in GOLDENS.glob("*.txt"):
            path.unlink()
        for name, page in pages().items():
            (GOLDENS / f"{name}.txt").write_text(page, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
