"""The command that the user typed."""

import io
import shlex
import sys
from pathlib import Path
from typing import Any, TextIO

from tiltmeter.core.errors import BadInput


def prepare_words() -> None:
    """Make the words of the command usable: `~` in `--option=~/path`, which a shell leaves as it is.

    Raises:
        BadInput: A word is not text, such as a file name in another encoding.
    """
    for number, word in enumerate(sys.argv[1:], start=1):
        try:
            word.encode()
        except UnicodeEncodeError:
            raise BadInput(
                f"{word!r} is not UTF-8 text", "rename the file, or correct the argument"
            ) from None
        option, sign, value = word.partition("=")
        if sign and option.startswith("--") and value.startswith("~"):
            sys.argv[number] = f"{option}={Path(value).expanduser()}"


class LenientFile(io.FileIO):
    """A file that drops what it cannot take, such as standard error on a full disk."""

    def write(self, data: Any, /) -> int:
        """Write bytes; those that cannot be written count as written."""
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def _is_file(stream: TextIO) -> bool:
    """Whether a stream writes bytes; the consoles of Windows take characters."""
    return isinstance(getattr(stream.buffer, "raw", stream.buffer), io.FileIO)


def prepare_streams() -> None:
    """Have a terminal or a pipe that lacks a character show its number instead of failing.

    What cannot be written to standard error is dropped: results must not wait for what is only progress.
    """
    stderr = sys.__stderr__
    if stderr is not None and sys.stderr is stderr and _is_file(stderr):
        raw = io.BufferedWriter(LenientFile(stderr.fileno(), "w", closefd=False))
        sys.stderr = io.TextIOWrapper(raw, encoding=stderr.encoding, line_buffering=True)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def command_line() -> str:
    """What the user typed, so that it can be typed again."""
    return shlex.join(["tiltmeter", *sys.argv[1:]])


def going_on() -> str:
    """What goes on after a stop: `--fresh` would ask again what this call has stored."""
    return shlex.join(["tiltmeter", *(word for word in sys.argv[1:] if word != "--fresh")])
