"""Defining words of an attribute: those of the package, or of a TOML file of the user's."""

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.toml_file import parsed_toml
from tiltmeter.data.groups.offensive import packaged
from tiltmeter.mitigate.versions import Sets

PACKAGED = "defining.toml"
PROFANITY = "profanity"
"""The attribute whose sets are offensive words and pleasant ones."""


def read_words(attribute: str, path: Path | None = None) -> Sets:
    """The sets of one attribute: of a table of that name with `groups` and `sets`.

    Raises:
        UnknownName: The file has no such attribute.
        BadInput: It cannot be read, or the sets are not sets of as many words as there are groups.
    """
    if path is None and attribute == PROFANITY:
        return Sets(("offensive", "pleasant"), packaged().pairs)
    if path is None:
        text = (resources.files("tiltmeter.data") / "starter" / PACKAGED).read_text("utf-8")
        name = PACKAGED
    else:
        text, name = "".join(lines(path, "")), path.name
    table = parsed_toml(text, "correct that line", file=name)
    if attribute not in table:
        known = table if path else (*table, PROFANITY)
        raise UnknownName(f"attribute in {name}", attribute, known)
    return _sets(attribute, table[attribute], name)


def attributes() -> list[str]:
    """Those that come with the package."""
    text = (resources.files("tiltmeter.data") / "starter" / PACKAGED).read_text("utf-8")
    return [*tomllib.loads(text), PROFANITY]


def _sets(attribute: str, said: Any, file: str) -> Sets:
    way_out = 'write groups = ["female", "male"] and sets = [["she", "he"], …]'
    if not isinstance(said, dict) or set(said) != {"groups", "sets"}:
        raise BadInput(f"[{attribute}] must have only the keys groups and sets", way_out, file=file)
    groups, sets = said["groups"], said["sets"]
    if not _texts(groups) or len(groups) < 2 or len(set(groups)) < len(groups):  # noqa: PLR2004
        raise BadInput(f"[{attribute}] names fewer than two groups", way_out, file=file)
    if not isinstance(sets, list) or not sets:
        raise BadInput(f"[{attribute}] has no sets", way_out, file=file)
    for number, words in enumerate(sets, 1):
        if not _texts(words) or len(words) != len(groups):
            raise BadInput(
                f"set {number} of [{attribute}] is not {len(groups)} words, one for each of "
                f"{', '.join(groups)}",
                way_out,
                file=file,
            )
        if any(len(word.split()) > 1 for word in words):
            raise BadInput(
                f"set {number} of [{attribute}] contains an entry that is not a single word",
                "leave it out: words are exchanged one for one",
                file=file,
            )
    return Sets(tuple(groups), tuple(map(tuple, sets)))


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) and v.strip() for v in value)
