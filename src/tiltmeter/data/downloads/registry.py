"""The data sets that Tiltmeter knows, found on this machine or fetched; and sure to be those data sets.

They are listed in `sets.toml`: where from, which bytes, whose, under which licence. Files are looked for in
the folder that TILTMETER_DATA names, in the cache, and at the authors' address or the mirror that
TILTMETER_MIRROR names. In every case the SHA-256 must be the registered one: a changed file is refused.
"""

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from tiltmeter.core.errors import BadInput, Unavailable, known_names
from tiltmeter.data.citations.references import references
from tiltmeter.data.downloads import places
from tiltmeter.data.downloads.archives import is_archive, unpack
from tiltmeter.data.downloads.fetch import Progress, download, joint_sha256, sha256
from tiltmeter.data.downloads.places import package_table


@dataclass(frozen=True)
class File:
    """One file of a data set.

    `path` is its place under the cache's and the user's data folder, with `/`; `url` its address,
    "" where the set can only be imported; `size` counts bytes. Where we never had the authors' own file,
    `sha256` is "" and `size` 0: the first download or import then records a checksum.
    """

    path: str
    url: str
    sha256: str
    size: int

    @property
    def name(self) -> str:
        """The last part of the path."""
        return PurePosixPath(self.path).name


@dataclass(frozen=True)
class DataSet:
    """What is known about a data set without having it."""

    name: str
    title: str
    version: str
    files: tuple[File, ...]
    licence: str
    citation: str
    """BibTeX, an entry of the bibliography."""
    homepage: str = ""
    warning: str = ""
    language: str = "en"
    note: str = ""

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(file.size for file in self.files)


@cache
def known_sets() -> dict[str, DataSet]:
    """All of them, by name; the file is read when they are first asked for."""
    return {entry["name"]: _set(**entry) for entry in package_table("downloads/sets.toml")["sets"]}


def _set(*, files: Iterable[Any], citation: str, **about: Any) -> DataSet:
    listed = tuple(File(*file) for file in files)
    return DataSet(files=listed, citation=references()[citation].bibtex, **about)


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
    """The data set of this name; UnknownName says which are near where there is none.

    >>> find("winobias").licence
    'MIT'
    """
    known_names("data set", [name], known_sets())
    return known_sets()[name]


def locate(name: str, *, progress: Progress | None = None) -> Located:
    """The files of a data set, fetched where they are absent, each verified by its checksum.

    Raises:
        UnknownName: No such data set.
        Unavailable: A file is not available, or is not the registered one.
        BadInput: TILTMETER_DATA or TILTMETER_CACHE names no folder.
        StorageError: The cache cannot be written.
    """
    known = find(name)
    files = {file.path: _locate_file(known, file, progress) for file in known.files}
    sums = (file.sha256 or sha256(files[file.path]) for file in known.files)
    return Located(known, files, joint_sha256(sums))


def status(name: str) -> Status:
    """Whether a set is in the user's folder ("given"), in the cache too ("here"), or "absent".

    Looks at names and sizes only; `locate` verifies. A set that is partly in the user's folder and
    wholly on this machine is "here".
    """
    files = find(name).files
    if all(_given(file) for file in files):
        return "given"
    return "absent" if missing_files(name) else "here"


def import_file(name: str, path: Path) -> Mapping[str, Path]:
    """Copy a data set that the user already has into the cache; the places there by `File.path`.

    `path` is one of the set's files, or a folder, .zip or .tar(.gz, .bz2, .xz) with some of them. Files are
    known by their checksums, whatever they are called and wherever in the folder or archive they lie; those
    without a registered one by their names. `status` tells whether all are there.

    Raises:
        UnknownName: No such data set.
        BadInput: There is nothing at `path`, or none of the set's files.
        StorageError: The cache cannot be written.
    """
    known = find(name)
    if not path.exists():
        raise BadInput("there is no such file or folder", "correct the path", file=str(path))
    wanted = {file.sha256: file for file in known.files}
    with tempfile.TemporaryDirectory(dir=places.cache(), prefix=".import-") as staging:
        copied: dict[str, Path] = {}
        for candidate in _candidates(path, {file.size for file in known.files}, Path(staging)):
            file = wanted.get(sha256(candidate))
            if file is not None and file.path not in copied:
                uri = candidate.absolute().as_uri()  # copied as a download is: whole, or not at all
                copied[file.path] = download(uri, _cached(file), sha256=file.sha256)
    for file in (file for file in known.files if not file.sha256):
        if path.is_file() and is_archive(path):
            raise BadInput("it is an archive", f"unpack it, and give {file.name}", file=str(path))
        if named := next(iter([path] if path.is_file() else path.rglob(file.name)), None):
            copied[file.path] = _recorded(file, named.absolute().as_uri())
    if not copied:
        raise _nothing(known, path)
    return copied


