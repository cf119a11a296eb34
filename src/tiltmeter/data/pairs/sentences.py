"""Whether a cell of a table is a sentence that a model can be asked about, and if not, why."""

import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tiltmeter.core.errors import Problem
from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.core.text import counted

LONGEST = 10_000
"""In words. Longer cells come from a missing quotation mark, and no language model would read that far."""
_MISSING = frozenset({"nan", "null", "none", "n/a", "na", "#n/a", "<na>", "nil"})
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?", re.IGNORECASE)


_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u2060\ufeff]")
"""Characters that neither show nor join letters or emoji, as U+200C and U+200D do."""


def normal(text: str) -> str:
    """The text with single blanks, composed accents no invisible characters: equal ones are one sentence.

    >>> normal("  Anna  is late.") == normal("Anna is late. ") == normal("\u200bAnna is late.")
    True
    """
    return " ".join(unicodedata.normalize("NFC", _INVISIBLE.sub("", text)).split())


def problem_with(cell: Any, where: Problem) -> Problem | None:
    """What makes this cell no sentence, or None; `where` is its file, line, item and field.

    >>> print(problem_with("  ", Problem("", file="pairs.csv", line=17, field="sent_less")))
    pairs.csv:17: sent_less is empty; write the sentence, or remove the row
    """
    wrong = complaint(cell)
    return wrong and replace(where, reason=f"{where.field} {wrong[0]}", way_out=wrong[1])


def sentence(cell: Any) -> str:
    """The sentence in a cell; a fault where it is none."""
    if wrong := complaint(cell):
        raise Fault(*wrong)
    return str(cell)


def complaint(cell: Any) -> tuple[str, str] | None:
    """What makes this cell no sentence, and the way out; None if nothing does.

    >>> complaint(3)
    ('is not text but a number (3)', 'put the sentence in quotation marks')
    """
    return None if _is_usual(cell) else next(_complaints(cell), None)


def _is_usual(cell: Any) -> bool:
    """Whether it is a text of some words in printable ASCII, as nearly all cells are."""
    return (
        isinstance(cell, str)
        and len(cell) < LONGEST
        and cell.isascii()
        and cell.isprintable()
        and " " in cell.strip()
    )


def _complaints(cell: Any) -> Iterator[tuple[str, str]]:
    write = "write the sentence, or remove the row"
    if cell is None:
        yield "is null", write
    elif isinstance(cell, float) and math.isnan(cell):
        yield "is NaN (a missing value)", write
    elif not isinstance(cell, str):
        yield f"is not text but {_shown(cell)}", "put the sentence in quotation marks"
    elif not cell.strip():
        yield "is empty", write
    else:
        yield from _complaints_of_text(cell.strip(), write)


def _complaints_of_text(text: str, write: str) -> Iterator[tuple[str, str]]:
    if text.lower() in _MISSING:
        yield f"reads {text!r}, which marks a missing value", write
    if _NUMBER.fullmatch(text):
        yield f"is a number ({text[:20]}), not a sentence", "check that the columns are in order"
    words = len(text.split())
    if words > LONGEST:
        way_out = "shorten it; a quotation mark that is not closed also does that"
        yield f"has {counted(words, 'words')}, more than {LONGEST:,}", way_out
    if not (text.isascii() and text.isprintable()):
        for at, c in enumerate(text, start=1):
            if not " " <= c < "\x7f":
                yield from _complaints_of_character(c, at)
    if not any(unicodedata.category(c)[0] in "LNPSM" for c in text):
        yield "holds only invisible characters", write


def _complaints_of_character(c: str, at: int) -> Iterator[tuple[str, str]]:
    shown = f"U+{ord(c):04X} at character {at}"
    if c == "\ufffd":
        way_out = "the text was decoded wrongly before: export it again with the right encoding"
        yield f"holds the replacement character {shown}", way_out
    elif "\ud800" <= c <= "\udfff":
        yield f"holds half a character (lone surrogate {shown})", "write the whole character"
    elif "\x80" <= c <= "\x9f":
        way_out = "the file is probably cp1252 or mac_roman: give the right --encoding"
        yield f"holds the control character {shown}", way_out
    elif unicodedata.category(c) == "Cc" and c not in "\t\n\r":
        yield f"holds the control character {shown}", "remove it"


def _shown(cell: Any) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, int | float):
        return f"a number ({cell})"
    kinds = {"list": "a list", "dict": "an object", "bytes": "bytes"}
    return kinds.get(type(cell).__name__, f"of type {type(cell).__name__}")
