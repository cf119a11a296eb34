"""Files from the Hugging Face hub, or from a mirror that HF_ENDPOINT names, through its own client library.

The client keeps whole files in its own cache, by commit, and sends the user's token only to the hub. If a
server closes a connection too early, it resumes the download. Added here are further attempts if the trouble
may be temporary, errors in one line, and a check that files in the cache are those of the hub.

Users name files of data sets as `hf:OWNER/NAME/FILE@REVISION`. FILE may be left out if only one file of the
data set can be meant, and @REVISION (a branch, tag or commit) for the newest version.
"""

import glob
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import Any, TypeVar

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput, Unavailable, extra
from tiltmeter.core.text import counted
from tiltmeter.data.downloads.fetch import Progress, file_digest
from tiltmeter.data.hub import hub_cache, hub_errors
from tiltmeter.data.hub.hub_cache import Repository, Wanted, absent

PAUSES = (1.0, 2.0, 4.0)
"""The seconds before the second and each later attempt."""
SHA256 = re.compile(r"[0-9a-f]{64}")


def snapshot(
    of: Repository,
    patterns: Sequence[str],
    *,
    without: Sequence[str] = (),
    progress: Progress | None = None,
) -> Path:
    """The folder in the hub's cache with files of one commit of a repository; missing ones are downloaded.

    Args:
        of: The repository.
        patterns: The wanted files, as shell patterns; `*` also matches `/`.
        without: The patterns of files that are not wanted.
        progress: Receives the number of bytes so far if anything is downloaded.

    Raises:
        MissingExtra: The client library is not installed.
        BadInput: The id cannot be that of a repository, or HF_ENDPOINT or the token cannot be used.
        Unavailable: The repository, its revision or the hub cannot be reached, or a file is damaged.
        StorageError: The cache cannot be written.
    """
    need_client()
    import httpx2  # noqa: PLC0415  (slow, and seldom needed)
    from huggingface_hub import snapshot_download  # noqa: PLC0415
    from huggingface_hub.errors import XetDownloadError  # noqa: PLC0415

    hub_errors.check_token()
    wanted = Wanted(list(patterns), list(without))
    bar = _bar(progress, lambda: sum(absent(of, wanted).values()))
    for pause in (*PAUSES, None):
        try:
            with quiet():
                folder = snapshot_download(
                    of.id, repo_type=of.kind, revision=of.revision, tqdm_class=bar,
                    allow_patterns=wanted.patterns, ignore_patterns=wanted.without,
                )  # fmt: skip
            break
        except (
            OSError, ValueError, RuntimeError, httpx2.HTTPError, httpx2.InvalidURL, XetDownloadError,
            *hub_errors.NOT_A_HUB,
        ) as error:  # fmt: skip
            seconds = pause and hub_errors.seconds_to_wait(error, pause)
            if not seconds:
                raise hub_errors.explained(of, error, list(absent(of, wanted))) from error
        time.sleep(seconds)
    _verify(Path(folder), wanted)
    return Path(folder)


def need_client() -> None:
    """Raise MissingExtra if the client library is not installed."""
    with extra("The Hugging Face hub", "hf"):
        import huggingface_hub  # noqa: F401, PLC0415


@contextmanager
def quiet() -> Iterator[None]:
    """Suppress the client's own progress bars and warnings, which contain signed URLs."""
    from huggingface_hub.utils import (  # noqa: PLC0415
        are_progress_bars_disabled,
        disable_progress_bars,
        enable_progress_bars,
        logging,
    )

    level, disabled = logging.get_verbosity(), are_progress_bars_disabled()
    logging.set_verbosity(logging.CRITICAL)
    if not disabled:
        disable_progress_bars()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if not disabled:
            enable_progress_bars()


def _verify(folder: Path, wanted: Wanted) -> None:
    """Check the SHA-256 of large files, whose names in the cache are the SHA-256 that the hub gave."""
    for file in wanted.files(folder):
        blob = file.resolve()  # a system without links keeps no checksums
        if SHA256.fullmatch(blob.name) and file_digest(file) != blob.name:
            raise Unavailable(
                f"{file.name}: not the file that the hub has; delete {blob}: then it is fetched again"
            )


def _bar(progress: Progress | None, size: Callable[[], int]) -> Any:
    """A class of progress bars for the client that draw nothing; the one that counts bytes calls `progress`.

    `size` gives the total number of bytes, which the client itself learns only file by file.
    """
    from huggingface_hub.utils import tqdm  # noqa: PLC0415

    class Bar(tqdm):
        def __init__(self, *args: Any, **options: Any) -> None:
            self._counts = options.get("name") == "huggingface_hub.snapshot_download"
            self._done, self._size, self._one = 0, 0, Lock()
            super().__init__(*args, **{**options, "disable": True})  # type: ignore[no-untyped-call]

        def update(self, n: float | None = 1) -> None:
            if not self._counts or progress is None:
                return
            with self._one:  # files are fetched side by side
                self._size = self._size or size()
                self._done += int(n or 0)
                progress(self._done, self._size or None)

    return Bar


PREFIX = "hf:"
FORM = "write hf:OWNER/NAME/FILE, or hf:OWNER/NAME/FILE@REVISION for a branch, tag or commit"
SUFFIXES = frozenset({".csv", ".tsv", ".json", ".jsonl", ".parquet", ".txt", ".toml"})
"""The suffixes of files that studies read."""
README = "README.md"
LISTED = 10
"""The maximum number of files of a data set in an error message."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of a data set on the hub, as named by the user."""

    of: hub_cache.Repository
    path: str
    """The path in the repository; "" for its only file."""

    def fetched(self, progress: Progress | None = None) -> Path:
        """The path of the file in the hub's cache; it is downloaded if it is missing.

        Raises:
            BadInput: The data set has no such file, or several that could be meant.
            TiltmeterError: See `snapshot`.
        """
        wanted = [glob.escape(self.path), README] if self.path else [README]
        folder = snapshot(self.of, wanted, progress=progress)
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
        many = f"has {counted(len(paths), 'files')} that could be meant"
        none = "has no file of a known kind"
        raise BadInput(f"{self.of} {many if paths else none}", self._way_out())

    def _readable(self) -> list[str]:
        """The files of the data set that may be meant, without those that describe the data set itself."""
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
    """Parse a source that begins with PREFIX.

    >>> parse("hf:org/pairs/data/a.csv@v1")
    HubFile(of=Repository(id='org/pairs', revision='v1', kind='dataset'), path='data/a.csv')

    Raises:
        BadInput: The source does not have the form of FORM.
    """
    rest, at, revision = source.removeprefix(PREFIX).rpartition("@")
    rest, revision = (rest, revision) if at else (revision, "")
    owner, _, behind = rest.partition("/")
    name, _, path = behind.partition("/")
    if not (owner and name) or (at and not revision):
        raise BadInput(f"{source!r} does not name a data set of the hub", FORM)
    return HubFile(hub_cache.Repository(f"{owner}/{name}", revision or None, "dataset"), path)


def local(source: T, progress: Progress | None = None) -> T | Path:
    """A source with hub files replaced by their local paths and `~` expanded; any other source as it is.

    Raises:
        TiltmeterError: See `HubFile.fetched`.
    """
    if isinstance(source, str) and source.startswith(PREFIX):
        return parse(source).fetched(progress)
    if isinstance(source, str) and source.startswith("~"):
        return Path(source).expanduser()
    return source


def credited(items: Dataset[Any], file: object) -> Dataset[Any]:
    """The items with the repository, commit and licence as their source if they were read from a hub file."""
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