def missing_files(name: str) -> list[File]:
    """The files of a set that are not on this machine, or not of the registered size.

    Raises:
        UnknownName: No such data set.
    """
    places_of = ((file, _given(file) or _here(file)) for file in find(name).files)
    return [
        file
        for file, place in places_of
        if not (place.is_file() and file.size in {0, place.stat().st_size})
    ]


def _locate_file(known: DataSet, file: File, progress: Progress | None) -> Path:
    if given := _given(file):
        way_out = f"replace it, or take it out of {places.DATA}: then the registered one is used"
        return _verified(known, file, given, way_out)
    cached = _here(file)
    if cached.is_file():
        return _verified(known, file, cached, "delete it: then it is fetched again")
    by_hand = (
        f"put it into a folder named by {places.DATA}, as {file.path}, "
        f"or use `tiltmeter data import {known.name} PATH`"
    )
    url = places.address(file.path, file.url)
    if not url:
        raise Unavailable(
            f"{known.name}: {file.name} has no address to download it from; {by_hand}"
        )
    way_out = f"connect and try again, or {by_hand}"
    if not file.sha256:
        return _recorded(file, url, progress=progress, way_out=way_out)
    return download(
        url, cached, sha256=file.sha256, size=file.size, progress=progress, way_out=way_out
    )


def _recorded(file: File, url: str, **fetching: Any) -> Path:
    """Fetch a file that has no registered checksum, and keep the one that it has now."""
    path = download(url, _cached(file), **fetching)
    _record(file).write_text(sha256(path), "utf-8")
    return path


def _record(file: File) -> Path:
    return _cached(file).with_name(f"{file.name}.sha256")


def _given(file: File) -> Path | None:
    folder = places.given()
    if folder is None:
        return None
    return next((p for p in (folder / file.path, folder / file.name) if p.is_file()), None)


def _here(file: File) -> Path:
    """Its place in the package, or in the cache; there need not be anything yet."""
    shipped = places.package_file(f"shipped/{file.path}")
    return shipped if shipped.is_file() else _cached(file)


def _cached(file: File) -> Path:
    return places.cache() / "data" / file.path


def _verified(known: DataSet, file: File, path: Path, way_out: str) -> Path:
    try:
        actual = sha256(path)
    except OSError as error:
        raise Unavailable(f"{path}: cannot be read ({error.strerror}); {way_out}") from error
    expected = file.sha256
    if not expected and path == _cached(file) and _record(file).is_file():
        expected = _record(file).read_text("utf-8")
    if expected and actual != expected:
        raise Unavailable(
            f"{path}: not the registered {file.name} of {known.name}: "
            f"expected SHA-256 {expected}, found {actual}; {way_out}"
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


def _nothing(known: DataSet, path: Path) -> BadInput:
    listed = ", ".join(
        f"{f.name} ({f.size:,} bytes, SHA-256 {f.sha256})" if f.sha256 else f.name
        for f in known.files[:3]
    )
    more = f" and {len(known.files) - 3} more" if len(known.files) > 3 else ""  # noqa: PLR2004
    single = path.is_file()
    actual = f"; this is {path.stat().st_size:,} bytes, SHA-256 {sha256(path)}" if single else ""
    return BadInput(
        f"holds none of the files of {known.name}: looked for {listed}{more}{actual}",
        f"give a file, folder or archive from {known.homepage or 'its authors'}",
        file=str(path),
    )
