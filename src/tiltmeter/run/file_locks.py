"""Who else is using a file or a folder: locks of the system, which end with the process."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

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
    """Processes that do this with one folder do it one after another; false where it cannot be said.

    Args:
        folder: That exists.
        waits: Called once if another process must end first.
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
