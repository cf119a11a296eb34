"""Reads the long list in a JSON log value by value: a log of 100,000 samples would fill memory as a whole."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tiltmeter.bridges.samples import listed, sized
from tiltmeter.core.errors import BadInput, reason_of
from tiltmeter.core.reading.json_stream import JsonStream
from tiltmeter.data.files.plain_text import pieces


def streamed(
    path: Path, way_out: str, field: str = "", rest: dict[str, Any] | None = None
) -> Iterator[Any]:
    """Yields the values of the list in a field of the object in a file, or of the list that the file is.

    Args:
        path: The file.
        way_out: Advice where it cannot be read.
        field: The field; "" for a file that is a list.
        rest: Takes the other fields, all of them only after the last value.

    Raises:
        BadInput: It cannot be read.
    """
    with opened(path, way_out) as stream:
        if not field or stream.next() != "{":
            yield from _values(stream)
        else:
            for name in stream.fields():
                if name == field:
                    yield from _values(stream)
                elif rest is not None:
                    rest[name] = stream.value()
                else:
                    stream.value()
        if stream.next():
            raise stream.error("Extra data")


def first_field(path: Path, names: tuple[str, ...], way_out: str) -> str:
    """The first of some fields that the object in a file has with a value; "" if it has none.

    Raises:
        BadInput: It cannot be read so far.
    """
    with opened(path, way_out) as stream:
        for name in stream.fields() if stream.next() == "{" else ():
            if stream.next() == "[" and name not in names:
                for _ in stream.values():
                    pass
            elif stream.value() is not None and name in names:
                return name
    return ""


@contextmanager
def opened(path: Path, way_out: str) -> Iterator[JsonStream]:
    """A file as a stream of JSON.

    Raises:
        BadInput: It is too large, or what is read of it is broken.
    """
    try:
        yield JsonStream(pieces(sized(path)), twice=True)
    except (OSError, ValueError) as error:
        reason = f"it cannot be read ({reason_of(error)})"
        raise BadInput(reason, way_out, file=str(path)) from error


def _values(stream: JsonStream) -> Iterator[Any]:
    yield from stream.values() if stream.next() == "[" else listed(stream.value())
