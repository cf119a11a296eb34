"""Repositories of the hub, and their files in the cache of its client library."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class Repository:
    """A model or a data set on the hub."""

    id: str
    revision: str | None = None
    """A branch, tag or commit; None means the main branch."""
    kind: Literal["model", "dataset"] = "model"

    def __str__(self) -> str:
        """The name of the repository in messages: "the hub's data set 'org/pairs' at 'v1'"."""
        words = "model" if self.kind == "model" else "data set"
        at = f" at {self.revision!r}" if self.revision else ""
        return f"the hub's {words} {self.id!r}{at}"


def listed_files(of: Repository) -> dict[str, int]:
    """The paths and sizes of all files of a repository, as listed when `snapshot` was called for it.

    Empty if the list is not in the cache.
    """
    from huggingface_hub import get_cached_repo_tree  # noqa: PLC0415
    from huggingface_hub.errors import CachedRepoTreeNotFoundError  # noqa: PLC0415

    try:
        files = get_cached_repo_tree(of.id, repo_type=of.kind, revision=of.revision)
    except (CachedRepoTreeNotFoundError, ValueError, OSError):
        return {}
    return {file.path: file.size for file in files}


@dataclass(frozen=True, slots=True)
class Wanted:
    """The files of a repository that are wanted: those that match `patterns` but not `without`."""

    patterns: list[str]
    without: list[str]

    def among(self, paths: Iterable[str]) -> list[str]:
        """The paths, among these, of wanted files."""
        from huggingface_hub.utils import filter_repo_objects  # noqa: PLC0415

        patterns, without = self.patterns, self.without
        return [*filter_repo_objects(paths, allow_patterns=patterns, ignore_patterns=without)]

    def files(self, folder: Path) -> list[Path]:
        """The wanted files in a folder, sorted."""
        every = (f.relative_to(folder).as_posix() for f in folder.rglob("*") if f.is_file())
        return [folder / path for path in sorted(self.among(every))]


def absent(of: Repository, wanted: Wanted) -> dict[str, int]:
    """The wanted files that are not in the cache, with their sizes, as far as is known."""
    from huggingface_hub import try_to_load_from_cache  # noqa: PLC0415

    files = listed_files(of)
    places = {
        path: try_to_load_from_cache(of.id, path, repo_type=of.kind, revision=of.revision)
        for path in wanted.among(files)
    }
    return {path: files[path] for path, place in places.items() if not isinstance(place, str)}


def origin(path: Path) -> Repository | None:
    """The repository and commit that a file or folder in the hub's cache belongs to.

    >>> origin(Path("hub/datasets--org--pairs/snapshots/0a1b/data/a.csv"))
    Repository(id='org/pairs', revision='0a1b', kind='dataset')
    """
    for folder in (path, *path.parents):
        if folder.parent.name == "snapshots":
            kind, _, name = folder.parent.parent.name.partition("--")
            if kind in {"models", "datasets"}:
                known: Literal["model", "dataset"] = "model" if kind == "models" else "dataset"
                return Repository(name.replace("--", "/"), folder.name, known)
    return None


def licence(folder: Path) -> str | None:
    """The licence stated in the header of a repository's README; None if there is none."""
    readme = folder / "README.md"
    if not readme.is_file():
        return None
    for line in readme.read_text("utf-8", errors="replace").splitlines()[:60]:
        key, _, value = line.partition(":")
        if key.strip() == "license" and value.strip():
            return value.strip()
    return None
