"""Files out of zip and tar archives, never outside the folder they are meant for."""

import lzma
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO

from tiltmeter.core.errors import BadInput
from tiltmeter.data.downloads.fetch import BLOCK, writing


def safe(name: str) -> str:
    """The name of a file in an archive, if it stays below the folder it is unpacked in.

    >>> safe("model/config.json")
    'model/config.json'
    >>> safe("model/../../config.json")
    Traceback (most recent call last):
    tiltmeter.core.errors.BadInput: the archive holds 'model/../../config.json', which would be
    written outside its folder; use an archive from a source you trust
    """
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or PureWindowsPath(name).drive:
        raise BadInput(
            f"the archive holds {name!r}, which would be written outside its folder",
            "use an archive from a source you trust",
        )
    return name


def is_archive(path: Path) -> bool:
    """Whether the file is a zip or a tar (also .tar.gz, .tar.bz2, .tar.xz), by its content."""
    return zipfile.is_zipfile(path) or tarfile.is_tarfile(path)


def unpack(archive: Path, to: Path, *, sizes: Collection[int]) -> list[Path]:
    """Write the files of one of these sizes into the folder `to`, as 0, 1, 2, ….

    Choosing by size keeps a small archive of huge files from filling the disk. Names are not kept:
    whoever asks knows the files by their checksums.

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
                    yield parcel.open(entry)
        return
    with tarfile.open(archive) as roll:
        for member in roll:
            if safe(member.name) and member.isfile() and member.size in sizes:
                source = roll.extractfile(member)
                if source is not None:
                    yield source
