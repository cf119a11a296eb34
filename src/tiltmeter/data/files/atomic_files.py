"""Files that are written completely or not at all, even in a power cut, and checks that they are intact."""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from tiltmeter.core.errors import BadInput
from tiltmeter.data.downloads.fetch import sha256

COPIES = (".jsonl", ".csv", ".svg", ".tex")
"""Suffixes of files that only repeat the content of others, so that users may delete them."""


def replace(path: Path, write_to: Callable[[Path], object]) -> None:
    """Write a file under a temporary name, then rename it into place.

    Readers find either the old or the new content, whatever happens meanwhile:

    >>> folder = getfixture("tmp_path")
    >>> replace(folder / "a.txt", lambda path: path.write_text("new"))
    >>> [(file.name, file.read_text()) for file in folder.iterdir()]
    [('a.txt', 'new')]
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        write_to(temporary)
        _settle(temporary)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def sweep(folder: Path) -> None:
    """Remove temporary files that killed processes left in this folder and below.

    No other process may be writing there.
    """
    for file in folder.rglob(".*"):
        matched = re.fullmatch(r"\..+\.(parquet|jsonl?|csv|html|tex)\.(\d+)", file.name)
        if matched and not _runs(int(matched[2])):
            file.unlink(missing_ok=True)


def checksums(files: Iterable[Path]) -> dict[str, str]:
    """The SHA-256 of each file that exists, by file name."""
    return {file.name: sha256(file) for file in files if file.is_file()}


def check(folder: Path, expected: Mapping[str, str]) -> None:
    """Check that the files in a folder have the expected checksums, by file name.

    Raises:
        BadInput: A file was changed or is missing; those that end with COPIES may be missing.
    """
    for name, checksum in expected.items():
        file = folder / name
        there = file.is_file()
        if (not there and name.endswith(COPIES)) or (there and sha256(file) == checksum):
            continue
        why = f"{name} was changed after the run" if there else f"{name} is missing"
        raise BadInput(
            f"the result is damaged: {why}",
            "run the command in its card.json again",
            file=str(folder),
        )


def _settle(path: Path) -> None:
    """Sync the file to disk: otherwise a power cut may leave the new name without the content."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is another user's
        return True
    return True
