"""Locks on files and folders, held by the operating system and released when the process ends."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")
"""The file in which Linux lists mounted drives; other systems do not have it."""
SHARED = re.compile(
    r"nfs\d*|cifs|smb\d*|smbfs|9p|afs|lustre|gpfs|beegfs|ceph|glusterfs|orangefs|pvfs2"
    r"|fuse\.(?!fuse-overlayfs|squashfuse).*|virtiofs|vboxsf"
)
"""Types of file systems that several machines may use at once, or that cannot share memory between
processes."""


def is_shared(path: Path) -> bool:
    """Whether other machines may use the drive of this path too; false if the system does not say.

    On such a drive SQLite's write-ahead log is unsafe: it needs memory that all its users share.
    """
    try:
        lines = MOUNTS.read_text("utf-8", "replace").splitlines()
    except OSError:
        return False
    return bool(SHARED.fullmatch(_kind(path.absolute().resolve(), lines)))


def _kind(path: Path, lines: list[str]) -> str:
    """The type of the file system that holds `path`: that of the deepest mount point above it.

    Of two mounted at the same place the later one counts, since it hides the other.

    >>> _kind(Path("/home/me/x"), ["1 0 0:1 / / rw - ext4 /dev/a rw", "2 1 0:2 / /home rw - nfs4 s:/ rw"])
    'nfs4'
    """
    best, kind = -1, ""
    for line in lines:
        before, _, after = line.partition(" - ")
        fields, kinds = before.split(), after.split()
        place = Path(re.sub(r"\\(\d{3})", lambda m: chr(int(m[1], 8)), fields[4]))
        if path.is_relative_to(place) and len(place.parts) >= best:
            best, kind = len(place.parts), kinds[0]
    return kind


if sys.platform != "win32":
    import fcntl


class Claim:
    """A lock, shared or exclusive, on what the lock file `path` guards; with None it locks nothing.

    On a drive without such locks nothing is locked either, and `alone` always returns false. On Windows,
    where a file in use cannot be renamed or removed anyway, it always returns true.
    """

    def __init__(self, path: Path | None) -> None:
        self._descriptor: int | None = None
        if path is not None and sys.platform != "win32":
            try:
                self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            except OSError:  # a full or write-protected drive: what it guards will say so
                return

    def share(self) -> None:
        """Take the lock together with other processes; waits while one of them has it exclusively."""
        if sys.platform != "win32" and self._descriptor is not None:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_SH)
            except OSError:
                self.release()

    def alone(self) -> bool:
        """Try to take the lock exclusively, until `share`; if this fails, the shared lock may be lost."""
        if sys.platform == "win32":
            return True
        if self._descriptor is None:
            return False
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def release(self) -> None:
        """Release the lock and close the lock file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


@contextmanager
def in_turn(folder: Path, waits: Callable[[], None] = lambda: None) -> Iterator[bool]:
    """A block that only one process at a time enters for the same folder; others wait.

    Yields whether the lock is held: false on Windows and on drives without such locks. `waits` is called once
    before waiting.
    """
    if sys.platform == "win32":
        yield False
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            held = True
        except BlockingIOError:
            waits()
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            held = True
        except OSError:  # some network drives
            held = False
        yield held
    finally:
        os.close(descriptor)
