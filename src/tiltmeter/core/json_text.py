"""JSON that others wrote: parsed, or one clear reason why it cannot be."""

import json
import re
from collections.abc import Callable
from typing import Any

_HALF = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
Hook = Callable[[list[tuple[str, Any]]], Any]


def parsed(text: str, hook: Hook | None = None, *, halves: bool = False) -> Any:
    r"""What JSON says.

    Args:
        text: The JSON.
        hook: What makes an object of its fields, such as one that refuses a field given twice.
        halves: Whether texts may hold half a character, because the caller looks for it itself.

    Raises:
        ValueError: It is broken, nested too deeply, or holds a number too long to be read or half a
            character.

    >>> parsed('{"a": [1, "\\ud83d\\ude00"]}')
    {'a': [1, '😀']}
    >>> parsed('"\\ud800"')
    Traceback (most recent call last):
    ValueError: it contains half a character (an unpaired surrogate)
    """
    try:
        value = json.loads(text, object_pairs_hook=hook)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except json.JSONDecodeError:
        raise
    except ValueError as error:
        if "integer string conversion" in str(error):
            raise ValueError("it contains a number with too many digits") from None
        raise
    if not halves and _HALF.search(text):
        check_whole(value)
    return value


def check_whole(value: object) -> None:
    """See that no text in a JSON value holds half a character, which no file could be written with.

    Raises:
        ValueError: One does.
    """
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("it contains half a character (an unpaired surrogate)") from None
