"""TOML files of the user's: read whole, with one clear reason where one cannot be."""

import re
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.data.files.plain_text import lines

DEEPEST = 100
"""Parts of a key, and tables within each other, at most."""
_QUOTED = "\"[^\"]*\"|'[^']*'"
_PARTS = re.compile(rf"(?:[^.=#\"']*(?:(?:{_QUOTED})[^.=#\"']*)?\.){{{DEEPEST}}}")


def read_toml(path: Path, way_out: str, *, encoding: str = "") -> dict[str, Any]:
    """What a TOML file says.

    Args:
        path: The file.
        way_out: What to do where it is no TOML.
        encoding: Of the file; by default its byte order mark's, else UTF-8.

    Raises:
        BadInput: It cannot be read, or is not TOML.
    """
    empty = path.is_file() and path.stat().st_size == 0
    text = "" if empty else "".join(lines(path, encoding))
    return parsed_toml(text, way_out, file=path.name)


def parsed_toml(text: str, way_out: str, *, file: str) -> dict[str, Any]:
    """What the text of a TOML file says.

    Raises:
        BadInput: It is not TOML, is nested too deeply, or holds a number too long to be read.
    """
    for number, line in enumerate(text.splitlines(), start=1):
        if _PARTS.match(line):  # reading such a key takes time that grows with its square
            reason = f"is not TOML that can be read: a key has more than {DEEPEST} parts"
            raise BadInput(reason, way_out, file=file, line=number)
    try:
        found = tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"is not TOML: {error}", way_out, file=file) from error
    except RecursionError:
        raise BadInput("is nested too deeply", way_out, file=file) from None
    except ValueError:
        raise BadInput("contains a number with too many digits", way_out, file=file) from None
    if _is_deep(found):  # a long key within braces
        raise BadInput("is nested too deeply", way_out, file=file)
    return found


def _is_deep(found: object) -> bool:
    level: list[Any] = [found]
    for _ in range(DEEPEST):
        tables = (one.values() if isinstance(one, dict) else one for one in level)
        level = [inner for table in tables for inner in table if isinstance(inner, dict | list)]
        if not level:
            return False
    return True


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
