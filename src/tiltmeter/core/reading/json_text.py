"""JSON that others wrote: parsed, or one clear reason why it cannot be."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput, reason_of

_HALF = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")


def parsed(text: str, *, halves: bool = False, twice: bool = False) -> Any:
    r"""Parse JSON that somebody else wrote.

    Args:
        text: The JSON.
        halves: Whether texts may hold half a character, because the caller looks for it itself.
        twice: Whether an object may have a field twice, of which the last counts: in files of other
            programs.

    Raises:
        ValueError: It is broken, nested too deeply, has a field twice, or holds a number too long to be
            read or half a character.

    >>> parsed('{"a": [1, "\\ud83d\\ude00"]}')
    {'a': [1, '😀']}
    >>> parsed('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    ValueError: the field 'a' occurs twice
    >>> parsed('"\\ud800"')
    Traceback (most recent call last):
    ValueError: it contains half a character (an unpaired surrogate)
    """
    try:
        value = json.loads(text, object_pairs_hook=None if twice else fields_once)
    except json.JSONDecodeError:  # a ValueError that says where
        raise
    except (ValueError, RecursionError) as error:
        raise plain_fault(error) from None
    if not halves and _HALF.search(text):  # few texts spell one, and looking costs a second pass
        check_whole(value)
    return value


def plain_fault(error: ValueError | RecursionError) -> ValueError:
    """What Python's reader of JSON says, in words that users know.

    >>> plain_fault(RecursionError("maximum recursion depth exceeded"))
    ValueError('it is nested too deeply')
    """
    if isinstance(error, RecursionError):
        return ValueError("it is nested too deeply")
    if "integer string conversion" in str(error):
        return ValueError("it contains a number with too many digits")
    return error


def read_json(path: Path, way_out: str, *, twice: bool = False) -> Any:
    """Read a file as JSON.

    Raises:
        BadInput: It cannot be read; with the way out.
    """
    try:
        return parsed(path.read_text("utf-8"), twice=twice)
    except (OSError, ValueError) as error:
        reason = f"it cannot be read ({reason_of(error)})"
        raise BadInput(reason, way_out, file=str(path)) from error


def fields_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object with these fields, for a JSON decoder.

    Raises:
        ValueError: A field occurs twice.
    """
    fields = dict(pairs)
    if len(fields) < len(pairs):
        double = next(name for name, n in Counter(name for name, _ in pairs).items() if n > 1)
        msg = f"the field {double!r} occurs twice"
        raise ValueError(msg)
    return fields


def check_whole(value: object) -> None:
    """Raise an error if a text in a JSON value contains a lone surrogate, which no file can store.

    Raises:
        ValueError: One does.
    """
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("it contains half a character (an unpaired surrogate)") from None
