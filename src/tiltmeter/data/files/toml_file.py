"""TOML files of the user's as dataclasses: everything that is wrong with one at once."""

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

from tiltmeter.core.errors import BadInput
from tiltmeter.core.items import Dataset
from tiltmeter.core.typed_values import UNREAD, checked
from tiltmeter.core.value_types import Line
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.files.plain_text import lines

T = TypeVar("T")
L = TypeVar("L", bound="ListFile")
DEEPEST = 100
"""Parts of a key, and tables within each other, at most."""
_QUOTED = "\"[^\"]*\"|'[^']*'"
_PARTS = re.compile(rf"(?:[^.=#\"']*(?:(?:{_QUOTED})[^.=#\"']*)?\.){{{DEEPEST}}}")


@dataclass(frozen=True, kw_only=True)
class ListFile:
    """What files of word lists say about themselves, besides the lists."""

    name: Line = ""
    """By default the file's name without its ending."""
    title: Line = ""
    version: Line = ""
    language: Line = ""
    source: Line = ""
    """By default the file."""
    licence: Line = "not stated"
    warning: Line = ""
    file: Annotated[str, UNREAD] = ""
    sha256: Annotated[str, UNREAD] = ""

    def dataset(self, items: Sequence[T], about: Mapping[str, str], **facts: Any) -> Dataset[T]:
        """Items made of the lists, with what the file says about itself.

        Args:
            items: Of one kind.
            about: Facts for the data card; the language is added.
            facts: Further fields of `Dataset`.
        """
        own = ("name", "version", "source", "licence", "sha256", "warning")
        language = {"language": self.language} if self.language else {}
        facts = {field: getattr(self, field) for field in own} | facts
        return Dataset(items=items, about={**about, **language}, **facts)


def read_list(kind: type[L], path: Path, manual: str, *, encoding: str = "") -> L:
    """A file of lists; errors as in `read_toml`."""
    read = read_toml(kind, path, manual, encoding=encoding)
    return replace(
        read,
        name=read.name or path.stem,
        source=read.source or path.name,
        file=path.name,
        sha256=sha256(path),
    )


def read_toml(kind: type[T], path: Path, manual: str, *, encoding: str = "") -> T:
    """The dataclass that a TOML file describes (`core.typed_values`).

    Args:
        kind: The dataclass.
        path: The file.
        manual: Where a whole file is shown, for messages.
        encoding: Of the file; by default its byte order mark's, else UTF-8.

    Raises:
        BadInput: It cannot be read, or is not TOML.
        BadItems: What it says cannot be used, all of it, each with its place and a way out.
    """
    table = toml_table(path, f"see {manual}", encoding=encoding)
    return checked(kind, table, file=path.name, manual=manual)


def toml_table(path: Path, way_out: str, *, encoding: str = "") -> dict[str, Any]:
    """What a TOML file says, whatever it says.

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
        table = tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        if not text.isascii():
            way_out = f"keys with other letters than a to z stand in quotation marks; {way_out}"
        raise BadInput(f"is not TOML: {error}", way_out, file=file) from error
    except RecursionError:
        raise BadInput("is nested too deeply", way_out, file=file) from None
    except ValueError:
        raise BadInput("contains a number with too many digits", way_out, file=file) from None
    if _is_deep(table):  # a long key within braces
        raise BadInput("is nested too deeply", way_out, file=file)
    return table


def _is_deep(table: object) -> bool:
    level: list[Any] = [table]
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
