"""Downloads single files: in blocks, resumed after an interruption, checked before they get their names."""

import errno
import glob
import hashlib
import os
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

from tiltmeter.core.errors import StorageError, Unavailable
from tiltmeter.data.downloads import places
from tiltmeter.data.downloads.certificates import certificates
from tiltmeter.data.files import remembered_values

if TYPE_CHECKING:
    import httpx2

BLOCK = 1 << 20
"""The number of bytes that are read at a time: 1 MiB."""

LARGE = 4 * BLOCK
"""The size in bytes from which a file's digest takes longer to compute than to look up."""

ATTEMPTS = 4
"""The number of attempts before a download counts as failed."""

ABANDONED = 120.0
"""Seconds without a write after which another process's unfinished download is taken over."""

TIMEOUT, CONNECT = 30.0, 15.0
"""The seconds to wait for the next bytes, and for a connection."""
_unreachable: set[str] = set()
"""Hosts that a download of this process could not connect to: the next one tries each only once."""
TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})
WAY_OUT = (
    f"connect and try again, or put the file into a folder named by {places.DATA}, "
    "or use `tiltmeter data import NAME PATH`"
)


Progress: TypeAlias = Callable[[int, int | None], None]
"""Called after every block of a download with the bytes so far and the total (None if it is not known)."""


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in 64 lower-case hexadecimal digits.

    >>> empty = Path(getfixture("tmp_path"), "empty")
    >>> empty.touch()
    >>> sha256(empty)
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def joint_sha256(sums: Iterable[str]) -> str:
    """A single SHA-256 for several files: that of their sorted SHA-256s, one per line; for one file its own.

    >>> joint_sha256(["ab"]), joint_sha256(["b", "a"]) == joint_sha256(["a", "b"])
    ('ab', True)
    """
    lines = sorted(sums)
    if len(lines) == 1:
        return lines[0]
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, or the joint one of all files in a folder, without links."""
    if path.is_file():
        return sha256(path)
    files = (file for file in sorted(path.rglob("*")) if not file.is_symlink() and file.is_file())
    return joint_sha256(map(sha256, files))


def shown(url: str) -> str:
    """A URL without the user name and password in it.

    >>> shown("https://me:secret@mirror.example/a.csv")
    'https://mirror.example/a.csv'
    """
    return re.sub(r"(?<=//)[^/@]*@", "", url)


def file_digest(file: Path) -> str:
    """The SHA-256 of a file, computed only once as long as its size and modification time stay the same.

    That of a large file is remembered for other processes as well.
    """
    stat = file.stat()
    return _digest(file.absolute(), stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=256)
def _digest(file: Path, size: int, _changed: int) -> str:
    stamp = remembered_values.stamp([file]) if size >= LARGE else None
    return (
        remembered_values.remembered(("sha256", stamp), lambda: sha256(file))
        if stamp
        else sha256(file)
    )


def download(
    url: str,
    to: Path,
    *,
    sha256: str = "",
    size: int | None = None,
    progress: Progress | None = None,
    way_out: str = WAY_OUT,
    pause: float = 0.5,
) -> Path:
    """Download `url` (http, https or file) to the path `to`, which appears once it is complete and checked.

    Until then it is a `.part` file beside `to`. An interrupted download is resumed if the server supports
    that and `sha256` is given: without a checksum, a mixture of two versions of the file would go unnoticed.
    Several processes may download the same file at the same time.

    Args:
        url: The address.
        to: The file to create or replace; its folder is created if necessary.
        sha256: The expected SHA-256 of the content; "" leaves it unchecked.
        size: The expected number of bytes; a longer answer is cut off and refused.
        progress: Receives the number of bytes so far.
        way_out: The advice in the error message if the address cannot be reached.
        pause: Seconds before the second attempt; doubled before each later one.

    Raises:
        Unavailable: The address cannot be reached, or the content is wrong (it is then deleted).
        StorageError: The file cannot be written: a full disk, no permission.
    """
    with writing(to):
        to.parent.mkdir(parents=True, exist_ok=True)
        part = _claim(to)
    job = _Job(url, part, bool(sha256), size, progress, way_out)
    try:
        _fill(job, pause)
        check(part, sha256, size, shown(url))
        with writing(to):
            part.replace(to)
    except (Unavailable, KeyboardInterrupt):
        if job.resumable and part.exists() and part.stat().st_size:
            part.replace(_left(to))
        raise
    finally:
        part.unlink(missing_ok=True)
    return to


def check(path: Path, expected: str, size: int | None, source: str) -> None:
    """Check the checksum and size of a file; a wrong file is deleted.

    Raises:
        Unavailable: The file is wrong; the message names the source and the expected and actual checksum or
            size.
    """
    length = path.stat().st_size
    actual = sha256(path) if expected else ""
    if actual == expected and size in {None, length}:
        return
    path.unlink()
    wanted = f"SHA-256 {expected}" if actual != expected else f"{size:,} bytes"
    got = f"SHA-256 {actual} ({length:,} bytes)" if actual != expected else f"{length:,} bytes"
    raise Unavailable(
        f"{source}: wrong file: expected {wanted}, found {got}; it was deleted. Try again; if it stays so, "
        "the file was changed at its source"
    )


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn errors of the file system while `path` is being written into a StorageError.

    >>> with writing(Path("cache")):
    ...     raise OSError(errno.ENOSPC, "No space left on device")
    Traceback (most recent call last):
    tiltmeter.core.errors.StorageError: cache: cannot be written: No space left on device; free
    some space, or set TILTMETER_CACHE to a folder with room
    """
    try:
        yield
    except (FileExistsError, NotADirectoryError) as error:
        raise StorageError(
            f"{path}: cannot be written: there is a file where a folder should be "
            f"({error.filename}); move it away, or set {places.CACHE} to another folder"
        ) from error
    except OSError as error:
        full = error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
        first = "free some space, or " if full else ""
        raise StorageError(
            f"{path}: cannot be written: {error.strerror}; "
            f"{first}set {places.CACHE} to a folder with room"
        ) from error


