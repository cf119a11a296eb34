"""The command that the user typed."""

import errno
import io
import os
import shlex
import sys
from pathlib import Path
from typing import Any, TextIO

from tiltmeter.core.errors import BadInput, reason_of


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


STDOUT = "standard output"


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


class StandardOutput(io.FileIO):
    """Standard output, named in the errors of what cannot be written to it."""

    def write(self, data: Any, /) -> int:
        """Write bytes; an error of the system's names standard output as its file."""
        try:
            return super().write(data)
        except OSError as error:
            raise OSError(error.errno, error.strerror, STDOUT) from None


class ClosedFile(io.RawIOBase):
    """Standard output that was closed before the program began: nothing can be written to it."""

    def writable(self) -> bool:
        """Return True, so that libraries write to it."""
        return True

    def write(self, _: Any, /) -> int:
        """Fail as a write to a closed descriptor does."""
        raise OSError(errno.EBADF, "it is closed", STDOUT)


def prepare_streams() -> None:
    """Have a terminal or a pipe that lacks a character show its number instead of failing.

    What cannot be written to standard error is dropped: results must not wait for what is only progress. A
    stream that is closed gets a descriptor that leads nowhere, as the next file that is opened would have its
    number, and libraries in C would write into that.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115  (for as long as the process runs)
    stdout = sys.__stdout__
    if stdout is not None and sys.stdout is stdout and _is_file(stdout):
        to_file = io.BufferedWriter(StandardOutput(stdout.fileno(), "w", closefd=False))
        line_by_line = stdout.isatty()
        sys.stdout = io.TextIOWrapper(
            to_file, encoding=stdout.encoding, line_buffering=line_by_line
        )
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(ClosedFile()), encoding="utf-8")
    stderr = sys.__stderr__
    if stderr is not None and sys.stderr is stderr and _is_file(stderr):
        raw = io.BufferedWriter(LenientFile(stderr.fileno(), "w", closefd=False))
        sys.stderr = io.TextIOWrapper(raw, encoding=stderr.encoding, line_buffering=True)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def flush_stdout() -> str:
    """Write what was printed; gives the reason where it cannot be, and "" where it was.

    Standard output leads nowhere then: what Python flushes at exit must not fail again.
    """
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read it has what they wanted
        reason = ""
    except OSError as error:
        reason = f"{STDOUT}: {reason_of(error)}"
    else:
        return ""
    sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115
    return reason


def command_line() -> str:
    """What the user typed, so that it can be typed again."""
    return shlex.join(["tiltmeter", *sys.argv[1:]])


def going_on() -> str:
    """What goes on after a stop: `--fresh` would ask again what this call has stored."""
    return shlex.join(["tiltmeter", *(word for word in sys.argv[1:] if word != "--fresh")])
