"""Files of data sets on the hub: `hf:OWNER/NAME/FILE@REVISION`.

FILE may be left out where the data set has one file that could be meant, and @REVISION (a branch, a tag
or a commit) for the newest.
"""

import glob
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from tiltmeter.core.errors import BadInput
from tiltmeter.core.items import Dataset
from tiltmeter.data.downloads.fetch import Progress
from tiltmeter.data.hub import hub_cache, hub_downloads

PREFIX = "hf:"
FORM = "write hf:OWNER/NAME/FILE, or hf:OWNER/NAME/FILE@REVISION for a branch, tag or commit"
SUFFIXES = frozenset({".csv", ".tsv", ".json", ".jsonl", ".parquet", ".txt", ".toml"})
"""Of files that studies read."""
README = "README.md"
LISTED = 10
"""How many files of a data set an error names."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of a data set, as the user named it."""

    of: hub_cache.Repository
    path: str
    """In the repository; "" for its only one."""

    def fetched(self, progress: Progress | None = None) -> Path:
        """Where it lies in the hub's cache, fetched where absent.

        Raises:
            BadInput: The data set has no such file, or several that could be meant.
            TiltmeterError: As `hub_downloads.snapshot`.
        """
        wanted = [glob.escape(self.path), README] if self.path else [README]
        folder = hub_downloads.snapshot(self.of, wanted, progress=progress)
        if not self.path:
            return HubFile(self.of, self._only()).fetched(progress)
        file = folder / self.path
        if not file.is_file():
            raise BadInput(f"{self.of} has no file {self.path!r}", self._way_out())
        return file

    def _only(self) -> str:
        paths = self._readable()
        if len(paths) == 1:
            return paths[0]
        many = f"has {len(paths)} files that could be meant"
        none = "has no file of a known kind"
        raise BadInput(f"{self.of} {many if paths else none}", self._way_out())

    def _readable(self) -> list[str]:
        """Its files that may be meant; descriptions of the data set itself are not."""
        every = sorted(hub_cache.listed_files(self.of))
        return [
            path
            for path in every
            if PurePosixPath(path).suffix.lower() in SUFFIXES
            and not PurePosixPath(path).name.startswith(("dataset_info", "."))
        ]

    def _way_out(self) -> str:
        paths = self._readable()
        more = f" and {len(paths) - LISTED} more" if len(paths) > LISTED else ""
        files = f"its files are {', '.join(paths[:LISTED])}{more}; " if paths else ""
        return f"{files}{FORM}"


def parse(source: str) -> HubFile:
    """What a source that begins with PREFIX names.

    >>> parse("hf:org/pairs/data/a.csv@v1")
    HubFile(of=Repository(id='org/pairs', revision='v1', kind='dataset'), path='data/a.csv')

    Raises:
        BadInput: It does not have the form.
    """
    rest, at, revision = source.removeprefix(PREFIX).rpartition("@")
    rest, revision = (rest, revision) if at else (revision, "")
    owner, _, behind = rest.partition("/")
    name, _, path = behind.partition("/")
    if not (owner and name) or (at and not revision):
        raise BadInput(f"{source!r} does not name a data set of the hub", FORM)
    return HubFile(hub_cache.Repository(f"{owner}/{name}", revision or None, "dataset"), path)


def local(source: T, progress: Progress | None = None) -> T | Path:
    """Where a file on the hub lies on this machine; a path with its `~` replaced, or another source as it is.

    Raises:
        TiltmeterError: As `HubFile.fetched`.
    """
    if isinstance(source, str) and source.startswith(PREFIX):
        return parse(source).fetched(progress)
    if isinstance(source, str) and source.startswith("~"):
        return Path(source).expanduser()
    return source


def credited(items: Dataset[Any], file: object) -> Dataset[Any]:
    """With the repository, the commit and the licence, where the items were read from a file of the hub."""
    of = hub_cache.origin(file) if isinstance(file, Path) else None
    if of is None or not isinstance(file, Path):
        return items
    folder = next(above for above in file.parents if above.parent.name == "snapshots")
    path = file.relative_to(folder).as_posix()
    return replace(
        items,
        source=f"{PREFIX}{of.id}/{path}@{of.revision}",
        version=of.revision or "",
        licence=hub_cache.licence(folder) or items.licence,
    )
