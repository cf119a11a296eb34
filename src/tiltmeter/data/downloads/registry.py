"""The registry of data sets, which finds them on this machine or downloads them, and verifies their content.

`sets.toml` lists their addresses, checksums, authors and licences. Files are looked for in the folder that
TILTMETER_DATA names, in the cache, and at the authors' address or the mirror that TILTMETER_MIRROR names. In
every case the SHA-256 must be the registered one: a changed file is refused.
"""

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any, Literal

from tiltmeter.core.errors import BadInput, Unavailable, known_names
from tiltmeter.core.reading.file_names import way_to_file
from tiltmeter.core.text import counted
from tiltmeter.data.citations.references import references
from tiltmeter.data.downloads import places
from tiltmeter.data.downloads.archives import is_archive, unpack
from tiltmeter.data.downloads.fetch import Progress, download, joint_sha256, sha256
from tiltmeter.data.downloads.places import package_table


@dataclass(frozen=True)
class File:
    """One file of a data set.

    `path` is its path below the data folders of the cache and of the user, with `/`; `url` is its address,
    "" if the set can only be imported; `size` is in bytes. If we never had the authors' own file,
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
    """The facts that are known about a data set without its files."""

    name: str
    title: str
    version: str
    files: tuple[File, ...]
    licence: str
    citation: str
    """The BibTeX entry of the data set."""
    homepage: str = ""
    warning: str = ""
    language: str = "en"
    note: str = ""

    @property
    def size(self) -> int:
        """The size of all files together, in bytes."""
        return sum(file.size for file in self.files)


@cache
def known_sets() -> dict[str, DataSet]:
    """All registered data sets by name; `sets.toml` is read on the first call."""
    return {entry["name"]: _set(**entry) for entry in package_table("downloads/sets.toml")["sets"]}


def _set(*, files: Iterable[Any], citation: str, **about: Any) -> DataSet:
    listed = tuple(File(*file) for file in files)
    return DataSet(files=listed, citation=references()[citation].bibtex, **about)


Status = Literal["given", "here", "absent"]


@dataclass(frozen=True)
class Located:
    """A data set whose files are on this machine and have been verified.

    `files` maps each `File.path` (`"crows_pairs/crows_pairs_anonymized.csv"`) to the path on this machine.
    `sha256` is the joint one of all files (`fetch.joint_sha256`).
    """

    set: DataSet
    files: Mapping[str, Path]
    sha256: str

    @property
    def file(self) -> Path:
        """The only file of a set that has a single one.

        Raises:
            ValueError: The set has several files.
        """
        (path,) = self.files.values()
        return path


def find(name: str) -> DataSet:
    """The data set with this name; raises UnknownName, which suggests similar names, if there is none.

    >>> find("winobias").licence
    'MIT'
    """
    known_names("data set", [name], known_sets())
    return known_sets()[name]


_IN_PLACE: ContextVar[Mapping[str, Mapping[str, Path]]] = ContextVar(
    "in place", default=MappingProxyType({})
)
"""By data set, the files of the user's that stand in place of its own, by `File.path`."""


@contextmanager
def given_files(files: Mapping[str, Path]) -> Iterator[None]:
    """Within the block, `locate` finds these files of the user's in place of those of data sets.

    Args:
        files: By the name of a data set: its file, or a folder that holds all its files by their names. A
            file that is not the registered one is used as well; the set is then called after it.

    Raises:
        UnknownName: There is no such data set.
        BadInput: A file is not there.
    """
    token = _IN_PLACE.set({name: _in_place(find(name), path) for name, path in files.items()})
    try:
        yield
    finally:
        _IN_PLACE.reset(token)


def _in_place(known: DataSet, path: Path) -> Mapping[str, Path]:
    names = [file.name for file in known.files]
    if path.is_dir():
        places_of = {
            file.path: next((p for p in (path / file.path, path / file.name) if p.is_file()), None)
            for file in known.files
        }
        found = {file: place for file, place in places_of.items() if place}
        if lacking := [name.rpartition("/")[2] for name in places_of if name not in found]:
            way_out = f"{known.name} is made of {', '.join(names)}"
            raise BadInput(f"the folder lacks {lacking[0]}", way_out, file=str(path))
        return found
    if not path.is_file():
        reason = f"there is no such file to stand in place of {known.name}"
        raise BadInput(reason, way_to_file(path), file=str(path))
    if len(names) > 1:
        way_out = f"give a folder that holds all: {', '.join(names)}"
        raise BadInput(
            f"{known.name} has {counted(len(names), 'files')}, and this is one",
            way_out,
            file=str(path),
        )
    return {known.files[0].path: path}


def _located_in_place(known: DataSet, files: Mapping[str, Path]) -> Located:
    """Files of the user's as the data set, or, where they are known to be others, under another name."""
    sums = {file.path: sha256(files[file.path]) for file in known.files}
    if any(file.sha256 not in {"", sums[file.path]} for file in known.files):
        named = ", ".join(path.name for path in files.values())
        known = replace(known, name=f"{known.name} ({named})", version="")
    return Located(known, files, joint_sha256(sums.values()))


def locate(name: str, *, progress: Progress | None = None) -> Located:
    """Find the files of a data set, downloading missing ones, and verify each by its checksum.

    Files that stand in their place (`given_files`) are taken as they are.

    Raises:
        UnknownName: There is no such data set.
        Unavailable: A file is not available, or is not the registered one.
        BadInput: TILTMETER_DATA or TILTMETER_CACHE does not name a folder.
        StorageError: The cache cannot be written.
    """
    known = find(name)
    if name in _IN_PLACE.get():
        return _located_in_place(known, _IN_PLACE.get()[name])
    files = {file.path: _locate_file(known, file, progress) for file in known.files}
    sums = (file.sha256 or sha256(files[file.path]) for file in known.files)
    return Located(known, files, joint_sha256(sums))


def status(name: str) -> Status:
    """Whether a set is in the user's folder ("given"), elsewhere on this machine ("here"), or "absent".

    Only names and sizes are checked; `locate` verifies the content. A set that is on this machine but only
    partly in the user's folder is "here".
    """
    files = find(name).files
    if name in _IN_PLACE.get() or all(_given(file) for file in files):
        return "given"
    return "absent" if missing_files(name) else "here"


def import_file(name: str, path: Path) -> Mapping[str, Path]:
    """Copy a data set that the user already has into the cache; returns the copies' paths by `File.path`.

    `path` is one of the set's files, or a folder, .zip or .tar(.gz, .bz2, .xz) with some of them. Files are
    recognised by their checksums, whatever their names and places in the folder or archive; those without a
    registered checksum by their names. `status` tells whether the set is complete.

    Raises:
        UnknownName: No such data set.
        BadInput: There is nothing at `path`, or none of the set's files.
        StorageError: The cache cannot be written.
    """
    known = find(name)
    if not path.exists():
        raise BadInput("there is no such file or folder", way_to_file(path), file=str(path))
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
    """The files of a set that are not on this machine, or do not have the registered size.

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
    """Download a file that has no registered checksum, and record its present one."""
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
    """The path of a file in the package or in the cache, whether or not it exists yet."""
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
    """Yields the files at `path` that have one of the sizes."""
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
