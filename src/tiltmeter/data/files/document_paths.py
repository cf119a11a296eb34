"""Files that a document of the user's names, such as a paper's file or a sweep: only those that belong to it.

Such documents are passed on, and whoever runs one has not read it first. So it names only files in its own
folder and in that of `TILTMETER_DATA`, or below, wherever links lead. What the user names on the command line
is the user's choice.
"""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from tiltmeter.core.reading.file_names import is_file, is_folder
from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.data.downloads import places
from tiltmeter.data.downloads.registry import known_sets

_PARTS = re.compile(r"([,:+=])")
"""What stands between the parts of a reference, such as replay:FILE,FILE and ensemble:A=2+B."""
WAY_OUT = f"put it beside this file and write only its name, or into the folder of ${places.DATA}"


def path_beside(name: str, document: Path) -> Path:
    """A file that a document must have, which lies in its folder or in that of $TILTMETER_DATA, or below.

    Raises:
        Fault: It lies elsewhere, or is not there.
    """
    if "\0" in name:
        raise Fault(f"{name!r} cannot be a name of a file", "correct it")
    made = Path(_path(name, document, model=False) or name)
    made = made if _exists(made) else document.parent / made
    if not is_file(made):
        raise Fault(f"there is no file {name!r} beside this one", "correct the name")
    return made


def confined(value: Any, document: Path, *, model: bool = False) -> Any:
    """A value of a document with the paths in it as they are to be opened.

    A relative path means the document's folder, then that of $TILTMETER_DATA. What is no path stays as it is.

    Args:
        value: A text, or a list or table of such, however deep.
        document: The file that it stands in.
        model: Whether texts are references of models: folders of these may lie anywhere, as they are only
            ever opened as models.

    Raises:
        Fault: A path leads elsewhere; with its place in the value.
    """
    if isinstance(value, Mapping):
        return {key: _within(f"{key}", item, document, model=model) for key, item in value.items()}
    if isinstance(value, list | tuple):
        items = [
            _within(f"[{number}]", item, document, model=model)
            for number, item in enumerate(value, 1)
        ]
        return type(value)(items)
    if not isinstance(value, str | Path):
        return value
    text = str(value)
    if "://" in text or "\0" in text:
        return value
    made = _path(text, document, model=model)
    if made is None:
        parts = _PARTS.split(text)
        made = "".join(_path(part, document, model=model) or part for part in parts)
    return Path(made) if isinstance(value, Path) else made


def _within(place: str, value: Any, document: Path, *, model: bool) -> Any:
    try:
        return confined(value, document, model=model)
    except Fault as fault:
        raise fault.moved(place) from None


def _path(text: str, document: Path, *, model: bool) -> str | None:
    """The path as it is to be opened; None where the text is none."""
    asked = _without_tilde(Path(text.strip()))
    upwards = ".." in PurePosixPath(text.replace("\\", "/")).parts
    leads_out = asked.is_absolute() or upwards or asked.parts[:1] == ("~",)
    is_bare = "/" not in text and not asked.suffix  # the name of a study, a data set, a rule
    if not asked.parts or (is_bare and text in known_sets()):
        return None
    for target in (folder / asked for folder in _folders(document)):
        if _exists(target) and not is_bare:
            if not _is_below(target, document):
                raise _outside(text)
            here = "~" not in text and _exists(asked) and asked.resolve() == target.resolve()
            return text if here else str(target)
    outside = leads_out or (_exists(asked) and not _is_below(asked, document))
    opened_as_model = model and (is_folder(asked) or not _exists(asked))
    if not outside or opened_as_model:
        return None
    raise _outside(text)


def _without_tilde(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:  # there is no such user
        return path


def _outside(text: str) -> Fault:
    return Fault(f"{text!r} is not in the folder of this file, nor in ${places.DATA}", WAY_OUT)


def _folders(document: Path) -> Iterator[Path]:
    yield document.absolute().parent
    if (given := places.given()) is not None:
        yield given


def _is_below(target: Path, document: Path) -> bool:
    return any(target.resolve().is_relative_to(folder.resolve()) for folder in _folders(document))


def _exists(path: Path) -> bool:
    try:
        return os.path.lexists(path)
    except ValueError:
        return False
