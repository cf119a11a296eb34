"""TOML files of the user's: read whole, with one clear reason where one cannot be."""

import re
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.data.plain_text import lines


def read_toml(path: Path, way_out: str, *, encoding: str = "") -> dict[str, Any]:
    """What a TOML file says.

    Args:
        path: The file.
        way_out: What to do where it is no TOML.
        encoding: Of the file; by default its byte order mark's, else UTF-8.

    Raises:
        BadInput: It cannot be read, or is not TOML.
    """
    text = "".join(lines(path, encoding))
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"is not TOML: {error}", way_out, file=path.name) from error


def has_tables(path: Path, encoding: str = "", *, names: Collection[str]) -> bool:
    """Whether a file is named .toml and begins a table or a list by one of the names.

    A file with mistakes is found as well, so that its reader can say what they are.

    Raises:
        BadInput: The file cannot be read.
    """
    if path.suffix.lower() != ".toml":
        return False
    begun = re.compile(rf"^\s*(\[+\s*)?({'|'.join(names)})\s*[\].=]", re.MULTILINE)
    return begun.search("".join(lines(path, encoding))) is not None