@dataclass(frozen=True)
class _Job:
    url: str
    part: Path
    resumable: bool
    size: int | None
    progress: Progress | None
    way_out: str

    def failed(self, reason: str) -> Unavailable:
        return Unavailable(f"{shown(self.url)}: {reason}; {self.way_out}")

    def save(self, blocks: Iterator[bytes], *, already: int, total: int | None) -> None:
        """Append blocks to the `already` bytes of the part file, or start it again if `already` is 0."""
        done = already
        with writing(self.part), self.part.open("ab" if already else "wb") as file:
            for block in blocks:
                file.write(block)
                done += len(block)
                if self.progress is not None:
                    self.progress(done, total)
                if self.size is not None and done > self.size:
                    break


class _TryAgainError(Exception):
    """Raised if the request failed for a reason that may pass, so that another attempt may succeed."""


def _claim(to: Path) -> Path:
    """A part file for this process alone: a new one, or one left by an earlier attempt, renamed."""
    mine = to.with_name(f".{to.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    others = to.parent.glob(f".{glob.escape(to.name)}.*.part")
    for left in (_left(to), *others):
        with suppress(FileNotFoundError):  # another process may take it first
            if left == _left(to) or time.time() - left.stat().st_mtime > ABANDONED:
                return left.rename(mine)
    mine.touch()
    return mine


def _left(to: Path) -> Path:
    return to.with_name(f"{to.name}.part")


def _fill(job: _Job, pause: float) -> None:
    scheme = urlsplit(job.url).scheme.lower()
    if scheme == "file":
        _copy(job)
    elif scheme in {"http", "https"}:
        _get(job, pause)
    else:
        raise job.failed(f"addresses of the kind {scheme!r} are not supported (http, https, file)")


def _copy(job: _Job) -> None:
    from urllib.request import url2pathname  # noqa: PLC0415  (slow to import)

    path = Path(url2pathname(urlsplit(job.url).path))
    try:
        source = path.open("rb")
    except OSError as error:
        raise job.failed(str(error.strerror)) from error
    with source:
        blocks = iter(lambda: source.read(BLOCK), b"")
        job.save(blocks, already=0, total=path.stat().st_size)


def _get(job: _Job, pause: float) -> None:
    """Make up to ATTEMPTS requests, with increasing pauses, as long as the trouble may be temporary.

    Whoever works without a network waits once and not for every file.
    """
    import httpx2  # noqa: PLC0415  (slow, and seldom needed)

    trouble: Exception | None = None
    host = urlsplit(job.url).netloc
    timeout = httpx2.Timeout(TIMEOUT, connect=CONNECT)
    headers = {"Accept-Encoding": "identity"}  # else ranges would count compressed bytes
    with httpx2.Client(
        follow_redirects=True, timeout=timeout, headers=headers, verify=certificates()
    ) as client:
        for attempt in range(1 if host in _unreachable else ATTEMPTS):
            if attempt:
                time.sleep(pause * 2 ** (attempt - 1))
            try:
                _request(job, client)
                return _unreachable.discard(host)
            except (httpx2.UnsupportedProtocol, httpx2.InvalidURL) as error:
                raise job.failed(str(error)) from error
            except (httpx2.TransportError, _TryAgainError) as error:
                trouble = error
            except httpx2.HTTPError as error:
                raise job.failed(str(error)) from error
    if isinstance(trouble, httpx2.ConnectError):
        _unreachable.add(host)
    reason = f"cannot be downloaded ({str(trouble) or type(trouble).__name__})"
    raise job.failed(reason) from trouble


def _request(job: _Job, client: "httpx2.Client") -> None:
    have = job.part.stat().st_size if job.resumable else 0
    headers = {"Range": f"bytes={have}-"} if have else {}
    with client.stream("GET", job.url, headers=headers) as response:
        status = response.status_code
        if status in TRANSIENT:
            raise _TryAgainError(f"the server answers {status} {response.reason_phrase}")
        start = response.headers.get("Content-Range", "")
        partial = status == HTTPStatus.PARTIAL_CONTENT
        beyond = status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE
        if have and (beyond or (partial and not start.startswith(f"bytes {have}-"))):
            job.part.write_bytes(b"")
            raise _TryAgainError(f"the server does not resume at byte {have} ({status} {start})")
        if not response.is_success:
            raise job.failed(f"the server answers {status} {response.reason_phrase}")
        already = have if partial else 0
        length = response.headers.get("Content-Length", "")
        total = already + int(length) if length.isdecimal() else job.size
        job.save(response.iter_bytes(), already=already, total=total)
