"""Writes the files that users name: completely or not at all, and never over a file of another kind."""

import re
from collections.abc import Mapping
from pathlib import Path

from tiltmeter.core.errors import BadInput, StorageError, reason_of
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.text import visible
from tiltmeter.data.files.atomic_files import replace

SEAL, LINES, PAGE = "card.json", "records.jsonl", "report.html"
SWEEP = "cells.json"
BINARY = (b"\x89PNG", b"%PDF", b"PK\x03\x04", b"PAR1", b"SQLite", b"<svg", b"GIF8", b"\xff\xd8\xff")
"""The first bytes of kinds of files that can be recognised by them."""
BEGINNING = 2**18
"""The number of bytes of an existing file that are read to recognise its kind."""
OURS = b'<p class="eyebrow">Tiltmeter report</p>'
"""A piece of HTML that every page of ours has and no other program writes."""
_FIRST = re.compile(rb"\s*(?:[\[{]\s*)*[^\s,:;]*")


def write_text(path: Path, content: str, *, same_kind: bool = True) -> None:
    """Write a text file in UTF-8, completely or not at all; see `write_bytes`."""
    write_bytes(path, content.encode(), same_kind=same_kind)


def write_bytes(path: Path, content: bytes, *, same_kind: bool = True) -> None:
    """Write a file that the user named, completely or not at all; its folder is created if necessary.

    An existing file is replaced only if it is of the same kind, that is, begins like the new content. With
    `same_kind` false it is replaced whatever it holds, for example if it was read and changed.

    Raises:
        BadInput: The path is a folder or a device, belongs to a finished result, or is a file of
            another kind.
        StorageError: The file could not be written.
    """
    _refuse_sealed(path)
    _write(path, content, same_kind=same_kind)


def write_private(path: Path, content: str, *, overwrite: bool = False) -> None:
    """Write a text file in UTF-8 that its owner alone may read (mode 0600), completely or not at all.

    Raises:
        BadInput: It exists and `overwrite` is false, or it may not be written, as in `write_bytes`.
        StorageError: The file could not be written.
    """
    if not overwrite:
        check_new_file(path)
    _refuse_sealed(path)
    _write(path, content.encode(), same_kind=False, private=True)


def check_new_file(path: Path) -> None:
    """Check that a file that is not to be replaced unasked does not exist, and may be written.

    Raises:
        BadInput: It exists, or is a folder or a device.
    """
    check_file(path)
    if path.exists():
        raise BadInput("this file exists", "give --overwrite, or name another file", file=str(path))


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    """Write the text files of a result that is not a run into its own folder, in the order given.

    Raises:
        BadInput: A path is a folder or a device, or a file of another kind.
        StorageError: A file could not be written.
    """
    for name, text in texts.items():
        _write(folder / name, text.encode())


def check_new_folder(folder: Path) -> None:
    """Check that a folder that the user named for a result is missing or empty.

    Raises:
        BadInput: The folder is not empty, or is a file.
    """
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise BadInput(
            "it already exists and is not an empty folder",
            "name another folder, or remove it",
            file=str(folder),
        )


def check_file(path: Path) -> None:
    """Check that `write_text` may write a file, before work is done that would be lost.

    Raises:
        BadInput: The path is a folder or a device, or belongs to a finished result.
    """
    _refuse_sealed(path)
    _refuse_irregular(path)


def check_page(page: Path) -> None:
    """Check that the page of a result may be written.

    Raises:
        BadInput: The path holds a page of another program, or something that is not a file.
    """
    _refuse_irregular(page)
    _refuse_other_kind(page, OURS)


def _write(path: Path, content: bytes, *, same_kind: bool = True, private: bool = False) -> None:
    try:
        target = path.resolve()
        _refuse_irregular(target)
        if same_kind:
            _refuse_other_kind(target, content)
        target.parent.mkdir(parents=True, exist_ok=True)
        replace(target, lambda to: _put(to, content, private=private))
    except (
        OSError,
        ValueError,
        RuntimeError,
    ) as error:  # a null byte in the name, a circle of links
        raise StorageError(
            f"{visible(str(path))}: could not be written: {reason_of(error)}; name another file"
        ) from error


def _put(path: Path, content: bytes, *, private: bool) -> None:
    if private:
        # before the first byte: nobody can open it in between
        path.touch(mode=0o600)
    path.write_bytes(content)


def _refuse_sealed(path: Path) -> None:
    """Refuse to overwrite a file of a finished result, except for its page."""
    of_result = {SEAL, SWEEP}
    try:
        folder, name = path.resolve().parent, path.resolve().name
        if (folder / SEAL).is_file():
            of_result |= {LINES, *parsed((folder / SEAL).read_text("utf-8")).get("files", {})}
    except (OSError, ValueError, AttributeError, RuntimeError):
        pass
    else:
        if name in of_result and (folder / name).is_file():
            raise BadInput(
                "this file belongs to a finished result", "name another file", file=str(path)
            )


def _refuse_irregular(path: Path) -> None:
    if path.is_dir():
        raise BadInput("this is a folder", "name a file in it", file=str(path))
    if path.exists() and not path.is_file():
        raise BadInput("this is not a regular file", "name another file", file=str(path))


def _refuse_other_kind(path: Path, content: bytes) -> None:
    if not path.exists():
        return
    with path.open("rb") as file:
        there = file.read(BEGINNING)
    if there and _kind(there) != _kind(content):
        raise BadInput(
            "this file exists and holds something else",
            "name another file, or remove this one first",
            file=str(path),
        )


def _kind(content: bytes) -> bytes:
    """The bytes by which kinds of files are compared: a signature or, for text, the first word."""
    for start in BINARY:
        if content.startswith(start):
            return start
    if OURS in content:
        return OURS
    first = _FIRST.match(content[:1000].removeprefix(b"\xef\xbb\xbf"))
    return re.sub(rb"\s", b"", first[0]).lower() if first else b""
