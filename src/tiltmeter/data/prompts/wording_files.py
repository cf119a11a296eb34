"""Files of wordings: those that come with a study, and those of users."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tiltmeter.core.reading.value_types import Line, Text, some
from tiltmeter.core.wordings import Wordings
from tiltmeter.data.files.toml_file import read_toml

MANUAL = "docs/how-to/wordings.md"


@dataclass(frozen=True, slots=True)
class _WordingFile:
    wordings: Annotated[Mapping[Line, Text], some]


def packaged_wordings(path: Path) -> Wordings:
    """The wordings of a study, from a file in its folder with a table of templates for each kind."""
    return Wordings(tomllib.loads(path.read_text("utf-8")))


def read_wordings(path: Path, known: Wordings, *, encoding: str = "") -> Mapping[str, str]:
    """The wordings of a user's file by name: its table `wordings`, for the study that brings `known`.

    Raises:
        BadInput: The file cannot be read, or a template lacks a place that the study's have.
        BadItems: The file holds keys or values that cannot be used.
    """
    read = read_toml(_WordingFile, path, MANUAL, encoding=encoding)
    for name, template in read.wordings.items():
        known.check(template, name=name, file=path.name)
    return read.wordings
