"""Reads users' TOML files as dataclasses and reports everything that is wrong with a file at once."""

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
"""The maximum number of parts of a key, and of tables nested in each other."""
_QUOTED = "\"[^\"]*\"|'[^']*'"
_PARTS = re.compile(rf"(?:[^.=#\"']*(?:(?:{_QUOTED})[^.=#\"']*)?\.){{{DEEPEST}}}")


@dataclass(frozen=True, kw_only=True)
class ListFile:
    """The facts that files of word lists state about themselves, in addition to the lists."""

    packaged: ClassVar[tuple[str, ...]] = ()
    """The names of the packaged files of this kind; the first is the default."""
    manual: ClassVar[str] = ""
    """The page of the documentation that shows a complete file."""
    name: Line = ""
    """The name of the lists; by default that of the file without its suffix."""
    title: Line = ""
    version: Line = ""
    language: Line = ""
    source: Line = ""
    """The source of the lists; by default the name of the file."""
    licence: Line = "not stated"
    warning: Line = ""
    file: Annotated[str, UNREAD] = ""
    sha256: Annotated[str, UNREAD] = ""

    def dataset(self, items: Sequence[T], about: Mapping[str, str], **facts: Any) -> Dataset[T]:
        """A data set of items made from the lists, with the facts that the file states about itself.

        `about` holds facts for the data card, to which the language is added; `facts` are fields of
        `Dataset`.
        """
        fields = ("name", "version", "source", "licence", "sha256", "warning")
        language = {"language": self.language} if self.language else {}
        facts = {field: getattr(self, field) for field in fields} | facts
        return Dataset(items=items, about={**about, **language}, **facts)

    @classmethod
    def named(cls, source: str | Path | None = None, *, encoding: str = "") -> Self:
        """The packaged lists with this name, or those of a TOML file; None means the first packaged ones.

        Raises:
            BadInput: The source is neither, or the file cannot be read.
            BadItems: The file holds keys or values that cannot be used.
        """
        chosen = choose(source, cls.packaged[0], cls.packaged)
        if isinstance(chosen, Path):
            return cls.read(chosen, encoding=encoding)
        return cls.read(package_file(f"starter/{chosen}.toml"))

    @classmethod
    def read(cls, path: Path, *, encoding: str = "") -> Self:
        """The lists of a TOML file; raises the same errors as `read_toml`."""
        read = read_toml(cls, path, cls.manual, encoding=encoding)
        return replace(
            read,
            name=read.name or path.stem,
            source=read.source or path.name,
            file=path.name,
            sha256=sha256(path),
        )


def read_toml(kind: type[T], path: Path, manual: str, *, encoding: str = "") -> T:
    """Read a TOML file as a dataclass (see `core.reading.typed_values`); `manual` shows a complete file.

    Raises:
        BadInput: The file cannot be read, or is not TOML.
        BadItems: The file holds keys or values that cannot be used; the error lists each with its place and
            advice.
    """
    table = toml_table(path, f"see {manual}", encoding=encoding)
    return checked(kind, table, file=path.name, manual=manual)


def toml_table(path: Path, way_out: str, *, encoding: str = "") -> dict[str, Any]:
    """The content of a TOML file as a dictionary, unchecked.

    Raises:
        BadInput: The file cannot be read, or is not TOML; `way_out` is the advice for that.
    """
    return parsed_toml(toml_text(path, encoding), way_out, file=path.name)


def toml_text(path: Path, encoding: str = "") -> str:
    """The text of a TOML file; an empty one is a table without keys, whose reader says which are missing.

    Raises:
        BadInput: The file cannot be read.
    """
    empty = path.is_file() and path.stat().st_size == 0
    return "" if empty else "".join(lines(path, encoding))


def parsed_toml(text: str, way_out: str, *, file: str) -> dict[str, Any]:
    """The content of a TOML text as a dictionary.

    Raises:
        BadInput: The text is not TOML, is nested too deeply, or holds a number too long to be read.
    """
    for number, line in enumerate(text.splitlines(), start=1):
        if _PARTS.match(line):  # the time to parse such a key grows with the square of its length
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
    """Whether a file has the suffix .toml and contains a table or list with one of these names.

    That is true of files with mistakes as well, so that their reader can report the mistakes.
    """
    if path.suffix.lower() != ".toml":
        return False
    begun = re.compile(rf"^\s*(\[+\s*)?({'|'.join(names)})\s*[\].=]", re.MULTILINE)
    return begun.search("".join(lines(path, encoding))) is not None
