"""TOML files of the user's as dataclasses: everything that is wrong with one at once."""

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self, TypeVar

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.typed_values import UNREAD, checked
from tiltmeter.core.reading.value_types import Line
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.downloads.places import package_file
from tiltmeter.data.downloads.sources import choose
from tiltmeter.data.files.plain_text import lines

T = TypeVar("T")
DEEPEST = 100
"""Parts of a key, and tables within each other, at most."""
_QUOTED = "\"[^\"]*\"|'[^']*'"
_PARTS = re.compile(rf"(?:[^.=#\"']*(?:(?:{_QUOTED})[^.=#\"']*)?\.){{{DEEPEST}}}")


@dataclass(frozen=True, kw_only=True)
class ListFile:
    """What files of word lists say about themselves, besides the lists."""

    packaged: ClassVar[tuple[str, ...]] = ()
    """The files of this kind that come with the package, by name; the first is the default."""
    manual: ClassVar[str] = ""
    """Where a whole file is shown."""
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

        `about` are facts for the data card, to which the language is added; `facts` are fields of `Dataset`.
        """
        fields = ("name", "version", "source", "licence", "sha256", "warning")
        language = {"language": self.language} if self.language else {}
        facts = {field: getattr(self, field) for field in fields} | facts
        return Dataset(items=items, about={**about, **language}, **facts)

    @classmethod
    def named(cls, source: str | Path | None = None, *, encoding: str = "") -> Self:
        """The packaged lists of this name, or those of a TOML file; None means the first packaged ones.

        Raises:
            BadInput: It is neither, or the file cannot be read.
            BadItems: What the file says cannot be used.
        """
        chosen = choose(source, cls.packaged[0], cls.packaged)
        if isinstance(chosen, Path):
            return cls.read(chosen, encoding=encoding)
        return cls.read(package_file(f"starter/{chosen}.toml"))

    @classmethod
    def read(cls, path: Path, *, encoding: str = "") -> Self:
        """The lists of a TOML file; errors as in `read_toml`."""
        read = read_toml(cls, path, cls.manual, encoding=encoding)
        return replace(
            read,
            name=read.name or path.stem,
            source=read.source or path.name,
            file=path.name,
            sha256=sha256(path),
        )


def read_toml(kind: type[T], path: Path, manual: str, *, encoding: str = "") -> T:
    """The dataclass that a TOML file describes (`core.reading.typed_values`); `manual` shows a whole file.

    Raises:
        BadInput: It cannot be read, or is not TOML.
        BadItems: What it says cannot be used, all of it, each with its place and a way out.
    """
    table = toml_table(path, f"see {manual}", encoding=encoding)
    return checked(kind, table, file=path.name, manual=manual)


def toml_table(path: Path, way_out: str, *, encoding: str = "") -> dict[str, Any]:
    """What a TOML file says, whatever it says.

    Raises:
        BadInput: It cannot be read, or is not TOML, for which `way_out` is the advice.
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
        table = tomllib.loads(text)
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
        tables = (value.values() if isinstance(value, dict) else value for value in level)
        level = [inner for table in tables for inner in table if isinstance(inner, dict | list)]
        if not level:
            return False
    return True


def has_tables(path: Path, encoding: str = "", *, names: Collection[str]) -> bool:
    """Whether a file is named .toml and begins a table or a list by one of the names.

    A file with mistakes is found as well, so that its reader can say what they are.
    """
    if path.suffix.lower() != ".toml":
        return False
    begun = re.compile(rf"^\s*(\[+\s*)?({'|'.join(names)})\s*[\].=]", re.MULTILINE)
    return begun.search("".join(lines(path, encoding))) is not None
