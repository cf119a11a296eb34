"""What kind of drive a folder lies on."""

import re
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
