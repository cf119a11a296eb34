"""Files of runs: lines of JSON, numbers finite or null, replaced whole."""

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tiltmeter.core.errors import BadInput, StorageError
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.reading.typed_values import made
from tiltmeter.core.text import json_line
from tiltmeter.data.files.atomic_files import replace

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")


def finite(value: float) -> float | None:
    """The number if it is finite, else None.

    >>> finite(0.5), finite(float("nan"))
    (0.5, None)
    """
    return float(value) if math.isfinite(value) else None


def read_lines(path: Path, kind: type[T]) -> Iterator[T]:
    """The lines of a file as a dataclass; BadInput if there is no file, or a line is damaged."""
    try:
        lines = path.read_bytes().rstrip(b"\n").split(b"\n")
    except FileNotFoundError:
        raise BadInput("there is no such run", "run it first", file=str(path)) from None
    for number, line in enumerate(lines if lines != [b""] else (), 1):
        try:
            yield made(kind, parsed(line.decode("utf-8")))
        except ValueError as error:
            reason, way_out = f"the line is damaged ({error})", "delete the file and run it again"
            raise BadInput(reason, way_out, file=str(path), line=number) from None


def text_of(rows: "Iterable[DataclassInstance]") -> str:
    """Instances of one dataclass as lines of JSON; what a field holds is JSON already, not a dataclass."""
    listed = [*rows]
    names = [field.name for row in listed[:1] for field in fields(row)]
    return "".join(json_line({name: getattr(row, name) for name in names}) for row in listed)


def unfinished(path: Path) -> Path:
    """The name of a file while its run is under way."""
    return path.with_name(f"{path.name}.part")


def replace_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    replace(path, lambda to: to.write_text(text, "utf-8"))


@contextmanager
def writing_runs(folder: Path) -> Iterator[None]:
    """StorageError, with the name of the folder, where something cannot be written."""
    try:
        yield
    except OSError as error:
        reason = f"{folder}: the runs cannot be written ({error.strerror})"
        raise StorageError(f"{reason}; free some space or name another folder") from error
