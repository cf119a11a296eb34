"""Find a data set on this machine, or fetch it; and be sure that it is that data set.

Looked for in this order: the folder that TILTMETER_DATA names, the cache, the authors' address or the
mirror that TILTMETER_MIRROR names. In every case the SHA-256 must be the one that is registered: a
file that was changed is refused.
"""

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tiltmeter.core.errors import BadInput, Unavailable, UnknownName
from tiltmeter.data.downloads import places
from tiltmeter.data.downloads.archives import is_archive, unpack
from tiltmeter.data.downloads.fetch import Progress, download, joint_sha256, sha256
from tiltmeter.data.downloads.sets import DataSet, File, known_sets

__all__ = [
    "DataSet", "File", "Located", "find", "import_file", "known_sets", "locate", "status",
]  # fmt: skip

Status = Literal["given", "here", "absent"]


@dataclass(frozen=True)
class Located:
    """A data set that is on this machine, verified.

    `files` maps each `File.path` (`"crows_pairs/crows_pairs_anonymized.csv"`) to where it lies.
    `sha256` is that of all files (`fetch.joint_sha256`).
    """

    set: DataSet
    files: Mapping[str, Path]
    sha256: str

    @property
    def file(self) -> Path:
        """The file of a set that has only one.

        Raises:
            ValueError: It has several.
        """
        (path,) = self.files.values()
        return path


def find(name: str) -> DataSet:
    """The data set of this name.

    >>> find("winobias").licence
    'MIT'

    Raises:
        UnknownName: With the nearest names that exist.
    """
    if name not in known_sets():
        raise UnknownName("data set", name, known_sets())
    return known_sets()[name]


def locate(name: str, *, progress: Progress | None = None) -> Located:
    """The files of a data set, fetched where they are absent, each verified by its checksum.

    Args:
        name: A name in `known_sets`.
        progress: Told the bytes of each download.

    Raises:
        UnknownName: No such data set.
        Unavailable: A file is not available, or is not the registered one.
        BadInput: TILTMETER_DATA or TILTMETER_CACHE names no folder.
        StorageError: The cache cannot be written.
    """
    one = find(name)
    files = {file.path: _locate_file(one, file, progress) for file in one.files}
    return Located(one, files, joint_sha256(file.sha256 for file in one.files))


def status(name: str) -> Status:
    """Whether a set is in the user's folder ("given"), in the cache too ("here"), or "absent".

    Looks at names and sizes only; `locate` verifies. A set that is partly in the user's folder and
    wholly on this machine is "here".

    Raises:
        UnknownName: No such data set.
    """
    files = find(name).files
    if all(_given(file) for file in files):
        return "given"
    return "here" if all(_is_here(file) for file in files) else "absent"


def import_file(name: str, path: Path) -> Mapping[str, Path]:
    """Copy a data set that the user already has into the cache.

    Files are known by their checksums, whatever they are called and wherever in the folder or
    archive they lie.

    Args:
        name: A name in `known_sets`.
        path: One of the set's files, or a folder, .zip or .tar(.gz, .bz2, .xz) with some of them.

    Returns:
        What was found: `File.path` → its place in the cache. `status` tells whether that is all.

    Raises:
        UnknownName: No such data set.
        BadInput: There is nothing at `path`, or none of the set's files.
        StorageError: The cache cannot be written.
    """
    one = find(name)
    if not path.exists():
        raise BadInput("there is no such file or folder", "correct the path", file=str(path))
    wanted = {file.sha256: file for file in one.files}
    with tempfile.TemporaryDirectory(dir=places.cache(), prefix=".import-") as staging:
        found: dict[str, Path] = {}
        for candidate in _candidates(path, {file.size for file in one.files}, Path(staging)):
            file = wanted.get(sha256(candidate))
            if file is not None and file.path not in found:
                uri = candidate.absolute().as_uri()  # copied as a download is: whole, or not at all
                found[file.path] = download(uri, _cached(file), sha256=file.sha256)
    if not found:
        raise _nothing(one, path)
    return found


def _locate_file(one: DataSet, file: File, progress: Progress | None) -> Path:
    if given := _given(file):
        way_out = f"replace it, or take it out of {places.DATA}: then the registered one is used"
        return _verified(one, file, given, way_out)
    cached = _cached(file)
    if cached.is_file():
        return _verified(one, file, cached, "delete it: then it is fetched again")
    by_hand = (
        f"put it into a folder named by {places.DATA}, as {file.path}, "
        f"or use `tiltmeter data import {one.name} PATH`"
    )
    url = places.address(file.path, file.url)
    if not url:
        raise Unavailable(f"{one.name}: {file.name} has no address to download it from; {by_hand}")
    way_out = f"connect and try again, or {by_hand}"
    return download(
        url, cached, sha256=file.sha256, size=file.size, progress=progress, way_out=way_out
    )


def _given(file: File) -> Path | None:
    folder = places.given()
    if folder is None:
        return None
    return next((p for p in (folder / file.path, folder / file.name) if p.is_file()), None)


def _cached(file: File) -> Path:
    return places.cache() / "data" / file.path


def _is_here(file: File) -> bool:
    path = _given(file) or _cached(file)
    return path.is_file() and path.stat().st_size == file.size


def _verified(one: DataSet, file: File, path: Path, way_out: str) -> Path:
    try:
        found = sha256(path)
    except OSError as error:
        raise Unavailable(f"{path}: cannot be read ({error.strerror}); {way_out}") from error
    if found != file.sha256:
        raise Unavailable(
            f"{path}: not the registered {file.name} of {one.name}: "
            f"expected SHA-256 {file.sha256}, found {found}; {way_out}"
        )
    return path


def _candidates(path: Path, sizes: set[int], staging: Path) -> Iterator[Path]:
    """The files at `path` that are as long as one that is looked for."""
    if path.is_dir():
        yield from (p for p in path.rglob("*") if p.is_file() and p.stat().st_size in sizes)
        return
    if path.stat().st_size in sizes:
        yield path
    if is_archive(path):
        yield from unpack(path, staging, sizes=sizes)


def _nothing(one: DataSet, path: Path) -> BadInput:
    listed = ", ".join(f"{f.name} ({f.size:,} bytes, SHA-256 {f.sha256})" for f in one.files[:3])
    more = f" and {len(one.files) - 3} more" if len(one.files) > 3 else ""  # noqa: PLR2004
    single = path.is_file()
    found = f"; this is {path.stat().st_size:,} bytes, SHA-256 {sha256(path)}" if single else ""
    return BadInput(
        f"holds none of the files of {one.name}: looked for {listed}{more}{found}",
        f"give a file, folder or archive from {one.homepage or 'its authors'}",
        file=str(path),
    )
