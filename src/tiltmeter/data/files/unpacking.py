"""Opens compressed files that somebody else made, in a stream, and refuses those that unpack to too much.

A few hundred kilobytes can unpack to gigabytes. What a file or a part of an archive may unpack to follows
from its size on the disk; the environment variable `SETTING` sets another limit.
"""

import bz2
import gzip
import io
import lzma
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from tiltmeter.core.errors import BadInput

SETTING = "TILTMETER_UNPACK_LIMIT"
TIMES, ALWAYS, MOST = 100, 2**24, 2**37
"""How many times its size a file may unpack to; the bytes that are always allowed, and those that never are.
Logs of repeated prompts unpack to fifty times their size, files made to fill memory to a thousand times."""
ZSTD = 93
"""The number in zip archives of Zstandard, which Python unpacks from 3.14 on and pyarrow in any version."""
MAGIC: Mapping[bytes, str] = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\x00": ".xz"}
"""How files begin that are compressed in these ways."""
_OPEN: Mapping[str, Callable[[Path], IO[bytes]]] = {
    ".gz": cast("Any", gzip.open), ".bz2": cast("Any", bz2.open), ".xz": cast("Any", lzma.open),
}  # fmt: skip
_BLOCK = 2**17
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)I?B?", re.IGNORECASE)
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}


def most_unpacked(packed: int) -> int:
    """The bytes that a file or a part of `packed` bytes may unpack to.

    >>> most_unpacked(1_000), most_unpacked(10**7)
    (16777216, 1000000000)

    Raises:
        BadInput: The environment variable is not a size.
    """
    if written := os.environ.get(SETTING, "").strip():
        size = _SIZE.fullmatch(written)
        if size is None:
            raise BadInput(f"{SETTING} is {written!r}", "write a size, such as 20GB")
        return int(float(size[1]) * 1024 ** _POWERS[size[2].upper()])
    return min(MOST, max(ALWAYS, TIMES * packed))


def check_unpacked(unpacked: int, packed: int, name: str, *, file: str) -> None:
    """Refuse what unpacks to more than `most_unpacked`.

    Args:
        unpacked: Its bytes, as far as they are known.
        packed: Its bytes on the disk.
        name: What an error calls it: "it", or the name of a part of an archive.
        file: The file, for the error.

    Raises:
        BadInput: It is too large.
    """
    limit = most_unpacked(packed)
    if unpacked > limit:
        reason = f"{name} unpacks to more than {_shown(limit)} from {_shown(packed)}, as no such file should"
        way_out = f"if you trust where it comes from, set {SETTING} to a larger size, such as 20GB"
        raise BadInput(reason, way_out, file=file)


def _shown(size: int) -> str:
    for unit, power in (("GB", 3), ("MB", 2), ("kB", 1)):
        if size >= 1024**power:
            return f"{size / 1024**power:,.3g} {unit}"
    return f"{size:,} bytes"


class _Limited(io.RawIOBase):
    """A stream of unpacked bytes that ends with an error where they become too many.

    All that Python raises on damaged content, in whatever way it is compressed, becomes an EOFError.
    """

    def __init__(self, unpacked: IO[bytes], packed: int, file: str) -> None:
        self._unpacked, self._packed, self._file = unpacked, packed, file
        self._limit, self._read = most_unpacked(packed), 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            content = self._unpacked.read(len(buffer))
        except (OSError, zlib.error, lzma.LZMAError) as error:
            if isinstance(error, OSError) and error.errno is not None:  # of the disk
                raise
            raise EOFError(str(error)) from error
        self._read += len(content)
        if self._read > self._limit:
            check_unpacked(self._read, self._packed, "it", file=self._file)
        buffer[: len(content)] = content
        return len(content)

    def close(self) -> None:
        self._unpacked.close()
        super().close()


def packing_of(path: Path) -> str:
    """How a file is compressed, by its first bytes: ".gz", ".bz2" or ".xz"; "" where it is not."""
    with path.open("rb") as file:
        start = file.read(max(map(len, MAGIC)))
    return next((kind for magic, kind in MAGIC.items() if start.startswith(magic)), "")


def opened(path: Path, packing: str) -> io.BufferedReader:
    """A file opened for reading bytes, decompressed if `packing` is ".gz", ".bz2" or ".xz".

    Reading from it raises `BadInput` where it unpacks to too much.
    """
    if packing not in _OPEN:
        return path.open("rb")
    limited = _Limited(_OPEN[packing](path), path.stat().st_size, path.name)
    return io.BufferedReader(limited, _BLOCK)


@contextmanager
def tar_members(path: Path) -> Iterator[tarfile.TarFile]:
    """A tar archive to be read once from front to back, decompressed as far as necessary."""
    with opened(path, packing_of(path)) as stream, tarfile.open(fileobj=stream, mode="r|") as roll:
        yield roll


@contextmanager
def opened_tar_member(path: Path, name: str) -> Iterator[IO[bytes]]:
    """A file in a tar archive, opened for reading; a "./" before its name in the archive does not count.

    Raises:
        KeyError: The archive has no such file.
    """
    with tar_members(path) as roll:
        named = (m for m in roll if m.isfile() and m.name.removeprefix("./") == name)
        content = next(filter(None, map(roll.extractfile, named)), None)
        if content is None:
            raise KeyError(name)
        # What is read from a stream cannot be asked, before Python 3.12, whether it can be searched.
        yield io.BufferedReader(_Limited(content, path.stat().st_size, path.name))


def check_members(path: Path) -> None:
    """Refuse a zip archive, such as an `.npz`, of which a part unpacks to too much.

    Raises:
        BadInput: One does.
        zipfile.BadZipFile: It is no zip archive.
    """
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            _check_member(archive, entry)


def opened_member(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> IO[bytes]:
    """A part of a zip archive opened for reading.

    Raises:
        BadInput: It unpacks to too much.
    """
    _check_member(archive, entry)
    return archive.open(entry)  # which never gives more than the archive says


def member_content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The content of a part of a zip archive, which may be packed with Zstandard too.

    Raises:
        BadInput: It unpacks to too much.
        ValueError: It is damaged; or what `zipfile` raises.
    """
    if entry.compress_type != ZSTD:
        with opened_member(archive, entry) as content:
            return content.read()
    import pyarrow as pa  # noqa: PLC0415  it takes long to import, and few files need it

    _check_member(archive, entry)
    with Path(archive.filename or "").open("rb") as file:
        file.seek(entry.header_offset + 26)  # where the lengths of the name and of more stand
        file.seek(sum(int.from_bytes(file.read(2), "little") for _ in range(2)), 1)
        packed = pa.BufferReader(file.read(entry.compress_size))
    try:
        unpacked: bytes = pa.CompressedInputStream(packed, "zstd").read(entry.file_size + 1)
    except pa.ArrowException as error:
        raise ValueError(str(error)) from None
    if zlib.crc32(unpacked) != entry.CRC:
        raise ValueError(f"bad checksum of {entry.filename}")
    return unpacked


def _check_member(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> None:
    file = Path(archive.filename or "").name
    check_unpacked(entry.file_size, entry.compress_size, entry.filename, file=file)
