"""Repositories of the hub in `hub_server`: commits, and what names them."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

LARGE = 4096
"""Files from this size on are kept on the CDN, as files under Git LFS are."""


@dataclass
class Repo:
    """A repository: its commits, and the branches and tags that name them."""

    kind: str
    id: str
    commits: dict[str, Mapping[str, bytes]] = field(default_factory=dict)
    refs: dict[str, str] = field(default_factory=dict)
    gated: bool = False
    admits: bool = False
    """Whether the owner of TOKEN has accepted its terms."""

    def commit(self, files: Mapping[str, bytes], *names: str) -> str:
        """A new commit with these files, which `names` then stand for; gives its hash."""
        listed = sorted((path, hashlib.sha1(data).hexdigest()) for path, data in files.items())
        sha = hashlib.sha1(repr((self.id, len(self.commits), listed)).encode()).hexdigest()
        self.commits[sha] = dict(files)
        self.refs.update(dict.fromkeys(names or ("main",), sha))
        return sha

    def at(self, revision: str) -> str | None:
        """The commit that a branch, a tag or a hash stands for."""
        return revision if revision in self.commits else self.refs.get(revision)


def blob(data: bytes) -> str:
    """As Git names a file's content."""
    return hashlib.sha1(f"blob {len(data)}\0".encode() + data).hexdigest()


def entry(path: str, data: bytes) -> dict[str, object]:
    found: dict[str, object] = {"type": "file", "oid": blob(data), "size": len(data), "path": path}
    if len(data) >= LARGE:
        sha = hashlib.sha256(data).hexdigest()
        found["lfs"] = {"oid": sha, "size": len(data), "pointerSize": 135}
    return found
