"""Commands that can be passed on to others: without the folders of files on this machine."""

import re
import shlex
from collections.abc import Iterable
from pathlib import Path

from tiltmeter.core.reading.file_names import is_there

PLACE = "PATH/TO/"
"""Stands for the folder of a file or model on this machine."""
_MARKS = r":,+=@#"
_PART = re.compile(rf"(^|[{_MARKS}])([^{_MARKS}]+)")


def repeatable(command: str, models: Iterable[str] = ()) -> str:
    """The command with `PATH/TO/` in place of the folders of absolute paths and of local models.

    Folders are replaced rather than removed: a local model's name by itself would be looked up on the hub,
    where another model may have it.

    >>> repeatable("tiltmeter run pairs masked:/home/me/bert --data /home/me/mine.csv")
    'tiltmeter run pairs masked:PATH/TO/bert --data PATH/TO/mine.csv'
    >>> repeatable("tiltmeter run pairs chat:http://localhost:8000#/home/me/tiny")
    "tiltmeter run pairs 'chat:http://localhost:8000#PATH/TO/tiny'"
    """
    local = {part for model in models for part in _paths_in(model)}

    def shown(match: re.Match[str]) -> str:
        before, part = match[1], match[2]
        return before + (local_name(part) if _is_absolute(part) or part in local else part)

    return shlex.join(_PART.sub(shown, word) for word in shlex.split(command))


def local_name(path: str) -> str:
    """The last part of a path, preceded by `PATH/TO/`.

    >>> local_name("../models/minilm-mlm/")
    'PATH/TO/minilm-mlm'
    """
    return PLACE + Path(path).expanduser().resolve().name


def local_reference(model: str) -> str:
    """A model's reference with `PATH/TO/` in place of the folder if the model is on this machine.

    >>> local_reference("bert-base-uncased")
    'bert-base-uncased'
    """
    paths = _paths_in(model)
    return _PART.sub(lambda m: m[1] + (local_name(m[2]) if m[2] in paths else m[2]), model)


def place_note(command: str) -> str:
    """A note that explains `PATH/TO/` in a command; "" for a command without it."""
    if PLACE not in command:
        return ""
    return f"{PLACE} stands for a folder on the computer of this run: put your own there."


def _paths_in(model: str) -> set[str]:
    """The parts of a model's reference, after its kind, that are absolute paths or exist on this machine."""
    _, colon, rest = model.partition(":")
    candidates = {match[2] for match in _PART.finditer(rest if colon else model)}
    return {candidate for candidate in candidates if _is_absolute(candidate) or is_there(candidate)}


def _is_absolute(part: str) -> bool:
    """Whether the part is an absolute path rather than the rest of a URL, which begins with "//"."""
    return part[0] == "/" and part[:2] != "//"
