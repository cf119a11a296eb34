"""Finds a model's files in a folder, or downloads them from the hub into the cache of its client library."""

import difflib
import glob
import os
import shlex
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from tiltmeter.core.errors import BadInput, Unavailable
from tiltmeter.core.finder import known
from tiltmeter.data.downloads.fetch import Progress, file_digest
from tiltmeter.data.downloads.weights import WEIGHTS as WEIGHTS_BY_NAME
from tiltmeter.data.hub import hub_cache, hub_files
from tiltmeter.models.opening.encoder_modules import MODULES, parts_of
from tiltmeter.models.opening.model_options import Options

WEIGHTS = ("*.safetensors", "*.safetensors.index.json")
PICKLES = ("*.bin", "*.bin.index.json")
IDENTIFYING = (
    "config.json", "tokenizer*", "vocab*", "merges.txt", "*.model", "chat_template*",
)  # fmt: skip
"""Patterns of the files besides the weights that affect a model's answers."""
TABLES = frozenset({".csv", ".tsv", ".jsonl", ".json", ".parquet", ".xlsx"})
"""Endings of files of data."""
CARD = "card.json"
"""The file that every folder of a result has."""
BESIDES = ("*.json", "*.model", "*.txt", "*.jinja", "README.md")


def bytes_to_fetch(reference: str, options: Options) -> int:
    """How many bytes of a hub model are not in the cache yet; 0 for anything that is not a hub model.

    The hub's list of files is known once the model's configuration has been downloaded.
    """
    if Path(reference).expanduser().exists() or reference.count("/") > 1:
        return 0
    wanted = hub_cache.Wanted([*WEIGHTS, *BESIDES], [])
    missing = hub_cache.absent(hub_cache.Repository(reference, options.revision), wanted)
    return sum(missing.values())


def refuse_others(reference: str) -> None:
    """Refuse what is known to be no model: the name of a study, and the folder of a finished run.

    Raises:
        BadInput: With what it is, and what can be done with it.
    """
    path = Path(reference).expanduser()
    if reference in known("studies") and not path.exists():
        way_out = "name a model: a folder, a hub id, or a name of `tiltmeter models list`"
        raise BadInput(f"{reference!r} is a study, not a model", way_out)
    if (path / CARD).is_file() and not (path / "config.json").is_file():
        way_out = f"name the model; `tiltmeter report {shlex.quote(reference)}` shows the result"
        raise BadInput("this is a result, not a model", way_out, file=reference)


def folder_of(
    reference: str, options: Options, *, only: Sequence[str] = (), progress: Progress | None = None
) -> Path:
    """The folder with the model's files: the folder named, or the hub's snapshot in the cache.

    `only` lists patterns of the files to download; without it, everything that loading needs is downloaded.
    `progress` receives the progress of the download.

    Raises:
        BadInput: The reference looks like a path and does not exist.
        Unavailable: The hub has no such model, or cannot be reached.
    """
    path = Path(reference).expanduser()
    if path.is_dir():
        if options.revision:
            raise BadInput("a folder has no revisions", "leave out --revision", file=reference)
        return path.resolve()
    if path.is_file():
        way_out = "give the folder it lies in; word vectors are vectors:FILE"
        if path.suffix.lower() in TABLES:
            way_out = (
                "give data with --data; `tiltmeter import` evaluates scores and replies; word "
                "vectors are vectors:FILE"
            )
        raise BadInput("a model is a folder, or a .gguf file", way_out, file=reference)
    if reference.startswith(("/", ".", "~")) or reference.count("/") > 1 or "\\" in reference:
        way_out = "check the path; a hub id is NAME or OWNER/NAME"
        raise BadInput("there is no such folder", way_out, file=reference)
    wanted = only or [*WEIGHTS, *BESIDES, *(["*.py"] if options.trust_remote_code else [])]
    folder = _snapshot(reference, options, wanted, progress=progress)
    if not only and options.allow_pickle and not list(folder.glob("*.safetensors")):
        folder = _snapshot(reference, options, PICKLES, progress=progress)
    if not only and (folder / MODULES).is_file():
        within = [part.path for part in parts_of(folder) if part.path not in {"", "."}]
        kinds = ("*.json", "*.safetensors", *(PICKLES if options.allow_pickle else ()))
        module_files = [f"{path}/{kind}" for path in within for kind in kinds]
        _snapshot(reference, options, module_files, (), progress=progress)
    return folder


def files_below(folder: Path) -> list[Path]:
    """All files in a folder and in those below it, including linked folders, sorted."""
    files: list[Path] = []
    visited: set[tuple[int, int]] = set()
    for place, inner, names in os.walk(folder, followlinks=True):
        stat = Path(place).stat()
        if (
            stat.st_dev,
            stat.st_ino,
        ) in visited:  # a link to a folder above would lead round in circles
            inner.clear()
            continue
        visited.add((stat.st_dev, stat.st_ino))
        files += (path for name in names if (path := Path(place, name)).is_file())
    return sorted(files)


def gguf_of(reference: str, options: Options, *, progress: Progress | None = None) -> str:
    """The path of a GGUF file or its folder; OWNER/NAME/FILE.gguf is downloaded from the hub.

    Raises:
        BadInput: The repository has no such file.
        TiltmeterError: `hub_files.snapshot` raises it.
    """
    owner, name, file = (*reference.split("/", 2), "", "")[:3]
    if Path(reference).expanduser().exists() or not file or owner in {"", ".", "..", "~"}:
        if options.revision:
            raise BadInput("a file has no revisions", "leave out --revision", file=reference)
        return reference
    of = hub_cache.Repository(f"{owner}/{name}", options.revision)
    place = hub_files.snapshot(of, [glob.escape(file)], progress=progress) / file
    if not place.is_file():
        raise BadInput(
            f"{of} has no file {file!r}", f"its GGUF files are {gguf_names(of) or 'none'}"
        )
    return str(place)


def files_digest(location: str) -> str:
    """The SHA-256 of the weights, the configuration and the tokenizer in a folder, or of a single file.

    For a sentence encoder it includes the other modules, such as its pooling. "" where there are no files.
    """
    path = Path(location).expanduser()
    if path.is_file():
        return file_digest(path)
    weights = [*path.glob("*.safetensors")] or [*path.glob("*.bin")]
    files = {*weights, *(file for name in IDENTIFYING for file in path.glob(name))}
    if (path / MODULES).is_file():
        inner = [path / part.path for part in parts_of(path) if part.path not in {"", "."}]
        files |= {path / MODULES, *(f for folder in inner for f in folder.glob("*"))}
    digests = [
        f"{file.relative_to(path).as_posix()}:{file_digest(file)}"
        for file in sorted(files)
        if file.is_file()
    ]
    return sha256("\n".join(digests).encode()).hexdigest() if digests else ""


def gguf_names(of: hub_cache.Repository) -> str:
    """The names of a repository's GGUF files, separated by commas, for messages."""
    return ", ".join(sorted(path for path in hub_cache.listed_files(of) if path.endswith(".gguf")))


def _snapshot(
    reference: str,
    options: Options,
    patterns: Sequence[str],
    without: Sequence[str] = ("*/*", "consolidated*"),  # the same weights in other formats
    *,
    progress: Progress | None = None,
) -> Path:
    of = hub_cache.Repository(reference, options.revision)
    try:
        return hub_files.snapshot(of, patterns, without=without, progress=progress)
    except Unavailable as error:
        near = difflib.get_close_matches(reference, WEIGHTS_BY_NAME, n=2, cutoff=0.7)
        if not near:
            raise
        raise Unavailable(f"{error} (did you mean {' or '.join(near)}?)") from error
