"""Defining words of an attribute: those of the package, or of a TOML file of the user's."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tiltmeter.core.errors import UnknownName
from tiltmeter.core.typed_values import OTHERS
from tiltmeter.data.downloads.places import package_file
from tiltmeter.data.files.toml_file import read_toml
from tiltmeter.data.groups.offensive import OffensiveFile
from tiltmeter.mitigate.versions import Sets

PACKAGED = "defining.toml"
PROFANITY = "profanity"
"""The attribute whose sets are offensive words and pleasant ones."""


@dataclass(frozen=True)
class _WordFile:
    attributes: Annotated[Mapping[str, Sets], OTHERS]


def read_words(attribute: str, path: Path | None = None) -> Sets:
    """The sets of one attribute: of a table of that name with `groups` and `sets`.

    Raises:
        UnknownName: The file has no such attribute.
        BadInput: It cannot be read.
        BadItems: The sets are not sets of as many words as there are groups.
    """
    if path is None and attribute == PROFANITY:
        return Sets(("offensive", "pleasant"), OffensiveFile.named().pairs)
    known = _attributes(path)
    if attribute not in known:
        name = path.name if path else PACKAGED
        raise UnknownName(f"attribute in {name}", attribute, known if path else attributes())
    return known[attribute]


def attributes() -> list[str]:
    """Those that come with the package."""
    return [*_attributes(None), PROFANITY]


def _attributes(path: Path | None) -> Mapping[str, Sets]:
    file = path or package_file(f"starter/{PACKAGED}")
    return read_toml(_WordFile, file, "docs/mitigation.md").attributes
