"""Failures in words: memory, open files, the clock, missing libraries of surveys, code of a study's file."""

import errno
from pathlib import Path

from tiltmeter.core.errors import MissingExtra, reason_of
from tiltmeter.core.text import visible
from tiltmeter.run.planning.study_code import code_failure

ANSWERS_STAY = "try a smaller --batch-tokens. Answers so far are stored."
OF_PEOPLE = frozenset(
    {"argon2", "fastapi", "httptools", "itsdangerous", "multipart", "sqlalchemy", "uvicorn"}
)
"""Libraries of the extra [people]: `survey` imports them in many places."""
TOO_MANY_FILES = "too many open files; allow more with: ulimit -n 1024"
WORDS: tuple[tuple[type[BaseException], str, str], ...] = (
    (MemoryError, "", f"out of memory; {ANSWERS_STAY}"),
    (RuntimeError, "memory", f"{{}}\nIf it is memory, {ANSWERS_STAY}"),
    (RuntimeError, "home directory", "{}"),
    (RuntimeError, "Symlink loop", "{}; these links point at each other"),
    (ImportError, "failed to map segment", "out of memory while a library was loaded ({})"),
    (ImportError, "cannot allocate memory", "out of memory while a library was loaded ({})"),
    (OverflowError, "timestamp", "the clock of this computer is wrong ({}); set it"),
    (BaseException, "TooManyOpenFiles", TOO_MANY_FILES),  # a panic in Polars is no `Exception`
)
"""Kind of error, what its message holds, and what to say; "{}" stands for the message."""


def failure(error: BaseException) -> tuple[str, int] | None:
    """What to say of an error, and the exit code; None if neither machine nor a study's file is to blame."""
    if (in_study := code_failure(error)) is not None:
        return str(in_study), in_study.exit_code
    if isinstance(error, OSError):
        return _of_system(error)
    if isinstance(error, ModuleNotFoundError) and str(error.name).partition(".")[0] in OF_PEOPLE:
        missing = MissingExtra("tiltmeter survey", "people")
        return str(missing), missing.exit_code
    text = str(error)
    matches = (say for kind, words, say in WORDS if isinstance(error, kind) and words in text)
    return next(((say.replace("{}", text), 1) for say in matches), None)


def _has_working_folder() -> bool:
    try:
        Path.cwd()
    except FileNotFoundError:
        return False
    return True


def _of_system(error: OSError) -> tuple[str, int]:
    name = "" if error.filename is None else visible(str(error.filename))
    if isinstance(error, FileNotFoundError) and not name and not _has_working_folder():
        return "the current folder does not exist any more; change to another one", 1
    if error.errno == errno.ENAMETOOLONG:
        return f"{name[:40]}… is longer than the name of a file may be; shorten it", 2
    if error.errno in {errno.EMFILE, errno.ENFILE}:
        return TOO_MANY_FILES, 1
    return f"{name}: {reason_of(error)}" if name else reason_of(error), 1
