"""The data sets that Tiltmeter knows: where from, which bytes, whose, under which licence.

They stand in `sets.toml`. To add one, add it there; nothing else has to know.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from tiltmeter.data.files.package_files import package_file


@dataclass(frozen=True)
class File:
    """One file of a data set.

    `path` is its place under the cache's and the user's data folder, with `/`; `url` its address,
    "" where the set can only be imported; `size` counts bytes.
    """

    path: str
    url: str
    sha256: str
    size: int

    @property
    def name(self) -> str:
        """The last part of the path."""
        return PurePosixPath(self.path).name


@dataclass(frozen=True)
class DataSet:
    """What is known about a data set without having it."""

    name: str
    title: str
    version: str
    files: tuple[File, ...]
    licence: str
    citation: str
    homepage: str
    warning: str
    language: str = "en"
    note: str = ""

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(file.size for file in self.files)


@cache
def known_sets() -> dict[str, DataSet]:
    """All of them, by name; the file is read when they are first asked for."""
    text = package_file("downloads/sets.toml").read_text("utf-8")
    said = tomllib.loads(text)
    citations = {name: text.strip() for name, text in said["citations"].items()}
    found = (_set(one, citations) for one in said["sets"])
    return {one.name: one for one in found}


def _set(said: dict[str, Any], citations: Mapping[str, str]) -> DataSet:
    files = tuple(File(*file) for file in said.pop("files"))
    citation = said.pop("citation", "")
    return DataSet(
        files=files,
        citation=citations.get(citation, citation),
        **{"homepage": "", "warning": "", **said},
    )
