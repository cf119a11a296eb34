"""Confines the files that a document, such as a paper's file or a sweep, may name to those that belong to it.

Such documents are passed on, and users may run one without having read it. So it may only name files in or
below its own folder and that of `TILTMETER_DATA`, with links followed. Files named on the command line are
not restricted: they are the user's choice.
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
"""The separators between the parts of a reference, such as replay:FILE,FILE and ensemble:A=2+B."""
WAY_OUT = f"put it beside this file and write only its name, or into the folder of ${places.DATA}"


def path_beside(name: str, document: Path) -> Path:
    """The path of a file that a document names, in or below its own folder or that of $TILTMETER_DATA.

    Raises:
        Fault: The file is elsewhere, or does not exist.
    """
    if "\0" in name:
        raise Fault(f"{name!r} cannot be a name of a file", "correct it")
    made = Path(_path(name, document, model=False) or name)
    made = made if _exists(made) else document.parent / made
    if not is_file(made):
        raise Fault(f"there is no file {name!r} beside this one", "correct the name")
    return made


def confined(value: Any, document: Path, *, model: bool = False) -> Any:
    """A value from a document, with the paths in it resolved so that they can be opened.

    A relative path is looked up in the document's folder, then in that of $TILTMETER_DATA. Anything that is
    not a path is left as it is.

    Args:
        value: A text, or a list or table of texts, nested to any depth.
        document: The path of the document.
        model: Whether texts are references to models: their folders may be anywhere, since they are only
            ever opened as models.

    Raises:
        Fault: A path leads elsewhere; the fault holds its place in the value.
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
    """The path to open; None if the text is not a path that has to be changed."""
    asked = _without_tilde(Path(text.strip()))
    upwards = ".." in PurePosixPath(text.replace("\\", "/")).parts
    leads_out = asked.is_absolute() or upwards or asked.parts[:1] == ("~",)
    is_bare = "/" not in text and not asked.suffix  # the name of a study, a data set, a rule
    if not asked.parts or (is_bare and text in known_sets()):
        return None
    for target in (folder / asked for folder in _folders(document)):
        if _exists(target) and not is_bare:
            opened_as_model = model and is_folder(target)
            if not (opened_as_model or _is_below(target, document)):
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
