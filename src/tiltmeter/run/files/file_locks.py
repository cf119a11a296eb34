"""Who else is using a file or a folder: locks of the system, which end with the process."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")
"""Where Linux lists drives; on other systems there is no such file."""
SHARED = re.compile(
    r"nfs\d*|cifs|smb\d*|smbfs|9p|afs|lustre|gpfs|beegfs|ceph|glusterfs|orangefs|pvfs2"
    r"|fuse\.(?!fuse-overlayfs|squashfuse).*|virtiofs|vboxsf"
)
"""Kinds of drives that several machines may use at once, or that do not share memory between processes."""


def is_shared(path: Path) -> bool:
    """Whether other machines may use the drive too, as far as the system says.

    There SQLite's write-ahead log is unsafe: it needs memory that all its users share.
    """
    try:
        lines = MOUNTS.read_text("utf-8", "replace").splitlines()
    except OSError:
        return False
    return bool(SHARED.fullmatch(_kind(path.absolute().resolve(), lines)))


def _kind(path: Path, lines: list[str]) -> str:
    """The type of the drive that is mounted nearest above `path`; of two at one place the later.

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
    """A hold on what the file `path` stands for, shared with others or alone; `None` holds nothing.

    Where the drive has no such locks nothing is held either, and `alone` is never true. On Windows,
    where a file in use cannot be renamed or removed anyway, it always is.
    """

    def __init__(self, path: Path | None) -> None:
        self._descriptor: int | None = None
        if path is not None and sys.platform != "win32":
            try:
                self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            except OSError:  # a full or write-protected drive: what it guards will say so
                return

    def share(self) -> None:
        """Hold it together with others; waits for one who has it alone."""
        if sys.platform != "win32" and self._descriptor is not None:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_SH)
            except OSError:
                self.release()

    def alone(self) -> bool:
        """Whether nobody else holds it, and nobody will until `share`. Else the hold is lost."""
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
        """Let go of the lock and close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


@contextmanager
def in_turn(folder: Path, waits: Callable[[], None] = lambda: None) -> Iterator[bool]:
    """Processes that do this with one folder do it one after another; false where it cannot be said."""
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
