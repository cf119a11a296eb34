"""The words of the command line, in help and in errors, as Python has them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from tiltmeter.core.errors import TiltmeterError

_COMMAND = r"`tiltmeter [^`]*`|tiltmeter (?:run|ls|table|import|analyse|models|data) [^;,\n]*"
_ENTRY = r"--(?P<table>set|map) (?P<key>[\w.]+)=(?P<value>[^\s,;]+)"
_FLAG = r"--(?P<name>[a-z][a-z-]*)(?P<placeholder> (?=[A-Z]{2}))?"
_WORDS = re.compile(f"(?P<command>{_COMMAND})|{_ENTRY}|{_FLAG}")
_TABLES = {"set": "settings", "map": "columns"}
"""The arguments for what the command line takes piece by piece."""


def without_flags(text: str) -> str:
    """The text with arguments in place of flags; whole commands stay as they are.

    >>> without_flags("--split-seed has no effect without --split")
    'split_seed has no effect without split'
    >>> without_flags("name your file with --data FILE, or write --set draws=100")
    "name your file with data=FILE, or write settings={'draws': '100'}"
    >>> without_flags("see `tiltmeter ls --json`")
    'see `tiltmeter ls --json`'
    """
    return _WORDS.sub(_argument, text)


def _argument(found: re.Match[str]) -> str:
    if found["command"]:
        return found["command"]
    if found["table"]:
        return f"{_TABLES[found['table']]}={{{found['key']!r}: {found['value']!r}}}"
    name = found["name"].replace("-", "_")
    return f"{_TABLES.get(name, name)}{'=' if found['placeholder'] else ''}"


@contextmanager
def errors_for_python() -> Iterator[None]:
    """What is raised in here names arguments where the command line has flags."""
    try:
        yield
    except TiltmeterError as error:
        error.args = tuple(
            without_flags(part) if isinstance(part, str) else part for part in error.args
        )
        raise
