"""Files that are written completely or not at all, even in a power cut, and checks that they are intact."""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Literal

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
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{_start_of('self')}")
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
        matched = re.fullmatch(r"\..+\.(\d+)-(\d+)", file.name)
        if matched and not _runs(int(matched[1]), int(matched[2])):
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


def _runs(process: int, start: int) -> bool:
    """Whether a process with this id and this start still runs: a later one may have got its id."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is another user's
        pass
    return _start_of(process) in {start, UNKNOWN}


UNKNOWN = 0
"""The start of a process where the system does not say it."""
ENDED = -1
"""The start of a process that has ended, and which only its parent has not yet noticed."""


def _start_of(process: int | Literal["self"]) -> int:
    """When a process started, in ticks of the system's clock since it was booted; or UNKNOWN or ENDED."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text("utf-8", errors="replace")
    except OSError:  # another system than Linux, or it has just ended
        return UNKNOWN
    state, *numbers = stat.rpartition(")")[2].split()  # its name, in brackets, may have spaces
    return ENDED if state in "ZX" else int(numbers[18])
