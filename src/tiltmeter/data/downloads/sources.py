"""Sources of data: the registered set, or the user's file or folder, that a name means; and its facts."""

import difflib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput
from tiltmeter.data.downloads.fetch import joint_sha256, sha256
from tiltmeter.data.downloads.registry import Located, known_sets, locate
from tiltmeter.data.files.plain_text import first_bytes


def choose(source: str | Path | None, default: str, sets: Sequence[str]) -> str | Path:
    """The registered set, among `sets`, or the file that `source` means; None means `default`.

    >>> choose(None, "crows_pairs", ("crows_pairs",)), choose("my.csv", "", ())
    ('crows_pairs', PosixPath('my.csv'))

    Raises:
        BadInput: It is neither; or the source is None and there is no default.
    """
    if source is None:
        if not default:
            raise BadInput("this study has no data of its own", "name your file with --data PATH")
        return default
    if isinstance(source, Path) or source in sets:
        return source
    path = Path(source)
    if os.path.lexists(path):
        return path
    if source in known_sets():
        readable = ", ".join(sets) or "files only"
        reason = f"this study does not read the data set {source!r}"
        raise BadInput(reason, f"it reads {readable}; `tiltmeter ls` shows which study does")
    if path.suffix or path.name != source:  # a path, for whose reader it is to say what is near
        return path
    near = difflib.get_close_matches(source, [*sets, *(p.name for p in Path().iterdir())], n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "give the path of a file"
    known = f" (data sets: {', '.join(sets)})" if sets else ""
    raise BadInput(f"no data set and no file named {source!r}", hint + known)


def files_of(
    source: str | Path | None, default: str, sets: Sequence[str]
) -> tuple[list[Path], Dataset[Any]]:
    """The files that `source` means (see `choose`), and a data set with the facts about them but no items.

    Raises:
        BadInput: See `choose`.
        Unavailable: A registered file cannot be downloaded.
    """
    chosen = choose(source, default, sets)
    if isinstance(chosen, Path):
        is_folder = chosen.is_dir()
        files = sorted(p for p in chosen.iterdir() if p.is_file()) if is_folder else [chosen]
        return files, given(chosen, files)
    located = locate(chosen)
    return [*located.files.values()], registered(located)


def registered(located: Located) -> Dataset[Any]:
    """A data set with the registry's facts and no items yet."""
    known = located.set
    doi = re.search(r"doi = \{([^}]*)\}", known.citation)
    source = (known.title, known.homepage, f"doi:{doi[1]}" if doi else "")
    return Dataset(
        known.name, known.version, (), "; ".join(filter(None, source)), known.licence,
        sha256=located.sha256, warning=known.warning,
    )  # fmt: skip


def given(path: Path, files: Sequence[Path]) -> Dataset[Any]:
    """A data set with the facts about a user's file or folder and no items yet.

    Raises:
        BadInput: The path does not exist, or the folder has no files.
    """
    if not path.exists():
        first_bytes(path)
    if not files:
        raise BadInput(
            "the folder has no data files", "put some into it, or name a file", file=str(path)
        )
    sums = joint_sha256(map(sha256, files))
    return Dataset(path.name, "", (), path.name, "not stated", sha256=sums)
