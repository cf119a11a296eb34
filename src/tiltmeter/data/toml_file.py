"""TOML files of the user's: read whole, with one clear reason where one cannot be."""

import tomllib
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
